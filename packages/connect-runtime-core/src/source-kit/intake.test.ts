import { describe, expect, it } from 'vitest';
import type { SourceEvent } from '../contract/source-event.ts';
import { eventLog } from '../diagnostics/log-event.ts';
import type { MetricTable } from '../diagnostics/metric-def.ts';
import { MetricGroup } from '../diagnostics/metric-group.ts';
import { sourceMetrics } from '../diagnostics/source-metrics.ts';
import { SLAB_BYTES } from '../platform/new-slab.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { createRecordingLogger } from '../testing/recording-logger.ts';
import { type DroppedMessages, Intake } from './intake.ts';
import { BoundedQueue, type BoundedQueueOptions } from './queue/bounded-queue.ts';
import { healthEvents } from './source-events.ts';

interface Item {
  readonly stamp: { readonly receivedAt: number };
  value: Uint8Array;
}

const ownMetrics = { Gaps: { kind: 'counter', unit: 'count', help: 'Gaps' } } as const satisfies MetricTable;

function setUp(bounds: BoundedQueueOptions = { capacity: 10 }, limits: Partial<BoundedQueueOptions> = {}) {
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const queue = new BoundedQueue<Item>(bounds);
  const metrics = new MetricGroup({ ...sourceMetrics, ...ownMetrics });
  const seen = { full: 0, stamps: 0, events: [] as SourceEvent[], dropped: [] as DroppedMessages[] };
  const intake = new Intake<Item, Item['stamp']>({
    queue,
    metrics,
    clock,
    log: eventLog(healthEvents, logger, clock),
    emit: (event) => seen.events.push(event),
    limits: () => ({ capacityBytes: Number.POSITIVE_INFINITY, ...bounds, ...limits }),
    onFull: () => {
      seen.full += 1;
    },
    stamp: (receivedAt) => {
      seen.stamps += 1;
      return { receivedAt };
    },
    logDropped: (dropped) => seen.dropped.push(dropped),
  });
  const receive = (bytes = 1): boolean => {
    const stamp = intake.receive();
    return intake.offer({ stamp, value: new Uint8Array(bytes) });
  };
  return { clock, logger, queue, metrics, seen, intake, receive };
}

/** The wire has nothing more to read in this turn. */
async function endOfBurst(): Promise<void> {
  await Promise.resolve();
}

describe('an intake', () => {
  it('counts each message and gives those of a burst one stamp', async () => {
    const { clock, queue, metrics, seen, intake, receive } = setUp();
    const at = clock.now();
    receive();
    receive();
    await endOfBurst();
    await clock.advance(5);
    receive();
    expect(metrics.read('MessagesReceived')).toBe(3);
    expect(seen.stamps).toBe(2);
    const [first, second, third] = await queue.take(3);
    expect(second?.stamp).toBe(first?.stamp);
    expect([first?.stamp.receivedAt, third?.stamp.receivedAt]).toEqual([at, at + 5]);
    expect(intake.lastMessageAt).toBe(clock.monotonic());
  });

  it('has seen no message before the first', () => {
    expect(setUp().intake.lastMessageAt).toBeUndefined();
  });

  it('counts what the queue refuses, and says so once per burst and cause', async () => {
    const { metrics, seen, intake, receive } = setUp({ capacity: 2, capacityBytes: 10 });
    expect([receive(8), receive(8), receive(2), receive(1), receive(1)]).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
    intake.receive();
    intake.drop('message_too_large');
    expect(metrics.read('MessagesDropped')).toBe(0);
    await endOfBurst();
    expect(metrics.snapshot()).toMatchObject({
      MessagesReceived: 6,
      DroppedQueueBytes: 1,
      DroppedQueueFull: 2,
      DroppedMessageTooLarge: 1,
    });
    expect(seen.dropped).toEqual([
      { cause: 'queue_bytes', count: 1, total: 1 },
      { cause: 'queue_full', count: 2, total: 3 },
      { cause: 'message_too_large', count: 1, total: 4 },
    ]);
    expect(seen.events).toEqual(seen.dropped.map(({ cause, count }) => ({ type: 'dropped', cause, count })));
  });

  it('knows that the queue is full before anything is made for it', () => {
    const { intake, receive } = setUp({ capacity: 1 });
    expect(intake.full).toBe(false);
    receive();
    expect(intake.full).toBe(true);
  });

  it.each([
    ['messages', { capacity: 2 }],
    ['bytes', { capacityBytes: 2 }],
  ])('reports once per burst that the queue is full by the %s that were configured', async (_, limits) => {
    const { seen, receive } = setUp({ capacity: 100 }, limits);
    receive();
    await endOfBurst();
    expect(seen.full).toBe(0);
    receive();
    receive();
    expect(seen.full).toBe(0);
    await endOfBurst();
    expect(seen.full).toBe(1);
    expect(seen.dropped).toEqual([]);
  });

  it('warns when the queue is more than 80 percent full', async () => {
    const { logger, receive } = setUp();
    for (let i = 0; i < 8; i += 1) receive();
    await endOfBurst();
    expect(logger.lines).toEqual([]);
    receive();
    await endOfBurst();
    expect(logger.lines.map((line) => line.fields)).toEqual([
      { event: 'queue_high_utilization', queue_size: 9, queue_capacity: 10, utilization_percent: 90 },
    ]);
  });

  it('gives a new stamp after a flush', async () => {
    const { queue, seen, intake, receive } = setUp({ capacity: 1 });
    receive();
    receive();
    intake.flush();
    expect(seen.dropped).toHaveLength(1);
    receive();
    await endOfBurst();
    intake.flush();
    expect([seen.stamps, seen.dropped.length, queue.size]).toEqual([2, 2, 1]);
  });

  it('does not keep a chunk alive for the little of it that waits', async () => {
    const { queue, intake } = setUp();
    const chunk = new ArrayBuffer(65_536);
    new Uint8Array(chunk)[7] = 9;
    intake.offer({ stamp: intake.receive(), value: new Uint8Array(chunk, 7, 1) });
    await endOfBurst();
    const [item] = await queue.take(1);
    expect([...(item?.value ?? [])]).toEqual([9]);
    expect(item?.value.buffer.byteLength).toBe(1);
  });

  it('puts what will wait long apart from the chunks of the wire', async () => {
    const { queue, receive } = setUp({ capacity: 10 });
    receive(4 * 1024 * 1024 - 1);
    await endOfBurst();
    receive(1);
    receive(2);
    await endOfBurst();
    const [first, second, third] = await queue.take(3);
    expect(first?.value.buffer.byteLength).toBe(4 * 1024 * 1024 - 1);
    expect(second?.value.buffer.byteLength).toBe(SLAB_BYTES);
    expect(third?.value.buffer).toBe(second?.value.buffer);
  });

  it('drops what arrives after the queue was closed', async () => {
    const { queue, seen, receive } = setUp();
    queue.close();
    expect(receive()).toBe(false);
    await endOfBurst();
    expect(seen.dropped).toHaveLength(1);
  });
});
