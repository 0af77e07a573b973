import { huffmanText } from './huffman.ts';
import { type Field, staticTable } from './static-table.ts';

/** A header block that breaks RFC 7541: nothing that follows on the connection can be read. */
export class HpackError extends Error {
  override readonly name = 'HpackError';
}

/** Size of an entry of a table, or of a list of headers, in addition to its name and value. */
const ENTRY_BYTES = 32;
/** Size of the dynamic table: what HTTP/2 begins with, and no setting of ours changes. */
const TABLE_BYTES = 4096;
/** Longer numbers are neither lengths nor indexes. */
const MAX_SHIFT = 21;

/** Decodes the header blocks of one connection, in order. */
export class HpackDecoder {
  readonly #maxListBytes: number;
  /** The dynamic table, its newest entry last. */
  readonly #entries: Field[] = [];
  #tableBytes = 0;
  #maxTableBytes = TABLE_BYTES;
  #block: Buffer = Buffer.alloc(0);
  #at = 0;

  /** `maxListBytes`: size of the fields of one block, each with 32 bytes more (RFC 9113, section 6.5.2). */
  constructor(maxListBytes: number) {
    this.#maxListBytes = maxListBytes;
  }

  /** Calls back with each field. Returns false when there are too many; those beyond the limit are left out. Throws HpackError. */
  decode(block: Buffer, onField: (name: string, value: string) => void): boolean {
    this.#block = block;
    this.#at = 0;
    let bytes = 0;
    while (this.#at < block.length) {
      const field = this.#next(bytes === 0);
      if (field === undefined) continue;
      bytes += sizeOf(field);
      if (bytes <= this.#maxListBytes) onField(field[0], field[1]);
    }
    return bytes <= this.#maxListBytes;
  }

  /** Undefined: it was a change of the table's size, which is allowed before the first field. */
  #next(first: boolean): Field | undefined {
    const byte = this.#block[this.#at] ?? 0;
    if (byte >= 0x80) return this.#entry(this.#integer(7));
    if (byte >= 0x40) {
      const field = this.#literal(6);
      this.#add(field);
      return field;
    }
    if (byte < 0x20) return this.#literal(4);
    const size = this.#integer(5);
    if (!first || size > TABLE_BYTES) throw new HpackError('unexpected size of the dynamic table');
    this.#maxTableBytes = size;
    this.#evict();
    return undefined;
  }

  #literal(prefixBits: number): Field {
    const index = this.#integer(prefixBits);
    const name = index === 0 ? this.#string() : this.#entry(index)[0];
    return [name, this.#string()];
  }

  #entry(index: number): Field {
    const field =
      index <= staticTable.length
        ? staticTable[index - 1]
        : this.#entries[this.#entries.length - (index - staticTable.length)];
    if (field === undefined) throw new HpackError(`no entry ${index} in the tables`);
    return field;
  }

  #add(field: Field): void {
    this.#entries.push(field);
    this.#tableBytes += sizeOf(field);
    this.#evict();
  }

  #evict(): void {
    while (this.#tableBytes > this.#maxTableBytes) {
      const oldest = this.#entries.shift();
      if (oldest !== undefined) this.#tableBytes -= sizeOf(oldest);
    }
  }

  #integer(prefixBits: number): number {
    const mask = 2 ** prefixBits - 1;
    let value = this.#byte() & mask;
    if (value < mask) return value;
    for (let shift = 0; shift <= MAX_SHIFT; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new HpackError('number too large');
  }

  #string(): string {
    const isHuffman = (this.#block[this.#at] ?? 0) >= 0x80;
    const length = this.#integer(7);
    const start = this.#at;
    this.#at += length;
    if (this.#at > this.#block.length) throw new HpackError('the block ends within a string');
    if (!isHuffman) return this.#block.toString('latin1', start, this.#at);
    const text = huffmanText(this.#block.subarray(start, this.#at));
    if (text === undefined) throw new HpackError('a string is not a valid Huffman code');
    return text;
  }

  #byte(): number {
    const byte = this.#block[this.#at];
    if (byte === undefined) throw new HpackError('the block ends within a field');
    this.#at += 1;
    return byte;
  }
}

function sizeOf([name, value]: Field): number {
  return name.length + value.length + ENTRY_BYTES;
}
