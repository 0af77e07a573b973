import { ConversionError } from '@levada/protobuf-tables';
import type { LiveSettings } from '../config/live-settings.ts';
import { type CheckExport, InvalidExport } from '../export/check-export.ts';
import type { JsonToExport } from '../export/json-to-export.ts';
import type { SplitExportRequest } from '../export/split-export.ts';
import type { ExportPart, PreparedExport } from '../model/prepared-export.ts';
import type { SignalName } from '../model/signals.ts';
import type { ReadyValues } from '../queue/ready-values.ts';
import type { BodyForm } from '../receive/admission/export-intake.ts';
import { type Refusal, refuse } from '../receive/admission/export-outcome.ts';
import type { RecordValues } from '../record/record-values.ts';

/** The body of a request, inflated. */
export interface RequestBody {
  readonly signal: SignalName;
  readonly bytes: Uint8Array;
  readonly form: BodyForm;
}

/** Functions that check, convert and divide bodies. */
export interface Preparation {
  readonly checkExport: CheckExport;
  readonly splitExport: SplitExportRequest;
  readonly jsonToExport: JsonToExport;
  readonly values: RecordValues;
}

export interface PrepareOptions {
  readonly settings: LiveSettings;
  /** Writes values at receipt; undefined: requests are queued as they are. */
  readonly ready: ReadyValues | undefined;
}

/** A request may be held as a view of a chunk up to this size; of a larger one only when it is more than half of it. */
const SMALL_CHUNK = 4096;

/**
 * Checks a body and divides it into parts that each fit into a record. Throws for a body that is not a valid export request; see
 * {@link refuseInvalid}. The parts hold no memory beyond their own, and none that is used again.
 */
export function prepareExport(
  preparation: Preparation,
  body: RequestBody,
  { settings, ready }: PrepareOptions,
): PreparedExport {
  const { signal, form } = body;
  const { strictUtf8 } = settings;
  const read = decodeBody(preparation, body, strictUtf8);
  const made = ready?.make(read.request, settings);
  if (made !== undefined) {
    const { bytes: request, items, ready: value } = made;
    const { cutValues } = read;
    return { parts: [{ request, items }], ready: value, items, oversized: 0, empty: 0, cutValues };
  }
  const checked = preparation.checkExport(signal, ensureOwnMemory(read.request, form), { strictUtf8 });
  const { request, items, jsonBytes } = checked;
  const cutValues = form === 'json' ? read.cutValues : checked.cutValues;
  const none = { parts: [], items, oversized: 0, empty: 0, cutValues };
  // what has no data points may have metrics, which the division finds
  if (items === 0 && signal !== 'metrics') return none;
  const fits = createSizeCheck(preparation, signal, settings);
  const bounded = settings.form.encoding === 'otlp_json' && jsonBytes <= settings.maxRecordBytes;
  const wholeFits = bounded || fits(request);
  if (items > 0 && wholeFits && (settings.mode === 'request' || signal === 'profiles'))
    return { ...none, parts: [{ request, items }] };
  // A part is never longer than the whole, so that none need be tried when that fits.
  const split = { mode: settings.mode, fits: wholeFits ? () => true : fits };
  const { parts, oversized, empty } = preparation.splitExport(signal, request, split);
  const isWhole = parts.length === 1 && parts[0]?.request === request;
  return { parts: isWhole ? parts : copyParts(parts), items, oversized, empty, cutValues };
}

/** Items of a body that will not be queued; undefined if there is nothing to record in it. Throws as {@link prepareExport} does. */
export function countItems(
  preparation: Preparation,
  body: RequestBody,
  { strictUtf8 }: LiveSettings,
): number | undefined {
  const { signal } = body;
  const read = decodeBody(preparation, body, strictUtf8);
  const { request, items } = preparation.checkExport(signal, read.request, { strictUtf8 });
  if (items > 0) return items;
  const { parts } = preparation.splitExport(signal, request, { mode: 'request', fits: () => true });
  return parts.length === 0 ? undefined : 0;
}

/**
 * The answer to a body that {@link prepareExport} threw for. Rethrows what is not about the body: a fault of the receiver.
 */
export function refuseInvalid(thrown: unknown): Refusal {
  if (thrown instanceof InvalidExport || thrown instanceof ConversionError)
    return refuse('invalid', thrown.message);
  throw thrown;
}

/** Bytes that the body takes in a queue, as far as that is known before it is decoded: Protobuf takes about its own length. */
export function estimateBytes({ bytes, form }: RequestBody): number {
  return form === 'protobuf' ? bytes.length : 1;
}

interface DecodedBody {
  /** The request in Protobuf. Of a body in JSON: in memory that the next body uses again. */
  readonly request: Uint8Array;
  /** Values of a body in JSON that were left empty because they are nested too deep. */
  readonly cutValues: number;
}

function decodeBody(
  { jsonToExport }: Preparation,
  { signal, bytes, form }: RequestBody,
  strictUtf8: boolean,
): DecodedBody {
  if (form === 'protobuf') return { request: bytes, cutValues: 0 };
  let cutValues = 0;
  const onCut = (values: number): void => {
    cutValues = values;
  };
  return { request: jsonToExport(signal, bytes, { strictText: strictUtf8, onCut }), cutValues };
}

/** The same bytes, in memory that they fill. */
function ensureOwnMemory(bytes: Uint8Array, form: BodyForm): Uint8Array {
  const held = bytes.buffer.byteLength;
  const fills = form === 'protobuf' && (held <= SMALL_CHUNK || held <= 2 * bytes.length);
  return fills ? bytes : copyBytes(bytes);
}

/** Not in Node's pool, of which one export that waits would keep 64 KiB. */
function copyBytes(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}

/** The parts of an export come and go together: one piece of memory for all of them. */
function copyParts(parts: readonly ExportPart[]): readonly ExportPart[] {
  const memory = Buffer.allocUnsafeSlow(parts.reduce((sum, { request }) => sum + request.length, 0));
  let at = 0;
  return parts.map(({ request, items }) => {
    memory.set(request, at);
    at += request.length;
    return { request: memory.subarray(at - request.length, at), items };
  });
}

/** JSON is seldom less than half as long as the request. What is, and is large, is divided more than it would have to be. */
const JSON_SHARE = 2;
/** How much the bound of a check exceeds the length of the JSON at most, for what senders send. */
const BOUND_EXCESS = 1.6;

/**
 * Whether a part of a valid request is small enough to become one record. Asked again and again while a request is divided, so that
 * JSON is made only where the bound of the check leaves it open: for large hostile requests that is the difference
 * between a tenth of a second and several.
 */
function createSizeCheck(
  { checkExport, values }: Pick<Preparation, 'checkExport' | 'values'>,
  signal: SignalName,
  settings: LiveSettings,
): (part: Uint8Array) => boolean {
  const { form, maxRecordBytes } = settings;
  const isSmallEnough = (part: Uint8Array): boolean => values.isSmallEnough({ signal, part, settings });
  if (form.encoding === 'base64' || form.encoding === 'otlp_proto') return isSmallEnough;
  return (part) => {
    if (part.length > JSON_SHARE * maxRecordBytes) return false;
    if (form.encoding === 'legacy_json') return isSmallEnough(part);
    const { jsonBytes } = checkExport(signal, part, { strictUtf8: false });
    return jsonBytes <= maxRecordBytes || (jsonBytes <= BOUND_EXCESS * maxRecordBytes && isSmallEnough(part));
  };
}
