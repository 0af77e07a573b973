import { canonicalJson, type SourceOffset, type SourcePartition } from '../contract/source-offset.ts';
import type { CommittableOffset } from '../delivery/offset-tracker.ts';
import type {
  CompactedLogOptions,
  CompactedRecord,
  LogPlatform,
  LogRecord,
  TopicSpec,
} from '../platform/log-platform.ts';
import { printOffset, printOffsetKey, readFlatMap, readOffsetKey } from './offset-records.ts';
import type { StoreOptions } from './store-log.ts';
import { StoreLog } from './store-log.ts';
import { encodeText, parseJson } from './stored-json.ts';

interface StoredOffset extends CommittableOffset {
  /** The key as it was written, by whomever: written again byte by byte, so that compaction takes the older one away. */
  readonly key: Uint8Array;
}

/** Makes an {@link OffsetTopic}. */
export type OffsetTopicOptions = StoreOptions & Pick<CompactedLogOptions, 'writeTerm'>;

/** Committed source offsets, in Kafka Connect's offsets topic. Source partitions are compared by content. */
export class OffsetTopic {
  readonly #options: OffsetTopicOptions;
  /** By connector, then by canonical partition. */
  readonly #offsets = new Map<string, Map<string, StoredOffset>>();
  readonly #log = new StoreLog();

  constructor(options: OffsetTopicOptions) {
    this.#options = options;
  }

  /** Reads the topic, which this key names, to its end. May be called again after a rejection. */
  async open(
    platform: LogPlatform,
    topic: TopicSpec & { readonly partitions: number },
    configKey: 'offset.storage.topic' | 'offsets.storage.topic',
    signal?: AbortSignal,
  ) {
    await this.#log.open(
      platform,
      {
        topic,
        configKey,
        clientId: this.#options.clientId,
        writeTerm: this.#options.writeTerm,
        onRecord: (record) => this.#read(record),
      },
      signal,
    );
  }

  /** The committed offsets of a connector, as far as the topic was read. */
  list(connector: string): readonly CommittableOffset[] {
    const offsets = this.#offsets.get(connector)?.values() ?? [];
    return [...offsets].map(({ partition, offset }) => ({ partition, offset }));
  }

  /** The committed offset of a source partition, as far as it was read. */
  get(connector: string, partition: SourcePartition): SourceOffset | undefined {
    return this.#offsets.get(connector)?.get(canonicalJson(partition))?.offset;
  }

  /** Stores one offset per partition; null forgets it. Resolves when all are stored. */
  async put(
    connector: string,
    offsets: readonly { readonly partition: SourcePartition; readonly offset: SourceOffset | null }[],
  ): Promise<void> {
    await Promise.all(
      offsets.map(({ partition, offset }) =>
        this.#log.put(this.#keyOf(connector, partition), offset === null ? null : printOffset(offset)),
      ),
    );
  }

  /** The records that {@link put} would write, for a transaction. */
  records(
    connector: string,
    offsets: readonly { readonly partition: SourcePartition; readonly offset: SourceOffset | null }[],
    { topic, now }: { readonly topic: string; readonly now: number },
  ): readonly LogRecord[] {
    return offsets.map(({ partition, offset }) => ({
      topic,
      partition: null,
      key: this.#keyOf(connector, partition),
      value: offset === null ? null : encodeText(printOffset(offset)),
      timestamp: now,
      headers: [],
    }));
  }

  /** Resolves when everything written so far, by anyone, is in {@link get} and {@link list}. */
  async readToEnd(signal?: AbortSignal): Promise<void> {
    await this.#log.readToEnd(signal);
  }

  async close(): Promise<void> {
    await this.#log.close();
  }

  #keyOf(connector: string, partition: SourcePartition): Uint8Array {
    const known = this.#offsets.get(connector)?.get(canonicalJson(partition));
    return known?.key ?? encodeText(printOffsetKey(connector, partition));
  }

  #read(record: CompactedRecord): void {
    const key = record.key === null ? undefined : readOffsetKey(parseJson(record.key));
    const offset = record.value === null ? null : readFlatMap(parseJson(record.value));
    if (record.key === null || key === undefined || offset === undefined) {
      this.#options.onSkipped(record);
      return;
    }
    const { connector, partition } = key;
    const offsets = this.#offsets.get(connector) ?? new Map<string, StoredOffset>();
    if (offset === null) offsets.delete(canonicalJson(partition));
    else offsets.set(canonicalJson(partition), { key: record.key.slice(), partition, offset });
    if (offsets.size === 0) this.#offsets.delete(connector);
    else this.#offsets.set(connector, offsets);
  }
}
