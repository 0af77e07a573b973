import { ConnectorError, type SourceOffset, type SourcePartition } from '@levada/connect-runtime-core';
import {
  type CommittableOffset,
  canonicalJson,
  OffsetTopic,
  type OffsetTopicOptions,
} from '@levada/connect-runtime-core/host';
import type { LogPlatform, LogRecord, TopicSpec } from '@levada/connect-runtime-core/platform';

/** One partition and its offset; null forgets it. */
export interface OffsetWrite {
  readonly partition: SourcePartition;
  readonly offset: SourceOffset | null;
}

/** The offsets of one connector: in the worker's topic, or in one of its own, before the worker's. */
export interface ConnectorOffsets {
  /** The topic that commits go to. */
  readonly topic: string;
  /** As far as the topics were read; what the connector's own topic has counts first. */
  list(): readonly CommittableOffset[];
  get(partition: SourcePartition): SourceOffset | undefined;
  /** Resolves when all are stored where they are read from first. */
  put(offsets: readonly OffsetWrite[]): Promise<void>;
  /** The records that {@link put} would write first, for a transaction. */
  records(offsets: readonly OffsetWrite[], now: number): readonly LogRecord[] | Promise<readonly LogRecord[]>;
  /** To be called when a transaction with {@link records} is committed. */
  committed(offsets: readonly OffsetWrite[]): void;
  /** Resolves when everything written so far, by anyone, is in {@link get} and {@link list}. */
  readToEnd(signal?: AbortSignal): Promise<void>;
  /** Is not used any more. Idempotent. */
  release(): Promise<void>;
}

export interface OffsetStoresOptions extends OffsetTopicOptions {
  readonly platform: LogPlatform;
  /** The worker's topic; those of connectors are created with as many partitions and replicas. */
  readonly topic: TopicSpec & { readonly partitions: number };
  /** Offsets are stored in the connector's own topic, and could not be copied to the worker's. */
  readonly onCopyFailure: (connector: string, error: ConnectorError) => void;
}

/** A store of a topic of connectors, open while somebody uses it. */
interface SharedStore {
  readonly store: OffsetTopic;
  readonly opened: Promise<void>;
  readonly ending: AbortController;
  users: number;
}

/**
 * The worker's offsets topic, and those that connectors have for themselves (`offsets.storage.topic`, KIP-618). A connector's own topic
 * is read first and written first. What is committed there is copied to the worker's topic, so that the key can be taken away again.
 */
export class OffsetStores {
  readonly #options: OffsetStoresOptions;
  readonly #worker: OffsetTopic;
  readonly #shared = new Map<string, SharedStore>();

  constructor(options: OffsetStoresOptions) {
    this.#options = options;
    this.#worker = new OffsetTopic(options);
  }

  /** Reads the worker's topic to its end. May be called again after a rejection. */
  async open(signal?: AbortSignal): Promise<void> {
    const { platform, topic } = this.#options;
    await this.#worker.open(platform, topic, 'offset.storage.topic', signal);
  }

  /** The offsets of a connector with that `offsets.storage.topic`; undefined for the worker's. Rejects when the topic cannot be used or read. */
  async use(connector: string, topic: string | undefined, signal?: AbortSignal): Promise<ConnectorOffsets> {
    const worker = this.#worker;
    if (topic === undefined || topic === this.#options.topic.name)
      return offsetsOf({
        connector,
        topic: this.#options.topic.name,
        first: worker,
        release: async () => undefined,
      });
    const shared = this.#share(topic);
    let used = true;
    const release = async (): Promise<void> => {
      if (!used) return;
      used = false;
      await this.#unshare(topic, shared);
    };
    try {
      await opening(shared, signal);
    } catch (thrown) {
      await release();
      throw thrown;
    }
    const onCopyFailure = (error: ConnectorError): void => this.#options.onCopyFailure(connector, error);
    return offsetsOf({ connector, topic, first: shared.store, second: worker, onCopyFailure, release });
  }

  async close(): Promise<void> {
    await Promise.all([
      this.#worker.close(),
      ...[...this.#shared.values()].map(({ store, ending }) => {
        ending.abort();
        return store.close();
      }),
    ]);
  }

  #share(topic: string): SharedStore {
    const known = this.#shared.get(topic);
    if (known !== undefined) {
      known.users += 1;
      return known;
    }
    const { platform, topic: workers } = this.#options;
    const store = new OffsetTopic(this.#options);
    const ending = new AbortController();
    const spec = { ...workers, name: topic };
    const opened = store.open(platform, spec, 'offsets.storage.topic', ending.signal);
    const made = { store, opened, ending, users: 1 };
    this.#shared.set(topic, made);
    // The next user opens it again.
    opened.catch(() => this.#forget(topic, made));
    return made;
  }

  async #unshare(topic: string, shared: SharedStore): Promise<void> {
    shared.users -= 1;
    if (shared.users > 0) return;
    this.#forget(topic, shared);
    shared.ending.abort();
    await shared.store.close();
  }

  #forget(topic: string, shared: SharedStore): void {
    if (this.#shared.get(topic) === shared) this.#shared.delete(topic);
  }
}

/** Others may still wait for the opening when this signal aborts. */
async function opening({ opened }: SharedStore, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return await opened;
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(new ConnectorError('aborted', 'reading offsets was cancelled'));
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([opened, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

interface OffsetParts {
  readonly connector: string;
  readonly topic: string;
  readonly first: OffsetTopic;
  /** The worker's, when the connector has a topic of its own. */
  readonly second?: OffsetTopic;
  readonly onCopyFailure?: (error: ConnectorError) => void;
  readonly release: () => Promise<void>;
}

function offsetsOf({
  connector,
  topic,
  first,
  second,
  onCopyFailure,
  release,
}: OffsetParts): ConnectorOffsets {
  const copy = (offsets: readonly OffsetWrite[]): void => {
    const kept = offsets.filter(({ offset }) => offset !== null);
    if (kept.length === 0) return;
    second?.put(connector, kept).catch((thrown: unknown) => onCopyFailure?.(ConnectorError.from(thrown)));
  };
  return {
    topic,
    list: () => {
      const all = new Map<string, CommittableOffset>();
      for (const store of [second, first])
        for (const one of store?.list(connector) ?? []) all.set(canonicalJson(one.partition), one);
      return [...all.values()];
    },
    get: (partition) => first.get(connector, partition) ?? second?.get(connector, partition),
    put: async (offsets) => {
      // First where they are read last: a forgotten offset must not come back from there.
      const forgotten = offsets.filter(({ offset }) => offset === null);
      if (forgotten.length > 0) await second?.put(connector, forgotten);
      await first.put(connector, offsets);
      copy(offsets);
    },
    records: (offsets, now) => first.records(connector, offsets, { topic, now }),
    committed: copy,
    readToEnd: async (signal) => {
      await Promise.all([first.readToEnd(signal), second?.readToEnd(signal)]);
    },
    release,
  };
}
