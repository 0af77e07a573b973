// Export requests in one form, so that what was sent and what was written can be compared, NaN and -0 included.
import { fromBinary, fromJson, type JsonValue, toBinary, toJson } from '@bufbuild/protobuf';
import type { SourceRecord } from '@levada/connect-runtime-core';
import { otlpSchema } from '../../src/model/otlp-schema.ts';
import type { SignalName } from '../../src/model/signals.ts';
import { texts } from '../running-task.ts';

/** What a request says. */
export interface ComparableRequest {
  /** For readable diffs: ProtoJSON, which loses the sign of 0. */
  readonly message: JsonValue;
  /** Protobuf in hexadecimal: each field once, in order and without what is default. */
  readonly wire: string;
}

const schema = otlpSchema();
/** NaN as most write it, and as Go does. */
const NAN = '000000000000f87f';
const NAN_OF_GO = '010000000000f87f';
const ids: ReadonlySet<string> = new Set(['traceId', 'spanId', 'parentSpanId']);

/** A request in protobuf. */
export function comparable(signal: SignalName, wire: Uint8Array = new Uint8Array()): ComparableRequest {
  const desc = schema.request(signal);
  const message = fromBinary(desc, wire);
  const hex = Buffer.from(toBinary(desc, message)).toString('hex');
  return { message: toJson(desc, message), wire: hex.replaceAll(NAN_OF_GO, NAN) };
}

/** A request in OTLP/JSON, which is ProtoJSON but for the ids. Throws when it is not a request. */
export function comparableJson(signal: SignalName, text: string): ComparableRequest {
  const desc = schema.request(signal);
  return comparable(signal, toBinary(desc, fromJson(desc, base64Ids(JSON.parse(text) as JsonValue))));
}

/** What records of the usual topics hold, by signal. Throws when a signal has two. */
export function comparableRecords(
  records: readonly SourceRecord[],
): Readonly<Record<string, ComparableRequest>> {
  const requests = new Map<string, ComparableRequest>();
  for (const record of records) {
    const signal = record.topic.replace('otlp-', '');
    if (requests.has(signal)) throw new Error(`two records of ${signal}`);
    requests.set(signal, comparableJson(signal as SignalName, texts([record])[0] ?? ''));
  }
  return Object.fromEntries(requests);
}

function base64Ids(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(base64Ids);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    ids.has(name) && typeof member === 'string'
      ? Buffer.from(member, 'hex').toString('base64')
      : base64Ids(member),
  ]);
  return Object.fromEntries(members) as JsonValue;
}
