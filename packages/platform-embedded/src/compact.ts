import type { CompactionBound } from './commit-protocol.ts';
import type { Removal } from './retention.ts';
import { type Database, inTransaction } from './sqlite.ts';
import { keepEndOfEntries } from './stored-offsets.ts';

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
