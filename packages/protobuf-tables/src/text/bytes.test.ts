import fc from 'fast-check';
import { expect, test } from 'vitest';
import { putBase64, putHex } from './bytes.ts';

const out = Buffer.alloc(256);
const view = new DataView(out.buffer, out.byteOffset, out.length);

test('base64 and hexadecimal equal the output of Buffer for any bytes', () => {
  const property = fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
    const src = Buffer.concat([Buffer.of(0xff), bytes, Buffer.of(0xff)]);
    const base64 = out.toString('latin1', 3, putBase64(src, out, view, 1, bytes.length, 3));
    const hex = out.toString('latin1', 3, putHex(src, out, view, 1, bytes.length, 3));
    expect(base64).toBe(JSON.stringify(Buffer.from(bytes).toString('base64')));
    expect(hex).toBe(JSON.stringify(Buffer.from(bytes).toString('hex')));
  });
  fc.assert(property, { numRuns: 500 });
});
