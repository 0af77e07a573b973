/** Why a herder refuses, and the HTTP status that Kafka Connect gives it. */
export const herderErrorStatus = {
  bad_request: 400,
  /** A configuration without a connector class. Kafka Connect answers 500 where it validates. */
  no_class: 400,
  /** A connector class that is not installed, or that several have. Kafka Connect answers 500. */
  unknown_class: 400,
  /** Offsets that the connector does not accept. Kafka Connect answers 500. */
  refused_offsets: 400,
  forbidden: 403,
  not_found: 404,
  already_exists: 409,
  /** A rebalance or a concurrent change: clients try again. */
  conflict: 409,
  /** Another worker of the group carries it out: {@link HerderError.target}. */
  elsewhere: 409,
  /** More than the config topic takes. Kafka Connect answers 500. */
  too_large: 413,
  internal: 500,
  unavailable: 503,
  timeout: 500,
} as const;

/** One of {@link herderErrorStatus}. */
export type HerderErrorKind = keyof typeof herderErrorStatus;

/** A refusal with Kafka Connect's message, to the letter. */
export class HerderError extends Error {
  readonly kind: HerderErrorKind;
  /** Base URL of the worker that carries out what is refused as `elsewhere`, with trailing slash; undefined: unknown for the moment. */
  readonly target: string | undefined;

  constructor(
    kind: HerderErrorKind,
    message: string,
    options?: ErrorOptions & { readonly target?: string | undefined },
  ) {
    super(message, options);
    this.name = 'HerderError';
    this.kind = kind;
    this.target = options?.target;
  }
}
