import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { CompactedLog, CompactedLogOptions } from '../platform/log-platform.ts';
import type { ScriptedLogParts } from './scripted-producer.ts';

/** Opens a compacted log and hands out what it holds. */
export async function openScriptedLog(
  parts: ScriptedLogParts,
  options: CompactedLogOptions,
): Promise<ScriptedCompactedLog> {
  checkReachable(parts);
  parts.topics.create({ ...options.topic, config: { 'cleanup.policy': 'compact', ...options.topic.config } });
  checkTopic(parts, options);
  const log = new ScriptedCompactedLog(parts, options);
  await log.readToEnd();
  return log;
}

/** Rejects as every platform does while its log is away. */
export function checkReachable({ faults }: ScriptedLogParts): void {
  if (faults.away !== undefined) throw new ConnectorError('log_unavailable', faults.away);
}

function checkTopic(
  { topics }: ScriptedLogParts,
  { topic, configKey, exactPartitions }: CompactedLogOptions,
): void {
  const found = topics.describe(topic.name);
  if (found?.cleanupPolicy !== 'compact') {
    throw new ConnectorError(
      'config_invalid',
      `Topic '${topic.name}' supplied via the '${configKey}' property is required to have 'cleanup.policy=compact'`,
    );
  }
  if (exactPartitions === true && found.partitions !== topic.partitions) {
    throw new ConnectorError(
      'config_invalid',
      `Topic '${topic.name}' supplied via the '${configKey}' property is required to have ${topic.partitions} partitions, found ${found.partitions}`,
    );
  }
}

/** One opener of a topic. Records reach it a turn of the event loop after they were stored, as from a broker. */
class ScriptedCompactedLog implements CompactedLog {
  readonly #parts: ScriptedLogParts;
  readonly #options: CompactedLogOptions;
  readonly #unwatch: () => void;
  #position = -1;
  #scheduled = false;
  #closed = false;

  constructor(parts: ScriptedLogParts, options: CompactedLogOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#unwatch = parts.topics.watch(options.topic.name, () => this.#schedule());
  }

  async put(key: Uint8Array, value: Uint8Array | null): Promise<void> {
    this.#checkOpen();
    const { faults, topics, clock } = this.#parts;
    checkReachable(this.#parts);
    const record = {
      topic: this.#options.topic.name,
      partition: null,
      key: key.slice(),
      value: value?.slice() ?? null,
      timestamp: clock.now(),
      headers: [],
    };
    const refused = faults.fenced
      ? new ConnectorError('fenced', 'another worker has taken over')
      : faults.decide(record);
    if (refused !== undefined) throw refused;
    topics.append(record, 0);
  }

  async readToEnd(signal?: AbortSignal): Promise<void> {
    this.#checkOpen();
    checkReachable(this.#parts);
    await new Promise((resolve) => setImmediate(resolve));
    if (signal?.aborted === true) {
      throw new ConnectorError('aborted', 'reading was cancelled', { cause: signal.reason });
    }
    this.#deliver();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unwatch();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#deliver();
    });
  }

  #deliver(): void {
    for (const record of this.#parts.topics.recordsAfter(this.#options.topic.name, this.#position)) {
      if (this.#closed) return;
      this.#position = record.position;
      const { key, value, partition, offset, timestamp } = record;
      this.#options.onRecord({ key, value, partition, offset, timestamp });
    }
  }

  #checkOpen(): void {
    if (this.#closed) throw new ConnectorError('closed', `"${this.#options.topic.name}" is closed`);
  }
}
