import { type Database, inTransaction, type Statement } from '../folder/sqlite.ts';
import type { BatchRow, CompactionBound, RetentionLimit } from '../model/commit-protocol.ts';
import { keepEndOfEntries, keepNextOffset } from './stored-offsets.ts';

/** Maximum number of batches removed in one transaction, because commits wait for it. */
const CHUNK = 128;

export interface Removal {
  readonly removed: number;
  /** Whether more can be removed. */
  readonly more: boolean;
}

const nothing: Removal = { removed: 0, more: false };

/** Removes old records. It tracks the sizes of logs, because summing up a log of many small batches takes long. */
export class Retention {
  readonly #database: Database;
  readonly #bytes = new Map<number, number>();
  readonly #total: Statement;
  readonly #oldest: Statement;
  readonly #keepNext: Statement;
  readonly #remove: Statement;
  readonly #removeEntries: Statement;

  constructor(database: Database) {
    this.#database = database;
    this.#total = database.prepare('SELECT coalesce(sum(size), 0) AS bytes FROM batch WHERE log = ?');
    this.#oldest = database.prepare(
      `SELECT base_offset, count, max_timestamp, size FROM batch WHERE log = ? ORDER BY base_offset LIMIT ${CHUNK}`,
    );
    this.#keepNext = database.prepare(keepNextOffset);
    this.#remove = database.prepare('DELETE FROM batch WHERE log = ? AND base_offset < ?');
    this.#removeEntries = database.prepare('DELETE FROM entry WHERE log = ? AND timestamp < ?');
  }

  /** Adds the stored batches to the sizes. */
  noteWritten(batches: readonly BatchRow[]): void {
    for (const { log, data } of batches) {
      const known = this.#bytes.get(log);
      if (known !== undefined) this.#bytes.set(log, known + data.length);
    }
  }

  /** Removes records that exceed the limits, oldest first, one chunk per log. */
  retain(limits: readonly RetentionLimit[], now: number): Removal {
    let removed = 0;
    let more = false;
    for (const limit of limits) {
      const pass = limit.compacted ? this.#retainEntries(limit, now) : this.#retainBatches(limit, now);
      removed += pass.removed;
      more ||= pass.more;
    }
    return { removed, more };
  }

  /** Removes a batch for its size only if the rest still has the minimum size, as Kafka does with segments. */
  #retainBatches({ log, ms, bytes }: RetentionLimit, now: number): Removal {
    const surplus = bytes < 0 ? 0 : this.#sizeOf(log) - bytes;
    const oldest = ms < 0 ? Number.NEGATIVE_INFINITY : now - ms;
    const rows = this.#oldest.all(log);
    let gone = 0;
    let removed = 0;
    let end = -1;
    for (const row of rows) {
      const size = Number(row['size']);
      if (gone + size > surplus && Number(row['max_timestamp']) >= oldest) break;
      gone += size;
      removed += Number(row['count']);
      end = Number(row['base_offset']) + Number(row['count']);
    }
    if (end < 0) return nothing;
    inTransaction(this.#database, () => {
      this.#keepNext.run(log, end);
      this.#remove.run(log, end);
    });
    const held = this.#bytes.get(log);
    if (held !== undefined) this.#bytes.set(log, held - gone);
    return { removed, more: rows.length === CHUNK && Number(rows.at(-1)?.['base_offset']) < end };
  }

  #sizeOf(log: number): number {
    const known = this.#bytes.get(log);
    if (known !== undefined) return known;
    const bytes = Number(this.#total.get(log)?.['bytes']);
    this.#bytes.set(log, bytes);
    return bytes;
  }

  /** Removes old entries of topics with cleanup.policy=compact,delete. The number of keys limits the size of such a topic. */
  #retainEntries({ log, ms }: RetentionLimit, now: number): Removal {
    if (ms < 0) return nothing;
    let removed = 0;
    inTransaction(this.#database, () => {
      keepEndOfEntries(this.#database, log);
      removed = Number(this.#removeEntries.run(log, Math.trunc(now - ms)).changes);
    });
    return { removed, more: false };
  }
}

/** Removes records of compacted logs that a later record of the same key replaces, and old tombstones. */
export function compact(
  database: Database,
  bounds: readonly CompactionBound[],
  tombstonesBefore: number,
): Removal {
  let removed = 0;
  inTransaction(database, () => {
    for (const { log, below } of bounds) removed += compactLog(database, log, below, tombstonesBefore);
  });
  return { removed, more: false };
}

function compactLog(database: Database, log: number, below: number, tombstonesBefore: number): number {
  keepEndOfEntries(database, log);
  const replaced = database
    .prepare(
      `DELETE FROM entry AS old WHERE log = ? AND offset < ? AND EXISTS (
         SELECT 1 FROM entry AS new WHERE new.log = old.log AND new.key = old.key AND new.offset > old.offset)`,
    )
    .run(log, below);
  const forgotten = database
    .prepare('DELETE FROM entry WHERE log = ? AND offset < ? AND tombstone = 1 AND timestamp < ?')
    .run(log, below, Math.trunc(tombstonesBefore));
  return Number(replaced.changes) + Number(forgotten.changes);
}
