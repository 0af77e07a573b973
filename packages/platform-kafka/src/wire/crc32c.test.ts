import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32c, wordView } from './crc32c.ts';
import { createPieceChecksum } from './crc32c-lanes.ts';

function checksum(bytes: Uint8Array, from = 0): number {
  const buffer = Buffer.allocUnsafeSlow(from + bytes.length);
  buffer.set(bytes, from);
  return crc32c(wordView(buffer), from, buffer.length);
}

/** One bit at a time, as in the standard. */
function bitwise(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f6_3b78 : crc >>> 1;
  }
  return ~crc >>> 0;
}

describe('crc32c', () => {
  it.each([
    ['32 zeros', new Uint8Array(32), 0x8a91_36aa],
    ['32 ones', new Uint8Array(32).fill(0xff), 0x62a8_ab43],
    ['0 to 31', Uint8Array.from({ length: 32 }, (_, i) => i), 0x46dd_794e],
    ['31 to 0', Uint8Array.from({ length: 32 }, (_, i) => 31 - i), 0x113f_db5c],
    ['the check value', Buffer.from('123456789'), 0xe306_9283],
    ['nothing', new Uint8Array(0), 0],
  ])('the checksum of %s is that of RFC 3720', (_, bytes, expected) => {
    expect(checksum(bytes)).toBe(expected);
  });

  it.each([16_383, 16_384, 16_385, 32_768, 100_003])(
    'the checksum of %i bytes is the same in lanes and bit by bit',
    (size) => {
      const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 31 + (i >>> 5)) & 255);
      for (const from of [0, 3]) expect(checksum(bytes, from)).toBe(bitwise(bytes));
    },
  );

  it('this engine computes checksums in lanes', () => {
    expect(createPieceChecksum(new Int32Array(256))).toBeDefined();
  });

  it('the checksum does not depend on the offset of the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat({ max: 20 }), (bytes, from) => {
        expect(checksum(bytes, from)).toBe(bitwise(bytes));
      }),
    );
  });
});
