// Owns the database of a SQLite spool: writes, each in one durable transaction.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import type { ThreadReply, ThreadRequest } from './sqlite-spool.ts';

const CHECKPOINT_BYTES = 4 * 1_048_576;
const { folder, pageBytes, maxPages } = workerData as { folder: string; pageBytes: number; maxPages: number };
const port = parentPort;
mkdirSync(folder, { recursive: true, mode: 0o700 });
const database = new DatabaseSync(join(folder, 'spool.db'), { timeout: 1000 });
database.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -8000;
  PRAGMA max_page_count = ${maxPages};
  CREATE TABLE IF NOT EXISTS batch (first INTEGER PRIMARY KEY, count INTEGER NOT NULL, lengths BLOB NOT NULL,
    crc INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS state (id INTEGER PRIMARY KEY, committed INTEGER NOT NULL, next INTEGER NOT NULL) STRICT;
  INSERT OR IGNORE INTO state VALUES (0, 0, 0)`);
const begin = database.prepare('BEGIN IMMEDIATE');
const commit = database.prepare('COMMIT');
const insert = database.prepare('INSERT INTO batch VALUES (?, ?, ?, ?, ?)');
const mark = database.prepare('UPDATE state SET committed = ?, next = max(next, ?) WHERE id = 0');
const remove = database.prepare('DELETE FROM batch WHERE first + count <= ?');
let bytes = 0;

const reply = (message: ThreadReply, buffers: ArrayBuffer[] = []): void =>
  port?.postMessage(message, buffers);

port?.on('message', (request: ThreadRequest) => {
  if (request.kind === 'close') {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    reply({ kind: 'done' });
    port?.close();
    return;
  }
  try {
    begin.run();
    if (request.kind === 'append') {
      insert.run(request.first, request.count, request.lengths, crc32(request.data), request.data);
      bytes += request.data.length + 2 * pageBytes;
    }
    if (request.committed !== undefined) {
      mark.run(request.committed, request.next);
      remove.run(request.committed);
      bytes += pageBytes;
    }
    commit.run();
    reply({ kind: 'done' });
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK');
    reply({ kind: 'failed', message: String(thrown) });
  }
  if (bytes > CHECKPOINT_BYTES) {
    bytes = 0;
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  }
});
reply({ kind: 'done' });
