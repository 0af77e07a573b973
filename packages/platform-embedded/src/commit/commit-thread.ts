// The thread that owns the file. Only it writes, so a slow disk blocks no other thread.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import { ConnectorError } from '@levada/connect-runtime-core/errors';
import { FilesInPlace, type FolderLayout, folderLayout } from '../folder/folder-layout.ts';
import { BUSY_MS, openLogFile, setBusyTimeout, setCache } from '../folder/open-log-file.ts';
import { type Database, scalar } from '../folder/sqlite.ts';
import type { BatchRow, CommitReply, CommitRequest } from '../model/commit-protocol.ts';
import { corrupt, leavesFileUsable, storageError } from '../model/storage-error.ts';
import { topicRow } from '../topics/stored-topic.ts';
import { LogWriter, type UnsureCommit } from './log-writer.ts';
import { compact, type Removal, Retention } from './retention.ts';

/**
 * Bytes of records before the write-ahead log is moved into the file. Few, because commits wait during a checkpoint, about as
 * long as writing these bytes takes.
 */
const CHECKPOINT_BYTES = 4 * 1_048_576;
/** Total bytes that commits write before a checkpoint. Small commits write the same pages repeatedly; only one copy is moved. */
const CHECKPOINT_WAL_BYTES = 8 * 1_048_576;
/** Bytes that a commit writes in addition to its records: pages of the tables and the index. */
const COMMIT_BYTES = 3 * 32_768;
/** Rows since the last quiet time that make the log busy. Twenty starting connectors write a hundred. */
const BUSY_ROWS = 1000;

interface OpenLog {
  readonly layout: FolderLayout;
  database: Database;
  writer: LogWriter;
  retention: Retention;
  files: FilesInPlace;
  readonly clusterId: string;
  bytesSinceCheckpoint: number;
  walBytes: number;
  rowsSinceQuiet: number;
}

const port = parentPort;
if (port !== null) {
  let log: OpenLog | undefined;
  let turn: Promise<void> = Promise.resolve();
  const handle = async (request: CommitRequest): Promise<void> => {
    const buffers = buffersOf(request);
    let reply: CommitReply;
    try {
      if (request.kind === 'open') {
        log = await open(folderLayout(request.folder));
        reply = openReply(log);
      } else {
        reply = { kind: 'done', buffers, ...(await perform(log, request)) };
      }
    } catch (thrown) {
      const { code, message, retriable } = storageError(thrown, place(log, request));
      reply = { kind: 'failed', buffers, error: { code, message, retriable } };
    }
    port.postMessage(reply, buffers);
    if (log?.database.isOpen) checkpointWhenDue(log);
  };
  port.on('message', (request: CommitRequest) => {
    turn = turn.then(() => handle(request));
  });
}

function buffersOf(request: CommitRequest): ArrayBuffer[] {
  return request.kind === 'commit' ? request.batches.map((batch) => batch.data.buffer as ArrayBuffer) : [];
}

function place(log: OpenLog | undefined, request: CommitRequest): string {
  const path =
    log?.layout.log ?? (request.kind === 'open' ? folderLayout(request.folder).log : 'of the folder');
  return `log "${path}"`;
}

async function open(layout: FolderLayout, unsure?: UnsureCommit): Promise<OpenLog> {
  const { database, clusterId } = await openLogFile(layout);
  return {
    layout,
    database,
    clusterId,
    writer: new LogWriter(database, unsure),
    retention: new Retention(database),
    files: new FilesInPlace([layout.log, `${layout.log}-wal`, layout.lock]),
    bytesSinceCheckpoint: 0,
    walBytes: 0,
    rowsSinceQuiet: 0,
  };
}

function openReply(log: OpenLog): CommitReply {
  const topics = log.database.prepare('SELECT * FROM topic ORDER BY id').all().map(topicRow);
  return { kind: 'opened', clusterId: log.clusterId, topics };
}

type WriteRequest = Exclude<CommitRequest, { kind: 'open' }>;

const nothing: Removal = { removed: 0, more: false };

async function perform(log: OpenLog | undefined, request: WriteRequest): Promise<Removal> {
  if (log === undefined) throw new Error('the log is not open');
  if (request.kind === 'close') return close(log);
  if (!log.database.isOpen) await reopen(log);
  try {
    const removal = write(log, request);
    refuseMoved(log);
    return removal;
  } catch (thrown) {
    // After a failed write or sync the open file cannot be trusted: the next request opens and checks it again
    if (!leavesFileUsable(thrown)) log.database.close();
    throw thrown;
  }
}

function write(log: OpenLog, request: Exclude<WriteRequest, { kind: 'close' }>): Removal {
  switch (request.kind) {
    case 'commit':
      log.writer.commit(request.group, request.topics, request.batches);
      log.retention.noteWritten(request.batches);
      noteBytes(log, request.batches);
      noteRows(log, request.batches.length);
      return nothing;
    case 'probe':
      log.writer.probe();
      return nothing;
    case 'trim':
      trim(log);
      return nothing;
    case 'retain':
      return noteRemoval(log, request.limits.length, log.retention.retain(request.limits, request.now));
    case 'compact':
      return noteRemoval(
        log,
        request.bounds.length,
        compact(log.database, request.bounds, request.tombstonesBefore),
      );
  }
}

/** Frees the file of the write-ahead log, the page cache, and garbage that V8 would collect only under load. */
function trim(log: OpenLog): void {
  log.rowsSinceQuiet = 0;
  truncateWal(log);
  if (!log.database.isOpen) return;
  setCache(log.database, 'quiet');
  log.database.exec('PRAGMA shrink_memory');
  // V8 adds `gc` to contexts that are created after the flag was set
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  // Repeats until nothing more is freed, and returns all of it at once: the thread is idle
  collect({ type: 'major', flavor: 'last-resort' });
}

async function reopen(log: OpenLog): Promise<void> {
  refuseMoved(log);
  const again = await open(log.layout, log.writer.unsure);
  if (again.clusterId !== log.clusterId) {
    again.database.close();
    throw corrupt(`log "${log.layout.log}"`, 'another log took its place while it was in use');
  }
  log.database = again.database;
  log.rowsSinceQuiet = 0;
  log.writer = again.writer;
  log.retention = again.retention;
  log.files = again.files;
}

/** Writes into a file that was removed or replaced are lost with the process, so they must not be acknowledged. */
function refuseMoved(log: OpenLog): void {
  const missing = log.files.findMissing();
  if (missing === undefined) return;
  throw new ConnectorError(
    'log_corrupt',
    `log "${log.layout.log}" cannot be used any more: "${missing}" was removed or replaced while it was in use (stop this process, put the folder in order, start again)`,
  );
}

function close(log: OpenLog): Removal {
  if (log.database.isOpen) log.database.close();
  return nothing;
}

function noteBytes(log: OpenLog, batches: readonly BatchRow[]): void {
  const bytes = batches.reduce((sum, batch) => sum + batch.data.length, 0);
  log.bytesSinceCheckpoint += bytes;
  log.walBytes += bytes + COMMIT_BYTES;
}

/** Counts a removal as one small commit per log: it writes pages of the tables, but no records. */
function noteRemoval(log: OpenLog, logs: number, removal: Removal): Removal {
  if (removal.removed > 0) log.walBytes += logs * COMMIT_BYTES;
  return removal;
}

function noteRows(log: OpenLog, rows: number): void {
  const before = log.rowsSinceQuiet;
  log.rowsSinceQuiet += rows;
  if (before < BUSY_ROWS && log.rowsSinceQuiet >= BUSY_ROWS) setCache(log.database, 'busy');
}

function checkpointWhenDue(log: OpenLog): void {
  if (log.bytesSinceCheckpoint < CHECKPOINT_BYTES && log.walBytes < CHECKPOINT_WAL_BYTES) return;
  checkpoint(log, 'PASSIVE');
}

/** Does not wait for readers, because commits would wait too. The next quiet time follows soon. */
function truncateWal(log: OpenLog): void {
  setBusyTimeout(log.database, 0);
  checkpoint(log, 'TRUNCATE');
  if (log.database.isOpen) setBusyTimeout(log.database, BUSY_MS);
}

/** TRUNCATE also empties the write-ahead log. While it is being read, it is moved as far as possible. */
function checkpoint(log: OpenLog, mode: 'PASSIVE' | 'TRUNCATE'): void {
  log.bytesSinceCheckpoint = 0;
  log.walBytes = 0;
  try {
    scalar(log.database, `PRAGMA wal_checkpoint(${mode})`);
  } catch (thrown) {
    // acknowledged records are safe in the write-ahead log; the next commit reports the same problem
    if (!leavesFileUsable(thrown)) log.database.close();
  }
}
