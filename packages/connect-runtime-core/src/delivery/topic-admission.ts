import type { SourceRecord } from '../contract/source-record.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { LogPlatform, TopicSpec } from '../platform/log-platform.ts';

export interface TopicAdmissionOptions {
  readonly platform: LogPlatform;
  /** Topics of the worker itself, which no connector may write to. */
  readonly internalTopics: ReadonlySet<string>;
  /** How a missing topic is made; undefined leaves that to the log's own creation of topics. */
  readonly specFor: ((topic: string) => TopicSpec) | undefined;
}

/** Lets each topic of a task pass once: refuses internal ones and creates missing ones where that is configured. */
export class TopicAdmission {
  readonly #options: TopicAdmissionOptions;
  readonly #admitted = new Set<string>();
  #last: string | undefined;

  constructor(options: TopicAdmissionOptions) {
    this.#options = options;
  }

  /** True when every topic of a batch was admitted before. Cheap: most batches name one topic. */
  knows(records: readonly SourceRecord[]): boolean {
    for (const { topic } of records) {
      if (topic === this.#last) continue;
      if (!this.#admitted.has(topic)) return false;
      this.#last = topic;
    }
    return true;
  }

  /** Admits the topics of a batch. Rejects with a `topic_unavailable` ConnectorError, or with what the log says. */
  async admit(records: readonly SourceRecord[]): Promise<void> {
    const topics = new Set(records.map(({ topic }) => topic));
    for (const topic of topics) {
      if (!this.#admitted.has(topic)) await this.#admitOne(topic);
    }
  }

  async #admitOne(topic: string): Promise<void> {
    const { internalTopics, specFor, platform } = this.#options;
    if (internalTopics.has(topic)) {
      throw new ConnectorError(
        'topic_unavailable',
        `topic "${topic}" is an internal topic of this worker, connectors may not write to it`,
      );
    }
    if (specFor !== undefined) {
      const existing = await platform.describeTopics([topic]);
      if (existing.length === 0) await platform.createTopics([specFor(topic)]);
    }
    this.#admitted.add(topic);
  }
}
