// Wire bytes of random export requests, by the descriptor: tidy as encoders write them, or unusual but valid.
import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';

/** Answers a whole number from 0 to below `below`. The same seed gives the same numbers. */
export type Random = (below: number) => number;

/** How requests are made. */
export interface RandomOptions {
  /**
   * Fields in any order, several times, with unknown ones and groups between them, packed or not, varints longer than needed.
   */
  readonly wild: boolean;
  /**
   * Known fields with another wire type, which makes them unknown. @bufbuild/protobuf reads such as if they were of their own.
   * Default: as `wild`.
   */
  readonly otherWireTypes?: boolean;
}

const DELIMITED = 2;

/** Numbers from a seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A request of this type. */
export function randomRequest(desc: DescMessage, random: Random, options: RandomOptions): Uint8Array {
  const { wild, otherWireTypes = wild } = options;
  return Buffer.concat(randomMessage(desc, { random, wild, otherWireTypes }, 0));
}

interface Making {
  readonly random: Random;
  readonly wild: boolean;
  readonly otherWireTypes: boolean;
}

function randomMessage(desc: DescMessage, making: Making, depth: number): Uint8Array[] {
  const { random, wild } = making;
  const oneofs = new Map(desc.oneofs.map((oneof) => [oneof, oneof.fields[random(oneof.fields.length)]]));
  const parts: Uint8Array[] = [];
  const fields = wild ? desc.fields : desc.fields.toSorted((a, b) => a.number - b.number);
  for (const field of fields) {
    if (field.oneof !== undefined && oneofs.get(field.oneof) !== field && !(wild && random(10) === 0))
      continue;
    const times = howOften(field, making, depth);
    for (let time = 0; time < times; time++) parts.push(randomField(field, making, depth));
    if (wild && random(12) === 0) parts.push(unknownField(random, depth));
  }
  if (wild && random(3) === 0) shuffle(parts, random);
  return parts;
}

function howOften(field: DescField, { random, wild }: Making, depth: number): number {
  if (field.message !== undefined && depth > 8 + random(6)) return 0;
  if (field.fieldKind === 'list') return [0, 1, 1, 2, 3][random(5)] as number;
  if (random(4) === 0) return 0;
  return wild && random(12) === 0 ? 2 : 1;
}

function randomField(field: DescField, making: Making, depth: number): Uint8Array {
  const { random, wild } = making;
  if (making.otherWireTypes && random(40) === 0) return otherWireType(field, random);
  if (field.message !== undefined) {
    return withLength(field.number, Buffer.concat(randomMessage(field.message, making, depth + 1)), making);
  }
  const type = scalarOf(field);
  if (type === ScalarType.STRING) return withLength(field.number, Buffer.from(randomText(random)), making);
  if (type === ScalarType.BYTES) {
    return withLength(field.number, randomBytes(idLength(field.name, random), random), making);
  }
  const isPacked = field.fieldKind === 'list' && !(wild && random(3) === 0);
  if (!isPacked)
    return Buffer.concat([varint((field.number << 3) | wireTypeOf(type), making), scalar(type, making)]);
  const values = Array.from({ length: random(5) }, () => scalar(type, making));
  return withLength(field.number, Buffer.concat(values), making);
}

function idLength(name: string, random: Random): number {
  if (name === 'trace_id') return random(8) === 0 ? 0 : 16;
  if (name.endsWith('span_id')) return random(8) === 0 ? 0 : 8;
  return random(12);
}

const TEXTS = [
  '',
  'a',
  'ab',
  'abc',
  'service.name',
  'GET /api/orders/{id}',
  '"',
  '\\',
  '\n',
  '\u0001',
  '\u007f',
  'ü',
  '漢字',
  '😀',
  'a long text of plain ASCII ',
];

function randomText(random: Random): string {
  return Array.from({ length: random(4) }, () => TEXTS[random(TEXTS.length)]).join('');
}

function randomBytes(length: number, random: Random): Uint8Array {
  return Uint8Array.from({ length }, () => random(256));
}

function scalarOf({ scalar, enum: values }: DescField): ScalarType {
  return values === undefined ? (scalar as ScalarType) : ScalarType.INT32;
}

/** Of one value. */
function wireTypeOf(type: ScalarType): number {
  if (type === ScalarType.FIXED64 || type === ScalarType.SFIXED64 || type === ScalarType.DOUBLE) return 1;
  if (type === ScalarType.STRING || type === ScalarType.BYTES) return DELIMITED;
  return type === ScalarType.FIXED32 || type === ScalarType.SFIXED32 || type === ScalarType.FLOAT ? 5 : 0;
}

const DOUBLES = [
  0,
  -0,
  1,
  -1,
  0.1,
  999_999,
  1e6,
  -999_999,
  2 ** 31,
  1e21,
  1.7976931348623157e308,
  -1.2345678901234567e-308,
  5e-324,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];

function scalar(type: ScalarType, making: Making): Uint8Array {
  const { random } = making;
  const wireType = wireTypeOf(type);
  if (wireType === 0) return varint(randomInteger(random), making);
  const bytes = Buffer.alloc(wireType === 1 ? 8 : 4);
  if (type === ScalarType.DOUBLE && random(3) > 0)
    bytes.writeDoubleLE(DOUBLES[random(DOUBLES.length)] as number);
  else if (random(2) === 0) bytes.set(randomBytes(bytes.length, random));
  else bytes.writeUInt16LE([0, 1, 999, 1000, 65_535][random(5)] as number);
  return bytes;
}

function randomInteger(random: Random): bigint {
  const bits = random(65);
  const value = (BigInt(random(2 ** 32)) << 32n) | BigInt(random(2 ** 32));
  return BigInt.asUintN(bits, random(4) === 0 ? -1n : value);
}

/** The varint of a number; in wild requests sometimes longer than needed. */
function varint(value: number | bigint, { random, wild }: Making): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  if (wild && random(50) === 0 && bytes.length < 5) bytes.push(...longer(bytes));
  return Uint8Array.from(bytes);
}

function longer(bytes: number[]): readonly number[] {
  bytes.push((bytes.pop() as number) | 128);
  return [0];
}

function withLength(number: number, content: Uint8Array, making: Making): Uint8Array {
  return Buffer.concat([varint((number << 3) | DELIMITED, making), varint(content.length, making), content]);
}

/** A field that no schema has; a group may hold others. */
function unknownField(random: Random, depth: number): Uint8Array {
  const number = [100, 1000, 17, 536_870_911][random(4)] as number;
  return anyField(number, [0, 1, 2, 3, 5][random(5)] as number, { random, depth });
}

/** A known field in a way that makes it unknown. */
function otherWireType(field: DescField, random: Random): Uint8Array {
  const own =
    field.scalar === undefined && field.enum === undefined ? DELIMITED : wireTypeOf(scalarOf(field));
  const others = [0, 1, 3, 5].filter((wireType) => wireType !== own);
  return anyField(field.number, others[random(others.length)] as number, { random, depth: 0 });
}

interface Place {
  readonly random: Random;
  readonly depth: number;
}

function anyField(number: number, wireType: number, { random, depth }: Place): Uint8Array {
  const making = { random, wild: false, otherWireTypes: false };
  const tag = (type: number): Uint8Array => varint(BigInt(number) * 8n + BigInt(type), making);
  const first = tag(wireType);
  if (wireType === 0) return Buffer.concat([first, varint(randomInteger(random), making)]);
  if (wireType === 1) return Buffer.concat([first, randomBytes(8, random)]);
  if (wireType === 5) return Buffer.concat([first, randomBytes(4, random)]);
  if (wireType === 2) return Buffer.concat([first, varint(3, making), randomBytes(3, random)]);
  const inside = depth < 5 && random(2) === 0 ? [unknownField(random, depth + 1)] : [];
  return Buffer.concat([first, ...inside, tag(4)]);
}

function shuffle(parts: Uint8Array[], random: Random): void {
  for (let at = parts.length - 1; at > 0; at--) {
    const other = random(at + 1);
    [parts[at], parts[other]] = [parts[other] as Uint8Array, parts[at] as Uint8Array];
  }
}

/** The bytes with something changed: bytes set, taken out, put in, or the end cut off. */
export function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  let changed = Buffer.from(bytes);
  for (let times = 1 + random(3); times > 0 && changed.length > 0; times--) {
    const at = random(changed.length);
    const before = changed.subarray(0, at);
    switch (random(5)) {
      case 0:
        changed[at] = random(256);
        break;
      case 1:
        changed[at] = (changed[at] as number) ^ (1 << random(8));
        break;
      case 2:
        changed = Buffer.concat([before, changed.subarray(at + 1 + random(3))]);
        break;
      case 3:
        changed = Buffer.concat([before, randomBytes(1 + random(3), random), changed.subarray(at)]);
        break;
      default:
        if (random(3) === 0) changed = Buffer.from(before);
    }
  }
  return changed;
}
