import {
  type Clock,
  ConnectorError,
  type SourceOffset,
  type SourcePartition,
  systemClock,
} from '@levada/connect-runtime-core';
import {
  checkOptions,
  filledString,
  milliseconds,
  type OptionChecks,
  required,
} from '@levada/connect-runtime-core/config';
import type { OffsetStore, PartitionOffset } from '@levada/connect-runtime-core/sinks';
import { type Database, inTransaction, openOwnDatabase, scalar } from './folder/sqlite.ts';
import { corrupt, sqliteCode, storageError } from './model/storage-error.ts';

/** How offsets are kept in a SQLite file. */
export interface SqliteOffsetsOptions {
  /** How often offsets are written, in milliseconds, when something changed. Default 1000. */
  readonly flushIntervalMs?: number | undefined;
}

const checks: OptionChecks<SqliteOffsetsOptions & { readonly path: string }> = {
  path: required(filledString),
  flushIntervalMs: milliseconds,
};

/** "LVOF": how this file differs from those of other programs. */
const APPLICATION_ID = 0x4c564f46;
const VERSION = 1;
/** How long another process may hold the file, and how often that is asked. */
const BUSY_MS = 5000;
const RETRY_MS = 20;
/** SQLITE_BUSY. */
const BUSY = 5;

/**
 * Keeps offsets in a SQLite file of their own, made when it is missing; its folder has to exist. Several processes may use one file, each
 * with sources of other names. A damaged file, or one of another program, is a `log_corrupt` error when the source starts.
 *
 * @example
 * ```ts
 * const offsets = sqliteOffsets('offsets.db');
 * ```
 */
export function sqliteOffsets(path: string, options: SqliteOffsetsOptions = {}): OffsetStore {
  checkOptions(checks, { path, ...options });
  let users = 0;
  let opened: Promise<Database> | undefined;
  let clock = systemClock;
  const database = async (): Promise<Database> => {
    opened ??= openFile(path, clock);
    try {
      return await opened;
    } catch (thrown) {
      opened = undefined;
      throw thrown;
    }
  };
  return {
    flushIntervalMs: options.flushIntervalMs,
    open: async (context) => {
      users += 1;
      clock = context.clock;
      await database();
    },
    read: async (source, partition) => {
      const file = await database();
      return await whenFree(path, clock, () => read(file, source, partition));
    },
    write: async (source, offsets) => {
      const file = await database();
      await whenFree(path, clock, () => write(file, source, offsets));
    },
    close: async () => {
      users = Math.max(0, users - 1);
      if (users > 0) return;
      const file = await opened?.catch(() => undefined);
      opened = undefined;
      file?.close();
    },
  };
}

async function openFile(path: string, clock: Clock): Promise<Database> {
  let file: Database | undefined;
  try {
    file = await openOwnDatabase(path, { timeout: 0 });
    const database = file;
    await whenFree(path, clock, () => prepare(database, path));
    return database;
  } catch (thrown) {
    file?.close();
    throw storageError(thrown, `offset file "${path}"`);
  }
}

function prepare(database: Database, path: string): void {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF');
  const found = scalar(database, 'PRAGMA quick_check');
  if (found !== 'ok') throw corrupt(`offset file "${path}"`, String(found).replaceAll(/\s+/g, ' '));
  inTransaction(database, () => {
    const tables = Number(scalar(database, 'SELECT count(*) FROM sqlite_schema'));
    if (tables === 0) {
      database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION};
        CREATE TABLE source_offset (source TEXT NOT NULL, source_partition TEXT NOT NULL, source_offset TEXT NOT NULL,
          PRIMARY KEY (source, source_partition)) STRICT, WITHOUT ROWID`);
      return;
    }
    if (Number(scalar(database, 'PRAGMA application_id')) !== APPLICATION_ID)
      throw corrupt(`offset file "${path}"`, 'it is a SQLite file of another program');
    if (Number(scalar(database, 'PRAGMA user_version')) > VERSION)
      throw new ConnectorError('unsupported', `offset file "${path}" was written by a newer release`);
  });
}

function read(database: Database, source: string, partition: SourcePartition): SourceOffset | undefined {
  const row = database
    .prepare('SELECT source_offset AS text FROM source_offset WHERE source = ? AND source_partition = ?')
    .get(source, sorted(partition));
  return row === undefined ? undefined : (JSON.parse(String(row['text'])) as SourceOffset);
}

function write(database: Database, source: string, offsets: readonly PartitionOffset[]): void {
  const put = database.prepare(
    'INSERT OR REPLACE INTO source_offset (source, source_partition, source_offset) VALUES (?, ?, ?)',
  );
  inTransaction(database, () => {
    for (const { partition, offset } of offsets) put.run(source, sorted(partition), JSON.stringify(offset));
  });
}

/** The same text for the same partition, whatever the order of its keys. */
function sorted(partition: SourcePartition): string {
  return JSON.stringify(Object.fromEntries(Object.entries(partition).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/**
 * Does the work, again and again while another process holds the file. SQLite itself would wait too, but would let nothing else of this
 * process run meanwhile.
 */
async function whenFree<T>(path: string, clock: Clock, work: () => T): Promise<T> {
  const due = clock.monotonic() + BUSY_MS;
  for (;;) {
    try {
      return work();
    } catch (thrown) {
      if (sqliteCode(thrown) !== BUSY || clock.monotonic() >= due)
        throw storageError(thrown, `offset file "${path}"`);
    }
    await clock.sleep(RETRY_MS);
  }
}
