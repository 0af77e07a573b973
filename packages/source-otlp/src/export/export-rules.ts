import type { CheckRules, MessageRules } from '@levada/protobuf-tables';
import { hexFields } from '../model/hex-fields.ts';
import type { OtlpSchema } from '../model/otlp-schema.ts';
import { type SignalName, signalNames } from '../model/signals.ts';

/** How many AnyValues may be inside each other, counting the outermost. Those deeper inside are left empty. */
export const MAX_ANY_VALUES = 64;

/**
 * How many messages and groups may be inside each other, counting the request. Enough for {@link MAX_ANY_VALUES} in maps wherever
 * they may be; converters of what was checked need to go as deep.
 */
export const MAX_DEPTH = 200;

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

/** What the schema does not say of export requests. */
export function exportRules(schema: Pick<OtlpSchema, 'request'>): MessageRules {
  const ids = [...hexFields(schema)].map(
    (name) => [name, name.endsWith('.trace_id') ? TRACE_ID_BYTES : SPAN_ID_BYTES] as const,
  );
  return {
    messages: signalNames.map(schema.request),
    ids: new Map(ids),
    nested: { typeName: 'opentelemetry.proto.common.v1.AnyValue', levels: MAX_ANY_VALUES },
  };
}

/** How many groups of unknown fields may be inside each other. */
const MAX_GROUPS = 100;
/** The messages that count as items. */
const ITEMS: ReadonlySet<string> = new Set([
  'opentelemetry.proto.trace.v1.Span',
  'opentelemetry.proto.metrics.v1.NumberDataPoint',
  'opentelemetry.proto.metrics.v1.HistogramDataPoint',
  'opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint',
  'opentelemetry.proto.metrics.v1.SummaryDataPoint',
  'opentelemetry.proto.logs.v1.LogRecord',
  'opentelemetry.proto.profiles.v1development.Profile',
]);

/** The same, and what is counted. */
export function checkRules(schema: Pick<OtlpSchema, 'request'>): CheckRules {
  return { ...exportRules(schema), items: ITEMS, maxGroups: MAX_GROUPS, maxDepth: MAX_DEPTH };
}

/** One of something for each signal. */
export function bySignal<T>(make: (signal: SignalName) => T): Readonly<Record<SignalName, T>> {
  return {
    traces: make('traces'),
    metrics: make('metrics'),
    logs: make('logs'),
    profiles: make('profiles'),
  };
}
