import { expect, test } from 'vitest';
import { wireToJson } from '../src/index.ts';
import { messageOf, protoText } from './proto-text.ts';
import { randomSource } from './random-source.ts';
import type { Bytes } from './wire-bytes.ts';
import { fixed64, len, varint, wire } from './wire-fields.ts';

const registry = protoText(`
syntax = "proto3";
package maps;
message Maps {
  map<int32, int32> by_int32 = 1; map<uint64, int32> by_uint64 = 2; map<fixed64, int32> by_fixed64 = 3;
  map<string, int32> by_text = 4; map<uint32, Part> by_uint32 = 5;
}
message Part { repeated int32 numbers = 1; }
`);
const converter = wireToJson(messageOf(registry, 'maps.Maps'), { defaults: false });

const random = randomSource(3);

type Key = bigint | number | string;

/** Orders of keys. Each key is drawn from few or many. */
const WAYS: Readonly<Record<string, (index: number) => number>> = {
  ascending: (index) => index,
  descending: (index) => 100_000 - index,
  random: () => random.bits() >>> random.below(32),
  'random, of few': () => random.below(50),
  'in runs': (index) => (index % 100) * 1000 + Math.floor(index / 100),
  'in runs that descend': (index) => 100_000 - (index % 100) * 1000 + Math.floor(index / 50),
  'around the last array index': () => 4294967294 + random.below(5) - 2,
};

const KINDS: Readonly<Record<string, readonly [number: number, (key: number) => Key]>> = {
  byInt32: [1, (key) => key | 0],
  byUint64: [2, (key) => (random.chance(0.5) ? BigInt(key) : BigInt.asUintN(64, BigInt(key) << 32n))],
  byFixed64: [3, (key) => (random.chance(0.9) ? BigInt(key) : BigInt.asUintN(64, ~BigInt(key)))],
  byText: [4, (key) => random.pick([`${key}`, `${key}`, `0${key}`, `${key}.5`, `-${key}`, `k${key}`])],
};

function keyField(key: Key, number: number): Bytes {
  if (typeof key === 'string') return len(1, key);
  return number === 3 ? fixed64(1, BigInt(key)) : varint(1, key);
}

const cases = Object.keys(KINDS).flatMap((kind) => Object.keys(WAYS).map((way) => [kind, way] as const));

test.each(cases)('map entries keep their order, and the last of equal keys wins: %s, %s', (name, way) => {
  const [number, keyOf] = KINDS[name] as (typeof KINDS)[string];
  for (const count of [2, 3, 7, 40, 3000]) {
    const expected = new Map<string, number>();
    const entries: Bytes[] = [];
    for (let index = 0; index < count; index += 1) {
      const key = keyOf((WAYS[way] as (index: number) => number)(index));
      expected.delete(`${key}`); // to move it to the end
      expected.set(`${key}`, index);
      entries.push(len(number, keyField(key, number), varint(2, index)));
    }
    const json = Buffer.from(converter.convert(wire(...entries))).toString();
    const members = [...expected].map(([key, value]) => `${JSON.stringify(key)}:${value}`);
    expect(json).toBe(`{"${name}":{${members.join(',')}}}`);
  }
});

test('the last message of a key wins with all its parts, and replaced ones are checked', () => {
  const part = (number: number): Bytes => len(2, varint(1, number));
  const entry = (key: number, ...parts: readonly Bytes[]): Bytes => len(5, varint(1, key), ...parts);
  const entries = [
    entry(7, part(1), part(2)),
    entry(3, part(3)),
    entry(7, part(4), part(5)),
    entry(1),
    len(5),
  ];
  expect(Buffer.from(converter.convert(wire(...entries))).toString()).toBe(
    '{"byUint32":{"3":{"numbers":[3]},"7":{"numbers":[4,5]},"1":{},"0":{}}}',
  );
  const broken = [entry(7, len(2, [0x0a, 1, 0x80]), part(2)), entry(7, part(4))];
  expect(() => converter.convert(wire(...broken))).toThrow(
    'maps.Maps: by_uint32["7"].numbers: packed values past their end',
  );
});
