import { ConnectorError, type OffsetChange, type SourceConnector } from '@levada/connect-runtime-core';
import { checkedValues } from './config/checks.ts';
import { otlpConfig } from './config/config.ts';
import { encodingOf } from './config/live-settings.ts';
import { otlpEvents } from './model/events.ts';
import { otlpMetrics, otlpObjectName } from './model/metrics.ts';
import { restoredSequence } from './record/offsets.ts';
import { OtlpTask } from './task.ts';

/** Receives telemetry over OTLP/gRPC and OTLP/HTTP into one topic per signal. One task; offsets are session and sequence number. */
export const otlpSourceConnector: SourceConnector<typeof otlpConfig.keys> = {
  className: 'io.vendor.connect.otel.OpenTelemetrySourceConnector',
  aliases: ['io.conduktor.connect.otel.OpenTelemetrySourceConnector'],
  version: '0.1.0',
  config: otlpConfig,
  metrics: otlpMetrics,
  events: otlpEvents,
  maxTasks: 1,
  objectName: (name) => otlpObjectName(name),
  validate: checkedValues,
  produces: (config) => ({
    key: config['otlp.record.key'] === 'none' ? [] : ['string'],
    value: [encodingOf(config) === 'otlp_proto' ? 'bytes' : 'string'],
    header: config['record.headers.enabled'] || config['otlp.request.headers'].length > 0 ? ['string'] : [],
  }),
  taskConfigs: (raw) => [raw],
  createTask: () => new OtlpTask(),
  alterOffsets: (_, changes) => {
    for (const change of changes) checkChange(change);
    return true;
  },
};

/** Refuses what a task could not go on from. */
function checkChange({ partition, offset }: OffsetChange): void {
  const names = Object.keys(partition ?? {})
    .sort()
    .join();
  if (names !== 'connector_name,signal_type') {
    const message =
      'a source partition of an OTLP connector is {"connector_name": text, "signal_type": "TRACES", "METRICS", "LOGS" or "PROFILES"}';
    throw new ConnectorError('config_invalid', message);
  }
  if (offset !== null && restoredSequence(offset) === undefined) {
    const message =
      'an offset of an OTLP connector is {"session_id": text, "signal_type": text, "sequence": integer of 0 or more}';
    throw new ConnectorError('config_invalid', message);
  }
}
