import type { ConnectionSnapshot, ConnectionState } from '../contract/connection-state.ts';
import type { MetricGroup } from '../diagnostics/metric-group.ts';
import type { connectionMetrics, sourceMetrics } from '../diagnostics/source-metrics.ts';
import type { Clock } from '../time/clock.ts';

export interface GaugeSources {
  readonly clock: Clock;
  readonly queue: { readonly size: number; readonly bytes: number };
  /** Most messages that the queue was configured to take. */
  readonly capacity: () => number;
  readonly state: () => ConnectionState;
  /** Monotonic time of the last message; undefined before the first. */
  readonly lastMessageAt: () => number | undefined;
  /** Milliseconds for which the peer is held up; undefined while it is read. Default: it never is. */
  readonly heldUpMs?: (() => number | undefined) | undefined;
}

/** A group whose table has at least the rows of a source with a connection. */
type Metrics = Pick<MetricGroup<typeof sourceMetrics & typeof connectionMetrics>, 'set' | 'observe'>;

/** Ties the gauges of queue and connection to a running task. */
export function observeGauges(metrics: Metrics, sources: GaugeSources): void {
  const { clock, queue, state, lastMessageAt } = sources;
  metrics.observe('QueueCapacity', sources.capacity);
  metrics.observe('QueueSize', () => queue.size);
  metrics.observe('QueueBytes', () => queue.bytes);
  metrics.observe('IsConnected', () => (state().kind === 'connected' ? 1 : 0));
  metrics.observe('MillisSinceLastMessage', () => {
    const at = lastMessageAt();
    return at === undefined ? -1 : Math.round(clock.monotonic() - at);
  });
  metrics.observe('UptimeMillis', () => {
    const now = state();
    return now.kind === 'connected' ? Math.round(clock.monotonic() - now.since) : 0;
  });
}

/** Leaves the gauges of the connection at what holds when there is none. The queue's stay tied: it is still being emptied. */
export function freezeGauges(metrics: Metrics): void {
  metrics.set('IsConnected', 0);
  metrics.set('UptimeMillis', 0);
}

/** The connection as it is shown to people; `lastError` is the text of its last failure, without secrets. */
export function connectionSnapshot(sources: GaugeSources, lastError: string | undefined): ConnectionSnapshot {
  const state = sources.state();
  const at = sources.lastMessageAt();
  const heldUpMs = sources.heldUpMs?.();
  const now = sources.clock.monotonic();
  return {
    state: state.kind,
    ...(at === undefined ? {} : { lastMessageAgeMs: Math.round(now - at) }),
    ...(heldUpMs === undefined ? {} : { heldUpMs: Math.round(heldUpMs) }),
    ...(lastError === undefined ? {} : { lastError }),
    ...('attempt' in state && state.attempt > 0 ? { attempt: state.attempt } : {}),
    ...('until' in state ? { nextTryInMs: Math.max(0, Math.round(state.until - now)) } : {}),
  };
}
