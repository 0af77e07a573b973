/** A part of a JSON Schema. */
export type SchemaPart = Readonly<Record<string, unknown>>;

export const text: SchemaPart = { type: 'string' };
export const texts: SchemaPart = listOf(text);
/** SHA-256 in hexadecimal. */
export const hash: SchemaPart = { type: 'string', pattern: '^[0-9a-f]{64}$' };

/** All keys that do not end in "?" are required, and there are no others. */
export function object(keys: Readonly<Record<string, SchemaPart>>): SchemaPart {
  const entries = Object.entries(keys);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([key, part]) => [key.replace('?', ''), part])),
    required: entries.map(([key]) => key).filter((key) => !key.endsWith('?')),
    additionalProperties: false,
  };
}

/** A list of items of one shape. */
export function listOf(items: SchemaPart): SchemaPart {
  return { type: 'array', items };
}
