import type { RawConfig } from '@levada/connect-runtime-core';
import { decodeText, parseJson, StoreLog, type StoreOptions } from '@levada/connect-runtime-core/host';
import type { CompactedRecord, LogPlatform, TopicSpec } from '@levada/connect-runtime-core/platform';
import type { RestartRequest } from '../port/herder.ts';
import type { TargetState } from '../port/status.ts';
import {
  configKeys,
  printCommit,
  printLoggerLevel,
  printProperties,
  printRestart,
  printSessionKey,
  printTargetState,
  printTaskCount,
  type SessionKey,
} from './config-records.ts';
import { type ConfigChange, ConfigState, type FencedTasks, type StoredConnector } from './config-state.ts';
import type { LeaderWriter, StoreRecord } from './leader-writer.ts';

interface ConfigStoreOptions extends StoreOptions {
  /** Writes what only the leader may; undefined: as everything else. */
  readonly leaderWriter?: LeaderWriter | undefined;
}

/** Connectors, their task configurations and target states, in Kafka Connect's config topic. */
export class ConfigStore {
  readonly #options: ConfigStoreOptions;
  readonly #state = new ConfigState();
  readonly #log = new StoreLog();
  readonly #followers: ((change: ConfigChange) => void)[] = [];

  constructor(options: ConfigStoreOptions) {
    this.#options = options;
  }

  /** From now on called for each change after the log was read to its end for the first time. Must not throw. */
  follow(follower: (change: ConfigChange) => void): void {
    this.#followers.push(follower);
  }

  /** Reads the topic to its end. May be called again after a rejection. */
  async open(
    platform: LogPlatform,
    topic: TopicSpec & { readonly partitions: number },
    signal?: AbortSignal,
  ) {
    let catchingUp = true;
    await this.#log.open(
      platform,
      {
        topic,
        configKey: 'config.storage.topic',
        exactPartitions: true,
        clientId: this.#options.clientId,
        onRecord: (record) => this.#read(record, catchingUp),
      },
      signal,
    );
    catchingUp = false;
  }

  /** This worker is the one that changes connectors and tasks, or is not any more. */
  lead(leads: boolean): void {
    this.#options.leaderWriter?.lead(leads);
  }

  names(): readonly string[] {
    return this.#state.names();
  }

  get(name: string): StoredConnector | undefined {
    return this.#state.get(name);
  }

  /** Offset after the last record that was read; -1: none was. */
  get offset(): number {
    return this.#state.offset;
  }

  /** Key of the requests between workers; undefined while no leader has distributed one. */
  get sessionKey(): SessionKey | undefined {
    return this.#state.sessionKey;
  }

  /** Distributes a new key. Resolves when stored. */
  async putSessionKey(key: SessionKey): Promise<void> {
    await this.#write([[configKeys.session, printSessionKey(key)]]);
  }

  /**
   * Creates or replaces a connector, its first target state before it. One that is left of an interrupted deletion is
   * taken away. Resolves when it was read back.
   */
  async putConnector(name: string, config: RawConfig, initial?: TargetState): Promise<void> {
    const records: StoreRecord[] = [];
    if (initial !== undefined) records.push([configKeys.target(name), printTargetState(initial)]);
    else if (this.#state.hasOrphanTarget(name)) records.push([configKeys.target(name), null]);
    await this.#write([...records, [configKeys.connector(name), printProperties(config)]]);
    await this.readToEnd();
  }

  /** Deletes a connector and its target state. Resolves when that was read back. */
  async removeConnector(name: string): Promise<void> {
    await this.#write([
      [configKeys.connector(name), null],
      [configKeys.target(name), null],
    ]);
    await this.readToEnd();
  }

  /** Replaces a connector's task configurations. Resolves when they were read back. */
  async putTasks(name: string, tasks: readonly RawConfig[]): Promise<void> {
    const records = tasks.map(
      (config, index): StoreRecord => [configKeys.task(name, index), printProperties(config)],
    );
    await this.#write([...records, [configKeys.commit(name), printCommit(tasks.length)]]);
    await this.readToEnd();
  }

  /** Resolves when stored; the effect follows when it is read back. */
  async putTarget(name: string, target: TargetState): Promise<void> {
    await this.#log.put(configKeys.target(name), printTargetState(target));
  }

  /** Resolves when stored; the effect follows when it is read back. */
  async putRestart(name: string, request: RestartRequest): Promise<void> {
    await this.#log.put(configKeys.restart(name), printRestart(request));
  }

  /** What is known of tasks with transactions; see {@link ConfigState.fenced}. */
  fenced(name: string): FencedTasks | undefined {
    return this.#state.fenced(name);
  }

  /** Says that so many tasks of a connector may write with transactions. Resolves when it was read back. */
  async putFenced(name: string, tasks: number): Promise<void> {
    await this.#write([[configKeys.fencing(name), printTaskCount(tasks)]]);
    await this.readToEnd();
  }

  /** Sets the level of a logger on all workers. Resolves when it was read back. */
  async putLoggerLevel(logger: string, level: string): Promise<void> {
    await this.#log.put(configKeys.logger(logger), printLoggerLevel(level));
    await this.readToEnd();
  }

  /** Resolves when everything written so far is in {@link get}. */
  async readToEnd(signal?: AbortSignal): Promise<void> {
    await this.#log.readToEnd(signal);
  }

  async close(): Promise<void> {
    this.lead(false);
    await this.#log.close();
  }

  /** What only the leader may write, in order. */
  async #write(records: readonly StoreRecord[]): Promise<void> {
    const { leaderWriter } = this.#options;
    if (leaderWriter === undefined) for (const [key, value] of records) await this.#log.put(key, value);
    else await leaderWriter.write(records);
  }

  #read(record: CompactedRecord, catchingUp: boolean): void {
    const key = record.key === null ? undefined : decodeText(record.key);
    const value = record.value === null ? null : parseJson(record.value);
    const applied = key === undefined ? 'malformed' : this.#state.apply(key, value, record.offset);
    if (applied === 'malformed') this.#options.onSkipped(record);
    else if (applied !== 'ignored' && !catchingUp) for (const follow of this.#followers) follow(applied);
  }
}
