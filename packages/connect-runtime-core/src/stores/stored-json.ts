const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** A JSON object as it was read from a log. Keys are user text: read them with {@link Object.hasOwn} or entries. */
export type StoredObject = Readonly<Record<string, unknown>>;

/** UTF-8 bytes of a text. */
export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The text of UTF-8 bytes, or undefined when they are none. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined; // bytes that are no UTF-8 are an answer, not a failure
  }
}

/** The value of a JSON text, or undefined when it is none. The text `null` is none: what is deleted has no text at all. */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decodeText(bytes);
  if (text === undefined) return undefined;
  try {
    return (JSON.parse(text) as unknown) ?? undefined;
  } catch {
    return undefined; // text that is no JSON is an answer, not a failure
  }
}

/** True for a JSON object, not for an array or null. */
export function isObject(value: unknown): value is StoredObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own field of an object. Never finds what every object inherits. */
export function field(object: StoredObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
