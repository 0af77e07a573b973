import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { framed } from './framing.ts';
import { MessageReader, type MessageSink } from './message-reader.ts';

interface Script {
  readonly maxHeld?: number;
  readonly maxLength?: number;
  readonly viewBytes?: number;
}

/** A sink that accepts everything up to these limits, and records it. */
function recordingSink({ maxHeld = 1e9, maxLength = 1e9, viewBytes = -1 }: Script = {}) {
  const prefixes: [number, number][] = [];
  const held: number[] = [];
  const messages: Buffer[] = [];
  const sink: MessageSink = {
    viewBytes,
    firstBytes: 4096,
    onPrefix: (flag, length) => {
      prefixes.push([flag, length]);
      return length <= maxLength;
    },
    onHeld: (bytes) => {
      held.push(bytes);
      return bytes <= maxHeld;
    },
    onMessage: (payload) => messages.push(payload),
    onCompressed: (payload) => messages.push(payload),
  };
  return { sink, prefixes, held, messages };
}

function withFlag(payload: Uint8Array, flag: number): Buffer {
  const frame = framed(payload);
  frame[0] = flag;
  return frame;
}

describe('MessageReader', () => {
  it('the messages do not depend on where the bytes are cut, with or without views', () => {
    const message = fc.record({ flag: fc.nat(255), payload: fc.uint8Array({ maxLength: 200 }) });
    const property = fc.property(
      fc.array(message, { maxLength: 5 }),
      fc.array(fc.nat(1000)),
      fc.constantFrom(-1, 100, 1000),
      (sent, cuts, viewBytes) => {
        const bytes = Buffer.concat(sent.map(({ flag, payload }) => withFlag(payload, flag)));
        const { sink, prefixes, messages } = recordingSink({ viewBytes });
        const reader = new MessageReader(sink);
        const places = cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b);
        const at = [0, ...places, bytes.length];
        for (const [index, end] of at.slice(1).entries()) reader.read(bytes.subarray(at[index], end));
        expect(messages.map((found) => [...found])).toEqual(sent.map(({ payload }) => [...payload]));
        // With views, the sink is not asked about them
        const asked = viewBytes < 0 ? sent.map(({ flag, payload }) => [flag, payload.length]) : prefixes;
        expect(prefixes).toEqual(asked);
        expect(reader.partial).toBe(false);
      },
    );
    fc.assert(property);
  });

  it('onCompressed receives compressed messages', () => {
    const { sink, messages } = recordingSink({ viewBytes: 100 });
    const compressed: string[] = [];
    const reader = new MessageReader({
      ...sink,
      onCompressed: (payload) => compressed.push(String(payload)),
    });
    reader.read(Buffer.concat([withFlag(Buffer.from('a'), 1), withFlag(Buffer.from('b'), 0)]));
    reader.read(withFlag(Buffer.from('cd'), 1).subarray(0, 6));
    reader.read(Buffer.from('d'));
    expect(compressed).toEqual(['a', 'cd']);
    expect(messages.map(String)).toEqual(['b']);
  });

  it('partial is true from the first byte of a message to its last', () => {
    const { sink, messages } = recordingSink();
    const reader = new MessageReader(sink);
    const bytes = framed(Buffer.from('abc'));
    for (const byte of bytes.subarray(0, -1)) {
      reader.read(Buffer.of(byte));
      expect(reader.partial).toBe(true);
    }
    reader.read(bytes.subarray(-1));
    expect(reader.partial).toBe(false);
    expect(messages).toEqual([Buffer.from('abc')]);
  });

  it('the reader holds at most twice the bytes received, for any announced length', () => {
    const { sink, held } = recordingSink();
    const reader = new MessageReader(sink);
    reader.read(Buffer.of(0, 5, 0, 0, 0, 1));
    let arrived = 1;
    for (; arrived < 1_000_000; arrived += 10_000) reader.read(Buffer.alloc(10_000));
    expect(held[0]).toBe(4096);
    expect(held.at(-1)).toBeLessThanOrEqual(2 * arrived);
  });

  it('the reader never holds more than a message needs', () => {
    const { sink, held } = recordingSink();
    const reader = new MessageReader(sink);
    const bytes = framed(Buffer.alloc(30_000));
    reader.read(bytes.subarray(0, 16_000));
    reader.read(bytes.subarray(16_000));
    expect(held).toEqual([30_000]);
  });

  it('the reader stops once no memory is granted', () => {
    const { sink, messages, prefixes } = recordingSink({ maxHeld: 9 });
    const reader = new MessageReader(sink);
    reader.read(Buffer.concat([9, 10, 1].map((length) => framed(Buffer.alloc(length)))));
    reader.read(framed(Buffer.alloc(1)));
    expect(messages.length).toBe(1);
    expect(prefixes.length).toBe(2);
  });

  it('a refused message is skipped, and the next one is read', () => {
    const { sink, messages, held } = recordingSink({ maxLength: 9 });
    const reader = new MessageReader(sink);
    const bytes = Buffer.concat([9, 10, 1].map((length) => framed(Buffer.alloc(length))));
    for (const byte of bytes) reader.read(Buffer.of(byte));
    expect(messages.map(({ length }) => length)).toEqual([9, 1]);
    expect(held).toEqual([9, 1]);
  });

  it('partial is false after the sink stopped the reader', () => {
    const { sink, messages } = recordingSink();
    const reader = new MessageReader({
      ...sink,
      onPrefix: () => {
        reader.stop();
        return false;
      },
    });
    reader.read(framed(Buffer.alloc(100)).subarray(0, 50));
    expect(reader.partial).toBe(false);
    expect(reader.read(framed(Buffer.alloc(1)))).toBe(0);
    expect(messages).toEqual([]);
  });
});
