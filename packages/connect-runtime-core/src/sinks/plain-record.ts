import type { Schema } from '../contract/schema.ts';
import type { SourceRecord } from '../contract/source-record.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The record as a loop over its source has it: text that is held as UTF-8 bytes becomes a string. */
export function plainRecord(record: SourceRecord): SourceRecord {
  const key = text(record.keySchema, record.key);
  const value = text(record.valueSchema, record.value);
  if (key === record.key && value === record.value) return record;
  return { ...record, key, value };
}

function text(schema: Schema | null, value: unknown): unknown {
  return schema?.type === 'string' && value instanceof Uint8Array ? utf8.decode(value) : value;
}
