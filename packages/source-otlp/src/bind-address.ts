import { isIP } from 'node:net';
import type { Validator } from '@levada/connect-runtime-core/config';
import { socketPath } from './receiver/bind-server.ts';

/** Longest path of a socket, on the system that allows least. */
const MAX_PATH_BYTES = 103;

/** Where a receiver may be bound: an IP address, localhost, or a socket. Names would have to be looked up, and may mean several. */
export const bindAddress: Validator = {
  allowed: 'IP address, localhost or unix:/path',
  check: (value) => {
    if (typeof value !== 'string' || value === 'localhost' || isIP(value) !== 0) return undefined;
    const path = socketPath(value);
    if (path === undefined)
      return 'Address must be an IP address, localhost, or unix: and the path of a socket';
    return path.startsWith('/') && !path.endsWith('/') && Buffer.byteLength(path) <= MAX_PATH_BYTES
      ? undefined
      : `Path of a socket must begin with /, name a file, and have at most ${MAX_PATH_BYTES} bytes`;
  },
};

/** Permissions of a socket in octal. */
export const socketMode: Validator = {
  allowed: 'three octal digits',
  check: (value) =>
    typeof value !== 'string' || /^0?[0-7]{3}$/.test(value)
      ? undefined
      : 'Mode must be three octal digits, such as 0660',
};
