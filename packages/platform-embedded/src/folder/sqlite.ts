import { closeSync, openSync } from 'node:fs';
import type { DatabaseSync, DatabaseSyncOptions, StatementSync } from 'node:sqlite';
import { ConnectorError } from '@levada/connect-runtime-core/errors';

/** Mode of files that hold records or say something of them. */
export const OWN_FILE = 0o600;

/** An open database file. */
export type Database = DatabaseSync;
/** A prepared statement. */
export type Statement = StatementSync;

/**
 * Opens a database file. The module is loaded by the first call: Node 22 says once that it is experimental;
 * what is used here is the same in 22.22 and in 24.
 */
export async function openDatabase(path: string | URL, options: DatabaseSyncOptions = {}): Promise<Database> {
  const sqlite = await import('node:sqlite').catch((cause: unknown) => {
    throw new ConnectorError('unsupported', 'the embedded log needs Node 22.22 or later (node:sqlite)', {
      cause,
    });
  });
  return new sqlite.DatabaseSync(path, options);
}

/** What SQLite does not take for the path of a file. */
const noPath = /^(?::memory:$|file:)/;

/**
 * As {@link openDatabase}; a file that is missing is made for this user alone, with the files that SQLite puts beside it. One that is
 * there keeps its mode, and what a URI names gets the usual one. Windows knows no modes.
 */
export async function openOwnDatabase(path: string, options?: DatabaseSyncOptions): Promise<Database> {
  if (noPath.test(path)) return await openDatabase(path, options);
  try {
    closeSync(openSync(path, 'wx', OWN_FILE));
  } catch {
    // It is there; or it cannot be made, which SQLite is about to say.
  }
  return await openDatabase(path, options);
}

/** The value of a pragma, or the first column of a query's first row. */
export function scalar(database: Database, sql: string): unknown {
  const row = database.prepare(sql).get();
  return row === undefined ? undefined : Object.values(row)[0];
}

/** Does the work in one transaction: all of it or, when it throws, nothing. */
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
