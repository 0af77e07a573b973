import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';

/** Where the schema of the messages is. */
export const benchProto: string = fileURLToPath(new URL('proto/bench.proto', import.meta.url));

/** Lengths of the messages that are measured. */
export const sizes = [20, 200, 1000, 10_000] as const;

/** Digits of the time of sending, at the start of each message after two bytes of tag and length. */
export const TIME_DIGITS = 18;
export const TIME_OFFSET = 2;

const LINES: Readonly<Record<number, number>> = { 1000: 14, 10000: 180 };

/** The type of the messages, as protobufjs has it. */
export function eventType(): protobuf.Type {
  const root = new protobuf.Root().loadSync(benchProto);
  return root.lookupType('levada.bench.Event');
}

/** One message of exactly `bytes` bytes; the id is all digits of zero. */
export function encodeEvent(bytes: number): Buffer {
  const type = eventType();
  const id = '0'.repeat(TIME_DIGITS);
  const fields = bytes <= 20 ? { id } : { id, ...order(LINES[bytes] ?? 0) };
  const encode = (note: string): Uint8Array => type.encode(type.create({ ...fields, note })).finish();
  const missing = bytes - encode('').length;
  // The tag and the length of the note take two bytes, three from 128 bytes of text on.
  for (const head of [0, 2, 3]) {
    const data = encode('x'.repeat(Math.max(0, missing - head)));
    if (data.length === bytes) return Buffer.from(data);
  }
  throw new Error(`no event of ${bytes} bytes can be made`);
}

function order(lines: number): object {
  return {
    sequence: 1_234_567,
    symbol: 'LEVADA.PT',
    price: 101.25,
    quantity: 300,
    open: true,
    side: 2,
    at: { seconds: 1_790_000_000, nanos: 123_000_000 },
    tags: ['auction', 'late'],
    labels: { venue: 'XLIS', desk: 'funchal' },
    lines: Array.from({ length: lines }, (_, index) => ({
      sku: `SKU-${1000 + index}`,
      name: 'Wine, dry, 0.75 l',
      quantity: index + 1,
      price: 12.5 + index,
      gift: index % 3 === 0,
    })),
  };
}
