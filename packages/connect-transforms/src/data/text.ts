import type { Schema } from '@levada/connect-runtime-core';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text of a value that is text, also when it is held as UTF-8 bytes; undefined for any other. */
export function textOf(schema: Schema | null, value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return schema?.type === 'string' && value instanceof Uint8Array ? decoder.decode(value) : undefined;
}
