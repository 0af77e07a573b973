import {
  append,
  type Bytes,
  EGROUP,
  I32,
  I64,
  LEN,
  putDouble,
  putFixed64,
  putFloat,
  putTag,
  putVarint,
  SGROUP,
  VARINT,
} from './wire-bytes.ts';

/** A message of these fields, in this order. Nothing is validated. */
export function wire(...fields: readonly Bytes[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(fields.flat());
}

export function varint(number: number, value: bigint | number): Bytes {
  const out: Bytes = [];
  putTag(out, number, VARINT);
  putVarint(out, value);
  return out;
}

/** Text, bytes, or the fields of a message. */
export function len(number: number, ...content: readonly (string | Bytes)[]): Bytes {
  const inner = content.flatMap((piece) => (typeof piece === 'string' ? [...Buffer.from(piece)] : piece));
  const out: Bytes = [];
  putTag(out, number, LEN);
  putVarint(out, inner.length);
  append(out, inner);
  return out;
}

export function fixed64(number: number, value: bigint): Bytes {
  const out: Bytes = [];
  putTag(out, number, I64);
  putFixed64(out, value);
  return out;
}

export function double(number: number, value: number): Bytes {
  const out: Bytes = [];
  putTag(out, number, I64);
  putDouble(out, value);
  return out;
}

export function float(number: number, value: number): Bytes {
  const out: Bytes = [];
  putTag(out, number, I32);
  putFloat(out, value);
  return out;
}

export function group(number: number, ...content: readonly Bytes[]): Bytes {
  const out: Bytes = [];
  putTag(out, number, SGROUP);
  append(out, content.flat());
  putTag(out, number, EGROUP);
  return out;
}
