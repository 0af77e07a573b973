import type { EventLog, MetricGroup } from '@levada/connect-runtime-core';
import { type BoundedQueue, type DroppedMessages, Intake } from '@levada/connect-runtime-core/source-kit';
import type { WebSocketConfig } from './config.ts';
import type { webSocketEvents } from './events.ts';
import type { WebSocketContext, webSocketMetrics } from './metrics.ts';
import { type MessageStamp, messageRecord, type WaitingRecord } from './record.ts';

/** Stamps, counts and offers messages. */
export type MessageIntake = Intake<WaitingRecord, MessageStamp>;

/** What an intake works with. */
export interface MessageIntakeOptions {
  readonly context: WebSocketContext;
  readonly metrics: MetricGroup<typeof webSocketMetrics>;
  readonly log: EventLog<typeof webSocketEvents>;
  readonly queue: BoundedQueue<WaitingRecord>;
  /** The configuration in force. */
  readonly config: () => WebSocketConfig;
  /** Called after each burst that leaves the queue full. */
  readonly onFull: () => void;
}

/** The intake of a task. */
export function messageIntake(options: MessageIntakeOptions): MessageIntake {
  const { context, metrics, log, queue, config, onFull } = options;
  const limits = {
    capacity: config()['websocket.message.queue.size'],
    capacityBytes: config()['websocket.message.queue.bytes'],
  };
  return new Intake({
    queue,
    metrics,
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
