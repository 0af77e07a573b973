import { describe, expect, it } from 'vitest';
import { ByteSink } from './byte-sink.ts';

function hexOf(write: (sink: ByteSink) => void): string {
  const sink = new ByteSink();
  write(sink);
  return Buffer.from(sink.copy()).toString('hex');
}

describe('ByteSink', () => {
  it.each<[number | bigint, string]>([
    [0, '00'],
    [127, '7f'],
    [128, '8001'],
    [0x7fff_ffff, 'ffffffff07'],
    [2 ** 40, '808080808020'],
    [2n ** 64n - 1n, 'ffffffffffffffffff01'],
  ])('writes %s with seven bits a byte', (value, hex) => {
    expect(hexOf((sink) => sink.varint(value))).toBe(hex);
  });

  it.each<[number | bigint, string]>([
    [0, '00'],
    [-1, '01'],
    [1, '02'],
    [-64, '7f'],
    [0x3fff_ffff, 'feffffff07'],
    [-0x8000_0000, 'ffffffff0f'],
    [2n ** 63n - 1n, 'feffffffffffffffff01'],
    [-(2n ** 63n), 'ffffffffffffffffff01'],
  ])('writes %s in zigzag form', (value, hex) => {
    expect(hexOf((sink) => sink.zigzag(value))).toBe(hex);
  });

  it.each([0, 1, 127, 128, 16_383, 16_384, 3_000_000])(
    'a size prefix is written before %i bytes, even if nested',
    (size) => {
      const sink = new ByteSink();
      sink.byte(0xaa);
      sink.writeDelimited(() => {
        sink.byte(0xbb);
        sink.writeDelimited(() => sink.bytes(Buffer.alloc(size, 0xcc)));
        sink.byte(0xdd);
      });
      const inner = Buffer.from(
        hexOf((other) => other.varint(size)),
        'hex',
      );
      const middle = Buffer.concat([Buffer.of(0xbb), inner, Buffer.alloc(size, 0xcc), Buffer.of(0xdd)]);
      const outer = Buffer.from(
        hexOf((other) => other.varint(middle.length)),
        'hex',
      );
      expect(Buffer.compare(sink.copy(), Buffer.concat([Buffer.of(0xaa), outer, middle]))).toBe(0);
    },
  );

  it('clear empties the sink, and text gets its size in bytes as prefix', () => {
    const sink = new ByteSink();
    sink.bytes(Buffer.alloc(2_000_000));
    sink.clear();
    sink.text('é😀', (size) => sink.varint(size));
    expect(Buffer.from(sink.copy()).toString('hex')).toBe('06c3a9f09f9880');
  });
});
