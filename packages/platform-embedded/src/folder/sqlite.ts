import { closeSync, openSync } from 'node:fs';
import type { DatabaseSync, DatabaseSyncOptions, StatementSync } from 'node:sqlite';
import { ConnectorError } from '@levada/connect-runtime-core/errors';

/** Mode of files with records or metadata. */
export const OWN_FILE = 0o600;

export type Database = DatabaseSync;
export type Statement = StatementSync;

/**
 * Opens a database file. The first call loads the module: Node 22 warns once that it is experimental, but the functions used here
 * are the same in 22.22 and 24.
 */
export async function openDatabase(path: string | URL, options: DatabaseSyncOptions = {}): Promise<Database> {
  const sqlite = await import('node:sqlite').catch((cause: unknown) => {
    throw new ConnectorError('unsupported', 'the embedded log needs Node 22.22 or later (node:sqlite)', {
      cause,
    });
  });
  return new sqlite.DatabaseSync(path, options);
}

/** Paths that SQLite does not treat as files. */
const noPath = /^(?::memory:$|file:)/;

/**
 * As {@link openDatabase}, but creates a missing file for this user only, with the files that SQLite puts next to it. An existing
 * file keeps its mode, and a URI gets the default mode. Windows has no modes.
 */
export async function openOwnDatabase(path: string, options?: DatabaseSyncOptions): Promise<Database> {
  if (noPath.test(path)) return await openDatabase(path, options);
  try {
    closeSync(openSync(path, 'wx', OWN_FILE));
  } catch {
    // It exists, or it cannot be created, which SQLite will report
  }
  return await openDatabase(path, options);
}

/** The value of a pragma, or the first column of a query's first row. */
export function scalar(database: Database, sql: string): unknown {
  const row = database.prepare(sql).get();
  return row === undefined ? undefined : Object.values(row)[0];
}

/** Runs the work in one transaction. If it throws, nothing is stored. */
export function inTransaction(database: Database, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw thrown;
  }
}
