import {
  type Attributes,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api';
import type { RecordHeader, SourceRecord } from '../contract/source-record.ts';

// Names of the semantic conventions for messaging (1.45). They are still experimental, so they are written here, once.

/** Of every span and metric of messaging. */
export const messagingSystem = { 'messaging.system.name': 'levada' } as const;

/** Of the work that a service does with what a source gave it. */
export const processing: Attributes = {
  ...messagingSystem,
  'messaging.operation.name': 'process',
  'messaging.operation.type': 'process',
};

/** Where records are to go, when all go to one topic; an attribute may not have one value of many. */
export function destinationOf(records: readonly SourceRecord[]): string | undefined {
  const topic = records[0]?.topic;
  return records.every((record) => record.topic === topic) ? topic : undefined;
}

/** Links of one span: what SDKs keep by default. */
const MOST_LINKS = 128;

/** The spans in which the records were made, as far as their headers name them (`traceparent`, with the default propagator). */
export function producersOf(records: readonly SourceRecord[]): Link[] {
  const links: Link[] = [];
  for (const { headers } of records) {
    if (links.length === MOST_LINKS) break;
    if (headers.length === 0) continue;
    const context = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, headers, headerGetter));
    if (context !== undefined) links.push({ context });
  }
  return links;
}

const utf8 = new TextDecoder();

const headerGetter: TextMapGetter<readonly RecordHeader[]> = {
  keys: (headers) => headers.map(({ key }) => key),
  get: (headers, key) => {
    const value = headers.find((header) => header.key.toLowerCase() === key)?.value;
    return value instanceof Uint8Array ? utf8.decode(value) : typeof value === 'string' ? value : undefined;
  },
};
