import type { RecordHeader, SourceRecord } from '../contract/source-record.ts';
import type { Converter } from '../converter/converter.ts';
import type { LogHeader, LogRecord } from '../platform/log-platform.ts';
import { RecordFailure, type RecordStage } from './record-failure.ts';

/** The three converters of a task. */
export interface RecordConverters {
  readonly key: Converter;
  readonly value: Converter;
  readonly header: Converter;
}

const noHeaders: readonly LogHeader[] = [];

/** A task's record as the log stores it; `now` stands in for a missing time stamp. Throws a {@link RecordFailure}. */
export function toLogRecord(converters: RecordConverters, record: SourceRecord, now: number): LogRecord {
  const { topic } = record;
  let stage: RecordStage = 'HEADER_CONVERTER';
  try {
    const headers =
      record.headers.length === 0 ? noHeaders : convertHeaders(converters.header, topic, record.headers);
    stage = 'KEY_CONVERTER';
    const key = converters.key.fromConnectData(topic, record.keySchema, record.key);
    stage = 'VALUE_CONVERTER';
    const value = converters.value.fromConnectData(topic, record.valueSchema, record.value);
    return { topic, partition: record.partition, headers, key, value, timestamp: record.timestamp ?? now };
  } catch (thrown) {
    throw new RecordFailure(stage, thrown);
  }
}

function convertHeaders(converter: Converter, topic: string, headers: readonly RecordHeader[]): LogHeader[] {
  return headers.map(({ key, schema, value }) => ({
    key,
    value: converter.fromConnectData(topic, schema, value),
  }));
}
