import type { EventLog } from '@levada/connect-runtime-core';
import {
  type BoundedQueue,
  type BoundedQueueOptions,
  type DroppedMessages,
  Intake,
} from '@levada/connect-runtime-core/source-kit';
import type { WebSocketConfig } from '../config/config.ts';
import type { webSocketEvents } from './events.ts';
import type { WebSocketContext } from './metrics.ts';
import { type MessageStamp, messageRecord, type WaitingRecord } from './record.ts';

/**
 * With the `block` policy: what the connection has already read when it is paused. At most one chunk of 64 KiB, in
 * which a message takes two bytes or more.
 */
const CHUNK_BYTES = 64 * 1024;
const CHUNK_MESSAGES = CHUNK_BYTES / 2;

/** Bounds of the queue. Under `block` it takes what was on its way when reading was paused, beyond what was configured. */
export function queueBounds(config: WebSocketConfig): BoundedQueueOptions {
  const capacity = config['websocket.message.queue.size'];
  const capacityBytes = config['websocket.message.queue.bytes'];
  if (config['websocket.queue.full.policy'] === 'drop_newest') return { capacity, capacityBytes };
  const chunk = config['websocket.max.message.size'] + CHUNK_BYTES;
  return { capacity: capacity + CHUNK_MESSAGES, capacityBytes: capacityBytes + chunk };
}

/** Stamps, counts and offers messages. */
export type MessageIntake = Intake<WaitingRecord, MessageStamp>;

export interface MessageIntakeOptions {
  readonly context: WebSocketContext;
  readonly log: EventLog<typeof webSocketEvents>;
  readonly queue: BoundedQueue<WaitingRecord>;
  /** The configuration in force. */
  readonly config: () => WebSocketConfig;
  /** Called after each burst that leaves the queue full. */
  readonly onFull: () => void;
}

/** The intake of a task. */
export function messageIntake(options: MessageIntakeOptions): MessageIntake {
  const { context, log, queue, config, onFull } = options;
  const limits = {
    capacity: config()['websocket.message.queue.size'],
    capacityBytes: config()['websocket.message.queue.bytes'],
  };
  return new Intake({
    queue,
    metrics: context.metrics,
    clock: context.clock,
    log,
    emit: context.emit,
    limits: () => limits,
    onFull,
    stamp: (receivedAt) => ({ topic: config()['platform.topic'], receivedAt }),
    logDropped: ({ cause, count, total }: DroppedMessages) => {
      if (cause === 'unsupported_frame') log('unsupported_frame', { count, messages_dropped_total: total });
      else {
        const queued = { queue_size: queue.size, queue_capacity: limits.capacity };
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
