import { describe, expect, it } from 'vitest';
import { type SourceRecord, sourceRecord } from '../contract/source-record.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { SendResult } from '../platform/log-platform.ts';
import { each } from '../sinks/each.ts';
import { eachBatch } from '../sinks/each-batch.ts';
import type { Sink, SinkContext } from '../sinks/sink.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { createScriptedConnector } from '../testing/scripted-connector.ts';
import { waitFor } from '../testing/wait-for.ts';
import { createSource } from './create-source.ts';
import { type PipeOptions, pipe } from './pipe.ts';

async function setUp(sink: Sink, options: PipeOptions = {}, config: Record<string, string> = {}) {
  const { connector, peer } = createScriptedConnector();
  // A message "a:1" has the key "a".
  const keyed = {
    ...connector,
    createTask: () => {
      const task = connector.createTask();
      const poll = task.poll.bind(task);
      return Object.assign(task, { poll: async () => (await poll()).map(withKey) });
    },
  };
  const clock = createManualClock();
  const source = createSource(keyed, { topic: 'prices', ...config }, { clock });
  const run = pipe(source, sink, { clock, ...options });
  await source.ready();
  return { peer, clock, run };
}

function withKey(record: SourceRecord): SourceRecord {
  const [key, number] = String(record.value).split(':');
  return number === undefined ? record : sourceRecord({ ...record, key });
}

/** Calls that a test ends one by one. */
function heldCalls() {
  const calls = new Map<string, PromiseWithResolvers<void>>();
  const begun: string[] = [];
  return {
    begun,
    call: ({ value }: SourceRecord): Promise<void> => {
      const held = Promise.withResolvers<void>();
      calls.set(String(value), held);
      begun.push(String(value));
      return held.promise;
    },
    end: (value: string): void => calls.get(value)?.resolve(),
  };
}

describe('each', () => {
  it('calls for one record after the other, text as strings, and counts each when its call has ended', async () => {
    const held = heldCalls();
    const { peer, clock, run } = await setUp(each(held.call));
    peer.send('1', '2', '3');
    await clock.advance(0);
    expect(held.begun).toEqual(['1']);
    expect(run.status()).toMatchObject({ RecordsProduced: 0, InFlightCount: 3, UnaccountedCount: 0 });
    for (const value of ['1', '2', '3']) {
      held.end(value);
      await clock.advance(0);
    }
    expect(held.begun).toEqual(['1', '2', '3']);
    expect(await run.close()).toEqual({ delivered: 3, undelivered: 0 });
    expect(clock.pending).toBe(0);
  });

  it('calls for several records at once, and keeps the order of those with one key', async () => {
    const held = heldCalls();
    const { peer, clock, run } = await setUp(
      each(held.call, { concurrency: 2 }),
      {},
      { 'scripted.batch.size': '2' },
    );
    peer.send('a:1', 'a:2', 'b:1', 'a:3', 'c:1');
    await clock.advance(0);
    expect(held.begun).toEqual(['a:1', 'b:1']);
    held.end('b:1');
    await clock.advance(0);
    expect(held.begun).toEqual(['a:1', 'b:1', 'c:1']);
    held.end('a:1');
    await clock.advance(0);
    expect(held.begun).toEqual(['a:1', 'b:1', 'c:1', 'a:2']);
    held.end('a:2');
    await clock.advance(0);
    expect(held.begun.at(-1)).toBe('a:3');
    held.end('a:3');
    held.end('c:1');
    expect(await run.close()).toEqual({ delivered: 5, undelivered: 0 });
  });

  it('orders by what the options say', async () => {
    const held = heldCalls();
    const sink = each(held.call, { concurrency: 9, orderBy: () => 'all' });
    const { peer, clock, run } = await setUp(sink);
    peer.send('a:1', 'b:1');
    await clock.advance(0);
    expect(held.begun).toEqual(['a:1']);
    held.end('a:1');
    await clock.advance(0);
    held.end('b:1');
    await run.close();
  });

  it('repeats a failing call after growing delays', async () => {
    const attempts: number[] = [];
    const sink = each(
      (_, { attempt }) => {
        attempts.push(attempt);
        if (attempt < 3) throw new Error('not yet');
      },
      { retries: 2, backoff: { initialMs: 1000, maxMs: 1000 } },
    );
    const { peer, clock, run } = await setUp(sink);
    peer.send('1');
    await clock.advance(0);
    expect(attempts).toEqual([1]);
    await clock.advance(1000);
    expect(attempts).toEqual([1, 2]);
    await clock.advance(1000);
    expect(attempts).toEqual([1, 2, 3]);
    expect(await run.close()).toEqual({ delivered: 1, undelivered: 0 });
  });

  it('ends the run with the error when no retries are left, and calls for no later record', async () => {
    const values: unknown[] = [];
    const sink = each(({ value }) => {
      values.push(value);
      throw new Error('no room');
    });
    const { peer, run } = await setUp(sink);
    peer.send('1', '2', '3');
    await expect(run.done).rejects.toMatchObject({
      code: 'record_rejected',
      message: 'the callback failed for a record of "prices": no room',
    });
    expect(values).toEqual(['1']);
    expect(run.health()).toMatchObject({ status: 'down' });
    expect(run.status()).toMatchObject({
      DroppedProduceRejected: 1,
      DroppedShutdownTimeout: 2,
      UnaccountedCount: 0,
    });
    expect(peer.connections).toBe(0);
  });

  it.each([
    ['of ours', new ConnectorError('unsupported', 'never')],
    ['of another client', Object.assign(new Error('never'), { retriable: false })],
  ])('does not repeat what an error %s says is permanent', async (_, error) => {
    let calls = 0;
    const sink = each(
      () => {
        calls += 1;
        throw error;
      },
      { retries: 5 },
    );
    const { peer, run } = await setUp(sink);
    peer.send('1');
    await expect(run.done).rejects.toThrow('never');
    expect(calls).toBe(1);
  });

  it.each([
    ['by the options', { onError: 'drop' as const }, {}],
    ['by a function', { onError: async () => 'drop' as const }, {}],
    ['in a tolerant run', {}, { tolerant: true }],
  ])('drops, counts and reports a record that failed: %s', async (_, options, runOptions) => {
    const dropped: string[] = [];
    const sink = each(({ value }) => {
      if (value === '2') throw new Error('bad');
    }, options);
    const onDrop: PipeOptions['onDrop'] = ({ cause, error }) => dropped.push(`${cause}: ${error.message}`);
    const { peer, clock, run } = await setUp(sink, { onDrop, ...runOptions });
    peer.send('1', '2', '3');
    await clock.advance(0);
    expect(dropped).toEqual(['produce_rejected: the callback failed for a record of "prices": bad']);
    expect(run.status()).toMatchObject({ RecordsProduced: 2, MessagesDropped: 1, UnaccountedCount: 0 });
    await run.close();
  });

  it('ends with what was thrown, also when that has no text', async () => {
    const { peer, run } = await setUp(
      each(() => {
        throw Object.create(null);
      }),
    );
    peer.send('1');
    await expect(run.done).rejects.toThrow('for a record of "prices": [object Object]');
  });

  it('ends with what onError throws', async () => {
    const sink = each(
      () => {
        throw new Error('bad');
      },
      {
        onError: () => {
          throw new Error('worse');
        },
      },
    );
    const { peer, run } = await setUp(sink);
    peer.send('1');
    await expect(run.done).rejects.toThrow('onError failed: worse');
  });

  it('aborts the signal of calls that take too long to close, and ends the waits between repetitions', async () => {
    let aborted = 0;
    const sink = each(
      ({ value }, { signal }) => {
        if (value === '2') throw new Error('again');
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            aborted += 1;
            reject(signal.reason);
          });
        });
      },
      { retries: 9, concurrency: 2 },
    );
    const { peer, clock, run } = await setUp(sink);
    peer.send('1', '2');
    await clock.advance(0);
    const closing = run.close({ timeoutMs: 10 });
    await clock.advance(10);
    expect(await closing).toEqual({ delivered: 0, undelivered: 2 });
    expect(aborted).toBe(1);
    expect(run.status()).toMatchObject({ UnaccountedCount: 0, DroppedDeliveryUnknown: 2 });
    expect(clock.pending).toBe(0);
  });

  it('refuses numbers that make no sense, all in one error', () => {
    expect(() => each(() => undefined, { concurrency: 0, retries: -1, backoff: { maxMs: 0.5 } })).toThrow(
      /concurrency must be a whole number from 1, got 0\n.*retries.*\n.*backoff\.maxMs.*got 0\.5/,
    );
  });
});

describe('eachBatch', () => {
  it('calls for one batch after the other, and drops or ends as its options say', async () => {
    const batches: unknown[][] = [];
    const sink = eachBatch(
      (records, { attempt }) => {
        if (records.length === 1 && attempt < 3) throw new Error('alone');
        batches.push(records.map(({ value }) => value));
        if (records[0]?.value === '3') throw new Error('three');
      },
      { retries: 2, backoff: { initialMs: 1, maxMs: 1 }, onError: 'drop' },
    );
    const { peer, clock, run } = await setUp(sink, {}, { 'scripted.batch.size': '2' });
    peer.send('1', '2', '3', '4', '5');
    await waitFor(async () => {
      await clock.advance(1);
      return run.status()['RecordsProduced'] === 3;
    });
    expect(batches).toEqual([['1', '2'], ['3', '4'], ['3', '4'], ['3', '4'], ['5']]);
    expect(run.status()).toMatchObject({ DroppedProduceRejected: 2, UnaccountedCount: 0 });
    await run.close();
  });
});

describe('a sink of its own', () => {
  it('is opened before the source, gets batches in order, and is closed last', async () => {
    const steps: string[] = [];
    let context: SinkContext | undefined;
    const sink: Sink = {
      open: async (given) => {
        context = given;
        steps.push('open');
        return {
          send: async (batch) => {
            steps.push(`send ${batch.length}`);
            return { stored: batch.length, failures: [] };
          },
          close: async () => {
            steps.push(`close, ${peer.connections} connections`);
          },
        };
      },
    };
    const { peer, run } = await setUp(sink);
    peer.send('1', '2');
    expect(await run.close()).toEqual({ delivered: 2, undelivered: 0 });
    expect(steps).toEqual(['open', 'send 2', 'close, 0 connections']);
    expect(context).toMatchObject({ source: 'ScriptedSourceConnector', tolerant: false });
    expect(context?.signal.aborted).toBe(true);
  });

  it('ends the run when it cannot be opened, before the source is started', async () => {
    const { connector, peer } = createScriptedConnector();
    const sink: Sink = {
      open: () => {
        throw new ConnectorError('log_unavailable', 'no such place');
      },
    };
    const run = pipe(createSource(connector, { topic: 'prices' }), sink);
    await expect(run.done).rejects.toThrow('no such place');
    expect(run.health()).toEqual({ status: 'down', reason: 'no such place' });
    expect(peer.connections).toBe(0);
    expect(await run.close()).toEqual({ delivered: 0, undelivered: 0 });
  });

  it.each([
    ['nothing', undefined, 'must resolve with { stored, failures }'],
    ['an empty object', {}, 'must resolve with { stored, failures }'],
    ['too few records', { stored: 1, failures: [] }, 'accounted for 1 stored and 0 failed of 2 records'],
    [
      'an index outside the batch',
      { stored: 1, failures: [{ index: 2 }] },
      'a failure at index 2 of a batch of 2',
    ],
    [
      'one index twice',
      { stored: 0, failures: [{ index: 1 }, { index: 1 }] },
      'several failures of one record',
    ],
  ])('ends the run when it answers with %s', async (_, answer, message) => {
    const sink: Sink = { open: async () => ({ send: async () => answer as unknown as SendResult }) };
    const { peer, run } = await setUp(sink);
    peer.send('1', '2');
    await expect(run.done).rejects.toThrow(message);
    expect(run.status()).toMatchObject({ RecordsProduced: 0, MessagesDropped: 2, UnaccountedCount: 0 });
  });

  it('ends the run with a ConnectorError, whatever it throws when it is opened', async () => {
    const { connector } = createScriptedConnector();
    const thrown = new TypeError('foreign');
    const run = pipe(createSource(connector, { topic: 't' }), { open: () => Promise.reject(thrown) });
    await expect(run.done).rejects.toMatchObject({ name: 'ConnectorError', code: 'internal', cause: thrown });
  });

  it('does not keep a close waiting when it never opens or never closes', async () => {
    const clock = createManualClock();
    const { connector } = createScriptedConnector();
    const opened = Promise.withResolvers<never>();
    const run = pipe(
      createSource(connector, { topic: 't' }, { clock }),
      { open: () => opened.promise },
      { clock },
    );
    expect(await run.close()).toEqual({ delivered: 0, undelivered: 0 });
    const hanging: Sink = {
      open: async () => ({
        send: async (batch) => ({ stored: batch.length, failures: [] }),
        close: () => new Promise(() => {}),
      }),
    };
    const second = await setUp(hanging);
    second.peer.send('1');
    const closing = second.run.close();
    await waitFor(() => second.peer.connections === 0);
    await waitFor(async () => {
      await second.clock.advance(250);
      return second.run.health().status === 'down' && second.clock.pending === 0;
    });
    expect(await closing).toEqual({ delivered: 1, undelivered: 0 });
    await expect(second.run.done).rejects.toThrow('closing the sink took longer than 1250 ms');
  });
});
