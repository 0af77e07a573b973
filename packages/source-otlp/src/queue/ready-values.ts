import type { LiveSettings } from '../config/live-settings.ts';
import type { PlainExports } from '../export/plain-exports.ts';
import type { ReadyValue } from '../model/prepared-export.ts';
import type { SignalName } from '../model/signals.ts';
import { recordKey } from '../record/record-key.ts';

/** Room of a block of values; a larger value gets its own memory. */
const BLOCK_BYTES = 256 * 1024;
/** Room of the first block, until one comes back: few exports need little. */
const FIRST_BYTES = 16 * 1024;
/** Blocks that are kept for later values. */
const MAX_SPARE = 4;
/** JSON is seldom longer than so many times the request: where that has no room, the request itself is queued. */
const JSON_FACTOR = 3;

/** Memory of values, of which some are still needed. */
interface Block {
  readonly bytes: Buffer;
  users: number;
}

export interface ReadyValuesOptions {
  readonly plain: PlainExports;
  readonly signal: SignalName;
  /** Whether there is room in the queue for an export of so many bytes. */
  readonly hasRoom: (bytes: number) => boolean;
}

/** The value of a record that was made at receipt, and how many items are in it. */
export interface MadeValue {
  readonly ready: ReadyValue;
  readonly bytes: Uint8Array;
  readonly items: number;
}

/**
 * Values of one signal's records, made at receipt: where a record is one export, one walk over its bytes is the check and the
 * conversion. They lie in blocks that are used again when all of their values are settled, which is soon, since a queue is first in,
 * first out. Values that are never released are left to the garbage collector.
 */
export class ReadyValues {
  readonly #options: ReadyValuesOptions;
  readonly #spare: Buffer[] = [];
  #block: Block | undefined;
  #at = 0;
  #recycles = false;
  #inUse = 0;

  constructor(options: ReadyValuesOptions) {
    this.#options = options;
  }

  /** Values in blocks that were made and not released. */
  get inUse(): number {
    return this.#inUse;
  }

  /** The value for this request. Undefined: it is not plain, or has to be divided, or there is no room for the value in the queue. */
  make(request: Uint8Array, { form, mode, maxRecordBytes }: LiveSettings): MadeValue | undefined {
    const { plain, signal, hasRoom } = this.#options;
    if (form.encoding !== 'otlp_json' || (mode !== 'request' && signal !== 'profiles')) return undefined;
    if (!hasRoom(request.length * JSON_FACTOR)) return undefined;
    const converter = plain[signal];
    const length = converter.convert(request);
    if (length === -1 || length > maxRecordBytes || !hasRoom(length)) return undefined;
    const { items } = converter;
    if (items === 0) return undefined;
    const block = this.#blockFor(length);
    const at = block === undefined ? 0 : this.#at;
    const memory = block?.bytes ?? Buffer.allocUnsafeSlow(length);
    converter.copy(memory, at);
    if (block !== undefined) {
      block.users += 1;
      this.#inUse += 1;
      this.#at += length;
    }
    const key = recordKey(signal, request, form.key);
    const release = block === undefined ? undefined : () => this.#release(block);
    return { ready: { key, release }, bytes: memory.subarray(at, at + length), items };
  }

  /** A block with room for so many bytes; undefined when none is so large. */
  #blockFor(length: number): Block | undefined {
    if (length > BLOCK_BYTES) return undefined;
    const present = this.#block;
    if (present !== undefined && this.#at + length <= present.bytes.length) return present;
    const room = this.#recycles ? BLOCK_BYTES : Math.max(FIRST_BYTES, length);
    const bytes = this.#spare.pop() ?? Buffer.allocUnsafeSlow(room);
    this.#block = { bytes, users: 0 };
    this.#at = 0;
    if (present?.users === 0) this.#keep(present);
    return this.#block;
  }

  #release(block: Block): void {
    block.users -= 1;
    this.#inUse -= 1;
    if (block.users > 0) return;
    if (block === this.#block) this.#at = 0;
    else this.#keep(block);
  }

  #keep({ bytes }: Block): void {
    this.#recycles = true;
    if (bytes.length === BLOCK_BYTES && this.#spare.length < MAX_SPARE) this.#spare.push(bytes);
  }
}
