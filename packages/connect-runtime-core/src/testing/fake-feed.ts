import { configDef } from '../config/config-def.ts';
import { atLeast, topicName } from '../config/validators.ts';
import type { ConnectionSnapshot } from '../contract/connection-state.ts';
import { stringSchema } from '../contract/schema.ts';
import type { SourceConnector } from '../contract/source-connector.ts';
import { type SourceRecord, type SourceRecordInput, sourceRecord } from '../contract/source-record.ts';
import type { TaskContext } from '../contract/task-context.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import { type EventLog, eventLog, type LogEventTable } from '../diagnostics/log-event.ts';
import {
  connectionMetrics,
  type DropCause,
  dropAttribute,
  sourceMetrics,
} from '../diagnostics/source-metrics.ts';
import { BoundedQueue } from '../source-kit/queue/bounded-queue.ts';
import { type WaitForOptions, waitFor } from './wait-for.ts';

/** A record of a fake source: text, bytes, or its parts; the topic is that of the source unless it is given. */
export type FakeRecord = string | Uint8Array | (Partial<SourceRecordInput> & { readonly value: unknown });

/** The other side of a fake source: what a test makes it do, and what has come of it. */
export interface FakeFeed {
  /** Hands out records, in order. Before the source is used they wait; throws when it is disconnected or over. */
  send(...records: readonly FakeRecord[]): void;
  /** Hands out values as JSON text. */
  sendJson(...values: readonly unknown[]): void;
  /** So many records were received and lost. Default: one, for a full queue. */
  drop(count?: number, cause?: DropCause): void;
  /** Records are missing in the numbering of the peer. */
  gap(expected: number, received: number): void;
  /** The connection ends; another one is made by {@link reconnect} alone. */
  disconnect(reason?: string): void;
  /** Connects, for the first time or again. Before the source is used: it connects as soon as it is. */
  reconnect(): void;
  /** The source fails for good, after what was sent. */
  fail(error?: ConnectorError | string): void;
  /** The source has nothing more, after what was sent. */
  end(): void;
  /**
   * Resolves when so many records were delivered: the loop asked for the next one, or the sink has stored them. Rejects after `timeoutMs`
   * (default 5000, in real time), saying what there is instead.
   */
  delivered(count: number, options?: FakeWait): Promise<void>;
  /** Resolves when everything that was sent is delivered or counted as dropped; else rejects as {@link delivered} does. */
  settled(options?: FakeWait): Promise<void>;
  /** Whether the source was used and is connected. */
  readonly isConnected: boolean;
}

/** How long a test waits. */
export type FakeWait = Pick<WaitForOptions, 'timeoutMs'>;

const rows = [
  {
    name: 'topic',
    type: 'string',
    importance: 'high',
    documentation: 'Topic of records that name none.',
    validator: topicName,
  },
  {
    name: 'fake.queue.size',
    type: 'int',
    importance: 'medium',
    documentation: 'Most records that wait for the consumer.',
    validator: atLeast(1),
  },
  {
    name: 'fake.batch.size',
    type: 'int',
    importance: 'medium',
    documentation: 'Most records that are handed out at once.',
    validator: atLeast(1),
  },
] as const;

const config = configDef(rows);

const events = {
  connected: { level: 'info', help: 'The feed is connected.' },
  disconnected: { level: 'warn', help: 'The feed has lost its connection. Fields: `reason`.' },
} as const satisfies LogEventTable;

type Config = ReturnType<typeof config.parse>;

/** The side of a feed that the task is connected to. */
interface FakeWire {
  start(config: Config, context: TaskContext): void;
  poll(): Promise<readonly SourceRecord[]>;
  stop(): void;
  connection(): ConnectionSnapshot;
  readonly completed: boolean;
}

/** The connector of one fake source. */
export function fakeConnector(wire: FakeWire): SourceConnector<typeof rows> {
  return {
    className: 'levada.testing.FakeSourceConnector',
    version: '1.0.0',
    config,
    metrics: { ...sourceMetrics, ...connectionMetrics },
    events,
    maxTasks: 1,
    objectName: (name) => ({ domain: 'levada.testing', type: 'FakeConnector', keys: { name } }),
    taskConfigs: (raw) => [raw],
    createTask: () => ({
      start: async (parsed, context) => wire.start(parsed, context),
      poll: () => wire.poll(),
      stop: async () => wire.stop(),
      connection: () => wire.connection(),
      completed: () => wire.completed,
    }),
  };
}

interface FakeFeedOptions {
  readonly connects: boolean;
  readonly records: readonly FakeRecord[];
  readonly status: () => Readonly<Record<string, number | boolean>>;
}

/** The pause before the next attempt that a fake source announces. */
const RETRY_MS = 1000;

type State =
  | { readonly kind: 'unused' | 'connected' | 'over' }
  | { readonly kind: 'disconnected'; readonly error: ConnectorError };

/** Both sides of a feed. */
export function createFakeFeed(options: FakeFeedOptions): {
  readonly feed: FakeFeed;
  readonly wire: FakeWire;
} {
  const feed = new Feed(options);
  return { feed, wire: feed };
}

class Feed implements FakeFeed, FakeWire {
  readonly #options: FakeFeedOptions;
  #state: State = { kind: 'unused' };
  /** Sent before there was a connection. */
  #waiting: readonly FakeRecord[];
  #sent = 0;
  #connects: boolean;
  #config!: Config;
  #context: TaskContext | undefined;
  #log!: EventLog<typeof events>;
  #queue = new BoundedQueue<SourceRecord>({ capacity: 1 });
  #lastAt: number | undefined;
  #ending: { readonly error?: ConnectorError } | undefined;
  completed = false;

  constructor(options: FakeFeedOptions) {
    this.#options = options;
    this.#connects = options.connects;
    this.#waiting = options.records;
    this.#sent = options.records.length;
  }

  get isConnected(): boolean {
    return this.#state.kind === 'connected';
  }

  start(parsed: Config, context: TaskContext): void {
    const { metrics, clock } = context;
    this.#config = parsed;
    this.#context = context;
    this.#log = eventLog(events, context.logger, clock);
    const queue = new BoundedQueue<SourceRecord>({ capacity: parsed['fake.queue.size'] });
    this.#queue = queue;
    metrics.observe('QueueSize', () => queue.size);
    metrics.observe('QueueCapacity', () => queue.capacity);
    metrics.observe('IsConnected', () => (this.isConnected ? 1 : 0));
    metrics.observe('MillisSinceLastMessage', () =>
      this.#lastAt === undefined ? -1 : clock.monotonic() - this.#lastAt,
    );
    this.#state = {
      kind: 'disconnected',
      error: new ConnectorError('connection_failed', 'not connected yet'),
    };
    if (this.#connects) this.reconnect();
  }

  poll(): Promise<readonly SourceRecord[]> {
    return this.#queue.take(this.#config['fake.batch.size']);
  }

  stop(): void {
    this.#state = { kind: 'over' };
    this.#queue.close();
  }

  connection(): ConnectionSnapshot {
    const state = this.#state;
    if (state.kind === 'connected') return { state: 'connected' };
    if (state.kind !== 'disconnected') return { state: 'closed' };
    return { state: 'backing-off', lastError: state.error.message, attempt: 1, nextTryInMs: RETRY_MS };
  }

  send(...records: readonly FakeRecord[]): void {
    if (this.#state.kind === 'over' || this.#ending !== undefined)
      throw new Error('the fake source is over: nothing can be sent any more');
    if (this.#state.kind === 'disconnected')
      throw new Error('the fake source is disconnected: call reconnect() before send()');
    this.#sent += records.length;
    if (this.#state.kind === 'unused') this.#waiting = [...this.#waiting, ...records];
    else for (const record of records) this.#receive(record);
  }

  sendJson(...values: readonly unknown[]): void {
    this.send(...values.map((value) => JSON.stringify(value)));
  }

  drop(count = 1, cause: DropCause = 'queue_full'): void {
    const { metrics, emit } = this.#used('drop');
    this.#sent += count;
    metrics.counter('MessagesReceived').value += count;
    metrics.counter(dropAttribute(cause)).value += count;
    emit({ type: 'dropped', cause, count });
  }

  gap(expected: number, received: number): void {
    this.#used('gap').emit({ type: 'gap', expected, received });
  }

  disconnect(reason = 'the peer closed the connection'): void {
    const { emit } = this.#used('disconnect');
    if (!this.isConnected) throw new Error('the fake source is not connected');
    const error = new ConnectorError('connection_lost', reason);
    this.#state = { kind: 'disconnected', error };
    this.#log('disconnected', { reason });
    emit({ type: 'disconnected', reason });
    emit({ type: 'reconnecting', attempt: 1, delayMs: RETRY_MS, error });
  }

  reconnect(): void {
    if (this.#state.kind === 'unused') {
      this.#connects = true;
      return;
    }
    const { emit, metrics } = this.#used('reconnect');
    if (this.#state.kind !== 'disconnected') throw new Error('the fake source is not disconnected');
    if (this.#state.error.code === 'connection_lost') metrics.counter('TotalReconnects').value += 1;
    this.#state = { kind: 'connected' };
    this.#log('connected');
    emit({ type: 'connected', peer: 'fake' });
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const record of waiting) this.#receive(record);
    if (this.#ending !== undefined) this.#close(this.#ending);
  }

  fail(error: ConnectorError | string = 'the feed failed'): void {
    this.#close({
      error: typeof error === 'string' ? new ConnectorError('reconnect_exhausted', error) : error,
    });
  }

  end(): void {
    this.#close({});
  }

  async delivered(count: number, options: FakeWait = {}): Promise<void> {
    await waitFor(() => Number(this.#options.status()['RecordsProduced']) >= count, {
      ...options,
      what: () => `${count} records delivered, ${this.#progress()}`,
    });
  }

  async settled(options: FakeWait = {}): Promise<void> {
    const counted = (): number => {
      const status = this.#options.status();
      return Number(status['RecordsProduced']) + Number(status['MessagesDropped']);
    };
    await waitFor(() => counted() >= this.#sent, {
      ...options,
      what: () => `all records settled, ${this.#progress()}`,
    });
  }

  #progress(): string {
    const { RecordsProduced, MessagesDropped, QueueSize, InFlightCount } = this.#options.status();
    const counts = `${RecordsProduced} delivered, ${MessagesDropped} dropped, ${QueueSize} queued, ${InFlightCount} with the consumer`;
    return `got ${counts} of ${this.#sent} sent`;
  }

  #used(action: string): TaskContext {
    if (this.#context === undefined)
      throw new Error(`${action}() before the fake source was used: await ready() or begin to read it first`);
    return this.#context;
  }

  /** Before the source is used that is remembered, so that a script can be written down at once. */
  #close(ending: { readonly error?: ConnectorError }): void {
    this.#ending = ending;
    if (this.#state.kind === 'unused' || this.#waiting.length > 0) return;
    this.#state = { kind: 'over' };
    this.completed = ending.error === undefined;
    this.#queue.close(ending.error);
  }

  #receive(given: FakeRecord): void {
    const { metrics, clock } = this.#used('send');
    metrics.counter('MessagesReceived').value += 1;
    this.#lastAt = clock.monotonic();
    const record = this.#recordOf(given, clock.now());
    const bytes = record.value instanceof Uint8Array ? record.value.byteLength : 0;
    if (this.#queue.offer(record, bytes)) return;
    const cause = this.#queue.refusal();
    metrics.counter(dropAttribute(cause)).value += 1;
    this.#context?.emit({ type: 'dropped', cause, count: 1 });
  }

  /** Text is held as UTF-8 bytes, as sources hold it. */
  #recordOf(given: FakeRecord, timestamp: number): SourceRecord {
    const parts = typeof given === 'string' || given instanceof Uint8Array ? { value: given } : given;
    const isText = typeof parts.value === 'string';
    return sourceRecord({
      topic: this.#config.topic,
      timestamp,
      ...(isText ? { valueSchema: stringSchema } : {}),
      ...parts,
      value: isText ? Buffer.from(String(parts.value)) : parts.value,
    });
  }
}
