import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Clock, ConnectorError, type Timer } from '@levada/connect-runtime-core';
import { FRAME_HEAD } from './frame.ts';
import type { Spool, SpoolEntry, SpoolOptions, SpoolRecovery } from './spool.ts';

export type ThreadRequest =
  | {
      readonly kind: 'append';
      readonly first: number;
      readonly count: number;
      readonly lengths: Uint8Array;
      readonly data: Uint8Array;
      readonly committed: number | undefined;
      readonly next: number;
    }
  | { readonly kind: 'mark'; readonly committed: number; readonly next: number }
  | { readonly kind: 'close' };
export type ThreadReply = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly message: string };

const GROUP_BYTES = 4_194_304;
const MARK_MS = 200;
const MARK_BYTES = 1_048_576;

interface Waiting {
  readonly entries: readonly Uint8Array[];
  readonly bytes: number;
  readonly resolve: (places: readonly number[]) => void;
  readonly reject: (error: Error) => void;
}

export async function openSqliteSpool(options: SpoolOptions & { readonly clock: Clock }): Promise<Spool> {
  const pageBytes = Number(process.env['LEVADA_SPOOL_PAGE'] ?? 32_768);
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`sqlite-thread.${extension}`, import.meta.url), {
    workerData: {
      folder: options.folder,
      pageBytes,
      maxPages: Math.ceil(options.maxBytes / pageBytes),
    },
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  });
  worker.unref();
  const link = new Link(worker);
  await link.opened;
  const database = new DatabaseSync(join(options.folder, 'spool.db'), { readOnly: true });
  return new SqliteSpool({ ...options, link, database });
}

class Link {
  readonly #worker: Worker;
  readonly #waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  readonly opened: Promise<void>;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.opened = this.#wait();
    worker.on('message', (message: ThreadReply) => {
      const waiting = this.#waiting.shift();
      if (message.kind === 'done') waiting?.resolve();
      else waiting?.reject(new ConnectorError('log_unavailable', message.message));
      if (this.#waiting.length === 0) worker.unref();
    });
    worker.on('error', (error) => {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    });
  }

  request(message: ThreadRequest, buffers: ArrayBuffer[] = []): Promise<void> {
    this.#worker.ref();
    const done = this.#wait();
    this.#worker.postMessage(message, buffers);
    return done;
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }
}

interface Parts extends SpoolOptions {
  readonly clock: Clock;
  readonly link: Link;
  readonly database: DatabaseSync;
}

class SqliteSpool implements Spool {
  onArrival: (() => void) | undefined;
  readonly recovery: SpoolRecovery;
  readonly #parts: Parts;
  readonly #read: StatementSync;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #waitingBytes = 0;
  #bytes = 0;
  #size = 0;
  /** Place for the next entry. */
  #next: number;
  /** Place of the next entry to take. */
  #taken: number;
  #marked: number;
  #markBytes = 0;
  #timer: Timer | undefined;
  /** The row that entries are taken from. */
  #row:
    | { first: number; count: number; data: Uint8Array; lengths: Uint32Array; at: number; index: number }
    | undefined;
  readonly #inFlight = new Map<number, number>();
  #closed: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { database } = parts;
    const state = database.prepare('SELECT committed, next FROM state').get() ?? {};
    const committed = Number(state['committed']);
    const rows = database.prepare('SELECT first, count, lengths FROM batch ORDER BY first').all();
    this.#next = Number(state['next']);
    for (const row of rows) {
      const first = Number(row['first']);
      const lengths = uint32(row['lengths'] as Uint8Array);
      lengths.forEach((length, i) => {
        if (first + i < committed) return;
        this.#size += 1;
        this.#bytes += length + FRAME_HEAD;
      });
      this.#next = Math.max(this.#next, first + lengths.length);
    }
    this.#taken = committed;
    this.#marked = committed;
    this.#read = database.prepare(
      'SELECT first, count, lengths, data FROM batch WHERE first >= (SELECT coalesce(max(first), 0) FROM batch WHERE first <= ?) ORDER BY first LIMIT 1',
    );
    this.recovery = {
      entries: this.#size,
      bytes: this.#bytes,
      discardedBytes: 0,
      damagedEntries: 0,
      last: this.#last(),
    };
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get damagedEntries(): number {
    return 0;
  }

  full(bytes: number): boolean {
    return this.#bytes + this.#waitingBytes + bytes + FRAME_HEAD > this.#parts.maxBytes;
  }

  async append(entries: readonly Uint8Array[]): Promise<readonly number[] | undefined> {
    if (this.#closed !== undefined) throw new ConnectorError('closed', 'the spool is closed');
    if (entries.length === 0) return [];
    const bytes = entries.reduce((sum, { length }) => sum + length + FRAME_HEAD, 0);
    if (bytes > this.#parts.maxBytes) throw new ConnectorError('record_too_large', 'never has room');
    if (this.#bytes + this.#waitingBytes + bytes > this.#parts.maxBytes) return undefined;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entries, bytes, resolve, reject });
      this.#waitingBytes += bytes;
      this.#running ??= this.#run();
    });
  }

  async take(max: number, maxBytes: number): Promise<readonly SpoolEntry[]> {
    if (this.#closed !== undefined) return [];
    const taken: SpoolEntry[] = [];
    let bytes = 0;
    while (taken.length < max && this.#size > 0) {
      const row = this.#rowFor(this.#taken);
      if (row === undefined) break;
      const length = row.lengths[row.index] as number;
      if (taken.length > 0 && bytes + length > maxBytes) break;
      taken.push({ place: this.#taken, bytes: row.data.subarray(row.at, row.at + length) });
      this.#inFlight.set(this.#taken, length + FRAME_HEAD);
      row.at += length;
      row.index += 1;
      bytes += length;
      this.#taken += 1;
      this.#size -= 1;
    }
    return taken;
  }

  commit(places: readonly number[]): void {
    for (const place of places) {
      const bytes = this.#inFlight.get(place);
      if (bytes === undefined) continue;
      this.#inFlight.delete(place);
      this.#bytes -= bytes;
      this.#markBytes += bytes;
    }
    if (this.#committed() === this.#marked) return;
    if (this.#markBytes >= MARK_BYTES && this.#running === undefined) this.#mark();
    else this.#timer ??= this.#parts.clock.after(MARK_MS, () => this.#mark());
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#running;
    this.#timer?.cancel();
    this.#mark();
    this.#parts.database.close();
    await this.#parts.link.request({ kind: 'close' });
  }

  #committed(): number {
    return this.#inFlight.keys().next().value ?? this.#taken;
  }

  #mark(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const committed = this.#unmarked();
    if (committed === undefined) return;
    void this.#parts.link.request({ kind: 'mark', committed, next: this.#next }).catch(() => undefined);
  }

  #unmarked(): number | undefined {
    const committed = this.#committed();
    if (committed === this.#marked) return undefined;
    this.#marked = committed;
    this.#markBytes = 0;
    return committed;
  }

  #rowFor(place: number) {
    const row = this.#row;
    if (row !== undefined && place < row.first + row.count) return row;
    const found = this.#read.get(place);
    if (found === undefined) return undefined;
    const first = Number(found['first']);
    const count = Number(found['count']);
    if (first + count <= place) return undefined;
    const lengths = uint32(found['lengths'] as Uint8Array);
    const data = found['data'] as Uint8Array;
    const index = place - first;
    const at = lengths.slice(0, index).reduce((sum, length) => sum + length, 0);
    this.#row = { first, count, data, lengths, at, index };
    return this.#row;
  }

  #last(): Uint8Array | undefined {
    const row = this.#parts.database
      .prepare('SELECT lengths, data FROM batch ORDER BY first DESC LIMIT 1')
      .get();
    if (row === undefined) return undefined;
    const length = uint32(row['lengths'] as Uint8Array).at(-1) ?? 0;
    return (row['data'] as Uint8Array).subarray((row['data'] as Uint8Array).length - length);
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await nextTurn();
      await this.#write(this.#nextGroup());
    }
    this.#running = undefined;
  }

  #nextGroup(): readonly Waiting[] {
    const waiting = this.#waiting;
    let count = 0;
    for (let bytes = 0; count < waiting.length; count += 1) {
      bytes += (waiting[count] as Waiting).bytes;
      if (count > 0 && bytes > GROUP_BYTES) break;
    }
    this.#waiting = waiting.slice(count);
    return waiting.slice(0, count);
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    const entries = group.flatMap((one) => one.entries);
    const lengths = new Uint32Array(entries.map(({ length }) => length));
    const total = lengths.reduce((sum, length) => sum + length, 0);
    const data = new Uint8Array(total);
    let at = 0;
    for (const entry of entries) {
      data.set(entry, at);
      at += entry.length;
    }
    const first = this.#next;
    const next = first + entries.length;
    try {
      await this.#parts.link.request(
        {
          kind: 'append',
          first,
          count: entries.length,
          lengths: new Uint8Array(lengths.buffer),
          data,
          committed: this.#unmarked(),
          next,
        },
        [data.buffer],
      );
      this.#next = next;
      const before = this.#size;
      for (const one of group) {
        this.#waitingBytes -= one.bytes;
        this.#bytes += one.bytes;
      }
      this.#size += entries.length;
      if (before === 0) this.onArrival?.();
      let place = first;
      for (const one of group) {
        const start = place;
        place += one.entries.length;
        one.resolve(one.entries.map((_, i) => start + i));
      }
    } catch (thrown) {
      for (const one of group) {
        this.#waitingBytes -= one.bytes;
        one.reject(thrown as Error);
      }
    }
  }
}

function uint32(bytes: Uint8Array): Uint32Array {
  const copy = bytes.slice();
  return new Uint32Array(copy.buffer, 0, copy.length / 4);
}
