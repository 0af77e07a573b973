import type { MessageRules } from '@levada/protobuf-tables';
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

/** One of something for each signal. */
export function bySignal<T>(make: (signal: SignalName) => T): Readonly<Record<SignalName, T>> {
  return {
    traces: make('traces'),
    metrics: make('metrics'),
    logs: make('logs'),
    profiles: make('profiles'),
  };
}
