import type { DescMessage } from '@bufbuild/protobuf';
import type { MessageRules } from '../plan/message-rules.ts';
import { ConversionError } from '../wire/conversion-error.ts';
import { REFUSED } from '../wire/reader.ts';
import { NO_ROOM, outputOf } from '../wire/writer.ts';
import { jsonPointer } from './json-pointer.ts';
import { message } from './message.ts';
import { MARGIN, MAX_LEVELS, PADDING, passSpace, type Reading, refuse, TWICE } from './reading.ts';
import { buildTables } from './tables.ts';

export interface JsonOptions {
  /** Whether half of a surrogate pair in an escape makes the text invalid; otherwise it becomes U+FFFD. Default: true. */
  readonly strictText: boolean;
  /** Called with the number of messages that were emptied because they are nested too deep, if any. */
  readonly onCut?: ((messages: number) => void) | undefined;
}

/**
 * Reads a message from JSON. Throws a ConversionError with the byte and a JSON pointer. The result is valid until the next call
 * and never shares the caller's memory.
 */
export type JsonToWire = (json: Uint8Array, options?: JsonOptions) => Uint8Array;

/** Memory for inputs and outputs of this size is kept between calls. */
const FIRST_BYTES = 64 * 1024;
const STRICT: JsonOptions = { strictText: true };
const KEPT_BYTES = 1024 * 1024;

/**
 * Creates ProtoJSON readers for the message types of the rules. A reader converts the bytes of a text to those of a message.
 * 64-bit integers may be JSON numbers and stay exact. If a field or another member of a oneof is repeated, the last one wins.
 * Time and memory are linear in the text, at any nesting. Creation takes time and memory; reuse the readers. Throws a RangeError
 * for a schema with maps, groups or floats.
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

/** Reads the input. Returns false if it must be read again. */
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

/** Copies the input, so that it can be padded and modified. */
function setInput(s: Reading, json: Uint8Array): void {
  const { length } = json;
  if (length + PADDING > s.src.length) Object.assign(s, inputOf(length));
  s.src.set(json);
  s.src.fill(0, length, length + PADDING);
  s.length = length;
}

function reserve(s: Reading, bytes: number): void {
  if (bytes > s.limit) Object.assign(s, roomOf(bytes));
}

/** Releases memory that large messages needed. */
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
