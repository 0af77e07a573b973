import { Wire } from '../plan/kinds.ts';
import { putVarint32 } from '../wire/writer.ts';
import type { ListEntries } from './list-entries.ts';

/** Maximum size of a tag and a length. */
const MAX_HEAD = 10;

/** Adjacent pieces of bytes. */
export type Chunks = readonly Uint8Array[];

/** Wraps the chunks into a field with a tag and a length. */
export function around(number: number, content: Chunks): Chunks {
  const length = content.reduce((sum, chunk) => sum + chunk.length, 0);
  const head = { out: Buffer.allocUnsafe(MAX_HEAD), q: 0 };
  putVarint32(head, (number << 3) | Wire.delimited);
  putVarint32(head, length);
  return [head.out.subarray(0, head.q), ...content];
}

export function bytesOf(chunks: Chunks): Uint8Array {
  return Buffer.concat(chunks);
}

/** Entries of a list from `from` to before `to`. */
export interface EntryRange {
  readonly entries: ListEntries;
  readonly from: number;
  readonly to: number;
}

/** The bytes of these entries. Adjacent entries share a chunk. */
export function slicesOf(message: Uint8Array, { entries, from, to }: EntryRange): Chunks {
  const chunks: Uint8Array[] = [];
  for (let index = from; index < to; index++) {
    const start = entries.at(index);
    let end = entries.end(index);
    while (index + 1 < to && entries.at(index + 1) === end) end = entries.end(++index);
    chunks.push(message.subarray(start, end));
  }
  return chunks;
}
