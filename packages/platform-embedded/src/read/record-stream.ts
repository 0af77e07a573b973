import { ConnectorError } from '@levada/connect-runtime-core';
import type { LogHeader } from '@levada/connect-runtime-core/platform';
import type { ChangeSignal } from '../model/change-signal.ts';
import type { StoredTopic } from '../topics/stored-topic.ts';
import type { LogEntry, LogReader } from './log-reader.ts';

/** A record of a topic. Keys and values are views: copy them to keep them. */
export interface StoredRecord extends LogEntry {
  readonly topic: string;
  readonly partition: number;
  readonly headers: readonly LogHeader[];
}

/** Start of reading: the oldest record, after the newest, at an offset, at a time, or the last records. */
export type ReadFrom =
  | 'start'
  | 'end'
  | { readonly offset: number }
  | { readonly timestamp: number }
  | { readonly last: number };

export interface ReadOptions {
  readonly topic: string;
  /** Default: all partitions, merged by time. */
  readonly partition?: number | undefined;
  /** Default: `start`. */
  readonly from?: ReadFrom | undefined;
  /** Whether to continue with new records until the signal aborts. Default: false, the stream ends with the newest record. */
  readonly follow?: boolean | undefined;
  /** Ends the stream without an error. */
  readonly signal?: AbortSignal | undefined;
}

/** Position in one partition. */
interface PartitionCursor {
  readonly partition: number;
  next: number;
  entries: readonly LogEntry[];
  at: number;
}

const never = new AbortController().signal;

/** Streams a topic's records. Records that are removed before they are read are skipped. */
export async function* recordStream(
  topic: StoredTopic,
  options: ReadOptions,
  source: { readonly reader: LogReader; readonly changes: ChangeSignal },
): AsyncGenerator<StoredRecord, void, undefined> {
  const { reader, changes } = source;
  const signal = options.signal ?? never;
  const starts = partitionsOf(topic, options).map((partition) =>
    startOf(topic, partition, options.from ?? 'start', reader),
  );
  const cursors = starts.map(({ cursor }) => cursor);
  let skip = surplus(starts, options);
  while (!signal.aborted) {
    const version = changes.version();
    for (const record of mergeRecords(topic, cursors, reader)) {
      if (skip > 0) skip -= 1;
      else yield record;
      if (signal.aborted) return;
    }
    if (options.follow !== true) return;
    skip = 0;
    try {
      await changes.waitForChange(version, signal);
    } catch (thrown) {
      if (signal.aborted) return;
      throw thrown;
    }
  }
}

function partitionsOf(topic: StoredTopic, options: ReadOptions): number[] {
  const all = Array.from({ length: topic.partitions }, (_, partition) => partition);
  if (options.partition === undefined) return all;
  if (all.includes(options.partition)) return [options.partition];
  const message = `topic "${topic.name}" has no partition ${options.partition}: it has 0 to ${topic.partitions - 1}`;
  throw new ConnectorError('config_invalid', message);
}

/** Start of a partition, and its number of records among the last n. */
interface PartitionStart {
  readonly cursor: PartitionCursor;
  readonly last: number;
}

function startOf(topic: StoredTopic, partition: number, from: ReadFrom, reader: LogReader): PartitionStart {
  const log = topic.firstLog + partition;
  const cursorAt = (next: number): PartitionCursor => ({ partition, next, entries: [], at: 0 });
  if (typeof from === 'object' && 'last' in from) {
    const last = reader.last(log, topic.compacted, from.last);
    return { cursor: cursorAt(last.from), last: last.count };
  }
  return { cursor: cursorAt(offsetOf(log, from, reader)), last: 0 };
}

function offsetOf(log: number, from: Exclude<ReadFrom, { last: number }>, reader: LogReader): number {
  if (from === 'start') return 0;
  if (from === 'end') return reader.range(log).end;
  return 'offset' in from ? from.offset : reader.offsetAt(log, from.timestamp);
}

/** Number of records by which the last n of each partition exceed the last n of the topic. */
function surplus(starts: readonly PartitionStart[], { from }: ReadOptions): number {
  if (typeof from !== 'object' || !('last' in from)) return 0;
  const found = starts.reduce((sum, start) => sum + start.last, 0);
  return Math.max(0, found - from.last);
}

/** The stored records of all partitions, earliest first. */
function* mergeRecords(
  topic: StoredTopic,
  cursors: readonly PartitionCursor[],
  reader: LogReader,
): Generator<StoredRecord, void, undefined> {
  for (;;) {
    let first: PartitionCursor | undefined;
    for (const cursor of cursors) {
      if (!fill(topic, cursor, reader)) continue;
      if (first === undefined || headOf(cursor).timestamp < headOf(first).timestamp) first = cursor;
    }
    if (first === undefined) return;
    const entry = headOf(first);
    first.at += 1;
    first.next = entry.offset + 1;
    yield { topic: topic.name, partition: first.partition, ...entry };
  }
}

function fill(topic: StoredTopic, cursor: PartitionCursor, reader: LogReader): boolean {
  if (cursor.at < cursor.entries.length) return true;
  cursor.entries = reader.fetch(topic.firstLog + cursor.partition, topic.compacted, cursor.next);
  cursor.at = 0;
  return cursor.entries.length > 0;
}

function headOf(cursor: PartitionCursor): LogEntry {
  return cursor.entries[cursor.at] as LogEntry;
}
