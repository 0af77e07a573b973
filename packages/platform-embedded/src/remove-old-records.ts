import type { CompactionBound, RetentionLimit } from './commit-protocol.ts';
import type { Database } from './sqlite.ts';
import { keepNextOffset } from './stored-offsets.ts';

/** Batches removed in one transaction at most: commits wait meanwhile. */
const CHUNK = 128;

/** What one pass has done. */
export interface Removal {
  /** Records removed. */
  readonly removed: number;
  /** Whether there is more to remove. */
  readonly more: boolean;
}

/** Removes what is older or more than the limits allow, oldest first, one chunk a log. */
export function retain(database: Database, limits: readonly RetentionLimit[], now: number): Removal {
  let removed = 0;
  let more = false;
  for (const limit of limits) {
    const pass = limit.compacted ? retainEntries(database, limit, now) : retainBatches(database, limit, now);
    removed += pass.removed;
    more ||= pass.more;
  }
  return { removed, more };
}

function retainBatches(database: Database, limit: RetentionLimit, now: number): Removal {
  const total = database
    .prepare('SELECT coalesce(sum(size), 0) AS bytes FROM batch WHERE log = ?')
    .get(limit.log);
  let excess = limit.bytes < 0 ? 0 : Number(total?.['bytes']) - limit.bytes;
  const oldest = limit.ms < 0 ? Number.NEGATIVE_INFINITY : now - limit.ms;
  const rows = database
    .prepare(
      'SELECT base_offset, count, max_timestamp, size FROM batch WHERE log = ? ORDER BY base_offset LIMIT ?',
    )
    .all(limit.log, CHUNK);
  let removed = 0;
  let end = -1;
  for (const row of rows) {
    if (excess <= 0 && Number(row['max_timestamp']) >= oldest) break;
    excess -= Number(row['size']);
    removed += Number(row['count']);
    end = Number(row['base_offset']) + Number(row['count']);
  }
  if (end < 0) return { removed: 0, more: false };
  inTransaction(database, () => {
    database.prepare(keepNextOffset).run(limit.log, end);
    database.prepare('DELETE FROM batch WHERE log = ? AND base_offset < ?').run(limit.log, end);
  });
  const last = rows.at(-1);
  const tookAll = Number(last?.['base_offset']) < end && rows.length === CHUNK;
  return { removed, more: tookAll };
}

/** Of topics that are compacted and deleted from. The size of such a topic is bounded by its keys. */
function retainEntries(database: Database, limit: RetentionLimit, now: number): Removal {
  if (limit.ms < 0) return { removed: 0, more: false };
  let removed = 0;
  inTransaction(database, () => {
    keepEndOfEntries(database, limit.log);
    const result = database
      .prepare('DELETE FROM entry WHERE log = ? AND timestamp < ?')
      .run(limit.log, Math.trunc(now - limit.ms));
    removed = Number(result.changes);
  });
  return { removed, more: false };
}

/** Removes records of compacted logs that a later one of the same key replaces, and deleted keys of long ago. */
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

function keepEndOfEntries(database: Database, log: number): void {
  const row = database.prepare('SELECT max(offset) + 1 AS next FROM entry WHERE log = ?').get(log);
  if (row !== undefined && row['next'] !== null)
    database.prepare(keepNextOffset).run(log, Number(row['next']));
}

function inTransaction(database: Database, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw thrown;
  }
}
