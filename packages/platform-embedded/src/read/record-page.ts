import { ConnectorError } from '@levada/connect-runtime-core';
import {
  type CompactedRecord,
  type RecordPage,
  type RecordQuery,
  selectRecords,
} from '@levada/connect-runtime-core/platform';
import type { Database } from '../folder/sqlite.ts';
import { findStoredTopic, type StoredTopic } from '../topics/stored-topic.ts';
import { LogReader } from './log-reader.ts';

/** Maximum bytes of a page, except that a larger record is returned alone. */
const MOST_BYTES = 4 * 1024 * 1024;

/** The range to read of one partition. */
interface Range {
  readonly partition: number;
  readonly log: number;
  /** Later records belong to the next page. */
  readonly end: number;
  next: number;
}

/** Reads one page of a topic: the last records, or those after a position. Throws `topic_unavailable` if the topic does not exist. */
export function readRecordPage(
  { database, place }: { readonly database: Database; readonly place: string },
  query: RecordQuery,
): RecordPage {
  const topic = findStoredTopic(database, query.topic);
  if (topic === undefined)
    throw new ConnectorError('topic_unavailable', `there is no topic "${query.topic}" in ${place}`);
  const reader = new LogReader(database, place);
  const ranges = rangesOf(topic, query, reader);
  const records: CompactedRecord[] = [];
  let bytes = 0;
  for (const range of ranges) {
    let count = 0;
    for (const record of storedRecords(topic, range, reader)) {
      if (bytes >= MOST_BYTES || count >= query.most) break;
      records.push(record);
      range.next = record.offset + 1;
      bytes += (record.key?.length ?? 0) + (record.value?.length ?? 0);
      count += 1;
    }
  }
  return selectRecords(query, new Map(ranges.map(({ partition, next }) => [partition, next])), records);
}

function rangesOf(topic: StoredTopic, { after, most }: RecordQuery, reader: LogReader): readonly Range[] {
  return Array.from({ length: topic.partitions }, (_, partition) => {
    const log = topic.firstLog + partition;
    const { start, end } = reader.range(log);
    const wanted = after === undefined ? reader.last(log, topic.compacted, most).from : after.get(partition);
    // A topic that was deleted and created again begins with 0
    const next = wanted === undefined || wanted > end ? start : wanted;
    return { partition, log, end, next };
  });
}

function* storedRecords(
  { compacted }: StoredTopic,
  { partition, log, end, next }: Range,
  reader: LogReader,
): Generator<CompactedRecord, void, undefined> {
  for (let from = next; from < end; ) {
    const entries = reader.fetch(log, compacted, from);
    for (const { offset, timestamp, key, value } of entries) {
      if (offset < end) yield { partition, offset, timestamp, key, value };
    }
    // The rest may have been removed meanwhile
    from = (entries.at(-1)?.offset ?? end) + 1;
  }
}
