import { describe, expect, it } from 'vitest';
import { eventLog } from '../../diagnostics/log-event.ts';
import { MetricGroup } from '../../diagnostics/metric-group.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { createRecordingLogger } from '../../testing/recording-logger.ts';
import { BoundedQueue } from './bounded-queue.ts';
import { holdUpMetrics } from './held-time.ts';
import { HoldUp, type HoldUpLimits, holdUpEvents } from './hold-up.ts';

const usual: HoldUpLimits = {
  full: { capacity: 10, capacityBytes: 1000 },
  excess: { capacity: 5, capacityBytes: 500 },
  graceMs: 1000,
};

/** A peer that sends one message of ten bytes at a time whenever it is read, and a log that takes what the test says. */
function setUp(limits: Partial<HoldUpLimits> = {}) {
  const log: { throttledUntil: number | undefined } = { throttledUntil: undefined };
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const metrics = new MetricGroup(holdUpMetrics);
  const queue = new BoundedQueue<number>({ capacity: 1 });
  const reading: string[] = [];
  const holdUp = new HoldUp({
    queue,
    clock,
    metrics,
    log: eventLog(holdUpEvents, logger, clock),
    limits: { ...usual, ...limits },
    throttledUntil: () => log.throttledUntil,
    pause: () => reading.push('pause'),
    resume: () => reading.push('resume'),
  });
  holdUp.connected();
  /** Messages that arrive one after another; returns how many were taken in. */
  const arrive = (count: number, bytes = 10): number => {
    let taken = 0;
    for (let i = 0; i < count; i += 1) if (queue.offer(i, bytes)) taken += 1;
    holdUp.check();
    return taken;
  };
  const take = async (count: number): Promise<void> => {
    await queue.take(count);
    holdUp.taken();
  };
  /** Time passes, and what the process did not read meanwhile is read. */
  const pass = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { log, clock, logger, metrics, queue, reading, holdUp, arrive, take, pass };
}

describe('a peer that is held up', () => {
  it('is read while there is room', async () => {
    const { reading, holdUp, arrive, clock } = setUp();
    expect(arrive(9)).toBe(9);
    expect(reading).toEqual([]);
    expect(holdUp.isHeld).toBe(false);
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['messages', 10, 1],
    ['bytes', 2, 500],
  ])('is paused when the %s are used up, and there is room for what was read before', (_, count, bytes) => {
    const { reading, arrive, metrics } = setUp();
    expect(arrive(count, bytes)).toBe(count);
    expect(reading).toEqual(['pause']);
    expect(metrics.snapshot()).toMatchObject({ IsHeldUp: true });
    expect(arrive(100, bytes)).toBe(count === 10 ? 5 : 1);
  });

  it('is read again when half of the room is free', async () => {
    const { reading, arrive, take, clock, holdUp } = setUp();
    arrive(10);
    await take(4);
    expect(reading).toEqual(['pause']);
    await take(1);
    expect(reading).toEqual(['pause', 'resume']);
    expect(holdUp.isHeld).toBe(false);
    expect(clock.pending).toBe(0);
  });

  it('is held up for as long as the log asks to wait, and for the grace after that', async () => {
    const { log, clock, reading, arrive, pass, holdUp, logger } = setUp();
    arrive(15);
    for (let i = 0; i < 5; i += 1) {
      log.throttledUntil = clock.monotonic() + 3_000;
      await pass(3_500);
      expect(holdUp.isHeld).toBe(true);
    }
    await pass(499);
    expect(holdUp.isHeld).toBe(true);
    expect(logger.withEvent('queue_grace_over')).toEqual([]);
    await pass(1);
    expect(reading).toEqual(['pause', 'resume']);
    expect(logger.withEvent('queue_grace_over')).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('is held up for as long as the log takes or acknowledges something within the grace', async () => {
    const { reading, arrive, take, pass, holdUp, logger } = setUp();
    arrive(15);
    for (let i = 0; i < 5; i += 1) {
      await pass(900);
      await take(1);
    }
    for (let i = 0; i < 5; i += 1) {
      await pass(900);
      holdUp.progressed();
    }
    expect(reading).toEqual(['pause']);
    expect(logger.lines).toEqual([]);
  });

  it('is read after the grace, with the bounds that were configured, and one warning', async () => {
    const { reading, arrive, pass, queue, logger, holdUp, metrics } = setUp();
    arrive(10);
    await pass(999);
    expect(reading).toEqual(['pause']);
    expect(holdUp.heldMs).toBe(999);
    await pass(1);
    expect(reading).toEqual(['pause', 'resume']);
    expect(holdUp.heldMs).toBeUndefined();
    expect(arrive(100)).toBe(0);
    await pass(60_000);
    expect(queue.size).toBe(10);
    expect(holdUp.isHeld).toBe(false);
    expect(metrics.snapshot()).toEqual({ IsHeldUp: false, HeldUpMillis: 1000 });
    expect(logger.lines).toMatchObject([
      {
        level: 'warn',
        fields: { event: 'queue_grace_over', grace_ms: 1000, queue_size: 10, queue_capacity: 10 },
      },
    ]);
  });

  it('is not given up when the acknowledgement was only not read yet', async () => {
    const { reading, arrive, clock, holdUp, pass } = setUp();
    arrive(10);
    // The timer runs first; what arrived is read in the same turn of the event loop, but later.
    const passing = clock.advance(1000);
    await new Promise((resolve) => setImmediate(resolve));
    holdUp.progressed();
    await passing;
    await pass(999);
    expect(reading).toEqual(['pause']);
    await pass(1);
    expect(reading).toEqual(['pause', 'resume']);
  });

  it('is held up again, with a new grace, after the log took something', async () => {
    const { reading, arrive, take, pass, logger } = setUp();
    arrive(10);
    await pass(1000);
    arrive(1);
    await take(2);
    expect(arrive(8)).toBe(7);
    expect(reading).toEqual(['pause', 'resume', 'pause']);
    await pass(999);
    expect(logger.lines).toHaveLength(1);
    await pass(1);
    expect(reading).toEqual(['pause', 'resume', 'pause', 'resume']);
    expect(logger.lines).toHaveLength(2);
  });

  it('is held up at once when the queue is still full after the log took something', async () => {
    const { reading, arrive, take, pass } = setUp();
    arrive(15);
    await pass(1000);
    await take(2);
    expect(reading).toEqual(['pause', 'resume', 'pause']);
  });

  it('is paused again on a connection that begins meanwhile', () => {
    const { reading, arrive, holdUp, metrics } = setUp();
    arrive(10);
    holdUp.disconnected();
    holdUp.connected();
    expect(reading).toEqual(['pause', 'pause']);
    expect(metrics.read('IsHeldUp')).toBe(1);
  });

  it('is not held up while it is not connected', async () => {
    const { arrive, take, pass, holdUp, metrics, reading } = setUp();
    arrive(10);
    await pass(300);
    holdUp.disconnected();
    expect(holdUp.heldMs).toBeUndefined();
    await pass(600);
    expect(metrics.snapshot()).toEqual({ IsHeldUp: false, HeldUpMillis: 300 });
    holdUp.connected();
    await pass(50);
    expect(holdUp.heldMs).toBe(50);
    await take(10);
    expect(metrics.snapshot()).toEqual({ IsHeldUp: false, HeldUpMillis: 350 });
    expect(reading).toEqual(['pause', 'pause', 'resume']);
  });

  it('is not counted as held up when the queue is full while it is not connected', async () => {
    const { arrive, take, pass, holdUp, metrics } = setUp();
    arrive(15);
    await pass(1000);
    holdUp.disconnected();
    await take(2);
    await pass(500);
    expect(holdUp.isHeld).toBe(true);
    expect(metrics.snapshot()).toEqual({ IsHeldUp: false, HeldUpMillis: 1000 });
  });

  it('is never given up with a grace without end', async () => {
    const { reading, arrive, take, pass, metrics } = setUp({ graceMs: Number.POSITIVE_INFINITY });
    arrive(10);
    await pass(1_000_000);
    expect(reading).toEqual(['pause']);
    expect(metrics.read('HeldUpMillis')).toBe(1_000_000);
    await take(10);
    expect(reading).toEqual(['pause', 'resume']);
  });

  it('is not held up with a grace of 0', async () => {
    const { reading, arrive, clock, metrics } = setUp({ graceMs: 0 });
    expect(arrive(100)).toBe(10);
    expect(reading).toEqual([]);
    expect(clock.pending).toBe(0);
    expect(metrics.snapshot()).toEqual({ IsHeldUp: false, HeldUpMillis: 0 });
  });

  it('gets other limits at once', async () => {
    const { reading, arrive, pass, holdUp, queue } = setUp({ graceMs: Number.POSITIVE_INFINITY });
    arrive(10);
    holdUp.configure({ ...usual, graceMs: 500 });
    await pass(499);
    expect(reading).toEqual(['pause']);
    await pass(1);
    expect(reading).toEqual(['pause', 'resume']);
    holdUp.configure({ ...usual, full: { capacity: 20, capacityBytes: 1000 } });
    expect(arrive(30)).toBe(10);
    expect(queue.size).toBe(20);
  });

  it('waits with one timer for the grace when other limits come with the last moment of the grace', async () => {
    const { arrive, take, clock, pass, holdUp, metrics } = setUp();
    arrive(10);
    const passing = clock.advance(1000);
    await new Promise((resolve) => setImmediate(resolve));
    holdUp.configure({ ...usual, graceMs: 5000 });
    await passing;
    await pass(0);
    expect(holdUp.isHeld).toBe(true);
    // The other one counts the time.
    expect(clock.pending).toBe(2);
    await take(10);
    await pass(60_000);
    expect(metrics.snapshot()).toEqual({ IsHeldUp: false, HeldUpMillis: 1000 });
  });

  it('is read at once when it is not to be held up any more', async () => {
    const { reading, arrive, holdUp, clock } = setUp();
    arrive(10);
    holdUp.configure({ ...usual, graceMs: 0 });
    expect(reading).toEqual(['pause', 'resume']);
    expect(arrive(10)).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('is held up at once when a grace is given while the queue is full', async () => {
    const { reading, arrive, holdUp } = setUp({ graceMs: 0 });
    arrive(10);
    holdUp.configure({ ...usual, excess: { capacity: 0, capacityBytes: 0 } });
    expect(reading).toEqual(['pause']);
  });

  it('counts holds that are shorter than a millisecond, too', async () => {
    const { arrive, take, clock, metrics } = setUp();
    for (let i = 0; i < 10; i += 1) {
      arrive(10);
      await clock.advance(0.25);
      await take(10);
    }
    expect(metrics.read('HeldUpMillis')).toBe(2);
  });

  it('is left alone after the end', async () => {
    const { reading, arrive, pass, holdUp, clock, metrics, logger } = setUp();
    arrive(10);
    await pass(300);
    holdUp.close();
    holdUp.close();
    expect(clock.pending).toBe(0);
    expect(metrics.snapshot()).toEqual({ IsHeldUp: false, HeldUpMillis: 300 });
    arrive(10);
    holdUp.taken();
    holdUp.progressed();
    await pass(10_000);
    expect(reading).toEqual(['pause']);
    expect(logger.lines).toEqual([]);
  });

  it('is left alone when the end comes with the last moment of the grace', async () => {
    const { reading, arrive, clock, pass, holdUp } = setUp();
    arrive(10);
    const passing = clock.advance(1000);
    await new Promise((resolve) => setImmediate(resolve));
    holdUp.close();
    await passing;
    await pass(0);
    expect(reading).toEqual(['pause']);
  });
});
