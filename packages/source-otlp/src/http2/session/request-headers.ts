import type { HpackDecoder } from '../hpack/hpack-decoder.ts';
import type { SessionLimits } from './settings.ts';

/** What is kept of the headers of a request. */
export interface RequestHeaders {
  readonly method: string;
  readonly path: string;
  /** `:authority`, or `host` where that is missing. */
  readonly authority: string | undefined;
  readonly contentLength: number | undefined;
  /** The first value of each kept header, by name; with a character for each byte. */
  readonly kept: ReadonlyMap<string, string>;
  /** Alternating names and values of all included headers, in the order of the request. */
  readonly included: readonly string[];
}

/** `malformed`: the stream is reset. `too_large`: it has too many headers. */
export type HeadersResult = RequestHeaders | 'malformed' | 'too_large';

const pseudo = [':method', ':scheme', ':path', ':authority'];
/** Names that belong to HTTP/1.1 connections (RFC 9113, section 8.2.2). */
const connectionNames = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);
/** Headers that are checked here, in addition to pseudo-headers. */
const needed = new Set(['content-length', 'host']);

/** Reads and judges the headers of a request (RFC 9113, sections 8.2 and 8.3). Throws HpackError. */
export function requestHeaders(
  block: Buffer,
  decoder: HpackDecoder,
  { keptHeaders, includedHeaders }: Pick<SessionLimits, 'keptHeaders' | 'includedHeaders'>,
): HeadersResult {
  const found = new Map<string, string>();
  const included: string[] = [];
  let wellFormed = true;
  let regular = false;
  const fits = decoder.decode(block, (name, value) => {
    const isPseudo = name.startsWith(':');
    if (isPseudo) wellFormed &&= !regular && pseudo.includes(name) && !found.has(name);
    else {
      regular = true;
      wellFormed &&= isRegular(name, value);
      if (includedHeaders.has(name)) included.push(name, value);
    }
    // Of a name that comes twice, the first value counts.
    if ((isPseudo || needed.has(name) || keptHeaders.has(name)) && !found.has(name)) found.set(name, value);
    wellFormed &&= isValue(value);
  });
  if (!fits) return 'too_large';
  return (wellFormed ? collectHeaders(found, included) : undefined) ?? 'malformed';
}

/** Reads trailers, which nothing is done with. False when they are malformed or too large. Throws HpackError. */
export function readTrailers(block: Buffer, decoder: HpackDecoder): boolean {
  let wellFormed = true;
  const fits = decoder.decode(block, (name, value) => {
    wellFormed &&= !name.startsWith(':') && isRegular(name, value) && isValue(value);
  });
  return fits && wellFormed;
}

function isRegular(name: string, value: string): boolean {
  return (
    /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) &&
    !connectionNames.has(name) &&
    (name !== 'te' || value === 'trailers')
  );
}

function isValue(value: string): boolean {
  return !/[\0\r\n]/.test(value);
}

function collectHeaders(
  found: ReadonlyMap<string, string>,
  included: readonly string[],
): RequestHeaders | undefined {
  const [method, path] = [found.get(':method'), found.get(':path')];
  const length = found.get('content-length');
  if (method === undefined || path === undefined || path === '' || !found.has(':scheme')) return undefined;
  if (length !== undefined && !/^\d{1,15}$/.test(length)) return undefined;
  return {
    method,
    path,
    authority: found.get(':authority') ?? found.get('host'),
    contentLength: length === undefined ? undefined : Number(length),
    kept: found,
    included,
  };
}
