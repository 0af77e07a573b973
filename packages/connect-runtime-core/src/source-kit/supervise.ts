import type { ConnectionState } from '../contract/connection-state.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import { type BackoffPolicy, backoffDelay } from '../time/backoff.ts';
import type { Clock } from '../time/clock.ts';

/** When and how often to try again. Read again before each attempt, so that it may change while running. */
export interface ReconnectPolicy extends BackoffPolicy {
  readonly enabled: boolean;
  /** Attempts in a row without a healthy connection; -1: any number. */
  readonly maxAttempts: number;
}

export interface ConnectionHooks {
  /** The connection is up. */
  connected(): void;
  /** Something arrived: attempts start from 1 again. Cheap enough for each message. */
  healthy(): void;
  /** Aborted when the supervisor is to end. */
  readonly signal: AbortSignal;
}

export interface SuperviseOptions {
  /**
   * One connection, from dialling to its end. Resolves or rejects when it is over and everything of it is closed.
   * A rejection that is not retriable ends the supervisor.
   */
  readonly run: (hooks: ConnectionHooks) => Promise<void>;
  readonly policy: () => ReconnectPolicy;
  readonly clock: Clock;
  /** Ends the supervisor; a connection that is up is notified through its hooks. */
  readonly signal: AbortSignal;
  /** Numbers from 0 to 1 for jitter. Default: Math.random. */
  readonly random?: () => number;
  /** Called at each change. */
  readonly onState: (state: ConnectionState) => void;
  /** A connection is over, or was never made (`established` false); it will be tried again unless the policy says no. */
  readonly onEnd: (end: { readonly error: ConnectorError; readonly established: boolean }) => void;
  /** An attempt was scheduled; attempts count from 1. */
  readonly onRetry: (retry: {
    readonly attempt: number;
    readonly delayMs: number;
    readonly error: ConnectorError;
  }) => void;
}

/** A connection that lived this long counts as healthy even when nothing arrived. */
export const HEALTHY_MS = 30_000;

/**
 * Connects, runs, backs off and connects again, until the signal aborts (then resolves) or there is no point in trying again
 * (then rejects with a ConnectorError: `reconnect_exhausted`, `reconnect_disabled`, or the permanent failure itself).
 */
export async function supervise(options: SuperviseOptions): Promise<void> {
  const { signal, clock } = options;
  let attempt = 0;
  try {
    while (!signal.aborted) {
      options.onState({ kind: 'connecting', attempt });
      const life = await runOnce(options);
      if (signal.aborted) break;
      options.onState({ kind: 'disconnected' });
      options.onEnd({ error: life.error, established: life.connectedAt !== undefined });
      if (!life.error.retriable) throw life.error;
      if (life.healthy) attempt = 0;
      const policy = options.policy();
      attempt = nextAttempt(policy, attempt, life.error);
      const delayMs = delayOf(policy, { attempt, error: life.error, random: options.random ?? Math.random });
      options.onRetry({ attempt, delayMs, error: life.error });
      options.onState({ kind: 'backing-off', attempt, until: clock.monotonic() + delayMs });
      await clock.sleep(delayMs, signal);
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  } finally {
    options.onState({ kind: 'closed' });
  }
}

interface Life {
  readonly error: ConnectorError;
  readonly connectedAt: number | undefined;
  readonly healthy: boolean;
}

/** One connection. Whatever it does after its end is ignored. */
async function runOnce(options: SuperviseOptions): Promise<Life> {
  const { clock, signal } = options;
  let connectedAt: number | undefined;
  let healthy = false;
  let over = false;
  const hooks: ConnectionHooks = {
    signal,
    connected: () => {
      if (over || connectedAt !== undefined) return;
      connectedAt = clock.monotonic();
      options.onState({ kind: 'connected', since: connectedAt });
    },
    healthy: () => {
      if (!over) healthy = true;
    },
  };
  let error: ConnectorError;
  try {
    await options.run(hooks);
    error = new ConnectorError('connection_lost', 'connection closed');
  } catch (thrown) {
    error = ConnectorError.from(thrown, 'connection_lost');
  }
  over = true;
  const livedLong = connectedAt !== undefined && clock.monotonic() - connectedAt >= HEALTHY_MS;
  return { error, connectedAt, healthy: healthy || livedLong };
}

function nextAttempt(policy: ReconnectPolicy, attempt: number, error: ConnectorError): number {
  if (!policy.enabled) {
    throw new ConnectorError(
      'reconnect_disabled',
      `reconnecting is disabled and the connection ended: ${error.message}`,
      { cause: error },
    );
  }
  if (policy.maxAttempts >= 0 && attempt >= policy.maxAttempts) {
    const message = `reconnect attempts exhausted (${policy.maxAttempts}): ${error.message}`;
    throw new ConnectorError('reconnect_exhausted', message, { cause: error });
  }
  return attempt + 1;
}

/** The policy's delay, or the peer's own wish when that is longer, but never above the policy's maximum. */
function delayOf(
  policy: ReconnectPolicy,
  { attempt, error, random }: { attempt: number; error: ConnectorError; random: () => number },
): number {
  const delay = backoffDelay(policy, attempt, random);
  return Math.min(policy.maxMs, Math.max(delay, error.retryAfterMs ?? 0));
}
