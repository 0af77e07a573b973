import type { SourceConnector } from '@levada/connect-runtime-core';
import {
  checkOffsetChanges,
  issuesOfReading,
  validateTogether,
} from '@levada/connect-runtime-core/source-kit';
import { otlpConfig } from './config/config.ts';
import { readConfiguredUsers } from './config/configured-users.ts';
import { encodingOf } from './config/live-settings.ts';
import { configProblems } from './config/rules.ts';
import { readTls } from './config/tls-files.ts';
import { otlpEvents } from './model/events.ts';
import { otlpMetrics, otlpObjectName } from './model/metrics.ts';
import { sequenceOfOffset } from './record/offsets.ts';
import { OtlpTask } from './task.ts';

/** Receives telemetry over OTLP/gRPC and OTLP/HTTP into one topic per signal. One task; offsets are session and sequence number. */
export const otlpSourceConnector: SourceConnector<typeof otlpConfig.keys, typeof otlpMetrics, 'dropped'> = {
  className: 'io.vendor.connect.otel.OpenTelemetrySourceConnector',
  aliases: ['io.conduktor.connect.otel.OpenTelemetrySourceConnector'],
  version: '0.1.0',
  config: otlpConfig,
  metrics: otlpMetrics,
  events: otlpEvents,
  // It has no peer that it connects to.
  emits: ['dropped'],
  maxTasks: 1,
  objectName: (name) => otlpObjectName(name),
  validate: validateTogether({
    definition: otlpConfig,
    placeholders: {},
    rules: configProblems,
    readTls,
    // The list itself is checked already: what is wrong is the file.
    more: (config) => issuesOfReading('otlp.auth.users.path', () => readConfiguredUsers(config)),
  }),
  produces: (config) => ({
    key: config['otlp.record.key'] === 'none' ? [] : ['string'],
    value: [encodingOf(config) === 'otlp_proto' ? 'bytes' : 'string'],
    header: config['record.headers.enabled'] || config['otlp.request.headers'].length > 0 ? ['string'] : [],
  }),
  // What is in the spool and was not committed is handed out again; otherwise an offset only says how far the log got.
  rereads: (config) => config['otlp.ack.mode'] === 'spool',
  exactlyOnceSupport: () => ({
    unsupported:
      'clients send a request again when they got no answer to it, so what they send may arrive twice',
  }),
  taskConfigs: (raw) => [raw],
  createTask: () => new OtlpTask(),
  alterOffsets: checkOffsetChanges({
    partition: ['connector_name', 'signal_type'],
    partitionText: '{"connector_name": text, "signal_type": "TRACES", "METRICS", "LOGS" or "PROFILES"}',
    isOffset: (offset) => sequenceOfOffset(offset) !== undefined,
    offsetText: '{"session_id": text, "signal_type": text, "sequence": integer of 0 or more}',
  }),
};
