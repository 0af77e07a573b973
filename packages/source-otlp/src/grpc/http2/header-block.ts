import { staticTable } from './static-table.ts';

const indexed = 0x80;
const MAX_PREFIX = 15;

/**
 * Fields as a header block (RFC 7541) that can be sent on any connection at any time: entries of the static table, or literals that
 * no table keeps. Names are lower case, values printable ASCII.
 */
export function headerBlock(fields: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat(Object.entries(fields).map(([name, value]) => field(name, value)));
}

function field(name: string, value: string): Buffer {
  const whole = staticTable.findIndex((entry) => entry[0] === name && entry[1] === value);
  if (whole >= 0) return Buffer.of(indexed | (whole + 1));
  const known = staticTable.findIndex((entry) => entry[0] === name);
  const head = known < 0 ? [Buffer.of(0), text(name)] : [Buffer.from(integer(known + 1, MAX_PREFIX))];
  return Buffer.concat([...head, text(value)]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  return Buffer.concat([Buffer.from(integer(bytes.length, 127)), bytes]);
}

function integer(value: number, max: number): number[] {
  if (value < max) return [value];
  const bytes = [max];
  let rest = value - max;
  for (; rest >= 128; rest >>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}
