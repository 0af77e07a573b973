// The reader of OTLP/JSON, and what it read as OTLP/JSON again.

import { wireToJson } from '@levada/protobuf-tables';
import { MAX_DEPTH } from '../src/export/export-rules.ts';
import { createJsonToExport } from '../src/export/json-to-export.ts';
import { hexFields } from '../src/model/hex-fields.ts';
import { otlpSchema } from '../src/model/otlp-schema.ts';
import { type SignalName, signalNames } from '../src/model/signals.ts';

export const schema = otlpSchema();
export const jsonToExport = createJsonToExport(schema);

const writers = new Map(
  signalNames.map((signal) => [
    signal,
    wireToJson(schema.request(signal), {
      defaults: false,
      enumsAsIntegers: true,
      hexFields: hexFields(schema),
      maxDepth: MAX_DEPTH,
    }),
  ]),
);

/** The OTLP/JSON of a request in protobuf, by wire-json. */
export function otlpJson(signal: SignalName, wire: Uint8Array): string {
  return Buffer.from(writers.get(signal)?.convert(wire) ?? []).toString();
}

/** What is read from the body, as an object again. */
export function readBack(signal: SignalName, body: string | Uint8Array): unknown {
  return JSON.parse(otlpJson(signal, jsonToExport(signal, Buffer.from(body))));
}

/** A body with one span that has these members. */
export function bodyOfSpan(members: string): string {
  return `{"resourceSpans":[{"scopeSpans":[{"spans":[{${members}}]}]}]}`;
}

/** What is read of that span. */
export function readSpan(members: string): unknown {
  const request = readBack('traces', bodyOfSpan(members)) as SpanRequest;
  return request.resourceSpans[0]?.scopeSpans[0]?.spans[0];
}

interface SpanRequest {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly unknown[] }[];
  }[];
}

/** What is read of an AnyValue, from and as JSON text. */
export function readAnyValue(value: string): string {
  const span = readSpan(`"attributes":[{"key":"k","value":${value}}]`) as AttributesOfSpan;
  const written = otlpJson('traces', jsonToExport('traces', Buffer.from(bodyOfSpan(attribute(value)))));
  const text = written.slice(written.indexOf('"value":') + 8, -'}]}]}]}]}'.length);
  return span.attributes[0]?.value === undefined ? 'no value' : text;
}

interface AttributesOfSpan {
  readonly attributes: readonly { readonly value?: unknown }[];
}

/** An attribute with this value, as a member of a span. */
export function attribute(value: string): string {
  return `"attributes":[{"key":"k","value":${value}}]`;
}
