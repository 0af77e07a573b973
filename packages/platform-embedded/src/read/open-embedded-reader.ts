import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Clock, ConnectorError, systemClock } from '@levada/connect-runtime-core';
import { folderLayout } from '../folder/folder-layout.ts';
import { APPLICATION_ID, migrations, refuseNewer, schemaVersion } from '../folder/schema.ts';
import { type Database, openDatabase, scalar } from '../folder/sqlite.ts';
import { polledSignal } from '../model/change-signal.ts';
import { corrupt, storageError } from '../model/storage-error.ts';
import { type EmbeddedReader, embeddedReader } from './embedded-reader.ts';

export interface EmbeddedReaderOptions {
  readonly folder: string;
  readonly clock?: Clock | undefined;
  /** Polling interval of a follower, in milliseconds. Default 100. */
  readonly pollMs?: number | undefined;
}

/**
 * Opens the topics of a folder for reading, even while another process writes them. Any number of readers may be open. Rejects
 * with `file_unreadable` if the folder has no log, `unsupported` for a file of another version, `log_corrupt` for a damaged one.
 */
export async function openEmbeddedReader(options: EmbeddedReaderOptions): Promise<EmbeddedReader> {
  const layout = folderLayout(options.folder);
  if (!statSync(layout.log, { throwIfNoEntry: false })?.size) {
    const message = `folder "${options.folder}" holds no log: start a worker that stores its records there first`;
    throw new ConnectorError('file_unreadable', message);
  }
  const place = `log "${layout.log}"`;
  const database = await openForReading(layout.log, place);
  const version = (): number => {
    try {
      return Number(scalar(database, 'PRAGMA data_version'));
    } catch (thrown) {
      throw storageError(thrown, place);
    }
  };
  return embeddedReader({
    database,
    place,
    changes: polledSignal(version, options.pollMs ?? 100, options.clock ?? systemClock),
    onClose: () => {
      if (database.isOpen) database.close();
    },
  });
}

/** Opens the file read-only and checks that it is a log of this version. */
export async function openForReading(path: string, place: string): Promise<Database> {
  let database: Database | undefined;
  try {
    database = await openDatabase(chooseLocation(path), { readOnly: true, timeout: 2000 });
    checkVersion(database, place);
    return database;
  } catch (thrown) {
    database?.close();
    throw storageError(thrown, place);
  }
}

/** SQLite writes files next to one that it reads. If it cannot, a log that was closed cleanly is opened as immutable. */
function chooseLocation(path: string): string | URL {
  try {
    accessSync(dirname(path), constants.W_OK);
    return path;
  } catch {
    if (statSync(`${path}-wal`, { throwIfNoEntry: false }) !== undefined) return path;
    const url = pathToFileURL(path);
    url.searchParams.set('immutable', '1');
    return url;
  }
}

function checkVersion(database: Database, place: string): void {
  const version = schemaVersion(database);
  if (version > 0 && Number(scalar(database, 'PRAGMA application_id')) !== APPLICATION_ID) {
    throw corrupt(place, 'it is a SQLite file of another program');
  }
  refuseNewer(version, place);
  if (version < migrations.length) {
    const message = `${place} has version ${version}, this release reads version ${migrations.length}: start a worker on it once to upgrade it`;
    throw new ConnectorError('unsupported', message);
  }
}
