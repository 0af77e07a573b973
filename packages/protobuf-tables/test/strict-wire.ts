// @bufbuild/protobuf ignores the wire type of a field and lets values end after their message. A strict reader skips the former
// and rejects the latter, as the specification says. To compare corrupted messages anyway, they are read strictly first:
// `strictWire` rejects invalid messages and removes fields with a wrong wire type.
import type { DescField, DescMessage, Registry } from '@bufbuild/protobuf';
import { wireTypeOf } from './random-values.ts';
import {
  append,
  type Bytes,
  EGROUP,
  I32,
  I64,
  LEN,
  putTag,
  putVarint,
  SGROUP,
  VARINT,
} from './wire-bytes.ts';

/** The message without fields of a wrong wire type. Throws if it is invalid. */
export function strictWire(desc: DescMessage, registry: Registry, wire: Uint8Array): Uint8Array<ArrayBuffer> {
  const reader = new StrictReader(wire, registry);
  return Uint8Array.from(reader.message(desc, wire.length, 1));
}

/** A field of a message, of an extension, or of a map's entry. */
interface KnownField {
  readonly wireType: number;
  /** Whether the elements may be packed. */
  readonly packable: boolean;
  readonly message: DescMessage | undefined;
  /** Key and value of a map entry. */
  readonly entry: readonly [KnownField, KnownField] | undefined;
}

const MAX_DEPTH = 100;

class StrictReader {
  private readonly wire: Uint8Array;
  private readonly registry: Registry;
  private at = 0;

  constructor(wire: Uint8Array, registry: Registry) {
    this.wire = wire;
    this.registry = registry;
  }

  message(desc: DescMessage, end: number, depth: number): Bytes {
    return this.fields((number) => knownField(desc, number, this.registry), end, depth, undefined);
  }

  /** Fields up to `end`, or up to the end of the group `group`. */
  private fields(
    known: (number: number) => KnownField | undefined,
    end: number,
    depth: number,
    group: number | undefined,
  ): Bytes {
    const out: Bytes = [];
    while (this.at < end) {
      const start = this.at;
      const [number, wireType] = this.tag(end);
      if (wireType === EGROUP) {
        if (number !== group) throw new Error('end of another group');
        return out;
      }
      const field = known(number);
      if (field === undefined || !fits(field, wireType)) {
        this.skip(number, wireType, end, depth);
        if (field === undefined) append(out, this.wire.subarray(start, this.at));
      } else append(out, this.field(number, wireType, field, end, depth));
    }
    if (group !== undefined) throw new Error('group without end');
    return out;
  }

  private field(number: number, wireType: number, field: KnownField, end: number, depth: number): Bytes {
    const out: Bytes = [];
    putTag(out, number, wireType);
    const start = this.at;
    if (wireType === SGROUP && field.message !== undefined) {
      const { message } = field;
      append(
        out,
        this.fields((inner) => knownField(message, inner, this.registry), end, depth + 1, number),
      );
      putTag(out, number, EGROUP);
    } else if (wireType === LEN && (field.message ?? field.entry) !== undefined) {
      const content = this.content(field, this.length(end), depth);
      putVarint(out, content.length);
      append(out, content);
    } else {
      if (wireType === LEN && field.packable) this.skipPacked(field.wireType, this.length(end));
      else this.skip(number, wireType, end, depth);
      append(out, this.wire.subarray(start, this.at));
    }
    return out;
  }

  private content({ message, entry }: KnownField, end: number, depth: number): Bytes {
    if (message !== undefined) return this.message(message, end, depth + 1);
    return this.fields((number) => (number > 2 ? undefined : entry?.[number - 1]), end, depth, undefined);
  }

  private skipPacked(wireType: number, end: number): void {
    while (this.at < end) this.skip(1, wireType, end, 1);
  }

  private skip(number: number, wireType: number, end: number, depth: number): void {
    if (wireType === VARINT) this.varint(end);
    else if (wireType === I64) this.advance(8, end);
    else if (wireType === I32) this.advance(4, end);
    else if (wireType === LEN) this.at = this.length(end);
    else if (wireType === SGROUP) {
      if (depth >= MAX_DEPTH) throw new Error('too deep');
      this.fields(() => undefined, end, depth + 1, number);
    } else throw new Error('no such wire type');
  }

  private advance(count: number, end: number): void {
    this.at += count;
    if (this.at > end) throw new Error('truncated');
  }

  private length(end: number): number {
    const length = this.varint(end);
    if (length > BigInt(end - this.at)) throw new Error('length past the end');
    return this.at + Number(length);
  }

  private tag(end: number): readonly [number, number] {
    const start = this.at;
    const tag = this.varint(end);
    if (tag > 0xffffffffn || this.at - start > 5 || tag < 8n) throw new Error('no such tag');
    return [Number(tag >> 3n), Number(tag & 7n)];
  }

  private varint(end: number): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.wire[this.at] as number;
      this.advance(1, end);
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, value);
    }
    throw new Error('varint of more than ten bytes');
  }
}

function fits({ wireType, packable }: KnownField, got: number): boolean {
  return got === wireType || (packable && got === LEN);
}

function knownField(desc: DescMessage, number: number, registry: Registry): KnownField | undefined {
  const field = desc.fields.find((each) => each.number === number) ?? registry.getExtensionFor(desc, number);
  if (field === undefined) return undefined;
  if (field.fieldKind === 'map') {
    const key = { wireType: wireTypeOf(field.mapKey), packable: false, message: undefined, entry: undefined };
    const value = {
      wireType: valueWireType(field),
      packable: false,
      message: field.message,
      entry: undefined,
    };
    return { wireType: LEN, packable: false, message: undefined, entry: [key, value] };
  }
  const grouped = 'delimitedEncoding' in field && field.delimitedEncoding === true;
  const wireType = grouped ? SGROUP : valueWireType(field);
  return {
    wireType,
    packable: field.fieldKind === 'list' && wireType !== LEN && !grouped,
    message: field.message,
    entry: undefined,
  };
}

function valueWireType(field: Pick<DescField, 'message' | 'enum' | 'scalar'>): number {
  if (field.message !== undefined) return LEN;
  return field.enum !== undefined || field.scalar === undefined ? VARINT : wireTypeOf(field.scalar);
}
