import { staticTable } from './static-table.ts';

const indexed = 0x80;
const MAX_PREFIX = 15;
const MAX_LENGTH_PREFIX = 127;

/** Index of the first entry with a name, and of the entry with a name and a value. */
const names = new Map(staticTable.map(([name], at) => [name, at + 1] as const).toReversed());
const entries = new Map(staticTable.map(([name, value], at) => [`${name}: ${value}`, at + 1] as const));

/** Headers or trailers that are sent. */
export interface HeaderBlock {
  readonly fields: Readonly<Record<string, string>>;
  /** The same, encoded. */
  readonly bytes: Buffer;
}

/**
 * Fields as a header block (RFC 7541) that can be sent on any connection at any time: entries of the static table, or literals that
 * no table keeps. Names are lower case, values printable ASCII.
 */
export function headerBlock(fields: HeaderBlock['fields']): HeaderBlock {
  // Bytes as characters, since a flood of refusals is no time for a buffer for each length.
  let block = '';
  for (const [name, value] of Object.entries(fields)) block += field(name, value);
  return { fields, bytes: Buffer.from(block, 'latin1') };
}

function field(name: string, value: string): string {
  const entry = entries.get(`${name}: ${value}`);
  if (entry !== undefined) return String.fromCharCode(indexed | entry);
  const known = names.get(name);
  return (known === undefined ? `\0${text(name)}` : integer(known, MAX_PREFIX)) + text(value);
}

function text(value: string): string {
  return integer(value.length, MAX_LENGTH_PREFIX) + value;
}

function integer(value: number, max: number): string {
  if (value < max) return String.fromCharCode(value);
  let bytes = String.fromCharCode(max);
  let rest = value - max;
  for (; rest >= 128; rest >>= 7) bytes += String.fromCharCode((rest & 0x7f) | 0x80);
  return bytes + String.fromCharCode(rest);
}
