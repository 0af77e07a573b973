import type { Clock, MetricGroup } from '@levada/connect-runtime-core';
import type { OtlpConfig } from './config/config.ts';
import { type otlpMetrics, signalAttributes } from './model/metrics.ts';
import type { SignalQueue } from './queue/signal-queue.ts';
import type { InFlight } from './receive/admission/in-flight.ts';
import type { Receivers } from './receivers.ts';

/** What the gauges of a run are read from. */
export interface RunGaugeSources {
  readonly config: OtlpConfig;
  readonly clock: Clock;
  readonly queues: readonly SignalQueue[];
  readonly inFlight: InFlight;
  readonly receivers: Receivers;
}

/** Ties the gauges of a metric group to a running task, and counts what it took over from an earlier one. */
export function observeRun(metrics: MetricGroup<typeof otlpMetrics>, sources: RunGaugeSources): void {
  const { config, queues, inFlight, receivers, clock } = sources;
  countRecovered(metrics, queues);
  const [first] = queues;
  const sumOf = (read: (queue: SignalQueue) => number) => () =>
    queues.reduce((sum, queue) => sum + read(queue), 0);
  for (const queue of queues) metrics.observe(signalAttributes[queue.signal].queueSize, () => queue.size);
  metrics.observe('QueueCapacity', () => first?.memory.capacity ?? 0);
  metrics.observe(
    'QueueSize',
    sumOf(({ memory }) => memory.size),
  );
  metrics.observe(
    'QueueBytes',
    sumOf(({ memory }) => memory.bytes),
  );
  metrics.observe(
    'SpooledCount',
    sumOf(({ spool }) => spool?.size ?? 0),
  );
  metrics.observe('SpoolBytes', () => Math.max(...queues.map(({ spool }) => spool?.bytes ?? 0)));
  const hasSpool = queues.some(({ spool }) => spool !== undefined);
  metrics.set('SpoolCapacityBytes', hasSpool ? config['otlp.spool.bytes'] : 0);
  metrics.observe('PendingExports', () => inFlight.requests);
  metrics.observe('PendingBytes', () => inFlight.bytes);
  metrics.set('GrpcPort', receivers.get('grpc')?.port ?? 0);
  metrics.set('HttpPort', receivers.get('http')?.port ?? 0);
  metrics.observe('GrpcConnections', () => receivers.get('grpc')?.connections ?? 0);
  metrics.observe('HttpConnections', () => receivers.get('http')?.connections ?? 0);
  metrics.observe('MillisSinceLastMessage', () => {
    const at = lastReceivedAt(queues);
    return at === undefined ? -1 : Math.round(clock.monotonic() - at);
  });
}

/** The gauge still shows what the previous task left: the part of it that is found again is already counted. */
function countRecovered(metrics: MetricGroup<typeof otlpMetrics>, queues: readonly SignalQueue[]): void {
  const found = queues.reduce((sum, { spool }) => sum + (spool?.recovered ?? 0), 0);
  const left = metrics.read('SpooledCount');
  metrics.counter('MessagesReplayed').value += Math.max(0, found - left);
  metrics.counter('DroppedSpoolDamaged').value += Math.max(0, left - found);
}

/** Monotonic time of the last export; undefined before the first. */
export function lastReceivedAt(queues: readonly SignalQueue[]): number | undefined {
  const latest = Math.max(...queues.map(({ counts }) => counts.lastReceivedAt ?? Number.NEGATIVE_INFINITY));
  return latest === Number.NEGATIVE_INFINITY ? undefined : latest;
}
