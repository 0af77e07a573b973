import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { ConnectorError } from '../../diagnostics/connector-error.ts';

/** Longest path that an error shows; beyond it the text is likely to be something else, put into the wrong key. */
const MAX_SHOWN = 1024;

/**
 * The bytes of a regular file of at most `maxBytes`. Never blocks: pipes, sockets, devices and folders are refused. Throws a
 * `file_unreadable` ConnectorError with the message `"<path>": <reason>`, for the caller to put before it what the file was
 * for; text that cannot be a path is shown as `[hidden]`.
 */
export function readRegularFile(path: string, maxBytes: number): Buffer {
  let descriptor: number | undefined;
  try {
    // Non-blocking, because opening a pipe would otherwise wait for its writer.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw new Error('not a regular file');
    if (stat.size > maxBytes) throw new Error(`larger than ${maxBytes} bytes`);
    return readAll(descriptor, stat.size);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new ConnectorError('file_unreadable', `${shown(path)}: ${code ?? message}`, { cause });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Up to `size` bytes: what is appended meanwhile is left out. */
function readAll(descriptor: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const read = readSync(descriptor, bytes, length, size - length, length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

function shown(path: string): string {
  return path.length > MAX_SHOWN || /\p{Cc}/u.test(path) ? '[hidden]' : `"${path}"`;
}
