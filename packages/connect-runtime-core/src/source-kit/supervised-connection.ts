import type { ConnectionSnapshot, ConnectionState } from '../contract/connection-state.ts';
import type { TaskContext } from '../contract/task-context.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { EventLog } from '../diagnostics/log-event.ts';
import type { LogFields } from '../diagnostics/logger.ts';
import type { MetricGroup } from '../diagnostics/metric-group.ts';
import type { connectionMetrics, sourceMetrics } from '../diagnostics/source-metrics.ts';
import { connectionSnapshot, freezeGauges, type GaugeSources, observeGauges } from './connection-gauges.ts';
import { HealthLine } from './health-line.ts';
import type { HoldUp } from './queue/hold-up.ts';
import type { connectionEvents, healthEvents } from './source-events.ts';
import { type ConnectionHooks, HEALTHY_MS, type ReconnectPolicy, supervise } from './supervise.ts';

/** One attempt, as the source that connects sees it. */
export interface ConnectionAttempt {
  /** Aborted when the connection is to end. */
  readonly signal: AbortSignal;
  /**
   * The connection is up. Called once; `begin` gets the id of the new session and logs what there is to say of it before the
   * change is emitted.
   */
  connected(peer: string, begin: (sessionId: string) => void): void;
  /** Messages that it brought. */
  readonly received: number;
  /**
   * Whether it lived for 30 seconds, or longer than the reconnect interval with at least one message: a server that greets and
   * ends at once is not healthy, so that attempts keep getting rarer.
   */
  readonly isHealthy: boolean;
  /**
   * The peer has ended the connection, but what it sent before waits to be read, because it is held up. Shown at once: the
   * attempt itself ends when that was read.
   */
  peerEnded(error: ConnectorError): void;
  /** The peer has nothing more, ever: the connection may end, and no other is made. */
  complete(): void;
}

/** How an attempt ended that is repeated if the policy allows it. */
export interface EndedAttempt {
  readonly error: ConnectorError;
  readonly attempt: ConnectionAttempt;
}

export interface SupervisedConnectionOptions {
  readonly context: Pick<TaskContext, 'clock' | 'signal' | 'emit'>;
  /** A group whose table has at least the rows of a source with a connection. */
  readonly metrics: Pick<
    MetricGroup<typeof sourceMetrics & typeof connectionMetrics>,
    'set' | 'observe' | 'read' | 'counter'
  >;
  readonly log: EventLog<typeof connectionEvents & typeof healthEvents>;
  /** What is shown by the gauges of the queue; `capacity` is what was configured. */
  readonly queue: GaugeSources['queue'];
  readonly capacity: GaugeSources['capacity'];
  readonly lastMessageAt: GaugeSources['lastMessageAt'];
  /** What holds the peer up when the queue is full. Default: nothing does. */
  readonly holdUp?: Pick<HoldUp, 'heldMs' | 'longestMs' | 'connected' | 'disconnected'>;
  readonly policy: () => ReconnectPolicy;
  /** Replaces secrets and certificates by the present ones, before each attempt but the first. Must not reject. */
  readonly refresh: (signal: AbortSignal) => Promise<void>;
  /** One connection, from dialling to its end; see `supervise`. */
  readonly connect: (attempt: ConnectionAttempt) => Promise<void>;
  /** Cuts the present connection at once. */
  readonly terminate: () => void;
  /** Further fields of `reconnect_executing`. Default: none. */
  readonly attemptFields?: () => LogFields;
  /** An attempt is over, before it is emitted. Not called when the connection was stopped. */
  readonly onEnded?: (ended: EndedAttempt) => void;
  /** Nothing more arrives; with the failure, if there was one. Called once. */
  readonly onOver: (failure: ConnectorError | undefined) => void;
}

/** Shortest hold that is reported with the end of its connection, in milliseconds: shorter ones are ordinary under a flood. */
const LONG_HOLD_MS = 1000;

/**
 * The connection of a source from start to stop: connects again by the policy, counts, logs and emits that, ties the gauges and
 * the health line to it, and cuts it when the task's signal aborts.
 */
export class SupervisedConnection {
  readonly #options: SupervisedConnectionOptions;
  readonly #gauges: GaugeSources;
  readonly #health: HealthLine;
  readonly #stop = new AbortController();
  #state: ConnectionState = { kind: 'disconnected' };
  #attempt: ConnectionAttempt | undefined;
  #sessionId: string | undefined;
  #lastError: string | undefined;
  /** Whether the end of the present connection was reported before everything that it brought was read. */
  #isEndShown = false;
  #over: Promise<void> = Promise.resolve();

  constructor(options: SupervisedConnectionOptions) {
    const { context, metrics, log, queue, capacity, lastMessageAt, holdUp } = options;
    const { clock } = context;
    const heldUpMs = () => holdUp?.heldMs;
    this.#options = options;
    this.#gauges = { clock, queue, capacity, lastMessageAt, heldUpMs, state: () => this.#state };
    this.#health = new HealthLine({ metrics, clock, log, sessionId: () => this.#sessionId });
  }

  /** Of the connection, of the last one when there is none; undefined before the first. */
  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  /** Begins to connect. */
  start(): void {
    const { metrics, context } = this.#options;
    observeGauges(metrics, this.#gauges);
    this.#health.start();
    context.signal.addEventListener('abort', this.#hardStop, { once: true });
    this.#over = this.#run();
    if (context.signal.aborted) this.#hardStop();
  }

  /** Ends the connection and makes no other. Resolves when it is closed. Idempotent. */
  async stop(): Promise<void> {
    this.#health.stop();
    this.#stop.abort();
    await this.#over;
    freezeGauges(this.#options.metrics);
  }

  /** How the connection is doing. */
  snapshot(): ConnectionSnapshot {
    return connectionSnapshot(this.#gauges, this.#lastError);
  }

  /** What is queued stays for `poll`: whatever stops hard takes it from there and counts it. */
  readonly #hardStop = (): void => {
    this.#options.terminate();
    this.#stop.abort();
  };

  async #run(): Promise<void> {
    const { context, policy, onOver } = this.#options;
    let failure: ConnectorError | undefined;
    try {
      await supervise({
        policy,
        clock: context.clock,
        signal: this.#stop.signal,
        run: (hooks) => this.#connect(hooks),
        onState: (state) => this.#changed(state),
        onEnd: ({ error, established }) => this.#ended(error, established),
        onRetry: ({ attempt, delayMs, error }) => {
          this.#options.log('reconnect_scheduled', { attempt, backoff_ms: delayMs });
          context.emit({ type: 'reconnecting', attempt, delayMs, error });
        },
      });
    } catch (thrown) {
      failure = ConnectorError.from(thrown);
      this.#gaveUp(failure);
    }
    context.signal.removeEventListener('abort', this.#hardStop);
    onOver(failure);
    this.#health.stop();
  }

  async #connect(hooks: ConnectionHooks): Promise<void> {
    const { refresh, connect, holdUp } = this.#options;
    if (this.#attempt !== undefined) await refresh(hooks.signal);
    if (hooks.signal.aborted) return;
    const attempt = this.#newAttempt(hooks);
    this.#attempt = attempt;
    try {
      await connect(attempt);
    } finally {
      holdUp?.disconnected();
      if (attempt.isHealthy) hooks.healthy();
    }
  }

  #newAttempt(hooks: ConnectionHooks): ConnectionAttempt {
    const { context, metrics, policy, holdUp } = this.#options;
    const messages = (): number => metrics.read('MessagesReceived');
    const before = messages();
    let connectedAt: number | undefined;
    return {
      signal: hooks.signal,
      get received() {
        return messages() - before;
      },
      get isHealthy() {
        if (connectedAt === undefined) return false;
        const livedMs = context.clock.monotonic() - connectedAt;
        return livedMs >= HEALTHY_MS || (livedMs > policy().intervalMs && messages() > before);
      },
      connected: (peer, begin) => {
        const sessionId = crypto.randomUUID();
        connectedAt = context.clock.monotonic();
        this.#sessionId = sessionId;
        this.#lastError = undefined;
        this.#isEndShown = false;
        hooks.connected();
        begin(sessionId);
        holdUp?.connected();
        context.emit({ type: 'connected', peer });
        context.emit({ type: 'session', sessionId });
      },
      peerEnded: (error) => this.#showEnd(error),
      complete: () => this.#stop.abort(),
    };
  }

  #changed(state: ConnectionState): void {
    const { metrics, log, attemptFields } = this.#options;
    this.#state = state;
    if (state.kind !== 'connecting' || state.attempt === 0) return;
    metrics.counter('TotalReconnects').value += 1;
    log('reconnect_executing', { attempt: state.attempt, ...attemptFields?.() });
  }

  #ended(error: ConnectorError, established: boolean): void {
    const { context, onEnded } = this.#options;
    this.#lastError = error.message;
    if (this.#attempt !== undefined) onEnded?.({ error, attempt: this.#attempt });
    if (!established) return;
    this.#showEnd(error);
    context.emit({ type: 'disconnected', reason: error.message });
  }

  #showEnd({ message }: ConnectorError): void {
    const { holdUp, log } = this.#options;
    this.#lastError = message;
    const heldMs = holdUp?.longestMs ?? 0;
    if (this.#isEndShown || heldMs < LONG_HOLD_MS) return;
    this.#isEndShown = true;
    log('held_up_connection_ended', { held_up_ms: Math.round(heldMs), error_message: message });
  }

  #gaveUp(failure: ConnectorError): void {
    const { log, policy } = this.#options;
    this.#lastError = failure.message;
    if (failure.code === 'reconnect_disabled') {
      log('reconnect_skipped', { reason: 'disabled' });
      return;
    }
    log('reconnect_failed', {
      reason: failure.code === 'reconnect_exhausted' ? 'max_attempts_reached' : failure.code,
      max_attempts: policy().maxAttempts,
      error_message: failure.message,
    });
  }
}
