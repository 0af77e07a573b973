import type { Schema } from '@levada/connect-runtime-core';
import { conversionFailed } from '@levada/connect-runtime-core/converter';

/**
 * Text that two schemas share when they are equal, names and defaults included: the key under which what was made of a schema
 * is found again when another object says the same. Throws `conversion_failed` for a schema that holds itself.
 */
export function fingerprint(schema: Schema | null): string {
  try {
    return JSON.stringify(schema, comparable);
  } catch (cause) {
    // JSON.stringify knows no other failure than a circle, and a nesting that is too deep for it.
    throw conversionFailed(
      `the schema holds itself, or is nested too deeply (${String(cause).split('\n')[0]})`,
    );
  }
}

/** JSON knows neither big integers nor Maps, and writes a date as text. */
function comparable(this: unknown, key: string, value: unknown): unknown {
  const original: unknown = (this as Readonly<Record<string, unknown>>)[key];
  if (original instanceof Date) return { date: original.getTime() };
  if (typeof value === 'bigint') return { bigint: String(value) };
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  if (value instanceof Map) return { map: [...value.entries()] };
  if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) };
  return value;
}
