import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type Registry,
  ScalarType,
} from '@bufbuild/protobuf';
import { type RandomSource, randomSource } from './random-source.ts';
import { specialValues, UNSHUFFLED } from './random-special.ts';
import {
  putEnumNumber,
  putRandomKey,
  putRandomScalar,
  putText,
  randomInt32,
  type ValueWays,
  wireTypeOf,
} from './random-values.ts';
import {
  append,
  type Bytes,
  EGROUP,
  I32,
  I64,
  LEN,
  putFixed32,
  putFixed64,
  putTag,
  SGROUP,
  VARINT,
} from './wire-bytes.ts';

/** Variations of the encoding. Without any, messages are encoded as usual: in order of number, everything once, as short as possible. */
export interface WireWays extends ValueWays {
  /** Fields in any order. */
  readonly shuffled: boolean;
  /** Singular fields more than once. */
  readonly repeated: boolean;
  /** Message fields in several pieces, to be merged. */
  readonly split: boolean;
  /** Fields that the schema does not have. */
  readonly unknown: boolean;
  /** Packed fields unpacked, unpacked ones packed, or both alternately. */
  readonly repacked: boolean;
  /** Map entries without key or value, in reverse order, with repeated or unknown fields. */
  readonly oddEntries: boolean;
  /** Several members of a oneof. */
  readonly bothMembers: boolean;
}

const CANONICAL: WireWays = {
  shuffled: false,
  repeated: false,
  split: false,
  unknown: false,
  repacked: false,
  oddEntries: false,
  bothMembers: false,
  longVarints: false,
  invalidText: false,
};
const WAYS = Object.keys(CANONICAL).filter((way) => way !== 'invalidText');

export interface MessageOptions {
  readonly registry: Registry;
  /** Approximate number of fields. Default: drawn, usually some dozens. */
  readonly size?: number;
  /** Default: drawn. Half of the messages are encoded as usual. */
  readonly ways?: Partial<WireWays>;
  /** Share of values that have no JSON in well-known types: times out of range, unknown types. Default: 0.004. */
  readonly invalidShare?: number;
}

/** A random message of a type as wire bytes. The same seed gives the same bytes. */
export function randomMessage(
  desc: DescMessage,
  seed: number,
  options: MessageOptions,
): Uint8Array<ArrayBuffer> {
  const random = randomSource(seed);
  const ways = { ...drawWays(random), ...options.ways };
  const size = options.size ?? random.pick([5, 20, 60, 60, 200]);
  const writer = new MessageWriter(random, ways, options.registry, options.invalidShare ?? 0.004, size);
  return Uint8Array.from(writer.message(desc, 0));
}

function drawWays(random: RandomSource): WireWays {
  const kind = random.below(10);
  if (kind < 5) return CANONICAL;
  if (kind < 8) return { ...CANONICAL, [random.pick(WAYS)]: true };
  const odd = Object.fromEntries(WAYS.map((way) => [way, random.chance(0.4)]));
  return { ...CANONICAL, ...odd, invalidText: random.chance(0.02) };
}

interface WireField {
  readonly number: number;
  readonly bytes: Bytes;
}

const MAX_DEPTH = 8;

export class MessageWriter {
  readonly random: RandomSource;
  readonly ways: WireWays;
  readonly registry: Registry;
  readonly invalidShare: number;
  private left: number;

  constructor(random: RandomSource, ways: WireWays, registry: Registry, invalidShare: number, size: number) {
    this.random = random;
    this.ways = ways;
    this.registry = registry;
    this.invalidShare = invalidShare;
    this.left = size;
  }

  message(desc: DescMessage, depth: number): Bytes {
    const { random, ways } = this;
    const fields: WireField[] = [];
    const forced = specialValues(this, desc, depth);
    if (forced !== undefined) {
      for (const [number, value] of forced) this.record(fields, desc, number, value);
    } else this.fields(fields, desc, depth);
    if (ways.unknown)
      for (let count = random.below(3); count > 0; count -= 1)
        fields.push(this.drawUnknownField(desc, depth));
    fields.sort((a, b) => a.number - b.number);
    const shuffle = ways.shuffled && !UNSHUFFLED.has(desc.typeName);
    const out: Bytes = [];
    for (const { bytes } of shuffle ? random.shuffled(fields) : fields) append(out, bytes);
    return out;
  }

  tag(out: Bytes, number: number, wireType: number): void {
    const size = number < 16 ? 1 : number < 2048 ? 2 : number < 262_144 ? 3 : number < 33_554_432 ? 4 : 5;
    const padding = this.ways.longVarints && this.random.chance(0.2) ? this.random.below(6 - size) : 0;
    putTag(out, number, wireType, padding);
  }

  private record(into: WireField[], desc: DescMessage, number: number, value: Bytes): void {
    const field = desc.fields.find((candidate) => candidate.number === number);
    if (field === undefined) throw new Error(`${desc.typeName} has no field ${number}`);
    const bytes: Bytes = [];
    const wireType =
      field.fieldKind === 'scalar' || field.fieldKind === 'list'
        ? wireTypeOf(field.scalar as ScalarType)
        : LEN;
    this.tag(bytes, number, field.fieldKind === 'enum' ? VARINT : wireType);
    append(bytes, value);
    into.push({ number, bytes });
  }

  private fields(into: WireField[], desc: DescMessage, depth: number): void {
    const { random } = this;
    const share = random.pick([0.15, 0.5, 0.8, 1]);
    const extensions = [...extensionsOf(this.registry, desc)];
    for (const field of [...desc.fields, ...extensions]) {
      const inOneof = 'oneof' in field && field.oneof !== undefined;
      if (!inOneof && (random.chance(share) || field.presence === 3)) this.field(into, field, depth);
    }
    for (const oneof of desc.oneofs) {
      const members = random.shuffled(oneof.fields);
      const count = random.chance(share) ? (this.ways.bothMembers ? 1 + random.below(3) : 1) : 0;
      for (const member of members.slice(0, count)) this.field(into, member, depth);
    }
  }

  private field(into: WireField[], field: DescField | FieldLike, depth: number): void {
    const { random, ways } = this;
    const required = field.presence === 3;
    this.left -= 1;
    if (this.left < 0 && !required) return;
    const add = (bytes: Bytes): void => {
      into.push({ number: field.number, bytes });
    };
    if (field.fieldKind === 'map') {
      for (let count = this.count(); count > 0; count -= 1) add(this.mapEntry(field, depth));
    } else if (field.fieldKind === 'list') this.list(add, field, depth);
    else {
      const again =
        ways.repeated || (ways.split && field.fieldKind === 'message' && isMergeable(field.message));
      for (let count = again ? 1 + random.below(3) : 1; count > 0; count -= 1) add(this.single(field, depth));
    }
  }

  private count(): number {
    const { random } = this;
    const count = random.chance(0.02) ? random.below(200) : random.below(5);
    this.left -= count;
    return this.left < 0 ? 0 : count;
  }

  /** Tag and value of one element. */
  private single(field: FieldLike, depth: number): Bytes {
    const out: Bytes = [];
    const kind = field.fieldKind === 'list' ? field.listKind : field.fieldKind;
    if (kind === 'message') {
      const message = field.message as DescMessage;
      const grouped = field.delimitedEncoding === true;
      this.tag(out, field.number, grouped ? SGROUP : LEN);
      this.child(out, message, depth, grouped);
      if (grouped) this.tag(out, field.number, EGROUP);
    } else {
      this.tag(out, field.number, kind === 'enum' ? VARINT : wireTypeOf(field.scalar as ScalarType));
      this.value(out, field);
    }
    return out;
  }

  private child(out: Bytes, message: DescMessage, depth: number, grouped: boolean): void {
    const empty = depth >= MAX_DEPTH || (this.left <= 0 && !NEVER_EMPTY.has(message.typeName));
    const bytes = empty && !NEVER_EMPTY.has(message.typeName) ? [] : this.message(message, depth + 1);
    if (grouped) append(out, bytes);
    else putText(out, bytes, this.random, this.ways);
  }

  private value(out: Bytes, field: FieldLike): void {
    if (field.enum !== undefined) putEnumNumber(out, this.enumNumber(field.enum), this.random, this.ways);
    else putRandomScalar(out, field.scalar as ScalarType, this.random, this.ways);
  }

  private enumNumber(desc: DescEnum): number {
    return this.random.chance(0.1) ? randomInt32(this.random) : this.random.pick(desc.values).number;
  }

  private list(add: (bytes: Bytes) => void, field: FieldLike, depth: number): void {
    const { random, ways } = this;
    let count = this.count();
    const packable =
      field.listKind === 'enum' ||
      (field.listKind === 'scalar' && wireTypeOf(field.scalar as ScalarType) !== LEN);
    while (count > 0 || (packable && ways.repacked && random.chance(0.2))) {
      const packed = packable && (ways.repacked ? random.chance(0.5) : field.packed === true);
      const chunk = packed && ways.repacked ? random.below(count + 1) : packed ? count : 1;
      add(packed ? this.writePacked(field, chunk) : count > 0 ? this.single(field, depth) : []);
      count -= packed ? chunk : 1;
    }
  }

  private writePacked(field: FieldLike, count: number): Bytes {
    const run: Bytes = [];
    for (let left = count; left > 0; left -= 1) this.value(run, field);
    const out: Bytes = [];
    this.tag(out, field.number, LEN);
    putText(out, run, this.random, this.ways);
    return out;
  }

  private mapEntry(field: FieldLike, depth: number): Bytes {
    const { random, ways } = this;
    const key = (): Bytes => {
      const out: Bytes = [];
      this.tag(out, 1, wireTypeOf(field.mapKey as ScalarType));
      putRandomKey(out, field.mapKey as ScalarType, random, ways);
      return out;
    };
    const value = (): Bytes => this.single({ ...mapValue(field), number: 2 }, depth);
    const parts = ways.oddEntries ? this.oddEntry(key, value, depth) : [key(), value()];
    const out: Bytes = [];
    this.tag(out, field.number, LEN);
    putText(out, parts.flat(), random, ways);
    return out;
  }

  private oddEntry(key: () => Bytes, value: () => Bytes, depth: number): Bytes[] {
    const { random } = this;
    const parts: Bytes[] = [];
    for (let count = random.pick([0, 1, 1, 1, 2]); count > 0; count -= 1) parts.push(key());
    for (let count = random.pick([0, 1, 1, 1, 2]); count > 0; count -= 1) parts.push(value());
    if (random.chance(0.2)) parts.push(this.unknownBytes(3 + random.below(50), depth));
    return random.chance(0.5) ? parts : random.shuffled(parts);
  }

  private drawUnknownField(desc: DescMessage, depth: number): WireField {
    const { random } = this;
    const known = new Set(
      [...desc.fields, ...extensionsOf(this.registry, desc)].map((field) => field.number),
    );
    let number = 1 + random.below(40);
    while (known.has(number)) number = 1 + (random.bits() >>> 3);
    return { number, bytes: this.unknownBytes(Math.min(number, 2 ** 29 - 1), depth) };
  }

  private unknownBytes(number: number, depth: number): Bytes {
    const { random, ways } = this;
    const out: Bytes = [];
    const wireType = random.pick([VARINT, I64, LEN, I32, depth < MAX_DEPTH ? SGROUP : VARINT]);
    this.tag(out, number, wireType);
    if (wireType === VARINT) putRandomScalar(out, ScalarType.INT64, random, ways);
    else if (wireType === I64) putFixed64(out, BigInt(random.bits()));
    else if (wireType === I32) putFixed32(out, random.bits());
    else if (wireType === LEN) putRandomScalar(out, ScalarType.BYTES, random, ways);
    else {
      for (let count = random.below(3); count > 0; count -= 1) {
        append(out, this.unknownBytes(1 + random.below(40), depth + 1));
      }
      this.tag(out, number, EGROUP);
    }
    return out;
  }
}

/** Messages that have no JSON when they are empty. */
const NEVER_EMPTY = new Set(['google.protobuf.Value']);

function isMergeable(desc: DescMessage | undefined): boolean {
  return desc !== undefined && !UNSHUFFLED.has(desc.typeName);
}

/** The part of a field, an extension or a map's value that the writer needs. */
interface FieldLike {
  readonly number: number;
  readonly presence: number;
  readonly fieldKind: string;
  readonly listKind?: string | undefined;
  readonly scalar?: ScalarType | undefined;
  readonly enum?: DescEnum | undefined;
  readonly message?: DescMessage | undefined;
  readonly mapKey?: ScalarType | undefined;
  readonly mapKind?: string | undefined;
  readonly packed?: boolean | undefined;
  readonly delimitedEncoding?: boolean | undefined;
}

function mapValue(field: FieldLike): FieldLike {
  return {
    number: 2,
    presence: 1,
    fieldKind: field.mapKind as string,
    scalar: field.scalar,
    enum: field.enum,
    message: field.message,
  };
}

function extensionsOf(registry: Registry, desc: DescMessage): readonly FieldLike[] {
  const found: FieldLike[] = [];
  if ((desc.proto.extensionRange ?? []).length === 0) return found;
  for (let number = 5000; number < 5003; number += 1) {
    const extension = registry.getExtensionFor(desc, number);
    if (extension !== undefined) found.push(extension as unknown as FieldLike);
  }
  return found;
}
