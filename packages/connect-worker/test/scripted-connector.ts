import {
  configDef,
  type ParsedConfig,
  type RawConfig,
  type SourceConnector,
  type SourceRecord,
  type SourceTask,
  sourceRecord,
  stringSchema,
  type TaskContext,
} from '@levada/connect-runtime-core';
import { nonEmpty } from '@levada/connect-runtime-core/config';
import type { OffsetChange } from '@levada/connect-runtime-core/contract';
import { sourceMetrics } from '@levada/connect-runtime-core/host';
import { BoundedQueue } from '@levada/connect-runtime-core/source-kit';

const definition = configDef([
  {
    name: 'topic',
    type: 'string',
    importance: 'high',
    documentation: 'Target.',
    validator: nonEmpty,
    group: 'Array',
  },
  { name: 'file', type: 'string', default: 'f', importance: 'low', documentation: 'Source partition.' },
  { name: 'label', type: 'string', default: '', importance: 'low', documentation: 'Live.', update: 'live' },
  {
    name: 'room',
    type: 'int',
    default: 10,
    importance: 'low',
    documentation: 'From the next connection.',
    update: 'reconnect',
  },
  { name: 'feed.auth', type: 'password', default: null, importance: 'low', documentation: 'Secret.' },
  { name: 'endpoint', type: 'string', default: '', importance: 'low', documentation: 'URL.' },
]);

export type ScriptedConfig = ParsedConfig<typeof definition.keys>;

/** What a test does to the tasks of a connector, and sees of them. */
export interface ScriptedSource {
  readonly connector: SourceConnector<typeof definition.keys>;
  /** All tasks ever made, in order. */
  readonly tasks: readonly ScriptedTask[];
  /** The last one made. */
  task(): ScriptedTask;
  /** Behaviour of tasks made from now on. */
  readonly script: Script;
}

export interface Script {
  /** Awaited in `start`. */
  start: (config: ScriptedConfig) => Promise<void>;
  /** Awaited in `stop`, after the end of intake. */
  stop: () => Promise<void>;
  /** False: tasks have no `reconfigure`. */
  reconfigurable: boolean;
  /** Task configurations for one connector. */
  taskConfigs: (raw: RawConfig, maxTasks: number) => readonly RawConfig[];
  /** Offsets given to records: the position of the record, or none. */
  offsets: boolean;
  /** Whether a new task reads again what was not committed. */
  rereads: boolean;
}

/** A connector whose records the test hands in. */
export function scriptedSource(overrides: Partial<SourceConnector> = {}): ScriptedSource {
  const tasks: ScriptedTask[] = [];
  const script: Script = {
    start: async () => {},
    stop: async () => {},
    reconfigurable: false,
    taskConfigs: (raw) => [raw],
    offsets: true,
    rereads: true,
  };
  const connector: SourceConnector<typeof definition.keys> = {
    className: 'test.ArraySourceConnector',
    aliases: ['old.ArraySourceConnector'],
    version: '1.2.3',
    config: definition,
    metrics: sourceMetrics,
    events: {},
    objectName: (name, raw) => ({
      domain: 'test',
      type: 'ArrayConnector',
      keys: { name, endpoint: raw['endpoint'] ?? '' },
    }),
    taskConfigs: (raw, maxTasks) => script.taskConfigs(raw, maxTasks),
    createTask: () => {
      const task = new ScriptedTask(script);
      tasks.push(task);
      return task;
    },
    rereads: () => script.rereads,
    ...(overrides as Partial<SourceConnector<typeof definition.keys>>),
  };
  return {
    connector,
    tasks,
    script,
    task: () => {
      const task = tasks.at(-1);
      if (task === undefined) throw new Error('no task was made yet');
      return task;
    },
  };
}

export class ScriptedTask implements SourceTask<ScriptedConfig> {
  readonly queue = new BoundedQueue<SourceRecord>({ capacity: 1_000_000 });
  readonly committedValues: unknown[] = [];
  readonly reconfigured: ScriptedConfig[] = [];
  readonly reconfigure?: (config: ScriptedConfig) => Promise<void>;
  config!: ScriptedConfig;
  context!: TaskContext;
  started = false;
  stops = 0;
  position = 0;
  /** When set, poll never resolves. */
  hangInPoll = false;
  /** Most records per poll. */
  batch = 100;
  complete = false;
  readonly #script: Script;

  constructor(script: Script) {
    this.#script = script;
    if (script.reconfigurable) {
      this.reconfigure = async (config) => {
        this.config = config;
        this.reconfigured.push(config);
      };
    }
  }

  async start(config: ScriptedConfig, context: TaskContext): Promise<void> {
    this.config = config;
    this.context = context;
    await this.#script.start(config);
    const offset = await context.offsets.offset({ file: config.file });
    this.position = Number(offset?.['position'] ?? 0);
    context.metrics.observe('QueueSize', () => this.queue.size);
    this.started = true;
  }

  /** Hands in values, as if they had come from the wire. */
  offer(...values: readonly unknown[]): void {
    for (const value of values) this.offerRecord({ value });
  }

  offerRecord(record: Partial<SourceRecord>): void {
    this.position += 1;
    const partition = this.#script.offsets ? { file: this.config.file } : null;
    const offset = this.#script.offsets ? { position: this.position } : null;
    this.context.metrics.counter('MessagesReceived').value += 1;
    const full = sourceRecord({
      topic: this.config.topic,
      valueSchema: stringSchema,
      sourcePartition: partition,
      sourceOffset: offset,
      value: null,
      ...record,
    });
    if (!this.queue.offer(full, 1)) throw new Error('the queue of the test is closed');
  }

  fail(error: Error): void {
    this.queue.close(error);
  }

  poll(): Promise<readonly SourceRecord[]> {
    if (this.hangInPoll) return new Promise(() => {});
    return this.queue.take(this.batch);
  }

  async stop(): Promise<void> {
    this.stops += 1;
    this.queue.close();
    await this.#script.stop();
  }

  completed(): boolean {
    return this.complete;
  }

  committed(records: readonly SourceRecord[]): void {
    this.committedValues.push(...records.map(({ value }) => value));
  }
}

export type { OffsetChange };
