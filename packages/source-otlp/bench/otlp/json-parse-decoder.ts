// A reader of OTLP/JSON as it would be without our own: JSON.parse, then one walk over the objects by rows of the schema. It does what can
// be done that way in few lines: no names of enums, no doubles in integers' places, integers above 2^53 rounded, no place in errors.
import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { hexFields } from '../../src/model/hex-fields.ts';
import type { OtlpSchema } from '../../src/model/otlp-schema.ts';
import type { SignalName } from '../../src/model/signals.ts';

type Json = Readonly<Record<string, unknown>>;

interface Row {
  readonly tag: number;
  readonly list: 'none' | 'tagged' | 'packed';
  readonly write: (value: unknown) => void;
}
type Rows = ReadonlyMap<string, Row>;

const CHUNK = 4096;
const MAX_ASCII = 64;
const MAX_EXACT_DIGITS = 15;
let out = Buffer.allocUnsafeSlow(1024 * 1024);
let q = 0;

function reserve(bytes: number): void {
  if (q + bytes <= out.length) return;
  const larger = Buffer.allocUnsafeSlow(Math.max(out.length * 2, q + bytes));
  out.copy(larger, 0, 0, q);
  out = larger;
}

function varint(value: number): void {
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) out[q++] = (rest % 128) | 128;
  out[q++] = rest;
}

function delimited(write: () => void): void {
  const at = q++;
  write();
  const size = q - at - 1;
  if (size < 128) {
    out[at] = size;
    return;
  }
  const bytes = size < 16_384 ? 2 : size < 2_097_152 ? 3 : 4;
  reserve(bytes);
  out.copyWithin(at + bytes, at + 1, q);
  q = at;
  varint(size);
  q = at + bytes + size;
}

function text(value: unknown): void {
  const string = String(value);
  reserve(string.length * 3 + CHUNK);
  delimited(() => {
    if (string.length > MAX_ASCII) q += out.write(string, q);
    else {
      for (let at = 0; at < string.length; at += 1) {
        const code = string.charCodeAt(at);
        if (code > 127) {
          q += out.write(string.slice(at), q);
          return;
        }
        out[q++] = code;
      }
    }
  });
}

function bytes(encoding: 'hex' | 'base64'): (value: unknown) => void {
  return (value) => {
    const string = String(value);
    reserve(string.length + CHUNK);
    delimited(() => {
      q += out.write(string, q, encoding);
    });
  };
}

function integer(value: unknown): void {
  const number = Number(value);
  const string = String(value);
  if (number >= 0 && string.length <= MAX_EXACT_DIGITS) varint(number);
  else
    for (let rest = BigInt.asUintN(64, BigInt(string)); ; rest >>= 7n) {
      if (rest < 128n) {
        out[q++] = Number(rest);
        return;
      }
      out[q++] = Number(rest & 127n) | 128;
    }
}

/** A number whose writing answers the position after it. */
function fixed(write: (value: unknown) => number): (value: unknown) => void {
  return (value) => {
    q = write(value);
  };
}

const scalars: Readonly<
  Partial<Record<ScalarType, readonly [wire: number, write: (value: unknown) => void]>>
> = {
  [ScalarType.STRING]: [2, text],
  [ScalarType.BYTES]: [2, bytes('base64')],
  [ScalarType.BOOL]: [0, (value) => varint(value === true ? 1 : 0)],
  [ScalarType.DOUBLE]: [1, fixed((value) => out.writeDoubleLE(Number(value), q))],
  [ScalarType.FIXED64]: [1, fixed((value) => out.writeBigUInt64LE(BigInt(value as string), q))],
  [ScalarType.SFIXED64]: [1, fixed((value) => out.writeBigInt64LE(BigInt(value as string), q))],
  [ScalarType.FIXED32]: [5, fixed((value) => out.writeUInt32LE(Number(value), q))],
  [ScalarType.SINT32]: [0, (value) => varint(Number(value) < 0 ? Number(value) * -2 - 1 : Number(value) * 2)],
};

/** The same as the receiver's own. */
export function createJsonToExport(schema: OtlpSchema): (signal: SignalName, json: Uint8Array) => Uint8Array {
  const ids = hexFields(schema);
  const messages = new Map<DescMessage, Map<string, Row>>();
  const rowsOf = (message: DescMessage): Rows => {
    const known = messages.get(message);
    if (known !== undefined) return known;
    const rows = new Map<string, Row>();
    messages.set(message, rows);
    for (const field of message.fields) rows.set(field.jsonName, rowOf(field));
    return rows;
  };
  const rowOf = (field: DescField): Row => {
    const list = field.fieldKind !== 'list' ? 'none' : field.packed ? 'packed' : 'tagged';
    const [wire, write] = valueType(field);
    return { tag: field.number * 8 + (list === 'packed' ? 2 : wire), list, write };
  };
  const valueType = (field: DescField): readonly [number, (value: unknown) => void] => {
    if (field.message !== undefined) {
      const rows = rowsOf(field.message);
      return [2, (value) => delimited(() => message(rows, value as Json))];
    }
    if (ids.has(`${field.parent.typeName}.${field.name}`)) return [2, bytes('hex')];
    return scalars[field.scalar ?? ScalarType.INT64] ?? [0, integer];
  };
  return (signal, json) => {
    q = 0;
    const body = Buffer.from(json.buffer, json.byteOffset, json.length);
    message(rowsOf(schema.request(signal)), JSON.parse(body.toString()) as Json);
    return out.subarray(0, q);
  };
}

function message(rows: Rows, object: Json): void {
  for (const key in object) {
    const value = object[key];
    const row = rows.get(key);
    if (row === undefined || value === null) continue;
    reserve(CHUNK);
    if (row.list === 'none') {
      varint(row.tag);
      row.write(value);
    } else if (row.list === 'tagged') {
      for (const item of value as readonly unknown[]) {
        reserve(CHUNK);
        varint(row.tag);
        row.write(item);
      }
    } else {
      varint(row.tag);
      reserve((value as readonly unknown[]).length * 10 + CHUNK);
      delimited(() => {
        for (const item of value as readonly unknown[]) row.write(item);
      });
    }
  }
}
