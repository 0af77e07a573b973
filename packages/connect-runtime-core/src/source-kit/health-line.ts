import type { EventLog } from '../diagnostics/log-event.ts';
import type { MetricGroup } from '../diagnostics/metric-group.ts';
import type { connectionMetrics, sourceMetrics } from '../diagnostics/source-metrics.ts';
import type { Clock } from '../time/clock.ts';
import { RegularLine } from '../time/regular-line.ts';
import { HIGH_UTILIZATION, type healthEvents } from './source-events.ts';

const HIGH_LAG = 1000;
const QUIET_MS = 60_000;

export interface HealthLineOptions {
  /** A group whose table has at least the rows of a source with a connection. */
  readonly metrics: Pick<MetricGroup<typeof sourceMetrics & typeof connectionMetrics>, 'read'>;
  readonly clock: Clock;
  readonly log: EventLog<typeof healthEvents>;
  /** Session of the connection, of the last one when there is none; undefined before the first. */
  readonly sessionId: () => string | undefined;
}

/**
 * Logs `task_metrics` every 30 seconds, also when nothing flows, and once when it stops. Its `status` is the first that
 * holds of DISCONNECTED, DROPPING_MESSAGES (since the line before), HIGH_QUEUE_UTILIZATION (above 80 percent), HIGH_LAG (more
 * than 1000 messages wait for the log), NO_RECENT_MESSAGES (for a minute) and HEALTHY.
 */
export class HealthLine {
  readonly #options: HealthLineOptions;
  readonly #line: RegularLine;
  #droppedBefore = 0;

  constructor(options: HealthLineOptions) {
    this.#options = options;
    this.#line = new RegularLine(options.clock, () => this.#write());
  }

  /** The first line follows in 30 seconds. */
  start(): void {
    this.#droppedBefore = this.#options.metrics.read('MessagesDropped');
    this.#line.start();
  }

  /** Writes the last line. Idempotent. */
  stop(): void {
    this.#line.stop();
  }

  #write(): void {
    const { metrics, log, sessionId } = this.#options;
    log('task_metrics', {
      connected: metrics.read('IsConnected') !== 0,
      messages_received: metrics.read('MessagesReceived'),
      messages_dropped: metrics.read('MessagesDropped'),
      records_produced: metrics.read('RecordsProduced'),
      queue_size: metrics.read('QueueSize'),
      queue_capacity: metrics.read('QueueCapacity'),
      queue_utilization_percent: Number(metrics.read('QueueUtilizationPercent').toFixed(2)),
      lag_count: metrics.read('LagCount'),
      millis_since_last_message: Math.round(metrics.read('MillisSinceLastMessage')),
      reconnect_attempts: metrics.read('TotalReconnects'),
      session_id: sessionId() ?? null,
      status: this.#status(),
    });
  }

  #status(): string {
    const { metrics } = this.#options;
    const dropped = metrics.read('MessagesDropped');
    const dropping = dropped > this.#droppedBefore;
    this.#droppedBefore = dropped;
    if (metrics.read('IsConnected') === 0) return 'DISCONNECTED';
    if (dropping) return 'DROPPING_MESSAGES';
    if (metrics.read('QueueUtilizationPercent') > HIGH_UTILIZATION) return 'HIGH_QUEUE_UTILIZATION';
    if (metrics.read('BacklogCount') > HIGH_LAG) return 'HIGH_LAG';
    return metrics.read('MillisSinceLastMessage') > QUIET_MS ? 'NO_RECENT_MESSAGES' : 'HEALTHY';
  }
}
