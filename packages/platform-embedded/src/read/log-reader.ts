import { crc32 } from 'node:zlib';
import { ConnectorError } from '@levada/connect-runtime-core';
import type { LogHeader } from '@levada/connect-runtime-core/platform';
import type { Database, Statement } from '../folder/sqlite.ts';
import { decodeRecords } from '../model/decode-records.ts';
import { corrupt, storageError } from '../model/storage-error.ts';
import type { RecordContent } from '../model/stored-batch.ts';

/** A record of a log. Keys and values are views: copy them to keep them. */
export interface LogEntry {
  readonly offset: number;
  readonly timestamp: number;
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: readonly LogHeader[];
}

/** Start and end of a log. `end` is the offset of the next record. */
export interface LogRange {
  readonly start: number;
  readonly end: number;
}

/** A fetch stops after this many bytes or rows. */
const FETCH_BYTES = 1_048_576;
const FETCH_ROWS = 500;

/** Reads logs by id. Each method is one short read of the file, so the writer never waits. */
export class LogReader {
  readonly #database: Database;
  readonly #place: string;
  readonly #range: Statement;
  readonly #batches: Statement;
  readonly #entries: Statement;

  constructor(database: Database, place: string) {
    this.#database = database;
    this.#place = place;
    this.#range = database.prepare(RANGE);
    this.#batches = database.prepare(BATCHES);
    this.#entries = database.prepare(ENTRIES);
  }

  /** The current start and end of a log. */
  range(log: number): LogRange {
    return this.#reading(() => {
      const row = this.#range.get({ log });
      const end = Number(row?.['end']);
      const start = row?.['start'];
      return { start: start === null || start === undefined ? end : Number(start), end };
    });
  }

  /**
   * Records of a log from an offset on, in order, up to about a megabyte; empty at its end. Removed records are skipped. Throws
   * `log_corrupt` if a checksum does not match.
   */
  fetch(log: number, compacted: boolean, from: number): LogEntry[] {
    return this.#reading(() => {
      const found: LogEntry[] = [];
      let bytes = 0;
      const rows = compacted ? this.#entries.iterate({ log, from }) : this.#batches.iterate({ log, from });
      for (const row of rows) {
        const data = row['data'] as Uint8Array;
        this.#decode(row, from, found);
        bytes += data.length;
        if (bytes >= FETCH_BYTES) break;
      }
      return found;
    });
  }

  /** The offset of the last `count` records of the log, and their number if there are fewer. */
  last(log: number, compacted: boolean, count: number): { readonly from: number; readonly count: number } {
    const { start, end } = this.range(log);
    if (!compacted) {
      const from = Math.max(start, end - count);
      return { from, count: end - from };
    }
    return this.#reading(() => {
      const row = this.#database
        .prepare(LAST_ENTRIES)
        .get({ log, count: Math.min(count, Number.MAX_SAFE_INTEGER) });
      const found = Number(row?.['found']);
      return { from: found === 0 ? end : Number(row?.['first']), count: found };
    });
  }

  /** Size of a log in bytes. */
  size(log: number): number {
    return this.#reading(() => {
      const row = this.#database.prepare(SIZE).get({ log });
      return Number(row?.['bytes']);
    });
  }

  /** The first offset whose record may be from this time or later. */
  offsetAt(log: number, timestamp: number): number {
    return this.#reading(() => {
      const row = this.#database.prepare(OFFSET_AT).get({ log, timestamp: Math.trunc(timestamp) });
      const offset = row?.['offset'];
      return offset === null || offset === undefined ? this.range(log).end : Number(offset);
    });
  }

  #decode(row: Record<string, unknown>, from: number, found: LogEntry[]): void {
    const base = Number(row['base_offset']);
    const count = Number(row['count']);
    const data = row['data'] as Uint8Array;
    const place = `${this.#place}, log ${Number(row['log'])}, offset ${base}`;
    if (crc32(data) !== Number(row['crc'])) throw corrupt(place, 'its checksum is wrong');
    for (const [i, record] of decodeBatch(data, count, place).entries()) {
      if (base + i >= from) found.push({ offset: base + i, ...record });
    }
  }

  #reading<T>(read: () => T): T {
    if (!this.#database.isOpen) throw new ConnectorError('closed', `${this.#place} was closed`);
    try {
      return read();
    } catch (thrown) {
      throw storageError(thrown, this.#place);
    }
  }
}

function decodeBatch(data: Uint8Array, count: number, place: string): RecordContent[] {
  try {
    return decodeRecords(data, count);
  } catch (thrown) {
    if (thrown instanceof RangeError) throw corrupt(place, thrown.message, thrown);
    throw thrown;
  }
}

const RANGE = `SELECT
  coalesce((SELECT min(base_offset) FROM batch WHERE log = :log), (SELECT min(offset) FROM entry WHERE log = :log)) AS start,
  max(coalesce((SELECT next_offset FROM log WHERE id = :log), 0),
    coalesce((SELECT base_offset + count FROM batch WHERE log = :log ORDER BY base_offset DESC LIMIT 1), 0),
    coalesce((SELECT max(offset) + 1 FROM entry WHERE log = :log), 0)) AS end`;

// The batch of an offset begins at or before it
const BATCHES = `SELECT log, base_offset, count, crc, data FROM batch WHERE log = :log AND base_offset >=
    coalesce((SELECT max(base_offset) FROM batch WHERE log = :log AND base_offset <= :from), :from)
    AND base_offset + count > :from
  ORDER BY base_offset LIMIT ${FETCH_ROWS}`;

const ENTRIES = `SELECT log, offset AS base_offset, 1 AS count, crc, data FROM entry
  WHERE log = :log AND offset >= :from ORDER BY offset LIMIT ${FETCH_ROWS}`;

// Offsets of replaced records are missing in between
const LAST_ENTRIES = `SELECT min(offset) AS first, count(*) AS found FROM
  (SELECT offset FROM entry WHERE log = :log ORDER BY offset DESC LIMIT :count)`;

const SIZE = `SELECT coalesce((SELECT sum(size) FROM batch WHERE log = :log), 0)
  + coalesce((SELECT sum(length(data) + length(key)) FROM entry WHERE log = :log), 0) AS bytes`;

const OFFSET_AT = `SELECT coalesce(
  (SELECT min(base_offset) FROM batch WHERE log = :log AND max_timestamp >= :timestamp),
  (SELECT min(offset) FROM entry WHERE log = :log AND timestamp >= :timestamp)) AS offset`;
