import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  checkOptions,
  filledString,
  milliseconds,
  type OptionChecks,
  required,
} from '../config/option-checks.ts';
import type { OffsetStore, PartitionOffset } from '../contract/offset-store.ts';
import { canonicalJson, type SourceOffset, type SourcePartition } from '../contract/source-offset.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import { readFlatMap } from './offset-records.ts';
import { field, isObject, parseJson } from './stored-json.ts';

/** How an offset file is kept. */
export interface FileOffsetsOptions {
  /** How often the file is written, in milliseconds, when something changed. Default 1000. */
  readonly flushIntervalMs?: number | undefined;
}

const checks: OptionChecks<FileOffsetsOptions & { readonly path: string }> = {
  path: required(filledString),
  flushIntervalMs: milliseconds,
};

/** Offsets of a source, by canonical partition. */
type Sources = Map<string, Map<string, PartitionOffset>>;

/**
 * Keeps offsets in a JSON file. The file is written next to the old one, flushed to the disk and renamed, so it is always whole; its folder
 * has to exist. One store at a time uses a file: a write that finds the file of another store or process in place of its own rejects with
 * `log_in_use`. A damaged file is a `log_corrupt` error when the source starts, and left as it is. Throws `config_invalid` with
 * every problem of path and options.
 *
 * @example
 * ```ts
 * const source = grpcSource({ url, method: 'prices.v1.Prices/Watch', resume: { field: 'after' }, offsets: fileOffsets('prices.offsets.json') });
 * ```
 */
export function fileOffsets(path: string, options: FileOffsetsOptions = {}): OffsetStore {
  checkOptions(checks, { path, ...options });
  const file = new OffsetFile(path);
  return {
    flushIntervalMs: options.flushIntervalMs,
    open: () => file.load(),
    read: async (source, partition) => await file.read(source, partition),
    write: (source, offsets) => file.write(source, offsets),
  };
}

/** One file, shared by the sources of one store. */
class OffsetFile {
  readonly #path: string;
  #loading: Promise<Sources> | undefined;
  /** The file as this store left it; undefined when there was none. */
  #identity: string | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async load(): Promise<void> {
    await this.#sources();
  }

  async read(source: string, partition: SourcePartition): Promise<SourceOffset | undefined> {
    return (await this.#sources()).get(source)?.get(canonicalJson(partition))?.offset;
  }

  /** One after the other, whichever source it is for. */
  write(source: string, offsets: readonly PartitionOffset[]): Promise<void> {
    return inTurn(resolve(this.#path), () => this.#write(source, offsets));
  }

  async #write(source: string, offsets: readonly PartitionOffset[]): Promise<void> {
    const sources = await this.#sources();
    const known = sources.get(source) ?? new Map<string, PartitionOffset>();
    sources.set(source, known);
    for (const one of offsets) known.set(canonicalJson(one.partition), one);
    if ((await identityOf(this.#path)) !== this.#identity)
      throw new ConnectorError(
        'log_in_use',
        `offset file "${this.#path}" was changed by another store or process; share one store, or give each a file of its own`,
      );
    const partial = `${this.#path}.${randomUUID()}.new`;
    try {
      await writeDurably(partial, print(sources));
      await rename(partial, this.#path);
      await flushFolder(dirname(this.#path));
    } catch (cause) {
      // What kept the file from being written is the error to know; a file that is left has a name that no other write takes.
      await rm(partial, { force: true }).catch(() => undefined);
      throw unwritable(this.#path, cause);
    } finally {
      this.#identity = await identityOf(this.#path).catch(() => undefined);
    }
  }

  /** Read at first use; again after a failure. */
  async #sources(): Promise<Sources> {
    this.#loading ??= this.#read();
    try {
      return await this.#loading;
    } catch (thrown) {
      this.#loading = undefined;
      throw thrown;
    }
  }

  async #read(): Promise<Sources> {
    const identity = await identityOf(this.#path);
    this.#identity = identity;
    if (identity === undefined) return new Map();
    let bytes: Uint8Array;
    try {
      bytes = await readFile(this.#path);
    } catch (cause) {
      const { message } = ConnectorError.from(cause);
      throw new ConnectorError('file_unreadable', `offset file "${this.#path}" cannot be read: ${message}`, {
        cause,
      });
    }
    const sources = parse(parseJson(bytes));
    if (sources === undefined)
      throw new ConnectorError(
        'log_corrupt',
        `offset file "${this.#path}" is damaged: expected {"version":1,"offsets":[...]} as this library writes it; ` +
          'restore it, or remove it to begin without offsets',
      );
    return sources;
  }
}

/** Writes under way, by path, whichever store of this process they are of: none comes between the check and the rename of another. */
const writing = new Map<string, Promise<unknown>>();

async function inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
  const before = writing.get(path) ?? Promise.resolve();
  const done = before.then(work);
  // The next has its turn all the same; the caller of this one gets `done`.
  const settled = done.catch(() => undefined);
  writing.set(path, settled);
  try {
    return await done;
  } finally {
    if (writing.get(path) === settled) writing.delete(path);
  }
}

const VERSION = 1;

function print(sources: Sources): string {
  const lines = [...sources].flatMap(([source, offsets]) =>
    [...offsets.values()].map(
      ({ partition, offset }) => `  ${JSON.stringify({ source, partition, offset })}`,
    ),
  );
  return `{"version":${VERSION},"offsets":[\n${lines.join(',\n')}\n]}\n`;
}

/** Undefined when it is not what {@link print} writes. */
function parse(value: unknown): Sources | undefined {
  if (!isObject(value) || field(value, 'version') !== VERSION) return undefined;
  const list = field(value, 'offsets');
  if (!Array.isArray(list)) return undefined;
  const sources: Sources = new Map();
  for (const row of list as readonly unknown[]) {
    if (!isObject(row)) return undefined;
    const source = field(row, 'source');
    const partition = readFlatMap(field(row, 'partition'));
    const offset = readFlatMap(field(row, 'offset'));
    if (typeof source !== 'string' || partition === undefined || offset === undefined) return undefined;
    const known = sources.get(source) ?? new Map<string, PartitionOffset>();
    sources.set(source, known.set(canonicalJson(partition), { partition, offset }));
  }
  return sources;
}

/** Changes whenever the file is replaced or written. Undefined: there is none. */
async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true });
    return `${dev} ${ino} ${size} ${mtimeNs}`;
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw unwritable(path, cause);
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The rename itself survives a loss of power once the folder is flushed. Some systems cannot flush folders. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  try {
    await folder?.sync().catch(() => undefined);
  } finally {
    await folder?.close();
  }
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
}

function unwritable(path: string, cause: unknown): ConnectorError {
  if (cause instanceof ConnectorError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new ConnectorError('log_unavailable', `offset file "${path}": ${message}`, { cause });
}
