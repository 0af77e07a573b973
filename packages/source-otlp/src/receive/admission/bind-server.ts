import { chmod, lstat, unlink } from 'node:fs/promises';
import { type AddressInfo, connect, type Server } from 'node:net';
import type { ReceiverOptions } from './receiver.ts';

/** Where a server listens. */
export interface BoundAddress {
  /** IP address, or `unix:` with the path of a socket. */
  readonly address: string;
  /** 0 for a socket of the file system. */
  readonly port: number;
}

const UNIX = 'unix:';

/** The path of an address that is a socket of the file system. */
export function socketPath(address: string): string | undefined {
  return address.startsWith(UNIX) ? address.slice(UNIX.length) : undefined;
}

/**
 * Binds a server. Rejects with the system's error, and leaves nothing open then. The socket file of a process that was
 * killed is replaced; one that something listens on, or a file that is not a socket, is not.
 */
export async function bindServer(
  server: Server,
  { address, port, socketMode }: Pick<ReceiverOptions, 'address' | 'port' | 'socketMode'>,
): Promise<BoundAddress> {
  const path = socketPath(address);
  if (path === undefined) {
    await listen(server, { host: address, port });
    const { address: host, port: bound } = server.address() as AddressInfo;
    return { address: host, port: bound };
  }
  await removeStale(path);
  await listen(server, { path });
  try {
    await chmod(path, socketMode);
  } catch (error) {
    server.close();
    throw error;
  }
  return { address, port: 0 };
}

function listen(
  server: Server,
  where: { readonly host: string; readonly port: number } | { readonly path: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function removeStale(path: string): Promise<void> {
  try {
    const found = await lstat(path);
    if (!found.isSocket())
      throw new Error(`"${path}" exists and is not a socket, remove it or choose another path`);
    if (!(await isServed(path))) await unlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Whether something accepts connections there; what cannot be found out is left for binding to fail on. */
function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED'));
  });
}
