import { InvalidExport } from '../export/check-export.ts';
import type { OtlpSchema } from '../model/otlp-schema.ts';
import { jsonPointer } from './json-pointer.ts';
import type { JsonOptions, JsonToExport } from './json-to-export.ts';
import { message } from './message.ts';
import {
  MARGIN,
  MAX_LEVELS,
  NO_ROOM,
  PADDING,
  passSpace,
  REFUSED,
  type Reading,
  refuse,
  TWICE,
} from './reading.ts';
import { buildTables } from './tables.ts';

/** Memory for inputs and outputs of this size is kept from call to call. */
const FIRST_BYTES = 64 * 1024;
const STRICT: JsonOptions = { strictText: true };
const KEPT_BYTES = 1024 * 1024;

/**
 * Makes a reader of OTLP/JSON. That takes time and memory for tables of the whole schema; keep it. Not shared between threads;
 * calls do not nest. What it answers is valid until the next call, and is not of the caller's memory.
 */
export function createJsonToExport(schema: Pick<OtlpSchema, 'request'>): JsonToExport {
  const tables = buildTables(schema);
  const { roots } = tables;
  const s: Reading = {
    tables,
    rows: tables.rows,
    keys: tables.keys,
    ...inputOf(FIRST_BYTES),
    ...outputOf(FIRST_BYTES),
    length: 0,
    pos: 0,
    q: 0,
    low: 0,
    high: 0,
    careful: false,
    strictText: true,
    anyValues: 0,
    cutValues: 0,
    ends: new Uint8Array(MAX_LEVELS),
    reason: '',
  };
  return (signal, json, { strictText, onCut } = STRICT) => {
    s.strictText = strictText;
    setInput(s, json);
    reserve(s, json.length);
    s.careful = false;
    try {
      while (!attempt(s, roots[signal]));
      if (s.cutValues > 0) onCut?.(s.cutValues);
      return s.out.subarray(0, s.q);
    } catch (thrown) {
      if (thrown !== REFUSED) throw thrown;
      throw new InvalidExport(refusalText(s, json));
    } finally {
      release(s);
    }
  };
}

/** Reads the input; answers false if it is to be read again. */
function attempt(s: Reading, root: number): boolean {
  s.q = 0;
  s.anyValues = 0;
  s.cutValues = 0;
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

function refusalText({ pos, length, reason }: Reading, json: Uint8Array): string {
  const pointer = jsonPointer(json, pos);
  const what = pos >= length ? `unexpected end: ${reason}` : reason;
  return `Invalid OTLP/JSON at byte ${pos}${pointer === '' ? '' : ` ("${pointer}")`}: ${what}`;
}

/** Makes a copy of the input: with what may be read behind it, and free to be written in. */
function setInput(s: Reading, json: Uint8Array): void {
  const { length } = json;
  if (length + PADDING > s.src.length) Object.assign(s, inputOf(length));
  s.src.set(json);
  s.src.fill(0, length, length + PADDING);
  s.length = length;
}

/** Makes room for an output of this size. */
function reserve(s: Reading, bytes: number): void {
  if (bytes > s.limit) Object.assign(s, outputOf(bytes));
}

/** Lets memory go that only seldom is needed. */
function release(s: Reading): void {
  if (s.src.length > KEPT_BYTES + PADDING) Object.assign(s, inputOf(FIRST_BYTES));
  if (s.limit > KEPT_BYTES) Object.assign(s, outputOf(FIRST_BYTES));
}

function inputOf(bytes: number): Pick<Reading, 'src' | 'from'> {
  const src = Buffer.allocUnsafeSlow(bytes + PADDING);
  return { src, from: new DataView(src.buffer, src.byteOffset, src.length) };
}

function outputOf(bytes: number): Pick<Reading, 'out' | 'view' | 'limit'> {
  const out = Buffer.allocUnsafeSlow(bytes + MARGIN);
  return { out, view: new DataView(out.buffer, out.byteOffset, out.length), limit: bytes };
}
