import { constants, realpathSync } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, resolve, sep } from 'node:path';
import { type ConfigIssue, ConnectorError } from '../../diagnostics/connector-error.ts';

/** Which local files may be read on behalf of a configuration. */
export interface FileAccess {
  /** Only files at or below these real paths. Undefined: any file that is not denied. */
  readonly allowed: readonly string[] | undefined;
  /** Never files at or below these real paths. */
  readonly denied: readonly string[];
}

/** Largest file that is read: 1 MiB. */
export const FILE_MAX_BYTES = 1_048_576;

/** Places that hold no configuration: other processes' memory and environment, the kernel, devices that never end. */
const alwaysDenied: readonly string[] = ['/proc', '/sys', '/dev'];

/**
 * The access that `allowed.paths` and `denied.paths` give: comma separated lists of absolute paths, those of the first of
 * which must exist. Throws `config_invalid`, listing every problem, with Kafka's messages.
 */
export function fileAccess(params: Readonly<Record<string, string>>): FileAccess {
  const issues: ConfigIssue[] = [];
  const denied = pathsOf(params['denied.paths']).map((path) => existing(path) ?? resolve(path));
  const allowed = pathsOf(params['allowed.paths']).map((path) => {
    const real = isAbsolute(path) ? existing(path) : undefined;
    if (real === undefined) {
      const message = isAbsolute(path) ? `Path ${path} does not exist` : `Path ${path} is not absolute`;
      issues.push({ key: 'allowed.paths', message });
    }
    return real ?? path;
  });
  if (issues.length > 0) {
    throw new ConnectorError('config_invalid', issues.map((issue) => issue.message).join('\n'), { issues });
  }
  const given = params['allowed.paths'] !== undefined && params['allowed.paths'].trim() !== '';
  return { allowed: given ? allowed : undefined, denied: [...alwaysDenied, ...denied] };
}

/** That there is no list of allowed paths. */
export function fileAccessWarnings(params: Readonly<Record<string, string>>): readonly string[] {
  if (pathsOf(params['allowed.paths']).length > 0) return [];
  return ['without allowed.paths connectors can read every file that the worker can read'];
}

function pathsOf(list: string | undefined): readonly string[] {
  return (list ?? '')
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '');
}

function existing(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // The caller says so, or takes the path as it is written.
    return undefined;
  }
}

/**
 * The real path of a path that may be read. Rejects with `file_unreadable`; with a list of allowed paths the message is
 * the same for missing paths and for those outside, so that what exists is not revealed.
 */
export async function admittedPath(path: string, access: FileAccess): Promise<string> {
  const refusal = (why: string): ConnectorError =>
    new ConnectorError('file_unreadable', access.allowed === undefined ? why : outside(path));
  if (!isAbsolute(path)) throw refusal(`${path} is not an absolute path`);
  let real: string;
  try {
    real = await realpath(path);
  } catch (thrown) {
    throw refusal(`${path} cannot be read (${codeOf(thrown)})`);
  }
  if (access.allowed !== undefined && !access.allowed.some((root) => isWithin(root, real))) {
    throw new ConnectorError('file_unreadable', outside(path));
  }
  if (access.denied.some((root) => isWithin(root, real))) throw refusal(`${path} may not be read`);
  return real;
}

function outside(path: string): string {
  return `${path} is missing or outside of the allowed paths`;
}

/**
 * The bytes of a regular file of at most {@link FILE_MAX_BYTES}. The file is opened once, without waiting and without
 * following links, and what is checked is what was opened. Rejects with `file_unreadable`.
 */
export async function readAdmittedFile(path: string, access: FileAccess): Promise<Buffer> {
  const real = await admittedPath(path, access);
  let handle: FileHandle | undefined;
  try {
    handle = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    return await readOpened(handle, { path, real });
  } catch (thrown) {
    if (thrown instanceof ConnectorError) throw thrown;
    throw new ConnectorError('file_unreadable', `${path} cannot be read (${codeOf(thrown)})`);
  } finally {
    await handle?.close();
  }
}

async function readOpened(
  handle: FileHandle,
  { path, real }: { readonly path: string; readonly real: string },
): Promise<Buffer> {
  const opened = await handle.stat();
  // Somebody may have put a link into the path since it was admitted.
  const again = await realpath(real);
  const now = await stat(again);
  if (again !== real || now.ino !== opened.ino || now.dev !== opened.dev) {
    throw new ConnectorError('file_unreadable', `${path} changed while it was opened`);
  }
  if (!opened.isFile()) throw new ConnectorError('file_unreadable', `${path} is not a regular file`);
  const buffer = Buffer.alloc(FILE_MAX_BYTES + 1);
  let length = 0;
  while (length <= FILE_MAX_BYTES) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  if (length > FILE_MAX_BYTES) {
    throw new ConnectorError('file_unreadable', `${path} is larger than ${FILE_MAX_BYTES} bytes`);
  }
  return Buffer.from(buffer.subarray(0, length));
}

function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown reason';
}
