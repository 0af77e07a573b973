import type { DescMessage } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { wireToJson } from '../src/index.ts';
import { messageOf, protoText } from './proto-text.ts';
import { randomSource } from './random-source.ts';
import { append, type Bytes, LEN, putDouble, putFixed64, putTag, putVarint } from './wire-bytes.ts';

const registry = protoText(`
syntax = "proto3";
package numbers;
import "google/protobuf/timestamp.proto";
message Doubles { repeated double all = 1; }
message Int64s { repeated sfixed64 all = 1; }
message Uint64s { repeated fixed64 all = 1; }
message Int32s { repeated int32 all = 1; }
message Times { repeated google.protobuf.Timestamp all = 1; }
`);

function typeOf(name: string): DescMessage {
  return messageOf(registry, `numbers.${name}`);
}

/** The JSON of the elements of a packed list. */
function writePacked(name: string, content: Bytes): string[] {
  const wire: Bytes = [];
  putTag(wire, 1, LEN);
  putVarint(wire, content.length);
  append(wire, content);
  return elements(name, wire);
}

function elements(name: string, wire: Bytes): string[] {
  const json = Buffer.from(wireToJson(typeOf(name)).convert(Uint8Array.from(wire))).toString();
  return json.slice('{"all":['.length, -']}'.length).split(',');
}

const random = randomSource(11);

/** Decimals as people and sensors write them, with up to `digits` digits. */
function decimals(count: number, digits: number): number[] {
  return Array.from({ length: count }, () => {
    const whole = Number(
      (BigInt(random.bits()) * 4294967296n + BigInt(random.bits())) % 10n ** BigInt(1 + random.below(digits)),
    );
    return (random.chance(0.3) ? -whole : whole) / 10 ** random.below(12);
  });
}

function doubles(content: readonly number[]): string[] {
  const bytes: Bytes = [];
  for (const value of content) putDouble(bytes, value);
  return writePacked('Doubles', bytes);
}

/** -0 keeps its sign. */
function textOf(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

test.each([1, 3, 6, 9, 12, 15, 17])(
  'decimals of up to %i digits are written as JSON.stringify does',
  (digits) => {
    const values = decimals(20_000, digits);
    expect(doubles(values)).toEqual(values.map(textOf));
  },
);

test('the neighbours of decimals are written as JSON.stringify does', () => {
  const bits = new DataView(new ArrayBuffer(8));
  const values = decimals(20_000, 9).map((value) => {
    bits.setFloat64(0, value);
    bits.setBigUint64(0, bits.getBigUint64(0) + BigInt(random.below(5)) - (value === 0 ? 0n : 2n));
    return bits.getFloat64(0);
  });
  const finite = values.filter(Number.isFinite);
  expect(doubles(finite)).toEqual(finite.map(textOf));
});

test('doubles of any bits are written as JSON.stringify does', () => {
  const bits = new DataView(new ArrayBuffer(8));
  const values = Array.from({ length: 20_000 }, () => {
    bits.setUint32(0, random.bits());
    bits.setUint32(4, random.bits());
    return bits.getFloat64(0);
  }).filter(Number.isFinite);
  expect(doubles(values)).toEqual(values.map(textOf));
});

test('powers of two and ten and their neighbours are written as JSON.stringify does', () => {
  const values: number[] = [];
  for (let power = -1074; power < 1024; power += 1)
    values.push(2 ** power, -(2 ** power), 2 ** power * 3, 2 ** power - 1);
  for (let power = -323; power < 309; power += 1)
    values.push(Number(`1e${power}`), Number(`9.999999e${power}`), Number(`-4.5e${power}`));
  const finite = values.filter(Number.isFinite);
  expect(doubles(finite)).toEqual(finite.map(textOf));
});

test('64-bit integers are written exactly', () => {
  const values = Array.from(
    { length: 30_000 },
    () => ((BigInt(random.bits()) << 32n) | BigInt(random.bits())) >> BigInt(random.below(64)),
  );
  for (let power = 0n; power < 20n; power += 1n)
    values.push(10n ** power, 10n ** power - 1n, 2n ** (power * 3n), 2n ** (power * 3n) - 1n);
  const bytes: Bytes = [];
  for (const value of values) putFixed64(bytes, value);
  expect(writePacked('Uint64s', bytes)).toEqual(values.map((value) => `"${BigInt.asUintN(64, value)}"`));
  expect(writePacked('Int64s', bytes)).toEqual(values.map((value) => `"${BigInt.asIntN(64, value)}"`));
});

test('32-bit integers are written exactly', () => {
  const values = Array.from({ length: 30_000 }, () => (random.bits() >> random.below(32)) | 0);
  const bytes: Bytes = [];
  for (const value of values) putVarint(bytes, BigInt(value));
  expect(writePacked('Int32s', bytes)).toEqual(values.map(String));
});

const DAY = 86_400;
const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;

test('every tenth day from year 1 to 9999, every new year and every leap day are written as times', () => {
  const days = new Set<number>();
  for (let day = FIRST_DAY; day <= LAST_DAY; day += 10) days.add(day);
  for (let year = 1; year <= 9999; year += 1) {
    for (const date of ['01-01', '02-28', '03-01', '12-31']) {
      days.add(Date.parse(`${String(year).padStart(4, '0')}-${date}T00:00:00Z`) / 1000 / DAY);
    }
  }
  const wire: Bytes = [];
  const expected: string[] = [];
  for (const day of days) {
    const seconds = day * DAY + random.below(DAY);
    const time: Bytes = [8];
    putVarint(time, BigInt(seconds));
    putTag(wire, 1, LEN);
    putVarint(wire, time.length);
    append(wire, time);
    expected.push(`"${new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')}"`);
  }
  expect(elements('Times', wire)).toEqual(expected);
});
