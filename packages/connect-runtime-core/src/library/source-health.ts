import type { ConnectionSnapshot } from '../contract/connection-state.ts';
import type { SourceHealth } from './source-handle.ts';

/** Percentage of the queue from which on drops are near. */
const NEARLY_FULL = 80;

export interface HealthInput {
  /** Why the source does not run, if so. */
  readonly notRunning: string | undefined;
  readonly connection: ConnectionSnapshot | undefined;
  readonly status: Readonly<Record<string, number | boolean>>;
  /** Why offsets cannot be stored at the moment. */
  readonly offsets: Error | undefined;
}

/** The answer to a probe. */
export function sourceHealth({ notRunning, connection, status, offsets }: HealthInput): SourceHealth {
  if (notRunning !== undefined) return { status: 'down', reason: notRunning };
  const trouble = connection === undefined ? undefined : connectionTrouble(connection);
  if (trouble !== undefined)
    return { status: connection?.state === 'closed' ? 'down' : 'degraded', reason: trouble };
  if (offsets !== undefined) return { status: 'degraded', reason: offsets.message };
  const filled = Number(status['QueueUtilizationPercent'] ?? status['MaxQueueUtilizationPercent'] ?? 0);
  if (filled < NEARLY_FULL) return { status: 'up' };
  return { status: 'degraded', reason: `queue is ${Math.round(filled)} % full` };
}

function connectionTrouble({
  state,
  lastError,
  attempt,
  nextTryInMs,
}: ConnectionSnapshot): string | undefined {
  if (state === 'connected' || state === 'listening') return undefined;
  const why = lastError === undefined ? '' : `: ${lastError}`;
  if (state !== 'backing-off') return `${state}${why}`;
  return `reconnect attempt ${attempt ?? '?'} in ${Math.ceil(nextTryInMs ?? 0)} ms${why}`;
}
