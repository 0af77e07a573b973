import type { OffsetStore } from '../contract/offset-store.ts';
import type { SourceOffset, SourcePartition } from '../contract/source-offset.ts';
import type { SourceRecord } from '../contract/source-record.ts';
import type { OffsetReader } from '../contract/task-context.ts';
import { OffsetCommitter } from '../delivery/offset-committer.ts';
import { OffsetTracker, type OffsetTracking, type SubmittedOffset } from '../delivery/offset-tracker.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { Logger } from '../diagnostics/logger.ts';
import type { Clock } from '../time/clock.ts';
import { settlesWithin } from '../time/deadline.ts';

export interface SourceOffsetsOptions {
  readonly offsets: OffsetReader | OffsetStore | undefined;
  /** Name of the source. */
  readonly source: string;
  /** Whether a new source reads again what was not delivered. */
  readonly rereads: () => boolean;
  /** Settles when the source is closed; undefined as long as it is not. */
  readonly closing: () => Promise<unknown> | undefined;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Aborted when the source is closed and not waited for any longer. */
  readonly signal: AbortSignal;
}

const INTERVAL_MS = 1000;
/** Longest that a store is waited for while the source runs. */
const WRITE_MS = 30_000;
/** Longest that the last write with one that is under way, and then the close of the store, may take. */
const LAST_MS = 1000;

/** Sources that use a store, by name: two of one name would overwrite each other's offsets. */
const users = new WeakMap<OffsetStore, Map<string, SourceOffsets>>();

/** The offsets of a source in library use: which of them may be stored, and the store. */
export class SourceOffsets implements OffsetReader, OffsetTracking {
  readonly #tracker = new OffsetTracker();
  readonly #options: SourceOffsetsOptions;
  readonly #store: OffsetStore | undefined;
  readonly #reader: OffsetReader | undefined;
  readonly #committer: OffsetCommitter | undefined;
  #opened = false;
  #trouble: ConnectorError | undefined;
  #isOpening = false;
  #warned = false;

  constructor(options: SourceOffsetsOptions) {
    this.#options = options;
    const { offsets, source, clock } = options;
    if (offsets === undefined || !('write' in offsets)) {
      this.#reader = offsets;
      return;
    }
    this.#store = offsets;
    this.#committer = new OffsetCommitter({
      tracker: this.#tracker,
      write: async (changed) => {
        await offsets.write(source, changed);
        this.#stored();
      },
      mayCommit: () => true,
      clock,
      intervalMs: offsets.flushIntervalMs ?? INTERVAL_MS,
      timeoutMs: WRITE_MS,
      onFailure: ({ error, count }) => this.#failed(error, count),
    });
  }

  /** Whether offsets are written anywhere. */
  get areStored(): boolean {
    return this.#store !== undefined;
  }

  /** Why offsets cannot be read or stored at the moment. */
  get trouble(): ConnectorError | undefined {
    if (this.#isOpening) return new ConnectorError('log_unavailable', 'waiting for the offset store to open');
    return this.#trouble;
  }

  /** Whether the store is waited for before the source starts. */
  get isOpening(): boolean {
    return this.#isOpening;
  }

  submit(record: SourceRecord): SubmittedOffset | undefined {
    const submitted = this.#tracker.submit(record);
    if (submitted === undefined && this.areStored) this.#warnOnce('its records have no offsets');
    return submitted;
  }

  ack(submitted: SubmittedOffset): void {
    this.#tracker.ack(submitted);
  }

  /** Opens the store. Rejects with a ConnectorError. */
  async open(): Promise<void> {
    const { source, logger, clock, signal, rereads } = this.#options;
    const store = this.#store;
    if (store === undefined) return;
    if (!rereads()) this.#warnOnce('it is not configured to resume');
    await this.#claim(store);
    this.#opened = true;
    try {
      if (store.open !== undefined) {
        // A store may wait for brokers, as long as it takes.
        this.#isOpening = true;
        await unlessAborted(signal, store.open({ source, logger, clock, signal }));
      }
    } catch (thrown) {
      this.#release();
      throw thrown;
    } finally {
      this.#isOpening = false;
    }
    this.#committer?.start();
  }

  /** Takes the name in the store. Waits for a source of that name that is being closed. */
  async #claim(store: OffsetStore): Promise<void> {
    const { source } = this.#options;
    const names = users.get(store) ?? new Map<string, SourceOffsets>();
    users.set(store, names);
    const other = names.get(source);
    if (other !== undefined) await other.#options.closing();
    if (names.has(source)) {
      const message = `offsets: two sources named "${source}" share this store; give each a name of its own (name), or close the first one`;
      throw new ConnectorError('config_invalid', message, { issues: [{ key: 'offsets', message }] });
    }
    names.set(source, this);
  }

  #release(): void {
    const names = this.#store && users.get(this.#store);
    if (names?.get(this.#options.source) === this) names.delete(this.#options.source);
  }

  async offset(partition: SourcePartition): Promise<SourceOffset | undefined> {
    if (this.#store !== undefined) return await this.#store.read(this.#options.source, partition);
    return await this.#reader?.offset(partition);
  }

  /** Stores what can be stored, and closes the store. Settles in time. The error is why something is not stored. */
  async close(): Promise<ConnectorError | undefined> {
    if (!this.#opened) return undefined;
    this.#opened = false;
    await this.#committer?.finish(LAST_MS);
    await this.#closeStore();
    this.#release();
    return this.#trouble;
  }

  async #closeStore(): Promise<void> {
    const { source, logger, clock } = this.#options;
    const close = async (): Promise<void> => await this.#store?.close?.(source);
    const closing = close().catch((error: unknown) => {
      logger.warn({ event: 'offsets_close_failed', error }, 'the offset store could not be closed');
    });
    if (!(await settlesWithin({ clock, ms: LAST_MS }, closing)))
      logger.warn({ event: 'offsets_close_failed' }, 'the offset store did not close in time');
  }

  /** A store that cannot help is a mistake, and nothing else would show it. */
  #warnOnce(why: string): void {
    if (this.#warned) return;
    this.#warned = true;
    const message = `the offset store does not let this source resume: ${why}`;
    this.#options.logger.warn({ event: 'offsets_without_effect' }, message);
  }

  #failed(error: ConnectorError, count: number): void {
    this.#trouble = new ConnectorError(error.code, `offsets could not be stored: ${error.message}`, {
      cause: error,
      retriable: error.retriable,
    });
    const { logger } = this.#options;
    logger.warn({ event: 'offsets_not_stored', count, error }, 'offsets could not be stored, and are kept');
  }

  #stored(): void {
    if (this.#trouble === undefined) return;
    this.#trouble = undefined;
    this.#options.logger.info({ event: 'offsets_stored' }, 'offsets are stored again');
  }
}

/** The promise's outcome, or a rejection with the reason of the signal when it is aborted before. */
function unlessAborted(signal: AbortSignal, promise: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(ConnectorError.from(signal.reason));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
