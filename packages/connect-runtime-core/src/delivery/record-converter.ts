import type { RecordHeader, SourceRecord } from '../contract/source-record.ts';
import type { Converter } from '../converter/converter.ts';
import type { LogHeader, LogRecord } from '../platform/log-platform.ts';

/** The three converters of a task. */
export interface RecordConverters {
  readonly key: Converter;
  readonly value: Converter;
  readonly header: Converter;
}

const noHeaders: readonly LogHeader[] = [];

/** A task's record as the log stores it; `now` stands in for a missing time stamp. Throws what a converter throws. */
export function toLogRecord(converters: RecordConverters, record: SourceRecord, now: number): LogRecord {
  const { topic } = record;
  return {
    topic,
    partition: record.partition,
    headers:
      record.headers.length === 0 ? noHeaders : convertHeaders(converters.header, topic, record.headers),
    key: converters.key.fromConnectData(topic, record.keySchema, record.key),
    value: converters.value.fromConnectData(topic, record.valueSchema, record.value),
    timestamp: record.timestamp ?? now,
  };
}

function convertHeaders(converter: Converter, topic: string, headers: readonly RecordHeader[]): LogHeader[] {
  return headers.map(({ key, schema, value }) => ({
    key,
    value: converter.fromConnectData(topic, schema, value),
  }));
}
