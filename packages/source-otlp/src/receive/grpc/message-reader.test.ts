import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageReader, type MessageSink } from './message-reader.ts';

interface Script {
  readonly maxHeld?: number;
  readonly maxLength?: number;
}

/** A sink that takes everything, up to these limits, and writes down what it is told. */
function recordingSink({ maxHeld = 1e9, maxLength = 1e9 }: Script = {}) {
  const prefixes: [number, number][] = [];
  const held: number[] = [];
  const messages: Buffer[] = [];
  const sink: MessageSink = {
    onPrefix: (flag, length) => {
      prefixes.push([flag, length]);
      return length <= maxLength;
    },
    onHeld: (bytes) => {
      held.push(bytes);
      return bytes <= maxHeld;
    },
    onMessage: (payload) => messages.push(payload) > 0,
  };
  return { sink, prefixes, held, messages };
}

function prefixed(payload: Uint8Array, flag = 0): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flag;
  prefix.writeUInt32BE(payload.length, 1);
  return Buffer.concat([prefix, payload]);
}

describe('MessageReader', () => {
  it('hands out the same messages wherever their bytes are cut', () => {
    const message = fc.record({ flag: fc.nat(255), payload: fc.uint8Array({ maxLength: 200 }) });
    const property = fc.property(
      fc.array(message, { maxLength: 5 }),
      fc.array(fc.nat(1000)),
      (sent, cuts) => {
        const bytes = Buffer.concat(sent.map(({ flag, payload }) => prefixed(payload, flag)));
        const { sink, prefixes, messages } = recordingSink();
        const reader = new MessageReader(sink);
        const at = [
          0,
          ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b),
          bytes.length,
        ];
        for (const [index, end] of at.slice(1).entries()) reader.read(bytes.subarray(at[index], end));
        expect(messages.map((found) => [...found])).toEqual(sent.map(({ payload }) => [...payload]));
        expect(prefixes).toEqual(sent.map(({ flag, payload }) => [flag, payload.length]));
        expect(reader.partial).toBe(false);
      },
    );
    fc.assert(property);
  });

  it('knows that a message has begun, from its first byte to its last', () => {
    const { sink, messages } = recordingSink();
    const reader = new MessageReader(sink);
    const bytes = prefixed(Buffer.from('abc'));
    for (const byte of bytes.subarray(0, -1)) {
      reader.read(Buffer.of(byte));
      expect(reader.partial).toBe(true);
    }
    reader.read(bytes.subarray(-1));
    expect(reader.partial).toBe(false);
    expect(messages).toEqual([Buffer.from('abc')]);
  });

  it('holds at most twice of what arrived, whatever length is announced', () => {
    const { sink, held } = recordingSink();
    const reader = new MessageReader(sink);
    reader.read(Buffer.of(0, 5, 0, 0, 0, 1));
    let arrived = 1;
    for (; arrived < 1_000_000; arrived += 10_000) reader.read(Buffer.alloc(10_000));
    expect(held[0]).toBe(4096);
    expect(held.at(-1)).toBeLessThanOrEqual(2 * arrived);
  });

  it('never holds more than a message needs', () => {
    const { sink, held } = recordingSink();
    const reader = new MessageReader(sink);
    const bytes = prefixed(Buffer.alloc(30_000));
    reader.read(bytes.subarray(0, 16_000));
    reader.read(bytes.subarray(16_000));
    expect(held).toEqual([30_000]);
  });

  it.each([{ maxLength: 9 }, { maxHeld: 9 }])('reads nothing more once it is refused: %j', (script) => {
    const { sink, messages, prefixes } = recordingSink(script);
    const reader = new MessageReader(sink);
    reader.read(
      Buffer.concat([prefixed(Buffer.alloc(9)), prefixed(Buffer.alloc(10)), prefixed(Buffer.alloc(1))]),
    );
    reader.read(prefixed(Buffer.alloc(1)));
    expect(messages.length).toBe(1);
    expect(prefixes.length).toBe(2);
  });

  it('keeps no large chunk alive for a small message', () => {
    const { sink, messages } = recordingSink();
    const chunk = Buffer.from(new ArrayBuffer(60_000));
    prefixed(Buffer.from('small')).copy(chunk);
    new MessageReader(sink).read(chunk.subarray(0, 10));
    expect(messages[0]?.toString()).toBe('small');
    expect(messages[0]?.buffer).not.toBe(chunk.buffer);
  });
});
