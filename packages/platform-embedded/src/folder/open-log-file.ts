import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { corrupt } from '../model/storage-error.ts';
import type { FolderLayout } from './folder-layout.ts';
import { APPLICATION_ID, migrate, refuseNewer } from './schema.ts';
import { type Database, OWN_FILE, openOwnDatabase, scalar } from './sqlite.ts';

/** Large pages, because records arrive in batches of many kilobytes (measured: half the CPU of 4 KB pages). */
const PAGE_BYTES = 32_768;
/** Files up to this size are checked completely when opened. Of larger files only the small tables are. */
const FULL_CHECK_BYTES = 128 * 1_048_576;
/** The write-ahead log's file shrinks to this size after a peak. */
const WAL_BYTES = 64 * 1_048_576;
/**
 * Kilobytes of cached pages. A busy log of a thousand partitions needs half as many instructions more with the cache of a quiet
 * one. A quiet log needs no cache, and the C library keeps memory that a thread freed in small pieces.
 */
const CACHE_KB = { quiet: 1000, busy: 8000 } as const;

/** How long a statement waits for a lock of another process, in milliseconds. */
export const BUSY_MS = 1000;

/** The log's file: checked, at the newest version and ready to be written. */
export interface OpenLogFile {
  readonly database: Database;
  readonly clusterId: string;
}

/**
 * Opens the log of a folder for writing, and creates it in a new folder. Throws `log_corrupt` if the file is damaged, truncated,
 * empty, missing or not a log; the file is not changed then.
 */
export async function openLogFile(layout: FolderLayout): Promise<OpenLogFile> {
  const knownId = readClusterId(layout);
  const bytes = statSync(layout.log, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes === 0 && knownId !== undefined) {
    throw corrupt(`log "${layout.log}"`, 'it is empty or missing, but the folder held a log before');
  }
  const database = await openOwnDatabase(layout.log, { timeout: BUSY_MS });
  try {
    if (bytes > 0) check(database, layout.log, bytes);
    configure(database);
    migrate(database, `log "${layout.log}"`);
    const clusterId = storedClusterId(database);
    if (knownId !== clusterId) writeClusterId(layout, clusterId);
    return { database, clusterId };
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

function configure(database: Database): void {
  database.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = ${WAL_BYTES};
    PRAGMA secure_delete = OFF; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON`);
  setCache(database, 'quiet');
}

/** Sets the size of the page cache. A smaller size takes effect at once. */
export function setCache(database: Database, use: keyof typeof CACHE_KB): void {
  database.exec(`PRAGMA cache_size = -${CACHE_KB[use]}`);
}

/** Sets how long a statement waits for a lock, in milliseconds. */
export function setBusyTimeout(database: Database, ms: number): void {
  database.exec(`PRAGMA busy_timeout = ${ms}`);
}

function check(database: Database, path: string, bytes: number): void {
  const place = `log "${path}"`;
  const version = Number(scalar(database, 'PRAGMA user_version'));
  // A process that ended while it created the file left a valid file without a version
  if (version === 0) {
    refuseStranger(database, place);
    return;
  }
  refuseNewer(version, place);
  if (Number(scalar(database, 'PRAGMA application_id')) !== APPLICATION_ID) {
    throw corrupt(place, 'it is a SQLite file of another program');
  }
  const parts = bytes <= FULL_CHECK_BYTES ? [''] : ["('meta')", "('topic')", "('log')", "('entry')"];
  for (const part of parts) {
    const found = scalar(database, `PRAGMA quick_check${part}`);
    if (found !== 'ok') throw corrupt(place, String(found).replaceAll(/\s+/g, ' '));
  }
}

function refuseStranger(database: Database, place: string): void {
  if (Number(scalar(database, 'SELECT count(*) FROM sqlite_schema')) > 0) {
    throw corrupt(place, 'it is a SQLite file of another program');
  }
}

/** The id of a log; every log that was opened for writing has one. */
export function findClusterId(database: Database): string | undefined {
  const stored = scalar(database, "SELECT value FROM meta WHERE name = 'cluster_id'");
  return typeof stored === 'string' ? stored : undefined;
}

function storedClusterId(database: Database): string {
  const stored = findClusterId(database);
  if (stored !== undefined) return stored;
  const made = randomBytes(16).toString('base64url');
  database.prepare("INSERT INTO meta VALUES ('cluster_id', ?)").run(made);
  return made;
}

function readClusterId(layout: FolderLayout): string | undefined {
  if (statSync(layout.clusterId, { throwIfNoEntry: false }) === undefined) return undefined;
  return readFileSync(layout.clusterId, 'utf8').trim();
}

/** Writes the whole id or nothing, even if the process ends meanwhile. */
function writeClusterId(layout: FolderLayout, clusterId: string): void {
  const partial = `${layout.clusterId}.new`;
  writeFileSync(partial, `${clusterId}\n`, { mode: OWN_FILE });
  const descriptor = openSync(partial, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(partial, layout.clusterId);
}
