import { type ErrorCode, errorCodes } from './error-codes.ts';
import { type ConnectorErrorJson, causeJson, causeOf, messageOf } from './error-json.ts';

/** One problem of a configuration. A `config_invalid` error lists all of them. */
export interface ConfigIssue {
  /** The key, or the option of library use, that is wrong. */
  readonly key: string;
  /** What is wrong and what was expected; never a secret. */
  readonly message: string;
  /** Where the value was written, for example `worker.properties:3`, when that is known. */
  readonly place?: string;
}

/** What a {@link ConnectorError} may say beside its code and message. */
export interface ConnectorErrorOptions {
  /** The error that led to this one. */
  readonly cause?: unknown;
  /** Overrides what the table says for the code. */
  readonly retriable?: boolean | undefined;
  /** The peer asked not to be contacted again before this many milliseconds (`Retry-After`). */
  readonly retryAfterMs?: number | undefined;
  /** Every problem found, in a `config_invalid` error. */
  readonly issues?: readonly ConfigIssue[] | undefined;
}

/** The one error class of the project. `instanceof` is true for errors of another installed copy of this package, too. */
export class ConnectorError extends Error {
  /** What went wrong, from a closed list. */
  readonly code: ErrorCode;
  /** Whether the same attempt may succeed later. */
  readonly retriable: boolean;
  /**
   * How long the peer asks to wait, in milliseconds; undefined: it said nothing. Own only when the peer said so, so that consoles do not
   * show it otherwise.
   */
  declare readonly retryAfterMs: number | undefined;
  /** Each problem of a `config_invalid` error; empty for others. */
  readonly issues: readonly ConfigIssue[];

  constructor(code: ErrorCode, message: string, options: ConnectorErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ConnectorError';
    this.code = code;
    this.retriable = options.retriable ?? errorCodes[code].retriable;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
    this.issues = options.issues ?? [];
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore-start lint/complexity/noThisInStatic: a class that extends this one has instances of its own
    return Object.is(this, ConnectorError) ? isConnectorError(value) : super[Symbol.hasInstance](value);
    // biome-ignore-end lint/complexity/noThisInStatic: as above
  }

  /** Any thrown value as a ConnectorError: one is returned as it is, anything else becomes the cause of an `internal` one. */
  static from(thrown: unknown, code: ErrorCode = 'internal'): ConnectorError {
    if (isConnectorError(thrown)) return thrown;
    return new ConnectorError(code, messageOf(thrown), { cause: thrown });
  }

  /** The error that {@link toJSON} described, in another thread or process. The stack is that of this call. */
  static fromJSON(json: ConnectorErrorJson): ConnectorError {
    const { code, message, cause, ...options } = json;
    return new ConnectorError(code, message, {
      ...options,
      cause: cause === undefined ? undefined : causeOf(cause),
    });
  }

  /**
   * Everything but the stack as plain data, causes included: what `JSON.stringify` writes, and what to send to another thread,
   * because `structuredClone` and `postMessage` keep only the message and the stack of an error.
   */
  toJSON(): ConnectorErrorJson {
    const { code, message, retriable, retryAfterMs, issues, cause } = this;
    return {
      name: 'ConnectorError',
      code,
      message,
      retriable,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(issues.length === 0 ? {} : { issues }),
      ...(cause === undefined ? {} : { cause: causeJson(cause) }),
    };
  }
}

/** True for an error of this class, also when it comes from another copy of this package. */
export function isConnectorError(thrown: unknown): thrown is ConnectorError {
  return (
    thrown instanceof Error && thrown.name === 'ConnectorError' && 'code' in thrown && 'retriable' in thrown
  );
}
