import { ConnectorError, type Secret } from '@levada/connect-runtime-core';
import type { Validator } from '@levada/connect-runtime-core/config';
import { base64Bytes } from '../descriptor/base64-text.ts';
import type { MetadataEntry } from '../transport/channel.ts';

/** Longest value; servers refuse longer header lists. */
const MAX_LENGTH = 8192;

/** Headers that HTTP/2, gRPC or the transport set themselves; a configuration may not. */
const reserved = new Set([
  'connection',
  'content-length',
  'content-type',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

/** Rule of `grpc.metadata`: `key:value,key:value`. */
export const metadataText: Validator = {
  allowed: 'key:value,key:value',
  check: (value) => {
    if (value === null) return undefined;
    const pairs = pairsOf(textOf(value));
    return typeof pairs === 'string' ? pairs : undefined;
  },
};

/** Rule of a value in `grpc.metadata.<key>`; {@link metadataProblem} knows the key as well. */
export const metadataValue: Validator = {
  allowed: 'printable ASCII text, or base64 under a name that ends in -bin',
  check: (value) =>
    value === null ? 'Value must be non-null' : valueProblem('Metadata value', textOf(value)),
};

/** What is wrong with one entry, or undefined. Never holds the value. */
export function metadataProblem(name: string, value: string): string | undefined {
  const key = name.toLowerCase();
  if (key.startsWith(':') || key.startsWith('grpc-') || reserved.has(key)) {
    return `Reserved metadata key: ${key.slice(0, 64)}`;
  }
  if (!/^[0-9a-z_.-]+$/.test(key)) {
    return `Invalid metadata key ${JSON.stringify(name.slice(0, 64))}: only letters, digits, '_', '-' and '.' are allowed`;
  }
  if (key.endsWith('-bin') && base64Bytes(value) === undefined) return `Metadata value is not base64: ${key}`;
  return valueProblem(`Metadata value of ${key}`, value);
}

/**
 * The entries of the call, in the order they were written: names in lower case, values of names that end in `-bin` decoded.
 * Of several with one name the last one counts, and `named` wins over `text`. Throws `config_invalid` when a value that was
 * resolved again is no longer fit to be sent.
 */
export function callMetadata(config: {
  /** Value of `grpc.metadata`. */
  readonly text: Secret | null;
  /** Values of `grpc.metadata.<key>`, by key. */
  readonly named: ReadonlyMap<string, Secret>;
}): readonly MetadataEntry[] {
  const written = config.text === null ? [] : pairsOf(config.text.reveal());
  if (typeof written === 'string') throw new ConnectorError('config_invalid', written);
  const entries = new Map<string, string | Uint8Array>();
  const named = [...config.named].map(([name, value]) => [name, value.reveal()] as const);
  for (const [name, value] of [...written, ...named]) {
    const problem = metadataProblem(name, value);
    if (problem !== undefined) throw new ConnectorError('config_invalid', problem);
    const key = name.toLowerCase();
    entries.set(key, key.endsWith('-bin') ? (base64Bytes(value) ?? new Uint8Array()) : value);
  }
  return [...entries];
}

/** The pairs of the text form, or its first problem. A key that cannot be one is not shown: it may be part of a value. */
function pairsOf(text: string): readonly (readonly [name: string, value: string])[] | string {
  const pairs: (readonly [string, string])[] = [];
  for (const [index, pair] of text.split(',').entries()) {
    if (pair.trim() === '') continue;
    const [, name, value] = /^\s*([0-9A-Za-z_.-]+)[ \t]*:(.*)$/s.exec(pair) ?? [];
    if (name === undefined || value === undefined) return `Metadata pair ${index + 1} ${malformed}`;
    const problem = metadataProblem(name, value.trim());
    if (problem !== undefined) return problem;
    pairs.push([name, value.trim()]);
  }
  return pairs;
}

const malformed = 'is not of the form key:value; a value with a comma needs grpc.metadata.<key>';

function valueProblem(what: string, text: string): string | undefined {
  if (/\p{Cc}/u.test(text)) return `${what} contains control characters`;
  if (/[^\x20-\x7e]/.test(text)) return `${what} contains characters outside ASCII`;
  return text.length > MAX_LENGTH ? `${what} is longer than ${MAX_LENGTH} characters` : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'reveal' in value
    ? (value as Secret).reveal()
    : String(value);
}
