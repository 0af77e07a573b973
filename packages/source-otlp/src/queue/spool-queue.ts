import { type Clock, type EventLog, isConnectorError } from '@levada/connect-runtime-core';
import type { Counter } from '@levada/connect-runtime-core/source-kit';
import type { otlpEvents } from '../model/events.ts';
import type { PreparedExport } from '../model/prepared-export.ts';
import type { QueuedExport } from '../model/queued-export.ts';
import { metadataBytes } from '../model/request-metadata.ts';
import { accepted, refuse } from '../receive/admission/export-outcome.ts';
import type { Spool } from '../spool/spool.ts';
import { decodeEntry, encodeEntry } from '../spool/spooled-export.ts';
import { answerTime } from './answer-time.ts';
import { type Addition, type ExportQueue, numberParts, type QueueEntry } from './export-queue.ts';
import type { SignalCounts } from './signal-counts.ts';

export interface SpoolQueueOptions {
  readonly counts: SignalCounts;
  readonly spool: Spool;
  /** Longest wait of a client for the disk, in milliseconds. */
  readonly timeoutMs: number;
  /** Counts exports that were kept after they had been answered as not kept. */
  readonly ackedLate: Counter;
  /** So many entries turned out to be damaged when they were to be taken. */
  readonly onDamaged: (entries: number) => void;
  readonly clock: Clock;
  readonly log: EventLog<typeof otlpEvents>;
}

/** Most bytes of request headers on the parts of one export in the spool, where each part has them: a small export has many parts. */
const MAX_HEADER_BYTES = 16 * 1024 * 1024;

const late = refuse('unavailable', 'not on the disk in time');
const neverFits = refuse('too_large', 'its records are more than otlp.spool.bytes allow');
const failed = refuse('unavailable', 'the spool cannot be written');

/** Exports on the disk. Clients wait for the disk; requests do not wait for room. */
export class SpoolQueue implements ExportQueue {
  readonly isDurable = true;
  readonly isStalled = false;
  readonly readyValues = undefined;
  onAdded: (() => void) | undefined;
  readonly #options: SpoolQueueOptions;
  readonly #spool: Spool;

  constructor(options: SpoolQueueOptions) {
    this.#options = options;
    this.#spool = options.spool;
    this.#spool.onArrival = () => this.onAdded?.();
  }

  get size(): number {
    return this.#spool.size;
  }

  /** Bytes on the disk. */
  get bytes(): number {
    return this.#spool.bytes;
  }

  /** Entries that an earlier run left. */
  get recovered(): number {
    return this.#spool.recovery.entries;
  }

  isFull(): boolean {
    return this.#spool.isFull(1);
  }

  canHoldRequests(): boolean {
    return false;
  }

  waitForRoom(): undefined {
    return undefined;
  }

  offerRoom(): void {
    // No request waits for it.
  }

  add(prepared: PreparedExport, { stamp, timeoutMs }: QueueEntry): Addition | Promise<Addition> {
    const { parts, items } = prepared;
    const headerBytes = metadataBytes(stamp.metadata) * parts.length;
    if (headerBytes > MAX_HEADER_BYTES) {
      const message = `its request headers take ${headerBytes} bytes on ${parts.length} records, ${MAX_HEADER_BYTES} are allowed`;
      return refuse('too_large', message);
    }
    const { counts, clock, ackedLate } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<Addition>();
    let isLate = false;
    const timer = clock.after(answerTime(this.#options.timeoutMs, timeoutMs), () => {
      isLate = true;
      resolve(late);
    });
    void this.#append(numberParts(prepared, stamp, { counts }), items).then((addition) => {
      timer.cancel();
      if (isLate && addition === accepted) ackedLate.value += 1;
      resolve(addition);
    }, reject);
    return promise;
  }

  async take(max: number, maxBytes: number): Promise<readonly QueuedExport[]> {
    const { counts, onDamaged } = this.#options;
    const before = this.#spool.damagedEntries;
    try {
      const entries = await this.#spool.take(max, maxBytes);
      return entries.map((entry) => decodeEntry(counts.signal, entry));
    } finally {
      const damaged = this.#spool.damagedEntries - before;
      if (damaged > 0) onDamaged(damaged);
    }
  }

  /** These exports were stored, or dropped for good. */
  commit(places: readonly number[]): void {
    this.#spool.commit(places);
  }

  close(): Promise<void> {
    return this.#spool.close();
  }

  /** Counts what it keeps as received, whether or not the client still waits. */
  async #append(exports: readonly QueuedExport[], items: number): Promise<Addition> {
    const { counts, log } = this.#options;
    try {
      const places = await this.#spool.append(exports.map(encodeEntry));
      if (places === undefined) return 'full';
      counts.countReceived(exports.length, items);
      return accepted;
    } catch (thrown) {
      if (isConnectorError(thrown) && thrown.code === 'record_too_large') return neverFits;
      const error = thrown instanceof Error ? thrown.message : String(thrown);
      log('spool_write_failed', { signal: counts.signal, error }, error);
      return failed;
    }
  }
}
