import { type EventLog, eventLog, type SourceRecord } from '@levada/connect-runtime-core';
import type { ConnectionSnapshot } from '@levada/connect-runtime-core/contract';
import {
  BoundedQueue,
  ConnectionSettings,
  HoldUp,
  proxyFor,
  reconnectPolicy,
  reportDropped,
  SupervisedConnection,
} from '@levada/connect-runtime-core/source-kit';
import type { GrpcConfig } from './config/config.ts';
import { grpcConfig } from './config/config.ts';
import { proxySettings } from './config/connection-plan.ts';
import { requestOf } from './config/request-of.ts';
import { configProblems } from './config/rules.ts';
import { endpointsOf, queueLimits } from './config/run-settings.ts';
import { tlsFiles } from './config/tls-files.ts';
import { configuredMethod } from './connection/method-definition.ts';
import { ReconnectingStream } from './connection/reconnecting-stream.ts';
import { endpointText } from './model/endpoints.ts';
import { grpcEvents } from './model/events.ts';
import type { GrpcContext } from './model/metrics.ts';
import type { WaitingMessage } from './model/waiting-message.ts';
import { jsonLimits, pointedText } from './record/json-document.ts';
import { MessageBatches } from './record/message-batches.ts';
import { MessageRecordMaker } from './record/record-maker.ts';
import { type RestoredOffset, sourcePartition } from './record/restored-offset.ts';
import { ResumePoint } from './record/resume-point.ts';
import { type SequenceGap, SequenceGaps } from './record/sequence-gaps.ts';
import { StreamIntake } from './record/stream-intake.ts';
import type { Transport } from './transport/transport.ts';

/** What a run needs beside its configuration. */
export interface GrpcRunOptions {
  readonly transport: Transport;
  /** Where an earlier run ended. */
  readonly restored: RestoredOffset | undefined;
}

/** What lives between start and stop of a task: queue, intake, the reconnecting stream, the making of records. */
export class GrpcRun {
  readonly #context: GrpcContext;
  readonly #log: EventLog<typeof grpcEvents>;
  readonly #queue: BoundedQueue<WaitingMessage>;
  readonly #holdUp: HoldUp;
  readonly #batches: MessageBatches;
  readonly #intake: StreamIntake;
  readonly #resume: ResumePoint;
  readonly #maker: MessageRecordMaker;
  readonly #gaps: SequenceGaps;
  readonly #stream: ReconnectingStream;
  readonly #settings: ConnectionSettings<typeof grpcConfig.keys>;
  readonly #connection: SupervisedConnection;
  /** Configuration of the present connection, as far as the queue goes. */
  #queueConfig: GrpcConfig;
  #stopped: Promise<void> | undefined;

  /** Reads descriptor and TLS files; throws when something of them is wrong. Nothing is open afterwards. */
  constructor(config: GrpcConfig, context: GrpcContext, { transport, restored }: GrpcRunOptions) {
    const log = eventLog(grpcEvents, context.logger, context.clock);
    this.#queueConfig = config;
    this.#context = context;
    this.#log = log;
    this.#settings = new ConnectionSettings({
      definition: grpcConfig,
      config,
      context,
      log,
      tlsFiles,
      problems: configProblems,
    });
    const limits = queueLimits(config);
    this.#queue = new BoundedQueue({ ...limits.full, wake: setImmediate });
    this.#holdUp = new HoldUp({
      queue: this.#queue,
      clock: context.clock,
      metrics: context.metrics,
      log,
      limits,
      throttledUntil: context.throttledUntil,
      pause: () => this.#stream.pause(),
      resume: () => this.#stream.resume(),
    });
    this.#batches = new MessageBatches(this.#queue);
    this.#resume = new ResumePoint(config, restored);
    this.#intake = this.#createIntake(restored?.sequence ?? 0);
    this.#maker = this.#createMaker(restored?.resume);
    this.#gaps = new SequenceGaps(this.#intake.sequence);
    this.#stream = this.#createStream(transport);
    this.#connection = new SupervisedConnection({
      context,
      metrics: context.metrics,
      log,
      queue: this.#batches,
      capacity: () => this.#queueConfig['grpc.message.queue.size'],
      lastMessageAt: () => this.#intake.lastMessageAt,
      holdUp: this.#holdUp,
      policy: () => reconnectPolicy('grpc', this.#settings.config),
      refresh: (signal) => this.#settings.refresh(signal),
      connect: (attempt) => this.#stream.connect(attempt),
      terminate: () => this.#stream.terminate(),
      attemptFields: () => ({ server: this.#stream.nextServer }),
      onEnded: (ended) => this.#stream.ended(ended),
      onOver: (failure) => {
        this.#intake.end();
        this.#holdUp.close();
        this.#queue.close(failure);
      },
    });
  }

  /** Begins to connect. */
  start(): void {
    const { config } = this.#settings;
    const { connectorName } = this.#context;
    const partition = sourcePartition(config);
    this.#log('task_starting', {
      connector_name: connectorName,
      ...partition,
      platform_topic: config['platform.topic'],
    });
    if (config['grpc.tls.enabled'] && !config['grpc.tls.verify'])
      this.#log('tls_verification_off', { server: partition['grpc_server'] });
    this.#announceProxy();
    this.#connection.start();
    this.#log('task_started', {
      starting_sequence: this.#intake.sequence + 1,
      queue_capacity: config['grpc.message.queue.size'],
    });
  }

  #announceProxy(): void {
    const { config } = this.#settings;
    const [first] = endpointsOf(config);
    if (first === undefined) return;
    const target = { ...first, secure: config['grpc.tls.enabled'] };
    const proxy = proxyFor(target, proxySettings(config, this.#context.environment));
    if (proxy === undefined) return;
    this.#log('proxy_used', { server: endpointText(first), proxy: proxy.shown, source: proxy.source });
  }

  /** See `SourceTask.poll`. */
  async poll(): Promise<readonly SourceRecord[]> {
    for (;;) {
      const messages = await this.#take();
      if (messages.length === 0) return [];
      const { records, used } = this.#maker.records(messages);
      if (used < messages.length) this.#batches.giveBack(messages.slice(used));
      this.#holdUp.taken();
      this.#countGaps(records);
      if (records.length > 0) return records;
    }
  }

  /** Whether the server has ended the stream for good, by `grpc.completion.policy=stop`. */
  get completed(): boolean {
    return this.#stream.completed;
  }

  /** See `SourceTask.committed`. */
  committed(records: readonly SourceRecord[]): void {
    this.#maker.settled(records);
    this.#holdUp.progressed();
  }

  /** Values that hold for what comes next, and from the next connection on. */
  reconfigure(config: GrpcConfig): void {
    this.#settings.reconfigure(config);
    this.#intake.topic = config['platform.topic'];
    // The size changes with the next connection, the grace now.
    this.#queueConfig = {
      ...this.#queueConfig,
      'grpc.queue.full.grace.ms': config['grpc.queue.full.grace.ms'],
    };
    this.#holdUp.configure(queueLimits(this.#queueConfig));
  }

  /** How the connection is doing. */
  connection(): ConnectionSnapshot {
    return this.#connection.snapshot();
  }

  /** Ends the stream; what is queued can still be polled. Idempotent. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopOnce();
    return this.#stopped;
  }

  async #stopOnce(): Promise<void> {
    const session = { session_id: this.#connection.sessionId ?? null };
    this.#log('task_stopping', { ...session, queue_size: this.#batches.size });
    await this.#connection.stop();
    this.#log('task_stopped', {
      ...session,
      final_sequence: this.#intake.sequence,
      queue_size: this.#batches.size,
    });
  }

  /** The next messages; when there will be none, a gap at the end is reported, too. */
  async #take(): Promise<readonly WaitingMessage[]> {
    try {
      const messages = await this.#batches.next();
      if (messages.length === 0) this.#reportLastGap();
      return messages;
    } catch (thrown) {
      this.#reportLastGap();
      throw thrown;
    }
  }

  #countGaps(records: readonly SourceRecord[]): void {
    for (const { sourceOffset } of records) {
      const gap = this.#gaps.passed(sourceOffset?.['sequence'] as number);
      if (gap !== undefined) this.#reportGap(gap, sourceOffset?.['sessionId'] as string);
    }
  }

  /** Nothing more comes: numbers given and not seen are missing, too. */
  #reportLastGap(): void {
    const gap = this.#gaps.ended(this.#intake.sequence);
    if (gap !== undefined) this.#reportGap(gap, this.#connection.sessionId);
  }

  /** `sessionId` is that of the message after the gap. */
  #reportGap(gap: SequenceGap, sessionId: string | undefined): void {
    this.#context.metrics.counter('SequenceGaps').value += gap.missing;
    this.#log('sequence_gap', { ...gap, session_id: sessionId ?? null });
    this.#context.emit({ type: 'gap', expected: gap.expected, received: gap.received });
  }

  #createIntake(sequence: number): StreamIntake {
    return new StreamIntake({
      context: this.#context,
      log: this.#log,
      queue: this.#queue,
      holdUp: this.#holdUp,
      onAccepted: this.#resume.pointed && ((message) => this.#resume.accepted(message)),
      maxMessageBytes: this.#settings.config['grpc.max.inbound.message.size'],
      sequence,
      topic: this.#settings.config['platform.topic'],
    });
  }

  #createMaker(resumed: string | undefined): MessageRecordMaker {
    const { config } = this.#settings;
    const key = config['grpc.record.key'];
    return new MessageRecordMaker({
      partition: sourcePartition(config),
      format: config['grpc.message.format'] as 'json' | 'protobuf',
      key: key === null ? undefined : pointedText(key),
      resume: this.#resume.pointed && ((sequence, document) => this.#resume.textOf(sequence, document)),
      resumed,
      headers: config['record.headers.enabled'],
      limits: jsonLimits(config['grpc.max.inbound.message.size']),
      deadLetterTopic: config['grpc.dead.letter.topic'] ?? undefined,
      print: (text) => this.#stream.print(text),
      onUnconvertible: (message, reason) => this.#unconvertible(message, reason),
    });
  }

  #createStream(transport: Transport): ReconnectingStream {
    const { config } = this.#settings;
    const definition = configuredMethod(config);
    // What is wrong with the request shows now, and not at every attempt.
    if (definition !== undefined) requestOf(config, definition, undefined);
    return new ReconnectingStream({
      transport,
      settings: this.#settings,
      context: this.#context,
      log: this.#log,
      definition,
      onAttempt: (present) => this.#resize(present),
      resumeValue: () => this.#resume.value(this.#intake.sequence),
      onSession: (session) => {
        const starting = this.#intake.sequence + 1;
        this.#log('session_initialized', { session_id: session.id, starting_sequence: starting });
        this.#intake.begin(session);
      },
      onMessage: (message) => this.#intake.receive(message),
      onOversized: (bytes) => this.#intake.oversized(bytes),
      lastMessageAt: () => this.#intake.lastMessageAt,
    });
  }

  /** A new connection is when a changed size of the queue begins to hold. */
  #resize(config: GrpcConfig): void {
    if (config['grpc.message.queue.size'] === this.#queueConfig['grpc.message.queue.size']) return;
    this.#queueConfig = config;
    this.#holdUp.configure(queueLimits(config));
  }

  #unconvertible({ sequence, value }: WaitingMessage, reason: string): void {
    const deadLetterTopic = this.#settings.config['grpc.dead.letter.topic'];
    this.#log('message_conversion_failed', {
      sequence,
      message_bytes: value.length,
      error_message: reason,
      dead_letter_topic: deadLetterTopic,
    });
    if (deadLetterTopic !== null) {
      this.#context.metrics.counter('DeadLetters').value += 1;
      return;
    }
    reportDropped(this.#context, 'conversion_error');
  }
}
