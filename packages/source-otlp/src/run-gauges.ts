import type { Clock, MetricGroup } from '@levada/connect-runtime-core';
import type { OtlpConfig } from './config/config.ts';
import { type otlpMetrics, signalAttributes } from './model/metrics.ts';
import type { SignalLane } from './queue/signal-lane.ts';
import type { InFlight } from './receive/admission/in-flight.ts';
import type { Receivers } from './receivers.ts';

/** What the gauges of a run are read from. */
export interface RunGaugeSources {
  readonly config: OtlpConfig;
  readonly clock: Clock;
  readonly lanes: readonly SignalLane[];
  readonly inFlight: InFlight;
  readonly receivers: Receivers;
  /** Monotonic time of the last message; undefined before the first. */
  readonly lastMessageAt: () => number | undefined;
}

/** Ties the gauges of a metric group to a running task, and counts what it took over from an earlier one. */
export function observeRun(metrics: MetricGroup<typeof otlpMetrics>, sources: RunGaugeSources): void {
  const { config, lanes, inFlight, receivers, clock } = sources;
  countRecovered(metrics, lanes);
  const [first] = lanes;
  const over = (read: (lane: SignalLane) => number) => () => lanes.reduce((sum, lane) => sum + read(lane), 0);
  for (const lane of lanes) metrics.observe(signalAttributes[lane.signal].queueSize, () => lane.size);
  metrics.observe('QueueCapacity', () => first?.queue.capacity ?? 0);
  metrics.observe(
    'QueueSize',
    over(({ queue }) => queue.size),
  );
  metrics.observe(
    'QueueBytes',
    over(({ queue }) => queue.bytes),
  );
  metrics.observe(
    'SpooledCount',
    over(({ spool }) => spool?.size ?? 0),
  );
  metrics.observe('SpoolBytes', () => Math.max(...lanes.map(({ spool }) => spool?.bytes ?? 0)));
  const hasSpool = lanes.some(({ spool }) => spool !== undefined);
  metrics.set('SpoolCapacityBytes', hasSpool ? config['otlp.spool.bytes'] : 0);
  metrics.observe('PendingExports', () => inFlight.requests);
  metrics.observe('PendingBytes', () => inFlight.bytes);
  metrics.set('GrpcPort', receivers.get('grpc')?.port ?? 0);
  metrics.set('HttpPort', receivers.get('http')?.port ?? 0);
  metrics.observe('GrpcConnections', () => receivers.get('grpc')?.connections ?? 0);
  metrics.observe('HttpConnections', () => receivers.get('http')?.connections ?? 0);
  metrics.observe('MillisSinceLastMessage', () => {
    const at = sources.lastMessageAt();
    return at === undefined ? -1 : Math.round(clock.monotonic() - at);
  });
}

/** The gauge still shows what the previous task left: the part of it that is found again is already counted. */
function countRecovered(metrics: MetricGroup<typeof otlpMetrics>, lanes: readonly SignalLane[]): void {
  const found = lanes.reduce((sum, { spool }) => sum + (spool?.recovery.entries ?? 0), 0);
  const left = metrics.read('SpooledCount');
  metrics.counter('MessagesReplayed').value += Math.max(0, found - left);
  metrics.counter('DroppedSpoolDamaged').value += Math.max(0, left - found);
}
