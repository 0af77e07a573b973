import { DELIMITED } from './wire-field.ts';

/** Bytes in pieces that follow each other. */
export type Chunks = readonly Uint8Array[];

/** The chunks as the one value of a field with a length. */
export function around(number: number, content: Chunks): Chunks {
  const length = content.reduce((sum, chunk) => sum + chunk.length, 0);
  return [Uint8Array.from([...varint(number * 8 + DELIMITED), ...varint(length)]), ...content];
}

/** The chunks in memory of their own. */
export function bytesOf(chunks: Chunks): Uint8Array {
  return Buffer.concat(chunks);
}

/** Places of a message that follow each other. */
interface Slice {
  readonly at: number;
  readonly end: number;
}

/** The bytes at these places; those that touch each other in one piece. */
export function slicesOf(message: Uint8Array, slices: readonly Slice[]): Chunks {
  const chunks: Uint8Array[] = [];
  for (let index = 0; index < slices.length; index++) {
    const first = slices[index] as Slice;
    let { end } = first;
    while (slices[index + 1]?.at === end) end = (slices[++index] as Slice).end;
    chunks.push(message.subarray(first.at, end));
  }
  return chunks;
}

function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}
