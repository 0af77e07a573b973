import { type Clock, ConnectorError, type RawConfig } from '@levada/connect-runtime-core';
import type { ResolveConfig } from '../config/config-resolver.ts';
import type { ConnectorOffsets, OffsetStores, OffsetWrite } from '../stores/offset-stores.ts';
import type { TaskFencing } from './task-handle.ts';
import type { LeaseCell } from './task-messages.ts';

export interface ThreadServicesOptions {
  readonly connectorName: string;
  readonly resolve: ResolveConfig;
  readonly offsets: Pick<OffsetStores, 'use'>;
  readonly fencing: TaskFencing;
  readonly lease: LeaseCell;
  readonly clock: Clock;
}

/** See `TaskConfigs`. */
const REMEMBERED = 4;

/** What a worker does for the thread of a task that asks for it; see `ThreadRequest`. */
export class ThreadServices {
  readonly #options: ThreadServicesOptions;
  #offsets: ConnectorOffsets | undefined;
  #scrubs: readonly ((text: string) => string)[] = [];

  constructor(options: ThreadServicesOptions) {
    this.#options = options;
  }

  /** Takes out the secrets that the thread was given last. */
  scrub(text: string): string {
    return this.#scrubs.reduce((clean, one) => one(clean), text);
  }

  /** The thread asks for nothing more. */
  close(): void {
    void this.#offsets?.release();
  }

  readonly table = {
    resolve: async (raw: RawConfig) => {
      const { config, issues, unresolved, secrets, scrub } = await this.#options.resolve(raw);
      this.#scrubs = [...this.#scrubs, scrub].slice(-REMEMBERED);
      return { config, issues, unresolved, secrets };
    },
    openOffsets: async (topic: string | undefined, signal: AbortSignal) => {
      const { offsets, connectorName } = this.#options;
      this.#offsets = await offsets.use(connectorName, topic, signal);
      return this.#offsets.topic;
    },
    readOffsets: async (_: undefined, signal: AbortSignal) => {
      await this.#opened.readToEnd(signal);
      return this.#opened.list();
    },
    putOffsets: async (writes: readonly OffsetWrite[]) => {
      // The thread looked when it asked. The worker may have been stopped since then, and its successor have stored later ones.
      if (!this.#isConfirmed) throw new ConnectorError('fenced', 'the lease of the worker has ended');
      await this.#opened.put(writes);
    },
    offsetRecords: async ({ writes, now }: { writes: readonly OffsetWrite[]; now: number }) =>
      this.#opened.records(writes, now),
    offsetsCommitted: async (writes: readonly OffsetWrite[]) => {
      if (this.#isConfirmed) this.#opened.committed(writes);
    },
    fence: (_: undefined, signal: AbortSignal) => this.#options.fencing.fence(signal),
    checkCurrent: (_: undefined, signal: AbortSignal) => this.#options.fencing.checkCurrent(signal),
  };

  get #isConfirmed(): boolean {
    const { lease, clock } = this.#options;
    return lease.isValid(clock.monotonic(), clock.now());
  }

  get #opened(): ConnectorOffsets {
    if (this.#offsets === undefined) throw new ConnectorError('internal', 'offsets are not open');
    return this.#offsets;
  }
}
