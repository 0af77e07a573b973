import { ByteReader } from '../src/wire/byte-reader.ts';

const OUT_OF_ORDER = 45;
const OLD_EPOCH = 47;
const TOO_LARGE = 10;
/** Brokers recognise repetitions of this number of last batches. */
const REMEMBERED = 5;

interface Remembered {
  readonly sequence: number;
  readonly count: number;
}

interface ProducerMemory {
  epoch: number;
  next: number;
  batches: Remembered[];
}

/** One partition in a broker for idempotent producers: a small version of Kafka's `ProducerStateManager`. */
export class ModelBroker {
  /** The stored values as text. */
  readonly log: string[] = [];
  /** Maximum number of records in a batch. */
  limit = 100;
  readonly #producers = new Map<bigint, ProducerMemory>();

  /** Accepts a batch of a request. Returns the error code. */
  produce(wire: Buffer): number {
    const batch = wire.subarray(8);
    const count = batch.readInt32BE(57);
    if (count > this.limit) return TOO_LARGE;
    const id = batch.readBigInt64BE(43);
    const epoch = batch.readInt16BE(51);
    const sequence = batch.readInt32BE(53);
    const memory = this.#producers.get(id);
    if (memory !== undefined && epoch < memory.epoch) return OLD_EPOCH;
    const known = memory?.epoch === epoch ? memory : undefined;
    if (known?.batches.some((each) => each.sequence === sequence && each.count === count)) return 0;
    const expected = known?.next ?? (memory === undefined ? sequence : 0);
    if (sequence !== expected) return OUT_OF_ORDER;
    const batches = [...(known?.batches ?? []), { sequence, count }].slice(-REMEMBERED);
    this.#producers.set(id, { epoch, next: sequence + count, batches });
    this.log.push(...valuesOf(batch, count));
    return 0;
  }
}

function valuesOf(batch: Buffer, count: number): readonly string[] {
  const reader = new ByteReader(batch, 61);
  return Array.from({ length: count }, () => {
    const size = reader.varint();
    const before = reader.left;
    reader.skip(1);
    reader.varint();
    reader.varint();
    reader.bytes(reader.varint());
    const value = String(reader.bytes(reader.varint()));
    reader.skip(size - (before - reader.left));
    return value;
  });
}
