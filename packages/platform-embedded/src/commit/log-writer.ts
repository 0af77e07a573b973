import { crc32 } from 'node:zlib';
import type { Database, Statement } from '../folder/sqlite.ts';
import type { BatchRow, TopicRow } from '../model/commit-protocol.ts';
import { decodeRecords } from '../model/decode-records.ts';
import { leavesFileUsable } from '../model/storage-error.ts';
import { roomFor, StoredBatch } from '../model/stored-batch.ts';
import { loadNextOffsets } from './stored-offsets.ts';

/** A commit with an unknown outcome: its group, and the ends of its logs if it was stored. */
export interface UnsureCommit {
  readonly group: number;
  readonly ends: ReadonlyMap<number, number>;
}

/** Writes groups of batches, each in one durable transaction, and assigns the offsets of records. */
export class LogWriter {
  readonly #database: Database;
  readonly #nextOffsets: Map<number, number>;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #insertTopic: Statement;
  readonly #insertBatch: Statement;
  readonly #insertEntry: Statement;
  #unsure: UnsureCommit | undefined;

  /** `unsure`: the unsure commit of the previous writer. */
  constructor(database: Database, unsure?: UnsureCommit) {
    this.#database = database;
    this.#unsure = unsure;
    this.#nextOffsets = loadNextOffsets(database);
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#insertTopic = database.prepare('INSERT OR IGNORE INTO topic VALUES (?, ?, ?, ?, ?)');
    this.#insertBatch = database.prepare(
      'INSERT INTO batch (log, base_offset, count, max_timestamp, size, crc, data) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#insertEntry = database.prepare('INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)');
  }

  /** The last failed commit, if it may have been stored. */
  get unsure(): UnsureCommit | undefined {
    return this.#unsure;
  }

  /** Stores the group. If it throws, nothing is stored, unless {@link unsure} is set. */
  commit(group: number, topics: readonly TopicRow[], batches: readonly BatchRow[]): void {
    if (this.#wasStored(group)) return;
    const ends = new Map<number, number>();
    this.#begin.run();
    try {
      for (const topic of topics) this.#addTopic(topic);
      for (const batch of batches) this.#addBatch(batch, ends);
      this.#unsure = { group, ends };
      this.#commit.run();
      this.#unsure = undefined;
    } catch (thrown) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      if (leavesFileUsable(thrown)) this.#unsure = undefined;
      throw thrown;
    }
    for (const [log, end] of ends) this.#nextOffsets.set(log, end);
  }

  /** Writes a page durably, or throws as a commit would. */
  probe(): void {
    const now = new Date().toISOString();
    this.#database.prepare("INSERT OR REPLACE INTO meta VALUES ('probed_at', ?)").run(now);
  }

  /** Whether a failed commit has stored the group after all. A transaction is atomic, so checking one log is enough. */
  #wasStored(group: number): boolean {
    const unsure = this.#unsure;
    this.#unsure = undefined;
    if (unsure?.group !== group) return false;
    for (const [log, end] of unsure.ends) return this.#nextOffset(log) === end;
    return false;
  }

  #addTopic(topic: TopicRow): void {
    const { id, name, partitions, firstLog, config } = topic;
    this.#insertTopic.run(id, name, partitions, firstLog, JSON.stringify(config));
  }

  #addBatch(batch: BatchRow, ends: Map<number, number>): void {
    const { log, count, maxTimestamp, data } = batch;
    const base = ends.get(log) ?? this.#nextOffset(log);
    ends.set(log, base + count);
    if (batch.compacted) this.#addEntries(batch, base);
    else this.#insertBatch.run(log, base, count, Math.trunc(maxTimestamp), data.length, crc32(data), data);
  }

  #addEntries(batch: BatchRow, base: number): void {
    for (const [i, record] of decodeRecords(batch.data, batch.count).entries()) {
      const single = new StoredBatch(batch.log, true, Buffer.allocUnsafe(roomFor(record) + 8));
      single.append(record);
      const data = single.content();
      const tombstone = record.value === null ? 1 : 0;
      const key = record.key ?? new Uint8Array();
      this.#insertEntry.run(
        batch.log,
        base + i,
        Math.trunc(record.timestamp),
        tombstone,
        crc32(data),
        key,
        data,
      );
    }
  }

  #nextOffset(log: number): number {
    return this.#nextOffsets.get(log) ?? 0;
  }
}
