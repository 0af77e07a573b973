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

export interface SqliteOffsetsOptions {
  /** Interval of writing changed offsets, in milliseconds. Default 1000. */
  readonly flushIntervalMs?: number | undefined;
}

const checks: OptionChecks<SqliteOffsetsOptions & { readonly path: string }> = {
  path: required(filledString),
  flushIntervalMs: milliseconds,
};

/** "LVOF", which identifies the file. */
const APPLICATION_ID = 0x4c564f46;
const VERSION = 1;
/** How long to wait for another process that holds the file, and the polling interval, in milliseconds. */
const BUSY_MS = 5000;
const RETRY_MS = 20;
/** SQLITE_BUSY. */
const BUSY = 5;

/**
 * Stores offsets in a SQLite file, which is created if missing; its folder must exist. Several processes may use one file if
 * their sources have different names. A damaged or foreign file is a `log_corrupt` error when the source starts.
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
    .get(source, partitionKey(partition));
  return row === undefined ? undefined : (JSON.parse(String(row['text'])) as SourceOffset);
}

function write(database: Database, source: string, offsets: readonly PartitionOffset[]): void {
  const put = database.prepare(
    'INSERT OR REPLACE INTO source_offset (source, source_partition, source_offset) VALUES (?, ?, ?)',
  );
  inTransaction(database, () => {
    for (const { partition, offset } of offsets)
      put.run(source, partitionKey(partition), JSON.stringify(offset));
  });
}

/** An equal text for equal partitions, in any order of keys. */
function partitionKey(partition: SourcePartition): string {
  return JSON.stringify(Object.fromEntries(Object.entries(partition).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Runs the work, and repeats it while another process holds the file. SQLite would also wait, but would block this process. */
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
