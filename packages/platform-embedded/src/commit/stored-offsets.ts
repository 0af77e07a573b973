import type { Database } from '../folder/sqlite.ts';

/** Loads the next offset of each log that has or had records. */
export function loadNextOffsets(database: Database): Map<number, number> {
  const offsets = new Map<number, number>();
  const rows = database
    .prepare(
      `SELECT log, max(next) AS next FROM (
         SELECT id AS log, next_offset AS next FROM log
         UNION ALL SELECT log, max(base_offset + count) FROM batch GROUP BY log
         UNION ALL SELECT log, max(offset) + 1 FROM entry GROUP BY log)
       GROUP BY log`,
    )
    .all();
  for (const row of rows) offsets.set(Number(row['log']), Number(row['next']));
  return offsets;
}

/** Run it before removing records from the end of a log, so that no offset is reused. */
export const keepNextOffset =
  'INSERT INTO log VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET next_offset = max(next_offset, excluded.next_offset)';

/** Stores the next offset of a compacted log from its present entries. */
export function keepEndOfEntries(database: Database, log: number): void {
  const row = database.prepare('SELECT max(offset) + 1 AS next FROM entry WHERE log = ?').get(log);
  if (row !== undefined && row['next'] !== null)
    database.prepare(keepNextOffset).run(log, Number(row['next']));
}
