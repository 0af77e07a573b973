import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import {
  decodeText,
  isObject,
  parseJson,
  StoreLog,
  type StoreOptions,
} from '@levada/connect-runtime-core/host';
import type { CompactedRecord, LogPlatform, TopicSpec } from '@levada/connect-runtime-core/platform';
import type { Status, TaskStatus } from '../port/status.ts';
import { LatestWriter } from './latest-writer.ts';
import {
  parseStatusKey,
  printStatus,
  printTopicUse,
  readStatus,
  type StatusRecordKey,
  statusKeys,
  type TopicUse,
} from './status-records.ts';
import { StatusState } from './status-state.ts';

export interface StatusStoreOptions extends StoreOptions {
  readonly clock: Clock;
  /** `worker_id` of this worker. */
  readonly workerId: string;
  /** False while another worker may own what runs here: then nothing is written, and what others write counts. */
  readonly mayWrite: () => boolean;
  /** A task has nothing more to read, here or on another worker. */
  readonly onTaskComplete: (name: string) => void;
  /** Statuses could not be written; they are tried again unless the error is not retriable. */
  readonly onWriteFailure: (failure: { readonly error: ConnectorError; readonly attempt: number }) => void;
}

/**
 * Statuses and active topics, in Kafka Connect's status topic. What this worker writes is seen at once and stored in the
 * background, so that a log that is away never holds a task up; what others write is seen when it was read.
 */
export class StatusStore {
  readonly #options: StatusStoreOptions;
  readonly #state = new StatusState();
  readonly #writer: LatestWriter;
  /** Own writes that were not read back yet: until then older records of the same key are history. */
  readonly #awaited = new Map<string, string | null>();
  readonly #log = new StoreLog();

  constructor(options: StatusStoreOptions) {
    this.#options = options;
    this.#writer = new LatestWriter({
      clock: options.clock,
      onFailure: options.onWriteFailure,
      put: (key, value) => this.#put(key, value),
    });
  }

  /** Reads the topic to its end. May be called again after a rejection. */
  async open(
    platform: LogPlatform,
    topic: TopicSpec & { readonly partitions: number },
    signal?: AbortSignal,
  ) {
    await this.#log.open(
      platform,
      {
        topic,
        configKey: 'status.storage.topic',
        clientId: this.#options.clientId,
        onRecord: (record) => this.#read(record),
      },
      signal,
    );
  }

  connector(name: string): Status | undefined {
    return this.#state.connector(name);
  }

  task(name: string, task: number): Status | undefined {
    return this.#state.task(name, task);
  }

  /** Sorted by id. */
  tasks(name: string): readonly TaskStatus[] {
    return this.#state.tasks(name);
  }

  /** Connectors that a status or an active topic is known of. */
  names(): readonly string[] {
    return this.#state.names();
  }

  putConnector(name: string, status: Status): void {
    this.#write(statusKeys.connector(name), printStatus(status));
  }

  putTask(name: string, task: number, status: Status): void {
    this.#write(statusKeys.task(name, task), printStatus(status));
  }

  removeTask(name: string, task: number): void {
    this.#write(statusKeys.task(name, task), null);
  }

  /** Removes the statuses of a connector and of its tasks, and its active topics. */
  removeConnector(name: string): void {
    this.removeTopics(name);
    for (const { id } of this.tasks(name)) this.removeTask(name, id);
    if (this.connector(name) !== undefined) this.#write(statusKeys.connector(name), null);
  }

  /** Sorted by name. */
  topics(name: string): readonly string[] {
    return this.#state.topics(name);
  }

  /** Notes that a connector writes to a topic. Nothing happens when that is known. */
  addTopic(use: TopicUse): void {
    if (this.#state.hasTopic(use.name, use.topic)) return;
    this.#write(statusKeys.topic(use.name, use.topic), printTopicUse(use));
  }

  removeTopics(name: string): void {
    for (const topic of this.topics(name)) this.#write(statusKeys.topic(name, topic), null);
  }

  /** Waits at most `timeoutMs` for what is still to be written. */
  async flush(timeoutMs: number): Promise<void> {
    await this.#writer.flush(timeoutMs);
  }

  /** Waits at most `timeoutMs` for what is still to be written, then stops following. */
  async close(timeoutMs: number): Promise<void> {
    await this.#writer.close(timeoutMs);
    await this.#log.close();
  }

  async #put(key: string, value: string | null): Promise<void> {
    if (!this.#options.mayWrite()) {
      throw new ConnectorError(
        'log_unavailable',
        'the worker group does not confirm that this worker owns it',
      );
    }
    await this.#log.put(key, value);
  }

  #write(key: string, value: string | null): void {
    const parsed = parseStatusKey(key);
    if (parsed === undefined) return;
    this.#state.apply(parsed, value === null ? null : JSON.parse(value));
    this.#awaited.set(key, value);
    this.#writer.write(key, value);
  }

  #read(record: CompactedRecord): void {
    const text = record.key === null ? undefined : decodeText(record.key);
    const key = text === undefined ? undefined : parseStatusKey(text);
    if (text === undefined || key === undefined) {
      this.#options.onSkipped(record);
      return;
    }
    if (this.#isOwnHistory(text, record.value)) return;
    const value = record.value === null ? null : parseJson(record.value);
    const status = value === null ? undefined : readStatus(value);
    if (status !== undefined && this.#isLate(key, status)) {
      this.#writeAgain(text, key);
      return;
    }
    this.#yieldTo(text, status);
    if (!this.#state.apply(key, value)) this.#options.onSkipped(record);
    else if (key.kind === 'task' && status?.complete === true) this.#options.onTaskComplete(key.name);
  }

  #known(key: StatusRecordKey): Status | undefined {
    if (key.kind === 'task') return this.#state.task(key.name, key.task);
    return key.kind === 'connector' ? this.#state.connector(key.name) : undefined;
  }

  /** Whether a worker hands back what another one has taken over since. */
  #isLate(key: StatusRecordKey, { state, workerId, generation }: Status): boolean {
    const known = this.#known(key);
    if (state !== 'UNASSIGNED' || known === undefined || known.state === 'UNASSIGNED') return false;
    return known.workerId !== workerId && known.generation > generation;
  }

  /** The owner repeats its status after a late one: the last record of a key is the one that the topic keeps. */
  #writeAgain(text: string, key: StatusRecordKey): void {
    const known = this.#known(key);
    if (known?.workerId === this.#options.workerId) this.#write(text, printStatus(known));
  }

  /** What another worker wrote in a later generation is not overwritten by what waits to be written here. */
  #yieldTo(key: string, theirs: Status | undefined): void {
    const waiting = this.#awaited.get(key);
    if (waiting === undefined || waiting === null) return;
    const ours = readStatus(JSON.parse(waiting));
    if (ours === undefined || theirs === undefined || theirs.generation <= ours.generation) return;
    this.#awaited.delete(key);
    this.#writer.drop(key);
  }

  /** True while a newer write of ours to the key is on its way, unless another worker wrote this record. */
  #isOwnHistory(key: string, bytes: Uint8Array | null): boolean {
    if (!this.#awaited.has(key)) return false;
    const text = bytes === null ? null : decodeText(bytes);
    if (this.#awaited.get(key) === text) {
      this.#awaited.delete(key);
      return false;
    }
    const value = bytes === null ? null : parseJson(bytes);
    return !isObject(value) || value['worker_id'] === this.#options.workerId || 'topic' in value;
  }
}
