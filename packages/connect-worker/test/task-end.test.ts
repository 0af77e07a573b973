import type { LogPlatform, LogProducer } from '@levada/connect-runtime-core/platform';
import { createManualClock, createScriptedLog, waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import type { ConnectRuntimeOptions } from '../src/port/connect-runtime.ts';
import { configOf, type RuntimeHarness, runtimeHarness } from './runtime-harness.ts';

const open: RuntimeHarness[] = [];

/** A worker whose producers the test changes and sees. */
function withProducers(change: (producer: LogProducer) => Promise<LogProducer>): RuntimeHarness {
  const clock = createManualClock();
  const log = createScriptedLog({ clock });
  const inner = log.connect();
  const platform = {
    ...inner,
    producer: async (options: Parameters<typeof inner.producer>[0]) => change(await inner.producer(options)),
  };
  const harness = runtimeHarness({ platform }, { log, clock });
  open.push(harness);
  return harness;
}

/** The same producer, with some of its methods replaced. */
function like(producer: LogProducer, changes: Partial<LogProducer>): LogProducer {
  return {
    send: (records) => producer.send(records),
    flush: () => producer.flush(),
    close: (options) => producer.close(options),
    get pendingBytes() {
      return producer.pendingBytes;
    },
    ...changes,
  };
}

/** A worker whose connector waits for its producer until the test says so. */
async function makingProducer() {
  const made = Promise.withResolvers<void>();
  let asked = false;
  let closes = 0;
  const harness = withProducers(async (producer) => {
    asked = true;
    await made.promise;
    return like(producer, {
      close: async () => {
        closes += 1;
      },
    });
  });
  await harness.runtime.start();
  await harness.herder.create('a', configOf('a'));
  await waitFor(() => asked);
  return { harness, made, closes: () => closes };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(({ runtime, advanceUntil }) => advanceUntil(runtime.stop())));
});

describe('the end of a task', () => {
  it('closes the producer, also when the task rejects its stop', async () => {
    let closes = 0;
    const harness = withProducers(async (producer) =>
      like(producer, {
        close: async (options) => {
          closes += 1;
          await producer.close(options);
        },
      }),
    );
    harness.source.script.stop = async () => {
      throw new Error('cannot stop');
    };
    await harness.runtime.start();
    await harness.running('a');
    await harness.herder.setTargetState('a', 'PAUSED');
    await harness.states('a', 'PAUSED', 'PAUSED');
    expect(closes).toBe(1);
    expect(harness.logger.withEvent('task_failed')[0]?.fields['reason']).toBe('cannot stop');
    expect(harness.logger.withEvent('task_ended')).toHaveLength(1);
  });

  it('starts no task when the stop came while its producer was made, and closes that', async () => {
    const { harness, made, closes } = await makingProducer();
    const stopped = harness.runtime.stop();
    made.resolve();
    await harness.advanceUntil(stopped);
    expect([harness.source.tasks.length, closes()]).toEqual([0, 1]);
  });

  it('closes a producer that comes when it is no longer waited for', async () => {
    const { harness, made, closes } = await makingProducer();
    await harness.advanceUntil(harness.runtime.stop());
    expect([harness.logger.withEvent('task_cancelled').length, closes()]).toEqual([1, 0]);
    made.resolve();
    await waitFor(() => closes() === 1);
    expect(harness.source.tasks).toHaveLength(0);
  });

  it('counts what a producer does not settle, and nothing of it a second time', async () => {
    const harness = withProducers(async (producer) => like(producer, { close: async () => {} }));
    await harness.runtime.start();
    await harness.running('a');
    const { group } = await harness.herder.metrics('a');
    harness.log.faults.hold();
    harness.source.task().offer('one', 'two');
    await waitFor(() => group.read('InFlightCount') === 2);
    const report = await harness.advanceUntil(harness.runtime.stop());
    expect(report.undelivered).toEqual([{ connector: 'a', task: 0, count: 2 }]);
    const counts = () =>
      ['DroppedDeliveryUnknown', 'RecordsProduced', 'UnaccountedCount'].map((name) => group.read(name));
    expect(counts()).toEqual([2, 0, 0]);
    harness.log.faults.release();
    await new Promise(setImmediate);
    expect(counts()).toEqual([2, 0, 0]);
  });
});

describe('the stop of a worker whose log answers nothing', () => {
  /** A worker with an unanswered batch, an uncommitted offset and statuses to write, on a log that is stuck from now on. */
  async function stuckWorker(options: Partial<ConnectRuntimeOptions>): Promise<RuntimeHarness> {
    const clock = createManualClock();
    const log = createScriptedLog({ clock });
    const inner = log.connect();
    let stuck = false;
    const platform: LogPlatform = {
      ...inner,
      compactedLog: async (...given) => {
        const opened = await inner.compactedLog(...given);
        return {
          put: (key, value) => (stuck ? new Promise(() => {}) : opened.put(key, value)),
          readToEnd: (signal) => opened.readToEnd(signal),
          close: () => opened.close(),
        };
      },
    };
    const harness = runtimeHarness({ platform, ...options }, { log, clock });
    open.push(harness);
    await harness.runtime.start();
    await harness.running('a');
    harness.source.task().offer('stored');
    await harness.stored(1);
    stuck = true;
    log.faults.hold();
    harness.source.task().offer('one', 'two');
    await harness.stored(3);
    return harness;
  }

  it.each([60_000, 5_000, 300, 0])('takes its time-out and no more (%i ms)', async (timeoutMs) => {
    const { runtime, clock, logger } = await stuckWorker({ taskShutdownGracefulTimeoutMs: timeoutMs });
    const asked = clock.monotonic();
    let over = false;
    const stopped = runtime.stop().finally(() => {
      over = true;
    });
    await clock.advance(timeoutMs);
    expect(over).toBe(true);
    expect(await stopped).toEqual({ undelivered: [{ connector: 'a', task: 0, count: 2 }] });
    expect(clock.monotonic() - asked).toBe(timeoutMs);
    expect(logger.withEvent('worker_stopped')).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('takes a shorter time-out that it is given', async () => {
    const { runtime, clock } = await stuckWorker({ taskShutdownGracefulTimeoutMs: 600_000 });
    const stopped = runtime.stop({ timeoutMs: 400 });
    await clock.advance(400);
    expect(await stopped).toEqual({ undelivered: [{ connector: 'a', task: 0, count: 2 }] });
  });
});

describe('a batch that waits to be sent', () => {
  it('is in flight while the log is away and its topic cannot be checked', async () => {
    const harness = runtimeHarness();
    open.push(harness);
    await harness.runtime.start();
    await harness.running('a', {
      'topic.creation.default.partitions': '1',
      'topic.creation.default.replication.factor': '1',
    });
    const { group } = await harness.herder.metrics('a');
    harness.log.faults.goAway();
    harness.source.task().offer('one', 'two');
    await waitFor(() => harness.logger.withEvent('topic_check_failed').length > 0);
    expect([group.read('InFlightCount'), group.read('UnaccountedCount')]).toEqual([2, 0]);
    harness.log.faults.comeBack();
    await harness.clock.advance(1_000);
    expect(await harness.stored(2)).toEqual(['one', 'two']);
  });
});
