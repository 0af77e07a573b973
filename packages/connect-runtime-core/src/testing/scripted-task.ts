import type { ConnectionSnapshot, ConnectionState } from '../contract/connection-state.ts';
import { stringSchema } from '../contract/schema.ts';
import { type SourceRecord, sourceRecord } from '../contract/source-record.ts';
import type { SourceTask } from '../contract/source-task.ts';
import type { TaskContext } from '../contract/task-context.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import { type EventLog, eventLog } from '../diagnostics/log-event.ts';
import { dropAttribute } from '../diagnostics/source-metrics.ts';
import { BoundedQueue } from '../source-kit/queue/bounded-queue.ts';
import { type ConnectionHooks, supervise } from '../source-kit/supervise.ts';
import { type scriptedConfig, scriptedEvents } from './scripted-connector.ts';
import type { ScriptedPeer } from './scripted-peer.ts';

type Config = ReturnType<typeof scriptedConfig.parse>;

interface Message {
  readonly text: string;
  readonly at: number;
}

/** One run of a scripted source. Records carry the text as UTF-8 bytes, and no offset. */
export class ScriptedTask implements SourceTask<Config> {
  readonly #peer: ScriptedPeer;
  readonly #stop = new AbortController();
  #context!: TaskContext;
  #config!: Config;
  #log!: EventLog<typeof scriptedEvents>;
  #queue: BoundedQueue<Message> | undefined;
  #supervised: Promise<void> = Promise.resolve();
  #state: ConnectionState = { kind: 'disconnected' };

  constructor(peer: ScriptedPeer) {
    this.#peer = peer;
  }

  async start(config: Config, context: TaskContext): Promise<void> {
    if (config['scripted.start.error'] !== null) {
      throw new ConnectorError('file_unreadable', config['scripted.start.error']);
    }
    this.#config = config;
    this.#context = context;
    this.#log = eventLog(scriptedEvents, context.logger, context.clock);
    const queue = new BoundedQueue<Message>({ capacity: config['scripted.queue.size'] });
    this.#queue = queue;
    context.metrics.observe('QueueSize', () => queue.size);
    context.metrics.observe('QueueCapacity', () => queue.capacity);
    context.metrics.observe('IsConnected', () => (this.#state.kind === 'connected' ? 1 : 0));
    this.#supervised = this.#supervise(queue);
  }

  async poll(): Promise<readonly SourceRecord[]> {
    const messages = (await this.#queue?.take(this.#config['scripted.batch.size'])) ?? [];
    return messages.map(({ text, at }) =>
      sourceRecord({
        topic: this.#config.topic,
        value: Buffer.from(text),
        valueSchema: stringSchema,
        timestamp: at,
      }),
    );
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#supervised;
  }

  async reconfigure(config: Config): Promise<void> {
    this.#config = config;
  }

  connection(): ConnectionSnapshot {
    return { state: this.#state.kind };
  }

  async #supervise(queue: BoundedQueue<Message>): Promise<void> {
    const { clock, metrics, signal, emit } = this.#context;
    try {
      await supervise({
        clock,
        signal: AbortSignal.any([this.#stop.signal, signal]),
        run: (hooks) => this.#connect(hooks, queue),
        policy: () => ({
          enabled: this.#config['scripted.reconnect.enabled'],
          intervalMs: this.#config['scripted.reconnect.interval.ms'],
          maxMs: this.#config['scripted.reconnect.backoff.max.ms'],
          maxAttempts: this.#config['scripted.reconnect.max.attempts'],
        }),
        onState: (state) => {
          this.#state = state;
        },
        onEnd: ({ error }) => {
          this.#log('disconnected', { reason: error.message });
          emit({ type: 'disconnected', reason: error.message });
        },
        onRetry: ({ attempt, delayMs, error }) => {
          metrics.counter('TotalReconnects').value += 1;
          emit({ type: 'reconnecting', attempt, delayMs, error });
        },
      });
      queue.close();
    } catch (thrown) {
      queue.close(ConnectorError.from(thrown));
    }
  }

  #connect(hooks: ConnectionHooks, queue: BoundedQueue<Message>): Promise<void> {
    return new Promise((resolve, reject) => {
      const close = this.#peer.open({
        onMessage: (text) => this.#receive(text, { hooks, queue }),
        onEnd: reject,
      });
      hooks.connected();
      this.#log('connected');
      this.#context.emit({ type: 'connected', peer: 'scripted' });
      hooks.signal.addEventListener('abort', () => {
        close();
        resolve();
      });
    });
  }

  #receive(text: string, to: { hooks: ConnectionHooks; queue: BoundedQueue<Message> }): void {
    const { metrics, clock, emit } = this.#context;
    to.hooks.healthy();
    metrics.counter('MessagesReceived').value += 1;
    if (to.queue.offer({ text, at: clock.now() }, text.length)) return;
    const cause = to.queue.refusal();
    metrics.counter(dropAttribute(cause)).value += 1;
    this.#log('queue_full');
    emit({ type: 'dropped', cause, count: 1 });
  }
}
