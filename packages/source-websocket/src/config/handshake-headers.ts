import type { Secret } from '@levada/connect-runtime-core';
import type { Validator } from '@levada/connect-runtime-core/config';

/** A header of the handshake request. */
export interface HandshakeHeader {
  readonly name: string;
  readonly value: string;
}

/** What the request carries, and which of several authorizations it is. */
export interface HandshakeHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** Authorizations that were configured as well and are not sent, by where they come from. */
  readonly ignored: readonly string[];
  readonly authorization: string | undefined;
}

/** Where the headers come from. */
export interface HeaderSources {
  readonly token: Secret | null;
  /** Text of `websocket.headers`. */
  readonly text: Secret | null;
  /** `websocket.headers.<name>`; wins over the same name in the text. */
  readonly named: ReadonlyMap<string, Secret>;
  /** `user:password` of the URL, decoded. */
  readonly userInfo: string | undefined;
}

/** Headers that make the handshake what it is; they may not be set. */
const reserved =
  /^(connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|sec-websocket-.*)$/i;

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Longest value; servers refuse longer request heads. */
const MAX_LENGTH = 8192;

/**
 * Reads `websocket.headers`: a JSON object of strings when it begins with a brace, else `name:value` pairs separated by commas.
 * Answers the headers in order, or the first problem, which never holds a value.
 */
export function parseHeaders(text: string): readonly HandshakeHeader[] | string {
  const pairs = text.startsWith('{') ? jsonPairs(text) : commaPairs(text);
  if (typeof pairs === 'string') return pairs;
  for (const pair of pairs) {
    const problem = headerProblem(pair.name, pair.value);
    if (problem !== undefined) return problem;
  }
  return pairs;
}

/** The problem with one header, or undefined. */
export function headerProblem(name: string, value: string): string | undefined {
  if (!token.test(name)) return `Invalid header name: ${JSON.stringify(name.slice(0, 64))}`;
  if (reserved.test(name)) return `Reserved header name: ${name}`;
  if (/[\r\n]/.test(value)) return `Header value contains illegal CRLF characters: ${name}`;
  if (!isHeaderValue(value))
    return `Header value contains characters that are not allowed in a header: ${name}`;
  return value.length > MAX_LENGTH
    ? `Header value is longer than ${MAX_LENGTH} characters: ${name}`
    : undefined;
}

/** Rule of `websocket.headers`. */
export const headerText: Validator = {
  allowed: 'name:value,name:value or a JSON object of strings',
  check: (value) => {
    if (value === null) return undefined;
    const headers = parseHeaders(textOf(value));
    return typeof headers === 'string' ? headers : undefined;
  },
};

/** Rule of a value in `websocket.headers.<name>`; the name is checked with the other rules of several keys. */
export const headerValue: Validator = {
  allowed: 'header value',
  check: (value) => (value === null ? 'Value must be non-null' : valueProblem('Header value', textOf(value))),
};

/** Rule of `websocket.auth.token`. */
export const bearerToken: Validator = {
  allowed: 'visible ASCII characters',
  check: (value) => {
    if (value === null) return undefined;
    const text = textOf(value);
    if (/[^\x20-\x7e]/.test(text)) return 'Token contains characters that are not allowed in a header';
    return valueProblem('Token', text);
  },
};

/** The headers to send. Names are compared without case, and exactly one authorization is sent: token, then header, then user info. */
export function handshakeHeaders(sources: HeaderSources): HandshakeHeaders {
  const byName = new Map<string, HandshakeHeader>();
  const written = sources.text === null ? [] : parseHeaders(sources.text.reveal());
  const named = [...sources.named].map(([name, value]) => ({ name, value: value.reveal() }));
  for (const header of [...(typeof written === 'string' ? [] : written), ...named]) {
    byName.set(header.name.toLowerCase(), header);
  }
  const custom = byName.get('authorization')?.value;
  byName.delete('authorization');
  const offers = authorizations(sources, custom);
  const [used, ...ignored] = offers;
  if (used !== undefined) byName.set('authorization', { name: 'Authorization', value: used.value });
  const entries = [...byName.values()].map((header) => [header.name, header.value] as const);
  return {
    headers: Object.fromEntries(entries),
    authorization: used?.from,
    ignored: ignored.map((offer) => offer.from),
  };
}

function authorizations(sources: HeaderSources, custom: string | undefined) {
  const bearer = sources.token?.reveal() ?? '';
  const offers: { readonly from: string; readonly value: string }[] = [];
  if (bearer !== '') offers.push({ from: 'websocket.auth.token', value: `Bearer ${bearer}` });
  if (custom !== undefined) offers.push({ from: 'websocket.headers', value: custom });
  if (sources.userInfo !== undefined) {
    const value = `Basic ${Buffer.from(sources.userInfo).toString('base64')}`;
    offers.push({ from: 'websocket.url', value });
  }
  return offers;
}

function commaPairs(text: string): readonly HandshakeHeader[] | string {
  const pairs: HandshakeHeader[] = [];
  for (const [index, pair] of text.split(',').entries()) {
    if (pair.trim() === '') continue;
    const at = pair.indexOf(':');
    if (at < 0) return `Header pair ${index + 1} has no colon, expected name:value,name:value`;
    pairs.push({ name: pair.slice(0, at).trim(), value: pair.slice(at + 1).trim() });
  }
  return pairs;
}

function jsonPairs(text: string): readonly HandshakeHeader[] | string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return 'Headers begin with a brace and are no valid JSON object'; // the parser's own message quotes the text
  }
  const entries = Object.entries(parsed as Record<string, unknown>);
  const other = entries.find(([, value]) => typeof value !== 'string');
  if (other !== undefined) return `Header value is not a string: ${JSON.stringify(other[0].slice(0, 64))}`;
  return entries.map(([name, value]) => ({ name, value: String(value).trim() }));
}

function valueProblem(what: string, text: string): string | undefined {
  if (/[\r\n]/.test(text)) return `${what} contains illegal CRLF characters`;
  if (!isHeaderValue(text)) return `${what} contains characters that are not allowed in a header`;
  return text.length > MAX_LENGTH ? `${what} is longer than ${MAX_LENGTH} characters` : undefined;
}

/** Field values of RFC 9110: tab, visible ASCII, space and the upper half of Latin-1. */
function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'reveal' in value
    ? (value as Secret).reveal()
    : String(value);
}
