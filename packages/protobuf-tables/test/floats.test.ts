import { expect, test } from 'vitest';
import { wireToJson } from '../src/index.ts';
import { messageOf, protoText } from './proto-text.ts';
import { randomSource } from './random-source.ts';
import { type Bytes, LEN, putFixed32, putTag, putVarint } from './wire-bytes.ts';

const registry = protoText('syntax = "proto3"; package reals; message Floats { repeated float all = 1; }');
const floats = wireToJson(messageOf(registry, 'reals.Floats'));
const view = new DataView(new ArrayBuffer(4));

function floatOf(bits: number): number {
  view.setUint32(0, bits);
  return view.getFloat32(0);
}

/** The texts of floats given by their bits. */
function texts(bits: readonly number[]): string[] {
  const wire: Bytes = [];
  putTag(wire, 1, LEN);
  putVarint(wire, bits.length * 4);
  for (const each of bits) putFixed32(wire, each);
  const json = Buffer.from(floats.convert(Uint8Array.from(wire))).toString();
  return json.slice('{"all":['.length, -']}'.length).split(',');
}

/** Number of significant digits of a decimal text. */
function digits(text: string): number {
  const all = text.replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '');
  return Math.max(1, text.includes('.') ? all.length : all.replace(/0+$/, '').length);
}

/** The fewest digits that read back as the float, found by trying. */
function fewest(value: number): number {
  for (let count = 1; count < 9; count += 1)
    if (Math.fround(Number(value.toPrecision(count))) === value) return count;
  return 9;
}

/** Ends of the ranges, powers of two with their neighbours, and random floats. */
function interesting(count: number): number[] {
  const random = randomSource(9);
  const edges = [0x00000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0x3f800000, 0x4b800000, 0x4b7fffff];
  for (let exponent = 0; exponent < 255; exponent += 1) {
    const power = exponent << 23;
    edges.push(power, power + 1, Math.max(0, power - 1));
  }
  const any = Array.from({ length: count }, () => random.bits());
  return [...edges, ...edges.map((bits) => (bits | 0x80000000) >>> 0), ...any].filter((bits) =>
    Number.isFinite(floatOf(bits)),
  );
}

test('floats are written as the shortest text that reads back as the same float', () => {
  const bits = interesting(20_000);
  const wrong = texts(bits).filter((text, at) => {
    const value = floatOf(bits[at] as number);
    return Math.fround(Number(text)) !== value || digits(text) > fewest(value);
  });
  expect(wrong).toEqual([]);
});

test('decimals of up to seven digits are written unchanged', () => {
  const random = randomSource(10);
  const decimals = Array.from({ length: 20_000 }, () => (random.below(2e6) - 1e6) / 10 ** random.below(6));
  const bits = decimals.map((value) => {
    view.setFloat32(0, value);
    return view.getUint32(0);
  });
  expect(texts(bits)).toEqual(decimals.map((value) => String(value)));
});
