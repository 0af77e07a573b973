import type { EventLog } from '@levada/connect-runtime-core';
import {
  type BoundedQueue,
  type DroppedMessages,
  type HoldUp,
  Intake,
} from '@levada/connect-runtime-core/source-kit';
import type { grpcEvents } from '../model/events.ts';
import type { GrpcContext } from '../model/metrics.ts';
import type { Session } from '../model/session.ts';
import type { Stamp, WaitingMessage } from '../model/waiting-message.ts';

export interface StreamIntakeOptions {
  readonly context: Pick<GrpcContext, 'metrics' | 'clock' | 'emit'>;
  readonly log: EventLog<typeof grpcEvents>;
  readonly queue: BoundedQueue<WaitingMessage>;
  /** Holds the server up when the queue is full. */
  readonly holdUp: HoldUp;
  /** Called with each message that was not dropped. */
  readonly onAccepted: ((message: WaitingMessage) => void) | undefined;
  readonly maxMessageBytes: number;
  /** Number of the last message of earlier runs; 0 when there was none. */
  readonly sequence: number;
  readonly topic: string;
}

/** The wire callback: numbers, stamps, counts and offers. It cannot throw and never waits. */
export class StreamIntake {
  /** Topic that messages received from now on go to. */
  topic: string;
  /** Number of the last message received, dropped ones included. */
  sequence: number;
  readonly #options: StreamIntakeOptions;
  readonly #intake: Intake<WaitingMessage, Stamp>;
  #session: Session | undefined;
  #oversizedBytes = 0;

  constructor(options: StreamIntakeOptions) {
    this.#options = options;
    this.topic = options.topic;
    this.sequence = options.sequence;
    const { context, log, queue, holdUp } = options;
    this.#intake = new Intake({
      queue,
      log,
      limits: () => holdUp.full,
      metrics: context.metrics,
      clock: context.clock,
      emit: context.emit,
      onFull: () => undefined,
      // Node hands out each DATA frame by itself, and many servers put one message into a frame.
      endBurst: setImmediate,
      stamp: (receivedAt) => ({ session: this.#session as Session, topic: this.topic, receivedAt }),
      logDropped: (dropped) => this.#logDropped(dropped),
    });
  }

  /** Monotonic time of the last message; undefined before the first. */
  get lastMessageAt(): number | undefined {
    return this.#intake.lastMessageAt;
  }

  /** Messages from now on belong to this session. */
  begin(session: Session): void {
    this.#intake.flush();
    this.#session = session;
  }

  /** Nothing more is delivered by this session: what is to be said of its messages is said now. */
  end(): void {
    this.#intake.flush();
  }

  /** Takes one message. */
  receive(value: Uint8Array): void {
    const stamp = this.#intake.receive();
    this.sequence += 1;
    if (this.#intake.full) {
      this.#intake.drop('queue_full');
      return;
    }
    const message = { stamp, sequence: this.sequence, value };
    if (!this.#intake.offer(message)) return;
    this.#options.onAccepted?.(message);
    // At once: what was read before may be megabytes, and all of it would be delivered in one go.
    this.#options.holdUp.check();
  }

  /** Takes note of a message that is longer than allowed. */
  oversized(bytes: number): void {
    this.#intake.receive();
    this.sequence += 1;
    this.#oversizedBytes = bytes;
    this.#intake.drop('message_too_large');
  }

  #logDropped({ cause, count, total }: DroppedMessages): void {
    const { log, queue, holdUp, maxMessageBytes } = this.#options;
    if (cause === 'message_too_large') {
      log(
        'message_too_large',
        {
          count,
          message_bytes: this.#oversizedBytes,
          max_bytes: maxMessageBytes,
          messages_dropped_total: total,
        },
        'Message above grpc.max.inbound.message.size, skipping it',
      );
      return;
    }
    log(
      'queue_full',
      {
        reason: cause,
        count,
        queue_size: queue.size,
        queue_capacity: holdUp.full.capacity,
        messages_dropped_total: total,
      },
      'Queue full, dropping message',
    );
  }
}
