import type { StoredRecord } from '@levada/platform-embedded';
import { stringify } from 'yaml';
import type { OutputForm } from './forms.ts';
import { visible } from './render.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A record to show. Workers do not show headers. */
type ShownRecord = Omit<StoredRecord, 'headers'> & Partial<Pick<StoredRecord, 'headers'>>;

/** One record as text that ends with a line feed: a line of columns, a line of JSON, or a YAML document. */
export function recordText(form: OutputForm, record: ShownRecord): string {
  switch (form) {
    case 'table':
      return `${record.partition}/${record.offset}  ${time(record)}  ${shown(record.key)}  ${shown(record.value)}\n`;
    case 'json':
      return `${JSON.stringify(recordObject(record))}\n`;
    case 'yaml':
      return `---\n${stringify(recordObject(record))}`;
  }
}

/** Text as text; bytes that are no UTF-8 under a name that says what they are. */
function recordObject(record: ShownRecord): object {
  return {
    topic: record.topic,
    partition: record.partition,
    offset: record.offset,
    timestamp: record.timestamp,
    ...named('key', record.key),
    ...named('value', record.value),
    ...(record.headers === undefined
      ? {}
      : { headers: record.headers.map(({ key, value }) => ({ key, ...named('value', value) })) }),
  };
}

function named(name: string, bytes: Uint8Array | null): object {
  if (bytes === null) return { [name]: null };
  const text = decoded(bytes);
  return text === undefined
    ? { [`${name}_base64`]: Buffer.from(bytes).toString('base64') }
    : { [name]: text };
}

function shown(bytes: Uint8Array | null): string {
  if (bytes === null) return '-';
  const text = decoded(bytes);
  return text === undefined ? `base64:${Buffer.from(bytes).toString('base64')}` : visible(text);
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined; // not text: shown as base64 instead
  }
}

function time(record: ShownRecord): string {
  return new Date(record.timestamp).toISOString();
}
