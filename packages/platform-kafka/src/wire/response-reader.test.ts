import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ResponseReader } from './response-reader.ts';

function frame(id: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeInt32BE(payload.length + 4, 0);
  head.writeInt32BE(id, 4);
  return Buffer.concat([head, payload]);
}

describe('a frame reader', () => {
  it('the responses do not depend on where the bytes are cut', () => {
    const payloads = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 10 });
    const cuts = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 });
    fc.assert(
      fc.property(payloads, cuts, (sent, sizes) => {
        const stream = Buffer.concat(sent.map((payload, id) => frame(id, payload)));
        const got: [number, Buffer][] = [];
        const reader = new ResponseReader((id, payload) => got.push([id, Buffer.from(payload)]));
        for (let at = 0, turn = 0; at < stream.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          reader.push(stream.subarray(at, at + size));
          at += size;
        }
        expect(got).toEqual(sent.map((payload, id) => [id, Buffer.from(payload)]));
      }),
    );
  });

  it.each([3, -1, 0x1503_0300])('a length of %i is refused', (length) => {
    const head = Buffer.alloc(8);
    head.writeInt32BE(length, 0);
    const reader = new ResponseReader(() => undefined);
    expect(() => reader.push(head)).toThrow(/no Kafka broker/);
  });
});
