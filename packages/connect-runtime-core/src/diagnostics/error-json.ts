import type { ConfigIssue } from './connector-error.ts';
import type { ErrorCode } from './error-codes.ts';

/** An error that led to another one, as far as it can be shown: no stack, and none of its other properties. */
export interface ErrorCauseJson {
  /** Its class, such as `TypeError`; the type of what was thrown if that was no error. */
  readonly name: string;
  /** Its text. */
  readonly message: string;
  /** Of a ConnectorError, or of the system, such as `ECONNREFUSED`. */
  readonly code?: string | undefined;
  /** The errors of an AggregateError: one for each address that was tried. */
  readonly errors?: readonly ErrorCauseJson[] | undefined;
  /** What led to it. */
  readonly cause?: ErrorCauseJson | undefined;
}

/** A ConnectorError as plain data: for an HTTP answer, a message to another thread, a table of failures. */
export interface ConnectorErrorJson {
  /** Always the same. */
  readonly name: 'ConnectorError';
  /** Why it failed. */
  readonly code: ErrorCode;
  /** What happened; never a secret. */
  readonly message: string;
  /** Whether the same attempt may succeed later. */
  readonly retriable: boolean;
  /** The peer asked to wait so many milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** Every problem found, in a `config_invalid` error. */
  readonly issues?: readonly ConfigIssue[] | undefined;
  /** What led to it. */
  readonly cause?: ErrorCauseJson | undefined;
}

/** A chain that is longer, or leads back to itself, is cut. */
const MOST_CAUSES = 8;
/** Errors shown of an AggregateError. */
const MOST_ERRORS = 8;

interface ErrorLike {
  readonly name?: unknown;
  readonly message: string;
  readonly code?: unknown;
  readonly errors?: unknown;
  readonly cause?: unknown;
}

/** A thrown value with what led to it. Also of errors of another realm, and of those that were made plain before. */
export function causeJson(thrown: unknown, depth = MOST_CAUSES): ErrorCauseJson {
  if (!isErrorLike(thrown)) return { name: typeof thrown, message: textOf(thrown) };
  const { name, message, code, errors, cause } = thrown;
  return {
    name: typeof name === 'string' ? name : 'Error',
    message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(Array.isArray(errors) && depth > 0
      ? { errors: errors.slice(0, MOST_ERRORS).map((error) => causeJson(error, depth - 1)) }
      : {}),
    ...(cause === undefined || depth === 0 ? {} : { cause: causeJson(cause, depth - 1) }),
  };
}

function isErrorLike(thrown: unknown): thrown is ErrorLike {
  return typeof thrown === 'object' && thrown !== null && typeof Reflect.get(thrown, 'message') === 'string';
}

/** The message of an error, or the text of whatever else was thrown. Never throws. */
export function messageOf(thrown: unknown): string {
  return isErrorLike(thrown) ? thrown.message : textOf(thrown);
}

/** Objects without a prototype have no text. */
function textOf(thrown: unknown): string {
  return typeof thrown === 'object' ? Object.prototype.toString.call(thrown) : String(thrown as symbol);
}

/** The errors that {@link causeJson} described. */
export function causeOf({ name, message, code, errors, cause }: ErrorCauseJson): Error {
  const options = cause === undefined ? undefined : { cause: causeOf(cause) };
  const error =
    errors === undefined
      ? new Error(message, options)
      : new AggregateError(errors.map(causeOf), message, options);
  error.name = name;
  return code === undefined ? error : Object.assign(error, { code });
}
