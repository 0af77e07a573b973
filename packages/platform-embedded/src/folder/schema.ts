import { ConnectorError } from '@levada/connect-runtime-core/errors';
import { type Database, scalar } from './sqlite.ts';

/** Marks a SQLite file as an embedded log: "LVDA" in `PRAGMA application_id`. */
export const APPLICATION_ID = 0x4c564441;

/**
 * One row per version of the file: the statements that upgrade the previous version. Released rows never change; a change of the
 * file is a new row.
 */
export const migrations: readonly string[] = [
  `CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

   -- The logs of a topic (one per partition) have the ids first_log to first_log + partitions - 1.
   CREATE TABLE topic (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, partitions INTEGER NOT NULL,
     first_log INTEGER NOT NULL, config TEXT NOT NULL) STRICT;

   -- The offset that the next record gets at least: kept for logs whose last records were removed.
   CREATE TABLE log (id INTEGER PRIMARY KEY, next_offset INTEGER NOT NULL) STRICT;

   -- Topics that are not compacted: many records in one row, as stored-batch.ts writes them.
   CREATE TABLE batch (id INTEGER PRIMARY KEY, log INTEGER NOT NULL, base_offset INTEGER NOT NULL,
     count INTEGER NOT NULL, max_timestamp INTEGER NOT NULL, size INTEGER NOT NULL, crc INTEGER NOT NULL,
     data BLOB NOT NULL) STRICT;
   CREATE UNIQUE INDEX batch_by_offset ON batch (log, base_offset, count, max_timestamp, size);

   -- Compacted topics: one record in one row, in the same encoding.
   CREATE TABLE entry (log INTEGER NOT NULL, offset INTEGER NOT NULL, timestamp INTEGER NOT NULL,
     tombstone INTEGER NOT NULL, crc INTEGER NOT NULL, key BLOB NOT NULL, data BLOB NOT NULL,
     PRIMARY KEY (log, offset)) STRICT, WITHOUT ROWID;
   CREATE INDEX entry_by_key ON entry (log, key, offset);`,
];

/**
 * Upgrades a file to the newest version, each step in its own transaction. Returns the previous version; 0 is an empty file.
 * Throws `unsupported` for a file of a newer release.
 */
export function migrate(database: Database, place: string, steps: readonly string[] = migrations): number {
  const found = schemaVersion(database);
  refuseNewer(found, place, steps.length);
  for (let version = found; version < steps.length; version += 1) {
    const marks = `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${version + 1}`;
    try {
      database.exec(`BEGIN IMMEDIATE; ${steps[version]}; ${marks}; COMMIT`);
    } catch (thrown) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw thrown;
    }
  }
  return found;
}

/** The version of the file's tables. */
export function schemaVersion(database: Database): number {
  return Number(scalar(database, 'PRAGMA user_version'));
}

/** Throws for a version that is newer than this release. */
export function refuseNewer(found: number, place: string, known: number = migrations.length): void {
  if (found <= known) return;
  const message = `${place} has version ${found}, written by a newer release; this one reads up to version ${known}`;
  throw new ConnectorError('unsupported', message);
}
