// What is sent: the same requests in every run, as instrumented services send them.

import { wireToJson } from '@levada/protobuf-tables';
import { realisticRequest } from '@levada/test-peers/otlp-requests';
import { hexFields } from '../../src/model/hex-fields.ts';
import { otlpSchema } from '../../src/model/otlp-schema.ts';

/** A prebuilt request. */
export interface BenchRequest {
  readonly name: RequestName;
  readonly signal: 'traces' | 'metrics' | 'logs';
  /** Spans, metrics or log records in it. */
  readonly items: number;
  readonly body: Buffer;
  /** Of the body. */
  readonly contentType: string;
}

const shapes = {
  span100: { signal: 'traces', items: 100 },
  span1: { signal: 'traces', items: 1 },
  logs100: { signal: 'logs', items: 100 },
  metrics100: { signal: 'metrics', items: 100 },
} as const;

export type RequestName = keyof typeof shapes;

export const requestNames: readonly RequestName[] = Object.keys(shapes) as RequestName[];

/** The request of that name. */
export function benchRequest(name: RequestName): BenchRequest {
  const { signal, items } = shapes[name];
  const body = Buffer.from(realisticRequest(otlpSchema(), signal, items));
  return { name, signal, items, body, contentType: 'application/x-protobuf' };
}

/** The same request as exporters send it in OTLP/JSON. */
export function jsonRequest(name: RequestName): BenchRequest {
  const { signal, body, ...request } = benchRequest(name);
  const schema = otlpSchema();
  const converter = wireToJson(schema.request(signal), {
    defaults: false,
    enumsAsIntegers: true,
    hexFields: hexFields(schema),
  });
  return { ...request, signal, body: Buffer.from(converter.convert(body)), contentType: 'application/json' };
}

/** Field 7 of a span, fixed64: `start_time_unix_nano`. */
const START_TIME_TAG = 0x39;
const END_TIME_TAG = 0x41;
const TIME_BYTES = 8;

/** Offset of the start time in a request with one span: eight bytes, little-endian, followed by the end time. */
export function startTimeAt({ body }: BenchRequest): number {
  for (let at = 0; at + TIME_BYTES + 1 < body.length; at += 1) {
    if (body[at] === START_TIME_TAG && body[at + TIME_BYTES + 1] === END_TIME_TAG) return at + 1;
  }
  throw new Error('no start time in the request');
}
