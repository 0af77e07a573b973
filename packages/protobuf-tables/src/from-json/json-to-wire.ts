import type { DescMessage } from '@bufbuild/protobuf';
import type { MessageRules } from '../plan/message-rules.ts';
import { ConversionError } from '../wire/conversion-error.ts';
import { REFUSED } from '../wire/reader.ts';
import { NO_ROOM, outputOf } from '../wire/writer.ts';
import { jsonPointer } from './json-pointer.ts';
import { message } from './message.ts';
import { MARGIN, MAX_LEVELS, PADDING, passSpace, type Reading, refuse, TWICE } from './reading.ts';
import { buildTables } from './tables.ts';

/** How text is looked at. */
export interface JsonOptions {
  /** Whether an escape that is half of a surrogate pair makes the text invalid; U+FFFD stands for it otherwise. Default: true. */
  readonly strictText: boolean;
  /** Called with the number of messages that were left empty because they are nested too deep, if any were. */
  readonly onCut?: ((messages: number) => void) | undefined;
}

/**
 * Reads a message from JSON. Throws a ConversionError with the byte and a JSON pointer. What it
 * answers is valid until the next call, and is not of the caller's memory.
 */
export type JsonToWire = (json: Uint8Array, options?: JsonOptions) => Uint8Array;

/** Memory for inputs and outputs of this size is kept from call to call. */
const FIRST_BYTES = 64 * 1024;
const STRICT: JsonOptions = { strictText: true };
const KEPT_BYTES = 1024 * 1024;

/**
 * Makes readers of ProtoJSON for messages of the types of the rules. One goes from the bytes of the text to those of the message. Exact where JavaScript's numbers are not:
 * 64-bit integers may be numbers. A field that comes twice, or a second member of a oneof, takes the place of the first. Takes
 * time and memory in proportion to the text, whatever is nested in it. Making them takes time and memory; keep them.
 * Throws a RangeError for a schema with maps, groups or floats.
 */
export function createJsonToWire(rules: MessageRules): (message: DescMessage) => JsonToWire {
  const tables = buildTables(rules);
  const s: Reading = {
    tables,
    rows: tables.rows,
    keys: tables.keys,
    ...inputOf(FIRST_BYTES),
    ...roomOf(FIRST_BYTES),
    length: 0,
    pos: 0,
    q: 0,
    low: 0,
    high: 0,
    careful: false,
    strictText: true,
    nested: 0,
    cut: 0,
    ends: new Uint8Array(MAX_LEVELS),
    reason: '',
  };
  const reader =
    (desc: DescMessage, root: number): JsonToWire =>
    (json, { strictText, onCut } = STRICT) => {
      s.strictText = strictText;
      setInput(s, json);
      reserve(s, json.length);
      s.careful = false;
      try {
        while (!attempt(s, root));
        if (s.cut > 0) onCut?.(s.cut);
        return s.out.subarray(0, s.q);
      } catch (thrown) {
        if (thrown !== REFUSED) throw thrown;
        throw refusal(s, desc, json);
      } finally {
        release(s);
      }
    };
  return (desc) => reader(desc, tables.starts.get(desc) as number);
}

/** Reads the input; answers false if it is to be read again. */
function attempt(s: Reading, root: number): boolean {
  s.q = 0;
  s.nested = 0;
  s.cut = 0;
  try {
    document(s, root);
    return true;
  } catch (thrown) {
    if (thrown === TWICE) s.careful = true;
    else if (thrown === NO_ROOM)
      reserve(s, s.out.length * 4); // no output is longer than that
    else throw thrown;
    return false;
  }
}

function document(s: Reading, root: number): void {
  const { src, length } = s;
  if (src[0] === 0xef) refuse(s, 0, 'byte order mark, or other text, before the document');
  s.pos = passSpace(src, 0);
  if (src[s.pos] !== 123) refuse(s, s.pos, 'expected an object');
  s.pos++;
  message(s, root);
  s.pos = passSpace(src, s.pos);
  if (s.pos !== length) refuse(s, s.pos, 'text after the document');
}

function refusal({ pos, length, reason }: Reading, desc: DescMessage, json: Uint8Array): ConversionError {
  return new ConversionError({
    messageType: desc.typeName,
    path: jsonPointer(json, pos),
    reason: pos >= length ? `unexpected end: ${reason}` : reason,
    at: pos,
  });
}

/** Makes a copy of the input: with what may be read after it, and free to be written in. */
function setInput(s: Reading, json: Uint8Array): void {
  const { length } = json;
  if (length + PADDING > s.src.length) Object.assign(s, inputOf(length));
  s.src.set(json);
  s.src.fill(0, length, length + PADDING);
  s.length = length;
}

/** Makes room for an output of this size. */
function reserve(s: Reading, bytes: number): void {
  if (bytes > s.limit) Object.assign(s, roomOf(bytes));
}

/** Lets memory go that only seldom is needed. */
function release(s: Reading): void {
  if (s.src.length > KEPT_BYTES + PADDING) Object.assign(s, inputOf(FIRST_BYTES));
  if (s.limit > KEPT_BYTES) Object.assign(s, roomOf(FIRST_BYTES));
}

function inputOf(bytes: number): Pick<Reading, 'src' | 'from'> {
  const src = Buffer.allocUnsafeSlow(bytes + PADDING);
  return { src, from: new DataView(src.buffer, src.byteOffset, src.length) };
}

function roomOf(bytes: number): Pick<Reading, 'out' | 'view' | 'limit'> {
  return { ...outputOf(bytes + MARGIN), limit: bytes };
}
