import type { Schema } from '@levada/connect-runtime-core';
import { conversionFailed } from '@levada/connect-runtime-core/converter';

/**
 * A text that is the same for equal schemas, including names and defaults. Serves as key for results of a schema when another
 * object equals it. Throws `conversion_failed` for a recursive schema.
 */
export function fingerprint(schema: Schema | null): string {
  try {
    return JSON.stringify(schema, toComparable);
  } catch (cause) {
    // JSON.stringify only fails for a cycle, or for nesting that is too deep
    throw conversionFailed(
      `the schema holds itself, or is nested too deeply (${String(cause).split('\n')[0]})`,
    );
  }
}

/** JSON has neither big integers nor Maps, and writes a date as text. */
function toComparable(this: unknown, key: string, value: unknown): unknown {
  const original: unknown = (this as Readonly<Record<string, unknown>>)[key];
  if (original instanceof Date) return { date: original.getTime() };
  if (typeof value === 'bigint') return { bigint: String(value) };
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  if (value instanceof Map) return { map: [...value.entries()] };
  if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) };
  return value;
}
