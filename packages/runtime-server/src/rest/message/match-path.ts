import { RestError } from './rest-error.ts';

/** Path and query of a request target. An absolute URI counts by its path, and a fragment does not count. */
export function splitTarget(target: string): { readonly path: string; readonly query: URLSearchParams } {
  const local = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const mark = local.indexOf('?');
  const path = mark === -1 ? local : local.slice(0, mark);
  return { path, query: new URLSearchParams(mark === -1 ? '' : local.slice(mark + 1)) };
}

/** One segment of a path. */
export interface PathSegment {
  /** As it came: what is part of a pattern must not be encoded, as in Kafka Connect. */
  readonly raw: string;
  readonly value: string;
}

/**
 * The segments of a raw path, each decoded once after the split, so that `%2F` stays inside its segment. Matrix
 * parameters (`;x=y`) are cut off, and one trailing slash is tolerated. Undefined for a path with an empty segment.
 * Throws a 400 for percent signs that encode nothing, and for `%00`.
 */
export function pathSegments(path: string): readonly PathSegment[] | undefined {
  if (!path.startsWith('/')) return undefined;
  const inner = path.endsWith('/') ? path.slice(1, -1) : path.slice(1);
  if (inner === '' && path.length <= 1) return [];
  const segments = inner.split('/').map(decodeSegment);
  return segments.some(({ value }) => value === '') ? undefined : segments;
}

function decodeSegment(text: string): PathSegment {
  const matrix = text.indexOf(';');
  const raw = matrix === -1 ? text : text.slice(0, matrix);
  const value = decode(raw);
  if (value.includes('\0')) throw new RestError(400, 'The path must not contain %00');
  return { raw, value };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RestError(400, `The path segment "${text.slice(0, 80)}" is not valid percent-encoded UTF-8`);
  }
}

/**
 * A name as one segment of a path, with the characters that Kafka Connect leaves as they are. `/`, `%` and `;` are not
 * among them, other than there, so that decoding the segment gives the name.
 */
export function encodeSegment(name: string): string {
  return encodeURIComponent(name).replace(/%(?:2B|26|3D|2C|3A|40|24)/g, decodeURIComponent);
}

/** A path pattern such as `/connectors/{connector}/status`, split once. */
export type PathPattern = readonly string[];

/** Splits a pattern. */
export function pathPattern(text: string): PathPattern {
  return text === '/' ? [] : text.slice(1).split('/');
}

/** The values of a pattern's `{names}` when the segments fit it. */
export function matchPattern(
  pattern: PathPattern,
  segments: readonly PathSegment[],
): ReadonlyMap<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const values = new Map<string, string>();
  for (const [index, part] of pattern.entries()) {
    const { raw, value } = segments[index] as PathSegment;
    if (part.startsWith('{')) values.set(part.slice(1, -1), value);
    else if (part !== raw) return undefined;
  }
  return values;
}
