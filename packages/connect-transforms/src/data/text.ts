import type { Schema } from '@levada/connect-runtime-core';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text of a string value, even if it is stored as UTF-8 bytes. Undefined for other values. */
export function textOf(schema: Schema | null, value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return schema?.type === 'string' && value instanceof Uint8Array ? decoder.decode(value) : undefined;
}
