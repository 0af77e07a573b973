import {
  checkOptions,
  type OptionChecks,
  optionsOf,
  shownValueThat,
  wholeNumberFrom,
} from '../config/option-checks.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import { messageOf } from '../diagnostics/error-json.ts';
import { type BackoffPolicy, backoffDelay } from '../time/backoff.ts';
import type { Clock } from '../time/clock.ts';

/** What happens to a record for which the callback failed, after all retries. */
export type FailureAction = 'throw' | 'drop';

/** How often a callback is called, and what happens when it fails in the end. `T` is what it is called with. */
export interface CallbackOptions<T> {
  /**
   * How often a failing call is repeated; `Infinity`: until the run is over. Default 0: not at all. An error with `retriable: false` is not
   * repeated.
   *
   * @example `retries: 5`
   */
  readonly retries?: number | undefined;
  /**
   * Delay before the first repetition and the most that it grows to, in milliseconds. It doubles each time, with up to a quarter of
   * jitter. Default: 100 and 30000.
   *
   * @example `backoff: { initialMs: 500, maxMs: 10_000 }`
   */
  readonly backoff?: { readonly initialMs?: number; readonly maxMs?: number } | undefined;
  /**
   * What to do when the callback failed and no retries are left. `throw`: the run ends with the error, and what was not
   * delivered is read again by a source that can resume. `drop`: the record is dropped, counted (`produce_rejected`) and
   * reported to `onDrop` of the run. A function decides for each; what it throws ends the run. Default: `throw`, and in a run that is
   * `tolerant` `drop`.
   */
  readonly onError?:
    | FailureAction
    | ((error: unknown, failed: T) => FailureAction | Promise<FailureAction>)
    | undefined;
}

/** What a callback is called with beside the records. */
export interface CallbackContext {
  /** 1 for the first call, 2 for its first repetition. */
  readonly attempt: number;
  /** Aborted when the run is over: hand it to what the callback waits for. */
  readonly signal: AbortSignal;
}

/** What calls a callback needs. */
export interface AttemptParts<T> {
  readonly call: (subject: T, context: CallbackContext) => unknown;
  readonly options: CallbackOptions<T>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly tolerant: boolean;
  /** Names what failed, for the message. */
  readonly what: (subject: T) => string;
}

/** A failed call: the error of its records, and whether they are dropped on purpose. */
export interface FailedCall {
  readonly error: ConnectorError;
  readonly drop?: true;
}

const INITIAL_MS = 100;
const MAX_MS = 30_000;

/** Calls until it succeeds, retries run out, or the run is over. Undefined: it succeeded. Never rejects. */
export async function attempt<T>(parts: AttemptParts<T>, subject: T): Promise<FailedCall | undefined> {
  const { call, options, clock, signal } = parts;
  const { retries = 0, backoff = {} } = options;
  const policy: BackoffPolicy = {
    intervalMs: backoff.initialMs ?? INITIAL_MS,
    maxMs: backoff.maxMs ?? MAX_MS,
  };
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      await call(subject, { attempt, signal });
      return undefined;
    } catch (thrown) {
      if (signal.aborted) break;
      if (attempt > retries || isPermanent(thrown)) return await failure(parts, subject, { thrown, attempt });
    }
    // An abort ends the wait, and the loop.
    await clock.sleep(backoffDelay(policy, attempt, Math.random), signal).catch(() => undefined);
  }
  return { error: new ConnectorError('closed', 'the run was over before the callback succeeded') };
}

/** Of an error of any kind: many clients have this member. */
function isPermanent(thrown: unknown): boolean {
  return thrown instanceof Error && 'retriable' in thrown && thrown.retriable === false;
}

async function failure<T>(
  { options, tolerant, what }: AttemptParts<T>,
  subject: T,
  { thrown, attempt }: { readonly thrown: unknown; readonly attempt: number },
): Promise<FailedCall> {
  const times = attempt === 1 ? '' : ` ${attempt} times`;
  const error = failedCallback(`the callback failed${times} for ${what(subject)}`, thrown);
  const { onError = tolerant ? 'drop' : 'throw' } = options;
  try {
    const action = typeof onError === 'function' ? await onError(thrown, subject) : onError;
    return action === 'drop' ? { error, drop: true } : { error };
  } catch (other) {
    return { error: failedCallback('onError failed', other) };
  }
}

function failedCallback(what: string, thrown: unknown): ConnectorError {
  return new ConnectorError('record_rejected', `${what}: ${messageOf(thrown)}`, { cause: thrown });
}

const delay = optionsOf<{ readonly initialMs?: number; readonly maxMs?: number }>({
  initialMs: wholeNumberFrom(1),
  maxMs: wholeNumberFrom(1),
});

/** Checks of the options that every callback has. */
export const callbackChecks: OptionChecks<CallbackOptions<never>> = {
  retries: shownValueThat(
    'a whole number from 0, or Infinity',
    (value) => value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && Number(value) >= 0),
  ),
  backoff: delay,
  onError: shownValueThat(
    "'throw', 'drop' or a function",
    (value) => value === 'throw' || value === 'drop' || typeof value === 'function',
  ),
};

/** Throws `config_invalid` when the callback is none, and with every problem of the options. */
export function checkCallback<T extends object>(
  sink: string,
  callback: unknown,
  { checks, options }: { readonly checks: OptionChecks<T>; readonly options: T },
): void {
  if (typeof callback !== 'function') {
    const message = `${sink}: the callback must be a function, got ${typeof callback}`;
    throw new ConnectorError('config_invalid', message, { issues: [{ key: sink, message }] });
  }
  checkOptions(checks, options, { parent: `${sink}: ` });
}
