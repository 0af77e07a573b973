import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ConnectorError, type RawConfig } from '@levada/connect-runtime-core';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { configOf, type RuntimeHarness, runtimeHarness } from '../../test/runtime-harness.ts';
import type { ConnectRuntimeOptions } from '../port/connect-runtime.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const open: RuntimeHarness[] = [];

/** A started worker with one running connector `a`. */
async function running(
  config: RawConfig = {},
  overrides: Partial<ConnectRuntimeOptions> = {},
  before: (harness: RuntimeHarness) => void = () => {},
): Promise<RuntimeHarness> {
  const harness = runtimeHarness(overrides);
  open.push(harness);
  before(harness);
  await harness.runtime.start();
  await harness.running('a', config);
  return harness;
}

async function read(harness: RuntimeHarness, attribute: string): Promise<number> {
  return (await harness.herder.metrics('a')).group.read(attribute);
}

async function trace(harness: RuntimeHarness): Promise<string> {
  await harness.states('a', 'RUNNING', 'FAILED');
  return (await harness.herder.taskStatus('a', 0)).trace ?? '';
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(({ runtime, advanceUntil }) => advanceUntil(runtime.stop())));
});

describe('delivery', () => {
  it('keeps the order over many batches in flight', async () => {
    const harness = await running();
    const task = harness.source.task();
    task.batch = 7;
    const values = Array.from({ length: 500 }, (_, i) => `${i}`);
    task.offer(...values);
    expect(await harness.stored(500)).toEqual(values);
    expect(task.committedValues).toEqual(values);
  });

  it('takes no more batches than fit in flight while the log is slow', async () => {
    const harness = await running();
    const task = harness.source.task();
    task.batch = 1;
    task.offer('first');
    await harness.stored(1);
    harness.log.faults.hold();
    task.offer(...Array.from({ length: 50 }, (_, i) => `${i}`));
    await waitFor(async () => (await read(harness, 'InFlightCount')) === 8);
    expect(task.queue.size).toBe(42);
    expect(await read(harness, 'UnaccountedCount')).toBe(0);
    harness.log.faults.release();
    await harness.stored(51);
    await waitFor(async () => (await read(harness, 'RecordsProduced')) === 51);
    expect(await read(harness, 'InFlightCount')).toBe(0);
  });

  it('waits for a log that went away, and loses nothing', async () => {
    const harness = await running();
    harness.log.faults.goAway();
    harness.source.task().offer('one', 'two');
    await harness.clock.advance(5_000);
    expect(harness.log.values('t')).toEqual([]);
    harness.log.faults.comeBack();
    expect(await harness.stored(2)).toEqual(['one', 'two']);
    expect(harness.source.tasks).toHaveLength(1);
  });

  it('keeps nothing of a delivered batch in memory while it waits for the next one', async () => {
    const harness = await running();
    const offer = (): WeakRef<object> => {
      const headers = [{ key: 'h', schema: null, value: 'v' }];
      harness.source.task().offerRecord({ value: 'x', headers });
      return new WeakRef(headers);
    };
    const held = offer();
    await harness.stored(1);
    await waitFor(() => {
      collectGarbage();
      return held.deref() === undefined;
    });
    expect(held.deref()).toBeUndefined();
  });

  it('hands the log headers, key, partition and time stamp of a record', async () => {
    const harness = await running();
    const headers = [{ key: 'h', schema: null, value: 'v' }];
    harness.source.task().offerRecord({ value: 'x', key: 'k', timestamp: 42, headers });
    await harness.stored(1);
    const [record] = harness.log.records('t');
    expect(record).toMatchObject({ key: Buffer.from('k'), timestamp: 42, headers: [{ key: 'h' }] });
  });
});

describe('a record that is too large', () => {
  it('is dropped and counted, its offset is committed, and the task continues', async () => {
    const harness = await running();
    harness.log.faults.refuse(({ value }) =>
      value?.toString() === 'big' ? new ConnectorError('record_too_large', 'too large') : undefined,
    );
    harness.source.task().offer('one', 'big', 'two');
    expect(await harness.stored(2)).toEqual(['one', 'two']);
    await waitFor(async () => (await read(harness, 'DroppedRecordTooLarge')) === 1);
    expect(await read(harness, 'UnaccountedCount')).toBe(0);
    await harness.states('a', 'RUNNING', 'RUNNING');
    expect(harness.logger.withEvent('record_dropped')).toHaveLength(1);
    await harness.runtime.stop();
    const next = harness.again();
    open.push(next);
    await next.runtime.start();
    await next.states('a', 'RUNNING', 'RUNNING');
    expect(next.source.task().position).toBe(3);
  });
});

describe('a record that cannot be produced', () => {
  const rejected = new ConnectorError('record_rejected', 'the log says no');

  it('fails the task, and what comes after it is not committed', async () => {
    const harness = await running();
    harness.log.faults.refuse(({ value }) => (value?.toString() === 'bad' ? rejected : undefined));
    harness.source.task().offer('one', 'bad', 'two');
    expect(await trace(harness)).toMatch(/^org[.\w]+ConnectException: the log says no\n\s+at /);
    await waitFor(() => harness.logger.withEvent('task_ended').length === 1);
    expect(await harness.herder.offsets('a')).toEqual([
      { partition: { file: 'f' }, offset: { position: 1 } },
    ]);
    expect(await read(harness, 'UnaccountedCount')).toBe(0);
  });

  it('is dropped and counted with errors.tolerance=all', async () => {
    const harness = await running({ 'errors.tolerance': 'all' });
    harness.log.faults.refuse(({ value }) => (value?.toString() === 'bad' ? rejected : undefined));
    harness.source.task().offer('one', 'bad', 'two');
    expect(await harness.stored(2)).toEqual(['one', 'two']);
    await waitFor(async () => (await read(harness, 'DroppedProduceRejected')) === 1);
    await harness.states('a', 'RUNNING', 'RUNNING');
  });

  it('because its topic may not be written fails the task, and the queue is counted', async () => {
    const harness = await running();
    const refusal = new ConnectorError('topic_unavailable', 'topic "t": not authorised');
    harness.log.faults.refuse(() => refusal);
    harness.source.task().offer(...Array.from({ length: 300 }, (_, i) => `${i}`));
    expect(await trace(harness)).toContain('topic "t": not authorised');
    await waitFor(() => harness.logger.withEvent('task_ended').length === 1);
    expect(harness.logger.withEvent('task_ended')[0]?.fields['undelivered']).toBe(300);
    expect(await read(harness, 'UnaccountedCount')).toBe(0);
    expect(await read(harness, 'QueueSize')).toBe(0);
  });
});

describe('a record that cannot be converted', () => {
  const bytes = 'org.apache.kafka.connect.converters.ByteArrayConverter';

  it('fails the task, and those that can be read again are left to the next one', async () => {
    const harness = await running({ 'value.converter': bytes });
    const task = harness.source.task();
    const record = { valueSchema: null };
    task.offerRecord({ ...record, value: new Uint8Array([1]) });
    task.offerRecord({ ...record, value: 17 });
    task.offerRecord({ ...record, value: new Uint8Array([2]) });
    await harness.states('a', 'RUNNING', 'FAILED');
    await waitFor(() => harness.logger.withEvent('task_ended').length === 1);
    expect(harness.log.records('t')).toHaveLength(1);
    expect(await read(harness, 'UnaccountedCount')).toBe(0);
  });

  it('does not keep those without offsets from being delivered', async () => {
    const harness = await running({ 'value.converter': bytes }, {}, ({ source }) => {
      source.script.offsets = false;
    });
    const task = harness.source.task();
    for (const value of [new Uint8Array([1]), 17, new Uint8Array([2])]) {
      task.offerRecord({ valueSchema: null, value });
    }
    await harness.states('a', 'RUNNING', 'FAILED');
    expect(await harness.stored(2)).toHaveLength(2);
  });

  it('is dropped and counted with errors.tolerance=all', async () => {
    const harness = await running({ 'value.converter': bytes, 'errors.tolerance': 'all' });
    for (const value of [17, new Uint8Array([2])]) {
      harness.source.task().offerRecord({ valueSchema: null, value });
    }
    await harness.stored(1);
    expect(await read(harness, 'DroppedConversionError')).toBe(1);
    expect(await read(harness, 'UnaccountedCount')).toBe(0);
  });
});

describe('an outcome that is unknown', () => {
  it('is counted and never sent again, for records without offsets', async () => {
    const harness = await running({}, {}, ({ source }) => {
      source.script.offsets = false;
    });
    harness.log.faults.loseAnswers();
    harness.source.task().offer('one');
    await waitFor(async () => (await read(harness, 'DroppedDeliveryUnknown')) === 1);
    harness.source.task().offer('two');
    expect(await harness.stored(2)).toEqual(['one', 'two']);
    await harness.states('a', 'RUNNING', 'RUNNING');
    expect(await read(harness, 'UnaccountedCount')).toBe(0);
  });

  it('is counted and never sent again, for a source whose offsets only number what came', async () => {
    const harness = await running({}, {}, ({ source }) => {
      source.script.rereads = false;
    });
    harness.log.faults.loseAnswers();
    harness.source.task().offer('one');
    await waitFor(async () => (await read(harness, 'DroppedDeliveryUnknown')) === 1);
    harness.source.task().offer('two');
    expect(await harness.stored(2)).toEqual(['one', 'two']);
    await harness.states('a', 'RUNNING', 'RUNNING');
    expect(await read(harness, 'UnaccountedCount')).toBe(0);
  });

  it('fails the task of a source that can read the records again', async () => {
    const harness = await running();
    harness.log.faults.loseAnswers();
    harness.source.task().offer('one');
    expect(await trace(harness)).toContain('no answer from the log');
    expect(await harness.herder.offsets('a')).toEqual([]);
  });
});

describe('a task that is complete', () => {
  it('has its connector stopped, when everything is delivered and committed', async () => {
    const harness = await running();
    const task = harness.source.task();
    task.complete = true;
    task.offer('one', 'two');
    task.queue.close();
    await harness.states('a', 'STOPPED');
    expect(await harness.stored(2)).toEqual(['one', 'two']);
    expect(await harness.herder.offsets('a')).toHaveLength(1);
    expect(harness.logger.withEvent('task_completed')).toHaveLength(1);
  });

  it('leaves its connector alone while another task continues', async () => {
    const harness = runtimeHarness();
    open.push(harness);
    harness.source.script.taskConfigs = (raw) => [raw, raw];
    await harness.runtime.start();
    await harness.herder.create('a', configOf('a', { 'tasks.max': '2' }));
    await harness.states('a', 'RUNNING', 'RUNNING', 'RUNNING');
    const [first, second] = harness.source.tasks;
    for (const task of [first, second]) if (task !== undefined) task.complete = true;
    first?.queue.close();
    await waitFor(() => harness.logger.withEvent('task_completed').length === 1);
    await harness.states('a', 'RUNNING', 'RUNNING', 'RUNNING');
    second?.queue.close();
    await harness.states('a', 'STOPPED');
    expect(harness.logger.withEvent('task_completed')).toHaveLength(2);
  });
});

describe('a task that fails', () => {
  it('has everything delivered and committed that it handed out before', async () => {
    const harness = await running();
    harness.source.task().offer('one', 'two');
    harness.source.task().fail(new Error('peer is gone for good'));
    expect(await trace(harness)).toMatch(/^Error: peer is gone for good\n/);
    expect(await harness.stored(2)).toEqual(['one', 'two']);
    await waitFor(() => harness.logger.withEvent('task_ended').length === 1);
    expect(await harness.herder.offsets('a')).toHaveLength(1);
  });

  it('stops a task that failed in its start', async () => {
    const harness = runtimeHarness();
    open.push(harness);
    harness.source.script.start = async () => {
      throw new ConnectorError('file_unreadable', 'Cannot read TLS certificate');
    };
    await harness.runtime.start();
    await harness.herder.create('a', configOf('a'));
    expect(await trace(harness)).toMatch(/^org[.\w]+ConnectException: Cannot read TLS certificate\n/);
    await waitFor(() => harness.source.task().stops > 0);
  });

  it('is FAILED when it hands out what is no record', async () => {
    const harness = await running();
    const task = harness.source.task();
    task.poll = async () => [null] as never;
    task.offer('wakes the poll that waits');
    expect(await trace(harness)).toMatch(/./);
  });

  it('reports a task that ends unasked as FAILED, not as RUNNING and idle', async () => {
    const harness = await running();
    harness.source.task().queue.close();
    expect(await trace(harness)).toContain('the task ended although it was not stopped');
  });

  it('shows causes in its trace, and no secrets', async () => {
    const secret = 'hunter2-hunter2';
    const harness = await running({ 'feed.auth': secret });
    harness.source.task().fail(new Error(`refused ${secret}`, { cause: new Error(`because of ${secret}`) }));
    const text = await trace(harness);
    expect(text).toContain('Caused by: Error: because of [hidden]');
    expect(text + harness.logger.text()).not.toContain(secret);
  });
});

describe('a stop', () => {
  it('counts and reports what the log does not take in time', async () => {
    const harness = await running();
    harness.log.faults.goAway();
    const task = harness.source.task();
    task.batch = 10;
    task.offer(...Array.from({ length: 200 }, (_, i) => `${i}`));
    await waitFor(() => task.queue.size < 200);
    const { group } = await harness.herder.metrics('a');
    const report = await harness.advanceUntil(harness.runtime.stop());
    expect(report.undelivered).toEqual([{ connector: 'a', task: 0, count: 200 }]);
    expect(group.read('DroppedShutdownTimeout')).toBe(200);
    expect(group.read('UnaccountedCount')).toBe(0);
    expect(harness.clock.monotonic()).toBeLessThanOrEqual(6_000);
  });

  it('abandons a task that hangs in its stop, and says so', async () => {
    const harness = await running();
    harness.source.task().offer('one');
    await harness.stored(1);
    harness.source.script.stop = () => new Promise(() => {});
    await harness.advanceUntil(harness.runtime.stop());
    expect(harness.logger.withEvent('task_cancelled')).toHaveLength(1);
    expect(harness.source.task().context.signal.aborted).toBe(true);
  });

  it('abandons a task that hangs in poll, and counts its queue', async () => {
    const harness = await running();
    const task = harness.source.task();
    task.hangInPoll = true;
    task.offer('one');
    await harness.stored(1);
    task.offer('two', 'three');
    const report = await harness.advanceUntil(harness.runtime.stop());
    expect(report.undelivered).toEqual([{ connector: 'a', task: 0, count: 2 }]);
    expect(harness.logger.withEvent('task_cancelled')).toHaveLength(1);
  });

  it('abandons a task that hangs in its start', async () => {
    const harness = runtimeHarness();
    harness.source.script.start = () => new Promise(() => {});
    await harness.runtime.start();
    await harness.herder.create('a', configOf('a'));
    await waitFor(() => harness.source.tasks.length === 1);
    await harness.advanceUntil(harness.runtime.stop());
    expect(harness.logger.withEvent('task_cancelled')).toHaveLength(1);
  });

  it('delivers ten thousand queued records', async () => {
    const harness = await running();
    harness.source.task().offer(...Array.from({ length: 10_000 }, (_, i) => `${i}`));
    expect(await harness.runtime.stop()).toEqual({ undelivered: [] });
    expect(harness.log.values('t')).toHaveLength(10_000);
    expect(harness.clock.pending).toBe(0);
  });
});

describe('offsets', () => {
  it('are committed on the interval', async () => {
    const harness = await running();
    harness.source.task().offer('one');
    await harness.stored(1);
    await waitFor(async () => (await read(harness, 'RecordsProduced')) === 1);
    expect(harness.log.records('connect-offsets')).toHaveLength(0);
    await harness.clock.advance(60_000);
    expect(harness.log.records('connect-offsets')).toHaveLength(1);
    expect(harness.log.values('connect-offsets')).toEqual(['{"position":1}']);
    await harness.clock.advance(60_000);
    expect(harness.log.records('connect-offsets')).toHaveLength(1);
  });

  it('stores offsets that could not be stored with the next commit', async () => {
    const harness = await running();
    harness.source.task().offer('one');
    await waitFor(async () => (await read(harness, 'RecordsProduced')) === 1);
    harness.log.faults.goAway();
    await harness.clock.advance(60_000);
    expect(harness.logger.withEvent('offset_flush_failed')).toHaveLength(1);
    harness.log.faults.comeBack();
    await harness.clock.advance(60_000);
    expect(harness.log.values('connect-offsets')).toEqual(['{"position":1}']);
  });
});
