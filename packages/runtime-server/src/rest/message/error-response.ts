import { isConnectorError } from '@levada/connect-runtime-core';
import { type HerderErrorKind, herderErrorStatus } from '@levada/connect-worker';
import { BodyError, RestError } from './rest-error.ts';
import type { RestResponse } from './rest-message.ts';

/** What of an error reaches the client. */
interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What comes with every 503: it may soon be different. */
const soon = { 'retry-after': '1' } as const;

/** Kafka Connect's error body: always both fields, never null. */
export function errorResponse(refusal: Refusal): RestResponse {
  const retry = refusal.status === 503 ? soon : {};
  const message = refusal.message === '' ? `HTTP ${refusal.status}` : refusal.message;
  return {
    status: refusal.status,
    headers: { 'content-type': 'application/json', ...retry, ...refusal.headers },
    body: JSON.stringify({ error_code: refusal.status, message }),
  };
}

/** The one place that turns what was thrown into an answer. `strict`: bodies that cannot be read are 500, as in Java. */
export function toErrorResponse(thrown: unknown, strict: boolean): RestResponse {
  return errorResponse(refusalOf(thrown, strict));
}

/** Where Kafka Connect takes a mistake of the client for one of its own. */
const javaStatus: Partial<Readonly<Record<HerderErrorKind, number>>> = {
  unknown_class: 500,
  refused_offsets: 500,
};

function refusalOf(thrown: unknown, strict: boolean): Refusal {
  if (thrown instanceof RestError) return thrown;
  if (thrown instanceof BodyError) {
    return strict ? { status: 500, message: thrown.strictMessage } : { status: 400, message: thrown.message };
  }
  if (isHerderError(thrown)) {
    const status = herderErrorStatus[thrown.kind];
    return { status: strict ? (javaStatus[thrown.kind] ?? status) : status, message: thrown.message };
  }
  if (isConnectorError(thrown) && thrown.code === 'config_invalid')
    return { status: 400, message: thrown.message };
  return { status: 500, message: thrown instanceof Error ? thrown.message : String(thrown) };
}

/** Recognised by its name, because a plugin may bring its own copy of the core. */
export function isHerderError(thrown: unknown): thrown is Error & { readonly kind: HerderErrorKind } {
  return (
    thrown instanceof Error &&
    thrown.name === 'HerderError' &&
    'kind' in thrown &&
    typeof thrown.kind === 'string' &&
    Object.hasOwn(herderErrorStatus, thrown.kind)
  );
}
