import { ConnectorError } from '@levada/connect-runtime-core';
import type { TopicSpec } from '@levada/connect-runtime-core/platform';
import type { TopicRow } from '../model/commit-protocol.ts';
import { checkTopicName, type TopicDefaults, type TopicSettings, topicSettings } from './topic-config.ts';

export interface Topic extends TopicSettings {
  readonly name: string;
  readonly partitions: number;
  /** Id of the log of partition 0; the other ids follow. */
  readonly firstLog: number;
}

const MAX_PARTITIONS = 10_000;

/** The topics of the folder in the writing process. */
export class TopicCatalog {
  readonly #topics = new Map<string, Topic>();
  readonly #byLog = new Map<number, Topic>();
  readonly #defaults: TopicDefaults;
  #nextId: number;
  #nextLog: number;

  constructor(rows: readonly TopicRow[], defaults: TopicDefaults) {
    this.#defaults = defaults;
    this.#nextId = 1;
    this.#nextLog = 1;
    for (const row of rows) this.#add(row);
  }

  get(name: string): Topic | undefined {
    return this.#topics.get(name);
  }

  /** The topic that a log belongs to. */
  ofLog(log: number): Topic | undefined {
    return this.#byLog.get(log);
  }

  /** All topics, in order of creation. */
  all(): Iterable<Topic> {
    return this.#topics.values();
  }

  /** Creates a topic and returns the row to store. Throws `config_invalid`. */
  create(spec: TopicSpec): TopicRow {
    checkTopicName(spec.name);
    const partitions = spec.partitions ?? 1;
    if (!Number.isInteger(partitions) || partitions < 1 || partitions > MAX_PARTITIONS) {
      const expected = `an integer from 1 to ${MAX_PARTITIONS}`;
      throw new ConnectorError(
        'config_invalid',
        `topic "${spec.name}": partitions is ${partitions}, expected ${expected}`,
      );
    }
    const { name, config = {} } = spec;
    const row: TopicRow = {
      id: this.#nextId,
      name,
      partitions,
      firstLog: this.#nextLog,
      config: { ...config },
    };
    this.#add(row);
    return row;
  }

  #add(row: TopicRow): void {
    const { name, partitions, firstLog } = row;
    const settings = topicSettings(name, row.config, this.#defaults);
    const topic: Topic = { name, partitions, firstLog, ...settings };
    this.#topics.set(name, topic);
    for (let log = firstLog; log < firstLog + partitions; log += 1) this.#byLog.set(log, topic);
    this.#nextId = Math.max(this.#nextId, row.id + 1);
    this.#nextLog = Math.max(this.#nextLog, firstLog + partitions);
  }
}
