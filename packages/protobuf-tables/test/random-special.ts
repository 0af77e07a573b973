import { type DescMessage, ScalarType } from '@bufbuild/protobuf';
import type { MessageWriter } from './random-message.ts';
import type { RandomSource } from './random-source.ts';
import {
  putEnumNumber,
  putFiniteDouble,
  putPadded,
  putRandomScalar,
  putText,
  randomInt32,
} from './random-values.ts';
import { type Bytes, putVarint } from './wire-bytes.ts';

/** Types whose fields depend on each other: merging several messages of them is not valid. */
export const UNSHUFFLED: ReadonlySet<string> = new Set(['google.protobuf.Any']);

const MIN_TIME = -62_135_596_800;
const MAX_TIME = 253_402_300_799;
const MAX_DURATION = 315_576_000_000;

/** Field numbers and values of a type with its own JSON form; undefined to draw each field. */
export function specialValues(
  writer: MessageWriter,
  desc: DescMessage,
  depth: number,
): readonly (readonly [number, Bytes])[] | undefined {
  switch (desc.typeName) {
    case 'google.protobuf.Timestamp':
      return timestamp(writer);
    case 'google.protobuf.Duration':
      return duration(writer);
    case 'google.protobuf.FieldMask':
      return fieldMask(writer);
    case 'google.protobuf.Value':
      return value(writer, desc, depth);
    case 'google.protobuf.Any':
      return any(writer, depth);
    default:
      return undefined;
  }
}

function nanos(random: RandomSource): number {
  const digits = random.pick([0, 0, 3, 6, 9]);
  return digits === 0 ? 0 : random.below(10 ** digits) * 10 ** (9 - digits);
}

/** The fields seconds and nanos, absent if zero. */
function numbers(writer: MessageWriter, seconds: number, nano: number): [number, Bytes][] {
  const { random, ways } = writer;
  const out: [number, Bytes][] = [];
  const first: Bytes = [];
  putPadded(first, BigInt(seconds), random, ways);
  if (seconds !== 0 || random.chance(0.1)) out.push([1, first]);
  const second: Bytes = [];
  putEnumNumber(second, nano, random, ways); // an int32, too
  if (nano !== 0 || random.chance(0.1)) out.push([2, second]);
  return out;
}

function timestamp(writer: MessageWriter) {
  const { random, invalidShare } = writer;
  if (random.chance(invalidShare)) {
    const seconds = random.pick([MIN_TIME - 1, MAX_TIME + 1, 2 ** 53, -(2 ** 53), 0]);
    return numbers(writer, seconds, random.pick([0, -1, 1_000_000_000, 2147483647, -2147483648]));
  }
  const kind = random.below(4);
  const range = MAX_TIME - MIN_TIME + 1;
  if (kind === 0)
    return numbers(writer, MIN_TIME + Math.floor((random.bits() / 2 ** 32) * range), nanos(random));
  if (kind === 1)
    return numbers(writer, random.pick([MIN_TIME, MAX_TIME, 0, -1, 86_399, 951_782_400]), nanos(random));
  return numbers(writer, 1_700_000_000 + random.below(100_000_000), nanos(random));
}

function duration(writer: MessageWriter) {
  const { random, invalidShare } = writer;
  const sign = random.chance(0.3) ? -1 : 1;
  if (random.chance(invalidShare)) {
    const seconds = random.pick([MAX_DURATION + 1, -MAX_DURATION - 1, 1, -1]);
    return numbers(writer, seconds, random.pick([-seconds % 1000, 1_000_000_000, -1_000_000_000]));
  }
  const kind = random.below(4);
  if (kind === 0) return numbers(writer, sign * MAX_DURATION, sign * nanos(random));
  const whole = kind === 1 ? 0 : Math.abs(randomInt32(random)) * (kind === 2 ? 1 : 100);
  return numbers(writer, sign * whole, sign * nanos(random));
}

function fieldMask({ random, ways, invalidShare }: MessageWriter): [number, Bytes][] {
  const paths = random.chance(invalidShare)
    ? ['a__b', 'Foo', 'a_1', '_', 'fooBar']
    : ['foo', 'foo_bar', 'a.b_c.d', 'user_name.first', 'ünï', 'a1', '', 'x"y'];
  return Array.from({ length: random.below(4) }, () => {
    const bytes: Bytes = [];
    putText(bytes, new TextEncoder().encode(random.pick(paths)), random, ways);
    return [1, bytes];
  });
}

function value(writer: MessageWriter, desc: DescMessage, depth: number): [number, Bytes][] {
  const { random, ways, invalidShare } = writer;
  const bytes: Bytes = [];
  if (random.chance(invalidShare)) {
    if (random.chance(0.5)) return [];
    putRandomScalar(bytes, ScalarType.DOUBLE, random, ways);
    return [[2, bytes]];
  }
  const number = 1 + random.below(depth > 6 ? 4 : 6);
  if (number === 1) putVarint(bytes, random.chance(0.9) ? 0 : random.below(5));
  else if (number === 2) putFiniteDouble(bytes, random);
  else if (number === 3) putRandomScalar(bytes, ScalarType.STRING, random, ways);
  else if (number === 4) putRandomScalar(bytes, ScalarType.BOOL, random, ways);
  else {
    const child = desc.fields.find((field) => field.number === number)?.message;
    if (child !== undefined) putText(bytes, writer.message(child, depth + 1), random, ways);
  }
  return [[number, bytes]];
}

function any(writer: MessageWriter, depth: number): [number, Bytes][] {
  const { random, ways, registry, invalidShare } = writer;
  if (random.chance(0.1)) return [];
  const types = [...registry].filter((type) => type.kind === 'message' && !isMapEntry(type)) as DescMessage[];
  const type = random.pick(depth > 4 ? types.filter(({ typeName }) => LEAVES.has(typeName)) : types);
  const wrong = random.chance(invalidShare) ? random.pick(['x', 'a/', '/', ' ']) : '';
  const url = `${random.pick(['type.googleapis.com/', 'type.googleapis.com/', '', '/', 'a/b/', 'é"/'])}${type.typeName}${wrong}`;
  const typeUrl: Bytes = [];
  const payload: Bytes = [];
  putText(typeUrl, new TextEncoder().encode(url), random, ways);
  putText(payload, writer.message(type, depth + 1), random, ways);
  return [
    [1, typeUrl],
    [2, payload],
  ];
}

const LEAVES = new Set(['google.protobuf.Timestamp', 'google.protobuf.Empty', 'google.protobuf.StringValue']);

function isMapEntry(type: DescMessage): boolean {
  return type.proto.options?.mapEntry === true;
}
