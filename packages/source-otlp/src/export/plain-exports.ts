import { createPlainConverters, type PlainConverter } from '@levada/protobuf-tables';
import type { OtlpSchema } from '../model/otlp-schema.ts';
import type { SignalName } from '../model/signals.ts';
import { bySignal, checkRules } from './export-rules.ts';

/**
 * Check and conversion to OTLP/JSON in one walk, by signal: for export requests as encoders usually write them. What it takes is
 * what the check of exports takes, with as many items, and none left empty; the JSON is that of the records.
 */
export type PlainExports = Readonly<Record<SignalName, PlainConverter>>;

/** Makes them from the schema. Undefined where there is no WebAssembly. To be kept: tables are made once. */
export function createPlainExports(schema: Pick<OtlpSchema, 'request'>): PlainExports | undefined {
  const converterOf = createPlainConverters(checkRules(schema));
  return converterOf && bySignal((signal) => converterOf(schema.request(signal)));
}
