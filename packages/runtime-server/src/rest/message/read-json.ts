import { type JsonNode, parseJson, place } from './parse-json.ts';
import { BodyError } from './rest-error.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The body as JSON. Throws a {@link BodyError} for an empty body, bytes that are not UTF-8, and everything that
 * {@link parseJson} refuses. A byte order mark does not count.
 */
export function readJson(body: Uint8Array): JsonNode {
  const text = decoder.decode(body);
  const damaged = text.indexOf('\uFFFD');
  if (damaged !== -1 && !isUtf8(body)) {
    throw new BodyError(
      `request body is not valid UTF-8 at ${place(text, damaged)}`,
      `Invalid UTF-8 start byte 0x${(body[damaged] ?? 0).toString(16)}`,
    );
  }
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (json.trim() === '') throw notAnObject();
  return parseJson(json);
}

/** The body as a JSON object. */
export function readObject(body: Uint8Array): ReadonlyMap<string, JsonNode> {
  const node = readJson(body);
  if (node.kind !== 'object') throw notAnObject(node.kind);
  return node.entries;
}

function notAnObject(kind?: JsonNode['kind']): BodyError {
  const found = kind === undefined ? '' : `, found ${kind}`;
  return new BodyError(
    `request body must be a JSON object${found}`,
    'Cannot construct instance of the request body',
  );
}

function isUtf8(body: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}

/** True when a body is missing, or `null`. */
export function isMissing(body: Uint8Array): boolean {
  return body.length < 100 && /^\s*(?:null)?\s*$/.test(decoder.decode(body));
}
