import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { readdir, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { ConnectorError } from '@levada/connect-runtime-core';
import { codeOf } from './spool-error.ts';

/** Longest path of a socket on every system; of Linux 107 bytes, of macOS 103. */
const LONGEST_PATH = 100;

/** A folder that this process alone writes. */
export interface FolderLock {
  /** Gives the folder free. Idempotent. */
  release(): Promise<void>;
}

/**
 * Takes the folder for this process. The lock is a listening socket in the folder: the system stops that with the
 * process, whatever its end, so that a lock is never judged by a process id that another process has now; and processes in
 * other containers of the same machine are seen as well. Rejects with `log_in_use` naming the holder's process id.
 */
export async function lockFolder(folder: string, handle: FileHandle): Promise<FolderLock> {
  const name = `lock-${process.pid}-${randomBytes(4).toString('hex')}`;
  const server = await listen(socketPath(folder, name, handle));
  try {
    // Each looks for others only when its own lock is there: of two at the same time at least one sees the other, and gives up.
    for (const other of await readdir(folder)) {
      const pid = /^lock-(\d+)-[0-9a-f]{8}$/.exec(other)?.[1];
      if (pid === undefined || other === name) continue;
      if (await answers(socketPath(folder, other, handle))) throw inUse(folder, Number(pid));
      await removeDead(join(folder, other));
    }
  } catch (thrown) {
    await close(server);
    throw thrown;
  }
  let closed: Promise<void> | undefined;
  return {
    release: () => {
      closed ??= close(server);
      return closed;
    },
  };
}

/** A long path is reached through the open folder, where the system has a way to do so. */
function socketPath(folder: string, name: string, handle: FileHandle): string {
  const path = join(folder, name);
  if (Buffer.byteLength(path) <= LONGEST_PATH || process.platform !== 'linux') return path;
  return `/proc/self/fd/${handle.fd}/${name}`;
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once('error', reject);
    server.listen({ path, exclusive: true }, () => {
      server.off('error', reject);
      // a connection that could not be accepted is one that answers the question as well
      server.on('error', () => undefined);
      resolve(server);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** Whether a process listens. An unclear answer counts as a yes. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) => {
      const code = codeOf(error);
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT');
    });
  });
}

async function removeDead(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (thrown) {
    // another process removed it first
    if (codeOf(thrown) !== 'ENOENT') throw thrown;
  }
}

function inUse(folder: string, pid: number): ConnectorError {
  const holder = pid === process.pid ? `this process (pid ${pid})` : `another process (pid ${pid})`;
  return new ConnectorError(
    'log_in_use',
    `spool "${folder}" is in use by ${holder}: stop that one first, or choose another folder`,
  );
}
