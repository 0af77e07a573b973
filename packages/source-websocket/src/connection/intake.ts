import type { EventLog } from '@levada/connect-runtime-core';
import {
  type BoundedQueue,
  type DroppedMessages,
  type HoldUp,
  type HoldUpLimits,
  holdUpLimits,
  Intake,
} from '@levada/connect-runtime-core/source-kit';
import type { WebSocketConfig } from '../config/config.ts';
import type { webSocketEvents } from './events.ts';
import type { WebSocketContext } from './metrics.ts';
import { type MessageStamp, messageRecord, type WaitingRecord } from './record.ts';

/**
 * What the connection has already read when it is paused, beside the message that it ends: at most two chunks of 64 KiB, in which
 * a message takes two bytes or more.
 */
const READ_BYTES = 2 * 64 * 1024;
const READ_MESSAGES = READ_BYTES / 2;

/** When a full queue holds the server up. */
export function queueLimits(config: WebSocketConfig): HoldUpLimits {
  return holdUpLimits('websocket', config, {
    capacity: READ_MESSAGES,
    capacityBytes: config['websocket.max.message.size'] + READ_BYTES,
  });
}

/** Stamps, counts and offers messages. */
export type MessageIntake = Intake<WaitingRecord, MessageStamp>;

export interface MessageIntakeOptions {
  readonly context: WebSocketContext;
  readonly log: EventLog<typeof webSocketEvents>;
  readonly queue: BoundedQueue<WaitingRecord>;
  /** The configuration in force. */
  readonly config: () => WebSocketConfig;
  /** Holds the server up when the queue is full. */
  readonly holdUp: HoldUp;
}

/** The intake of a task. */
export function messageIntake(options: MessageIntakeOptions): MessageIntake {
  const { context, log, queue, config, holdUp } = options;
  return new Intake({
    queue,
    metrics: context.metrics,
    clock: context.clock,
    log,
    emit: context.emit,
    limits: () => holdUp.full,
    onFull: () => holdUp.check(),
    stamp: (receivedAt) => ({ topic: config()['platform.topic'], receivedAt }),
    logDropped: ({ cause, count, total }: DroppedMessages) => {
      if (cause === 'unsupported_frame') log('unsupported_frame', { count, messages_dropped_total: total });
      else {
        const queued = { queue_size: queue.size, queue_capacity: holdUp.full.capacity };
        const fields = { reason: cause, count, ...queued, messages_dropped_total: total };
        log('message_dropped', fields, 'Queue full, dropping message');
      }
    },
  });
}

/** The wire callback: cannot throw and never waits. */
export function messageReceiver(
  intake: MessageIntake,
  dropsBinary: boolean,
): (data: Uint8Array, binary: boolean) => void {
  return (data, binary) => {
    const stamp = intake.receive();
    if (binary && dropsBinary) intake.drop('unsupported_frame');
    else if (intake.full) intake.drop('queue_full');
    else intake.offer(messageRecord(data, binary, stamp));
  };
}
