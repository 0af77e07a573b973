import {
  type DescExtension,
  type DescField,
  type DescMessage,
  type Registry,
  ScalarType,
} from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { type Field, fieldsOf, nextField } from './fields.ts';
import { REFUSED, varint } from './reader.ts';

/** Maximum length of a path, and of a map key in it. */
const MAX_LENGTH = 200;
const MAX_KEY = 40;

const DELIMITED = 2;
const START_GROUP = 3;

/** Messages whose JSON is that of their only field. */
const BARE =
  /^google\.protobuf\.(?:Struct|Value|ListValue|(?:Double|Float|U?Int64|U?Int32|Bool|String|Bytes)Value)$/;

export interface WrongMessage {
  readonly desc: DescMessage;
  /** Resolves extensions, and types inside google.protobuf.Any. */
  readonly registry?: Registry | undefined;
  readonly bytes: Uint8Array;
}

/**
 * The path of the field whose tag is at `position`, or that contains the position, e.g.
 * `resource_spans[0].attributes["k"].schema_url`. If the field is unknown, the path of its message. Everything before the tag
 * must be valid.
 */
export function pathTo(message: WrongMessage, position: number): string {
  if (position < 0) return '';
  const path: string[] = [];
  let inside: Place | undefined = { desc: message.desc, from: 0, end: message.bytes.length };
  try {
    while (inside !== undefined) inside = stepTo(message, inside, position, path);
  } catch (thrown) {
    if (thrown !== REFUSED) throw thrown; // the tag at the position is invalid
  }
  const text = path.join('').replace(/^\./, '');
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text;
}

interface Place {
  readonly desc: DescMessage;
  readonly from: number;
  readonly end: number;
}

/** Adds the field that contains the position to the path. Returns the message to continue in if the position is inside one. */
function stepTo(whole: WrongMessage, inside: Place, position: number, path: string[]): Place | undefined {
  const field = fieldsOf(whole.bytes, inside.from);
  field.limit = inside.end;
  const counts = new Map<number, number>();
  while (advance(field, position)) {
    const { number, at, end, body } = field;
    if (at !== position && end <= position) {
      counts.set(number, (counts.get(number) ?? 0) + 1);
      continue;
    }
    if (inside.desc.typeName === 'google.protobuf.Any') return insideAny(whole, inside, field);
    const desc = descOf(whole, inside.desc, number);
    if (desc === undefined || !mayBe(desc, field.wireType)) return undefined;
    if (!BARE.test(inside.desc.typeName)) path.push(`.${desc.name}`);
    if (desc.fieldKind === 'list' && !isPacked(desc, field.wireType))
      path.push(`[${counts.get(number) ?? 0}]`);
    if (position < body || desc.message === undefined) return undefined;
    if (desc.fieldKind !== 'map') return { desc: desc.message, from: body, end };
    return insideEntry(whole, desc, field, position, path);
  }
  return undefined;
}

/** Moves to the next field. An invalid value that contains the position extends to the end. */
function advance(field: Field, position: number): boolean {
  try {
    return nextField(field);
  } catch (thrown) {
    const { reader, end: at, limit } = field;
    if (thrown !== REFUSED || position < at) throw thrown;
    const tag = varint(reader, at);
    const isTag = reader.pos <= limit && reader.pos - at <= 5 && reader.high === 0 && tag >>> 3 !== 0;
    if (!isTag) throw thrown;
    Object.assign(field, { at, number: tag >>> 3, wireType: tag & 7, body: limit, end: limit });
    return true;
  }
}

function descOf(
  { registry }: WrongMessage,
  inside: DescMessage,
  number: number,
): DescField | DescExtension | undefined {
  const known = inside.fields.find((field) => field.number === number);
  return known ?? registry?.getExtensionFor(inside, number);
}

/** Whether the wire type is that of a message with a length, or of a group; otherwise the field is unknown. */
function mayBe(desc: DescField | DescExtension, wireType: number): boolean {
  if (wireType === 4 || wireType > 5) return false;
  if (desc.message === undefined) return true;
  const isGroup = 'delimitedEncoding' in desc && desc.delimitedEncoding === true;
  return wireType === (isGroup ? START_GROUP : DELIMITED);
}

/** Whether the field is packed. */
function isPacked({ message, scalar }: DescField | DescExtension, wireType: number): boolean {
  const isText = scalar === ScalarType.STRING || scalar === ScalarType.BYTES;
  return wireType === DELIMITED && message === undefined && !isText;
}

/** Adds the entry's key to the path if the position is in its value. */
function insideEntry(
  { bytes }: WrongMessage,
  desc: (DescField | DescExtension) & { fieldKind: 'map' },
  { body, end: limit }: Field,
  position: number,
  path: string[],
): Place | undefined {
  const field = fieldsOf(bytes, body);
  field.limit = limit;
  let key = '""';
  while (advance(field, position)) {
    const { at, end, number, body: from } = field;
    if (number === 1 && end <= position) key = keyText(desc.mapKey, bytes.subarray(at, end));
    if (at !== position && end <= position) continue;
    if (number !== 2) return undefined;
    path.push(`[${key.slice(0, MAX_KEY)}]`);
    return desc.message === undefined || position < from ? undefined : { desc: desc.message, from, end };
  }
  return undefined;
}

/** The key in a field with its tag, as in the JSON of a map. */
function keyText(type: ScalarType, field: Uint8Array): string {
  const reader = new BinaryReader(field);
  reader.tag();
  const read = reader[ScalarType[type].toLowerCase() as 'int32'];
  return JSON.stringify(String(read.call(reader)));
}

/** The message inside the google.protobuf.Any, if it contains the position. */
function insideAny(
  { bytes, registry }: WrongMessage,
  { from, end: limit }: Place,
  { number, wireType, body, end }: Field,
): Place | undefined {
  if (number !== 2 || wireType !== DELIMITED) return undefined;
  const field = fieldsOf(bytes, from);
  field.limit = limit;
  let url = '';
  while (nextField(field)) {
    if (field.number === 1 && field.wireType === DELIMITED)
      url = Buffer.from(bytes.subarray(field.body, field.end)).toString('latin1');
  }
  const desc = registry?.getMessage(url.slice(url.lastIndexOf('/') + 1));
  return desc === undefined ? undefined : { desc, from: body, end };
}
