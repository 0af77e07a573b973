import type { Clock, EventLog, MetricGroup } from '@levada/connect-runtime-core';
import { HIGH_UTILIZATION, RegularLine } from '@levada/connect-runtime-core/source-kit';
import type { otlpEvents } from './model/events.ts';
import type { otlpMetrics } from './model/metrics.ts';

/** What a health line says. */
export interface OtlpHealthLineOptions {
  readonly metrics: MetricGroup<typeof otlpMetrics>;
  readonly clock: Clock;
  readonly log: EventLog<typeof otlpEvents>;
  readonly sessionId: string;
  /** Number of the last export of a signal. */
  readonly sequence: (signal: 'traces' | 'metrics' | 'logs') => number;
}

/**
 * Logs `task_metrics` every 30 seconds, also when nothing flows, and once when it stops. Its `status` is DROPPING_MESSAGES (since the
 * line before), HIGH_QUEUE_UTILIZATION (above 80 percent) or HEALTHY, the first that holds.
 */
export class OtlpHealthLine {
  readonly #options: OtlpHealthLineOptions;
  readonly #line: RegularLine;
  #droppedBefore: number;

  constructor(options: OtlpHealthLineOptions) {
    this.#options = options;
    this.#droppedBefore = options.metrics.read('TotalMessagesDropped');
    this.#line = new RegularLine(options.clock, () => this.#write());
    this.#line.start();
  }

  /** Writes the last line. Idempotent. */
  stop(): void {
    this.#line.stop();
  }

  #write(): void {
    const { metrics, log, sessionId, sequence } = this.#options;
    log('task_metrics', {
      records_produced: metrics.read('RecordsProduced'),
      traces_queue_size: metrics.read('TracesQueueSize'),
      metrics_queue_size: metrics.read('MetricsQueueSize'),
      logs_queue_size: metrics.read('LogsQueueSize'),
      queue_capacity: metrics.read('QueueCapacity'),
      messages_received: metrics.read('TotalMessagesReceived'),
      messages_dropped: metrics.read('TotalMessagesDropped'),
      traces_seq: sequence('traces'),
      metrics_seq: sequence('metrics'),
      logs_seq: sequence('logs'),
      session_id: sessionId,
      status: this.#status(),
    });
  }

  #status(): string {
    const { metrics } = this.#options;
    const dropped = metrics.read('TotalMessagesDropped');
    const dropping = dropped > this.#droppedBefore;
    this.#droppedBefore = dropped;
    if (dropping) return 'DROPPING_MESSAGES';
    return metrics.read('MaxQueueUtilizationPercent') > HIGH_UTILIZATION
      ? 'HIGH_QUEUE_UTILIZATION'
      : 'HEALTHY';
  }
}
