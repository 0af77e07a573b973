import { describe, expect, it } from 'vitest';
import { configDef } from '../config/config-def.ts';
import type { AnySourceConnector } from '../contract/source-connector.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { createRecordingLogger } from '../testing/recording-logger.ts';
import { createScriptedConnector } from '../testing/scripted-connector.ts';
import { waitFor } from '../testing/wait-for.ts';
import { createSource } from './create-source.ts';
import type { SourceHandle } from './source-handle.ts';

function setUp(config: Record<string, string> = {}) {
  const { connector, peer } = createScriptedConnector();
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const abort = new AbortController();
  const source = createSource(
    connector,
    { topic: 'prices', ...config },
    { clock, logger, name: 'feed', signal: abort.signal },
  );
  return { connector, peer, clock, logger, abort, source };
}

/** Takes `count` records, then leaves the loop. */
async function take(source: SourceHandle, count: number): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const record of source) {
    values.push(record.value);
    if (values.length === count) break;
  }
  return values;
}

describe('a source in a library', () => {
  it('refuses options that are wrong, all at once', () => {
    const { connector } = createScriptedConnector();
    const create = (options: object) => () => createSource(connector, { topic: 'prices' }, options);
    expect(create({ offsets: 'x.json', signal: {}, clock: Date, nam: 'feed' })).toThrow(
      [
        "offsets must be a store of offsets, such as fileOffsets('offsets.json'), got x.json",
        'signal must be an AbortSignal, got object',
        'clock must be an object with the methods now, monotonic, sleep, after, got function',
        'nam is not an option, did you mean name?',
      ].join('\n'),
    );
    const store = { read: async () => undefined, write: async () => undefined, flushIntervalMs: 'soon' };
    expect(create({ offsets: store })).toThrow(
      'offsets.flushIntervalMs must be a number of milliseconds from 0, got soon',
    );
    const source = create({})();
    expect(() => source.json({ onInvalid: 'ignore' as 'skip' })).toThrow(
      "onInvalid must be 'throw', 'skip' or a function, got ignore",
    );
  });

  it('opens nothing before it is used', async () => {
    const { source, peer } = setUp();
    expect(peer.attempts).toBe(0);
    expect(source.health()).toEqual({ status: 'down', reason: 'not started' });
    expect(await source.close()).toEqual({ delivered: 0, undelivered: 0 });
    expect(peer.attempts).toBe(0);
  });

  it('gives records in order, with text as strings', async () => {
    const { source, peer } = setUp();
    const taken = take(source, 3);
    await waitFor(() => peer.send('{"p":1}', 'é', '') === 1);
    expect(await taken).toEqual(['{"p":1}', 'é', '']);
  });

  it('closes the connection when the loop is left', async () => {
    const { source, peer } = setUp();
    const taken = take(source, 1);
    await waitFor(() => peer.send('one') === 1);
    await taken;
    expect(peer.connections).toBe(0);
    expect(source.health()).toEqual({ status: 'down', reason: 'closed' });
  });

  it('closes the connection when the loop throws, and lets the error through', async () => {
    const { source, peer } = setUp();
    const failing = (async () => {
      for await (const record of source) throw new Error(`cannot store ${String(record.value)}`);
    })();
    await waitFor(() => peer.send('one') === 1);
    await expect(failing).rejects.toThrow('cannot store one');
    expect(peer.connections).toBe(0);
  });

  it('counts a record as produced when the loop asks for the next one', async () => {
    const { source, peer } = setUp();
    await source.ready();
    peer.send('one', 'two', 'three');
    const records = source[Symbol.asyncIterator]();
    await records.next();
    expect(source.status()).toMatchObject({ RecordsProduced: 0, InFlightCount: 3, UnaccountedCount: 0 });
    await records.next();
    expect(source.status()).toMatchObject({ RecordsProduced: 1, InFlightCount: 2, UnaccountedCount: 0 });
    await records.return?.();
    expect(source.status()).toMatchObject({
      RecordsProduced: 1,
      DroppedDeliveryUnknown: 1,
      DroppedShutdownTimeout: 1,
      InFlightCount: 0,
      UnaccountedCount: 0,
    });
    expect(await source.close()).toEqual({ delivered: 1, undelivered: 2 });
  });

  it('accounts for every message when the loop is left with a queue', async () => {
    const { source, peer } = setUp({ 'scripted.queue.size': '20', 'scripted.batch.size': '4' });
    await source.ready();
    peer.send(...Array.from({ length: 30 }, (_, i) => String(i)));
    await take(source, 6);
    const { delivered, undelivered } = await source.close();
    expect({ delivered, undelivered }).toEqual({ delivered: 5, undelivered: 15 });
    expect(source.status()).toMatchObject({
      MessagesReceived: 30,
      DroppedQueueFull: 10,
      UnaccountedCount: 0,
    });
  });

  it('uses the default that a row has for libraries, in place of that of workers', async () => {
    const { connector } = createScriptedConnector();
    const rows = connector.config.keys.map((row) =>
      row.name === 'scripted.queue.size' ? { ...row, libraryDefault: 7 } : row,
    );
    const ofLibrary: AnySourceConnector = { ...connector, config: configDef(rows) };
    const capacity = async (raw: Record<string, string>): Promise<unknown> => {
      const source = createSource(ofLibrary, { topic: 't', ...raw });
      await source.ready();
      await source.close();
      return source.status()['QueueCapacity'];
    };
    expect([await capacity({}), await capacity({ 'scripted.queue.size': '3' })]).toEqual([7, 3]);
  });

  it('ends the loop after what is queued when its signal aborts', async () => {
    const { source, peer, abort, clock } = setUp();
    await source.ready();
    peer.send('one', 'two');
    const values: unknown[] = [];
    for await (const record of source) {
      values.push(record.value);
      abort.abort();
    }
    expect(values).toEqual(['one', 'two']);
    expect(await source.close()).toEqual({ delivered: 2, undelivered: 0 });
    expect([peer.connections, clock.pending]).toEqual([0, 0]);
  });

  it('is closed from the start when its signal was aborted before', async () => {
    const { connector, peer } = createScriptedConnector();
    const source = createSource(connector, { topic: 't' }, { signal: AbortSignal.abort() });
    expect(await take(source, 1)).toEqual([]);
    await expect(source.ready()).rejects.toMatchObject({ code: 'aborted' });
    expect(peer.attempts).toBe(0);
  });

  it('gives up the rest when the consumer is too slow to close in time', async () => {
    const { source, peer, clock } = setUp();
    await source.ready();
    peer.send('one', 'two', 'three');
    const records = source[Symbol.asyncIterator]();
    await records.next();
    const closing = source.close({ timeoutMs: 100 });
    await clock.advance(100);
    expect(await closing).toEqual({ delivered: 0, undelivered: 3 });
    expect(await records.next()).toEqual({ done: true, value: undefined });
    expect(source.status()).toMatchObject({ UnaccountedCount: 0, InFlightCount: 0 });
    expect([peer.connections, clock.pending]).toEqual([0, 0]);
  });

  it('closes at once when a second close is more impatient', async () => {
    const { source, peer } = setUp();
    await source.ready();
    peer.send('one');
    await source[Symbol.asyncIterator]().next();
    const patient = source.close();
    const impatient = source.close({ timeoutMs: 0 });
    expect(await impatient).toEqual({ delivered: 0, undelivered: 1 });
    expect(await patient).toEqual({ delivered: 0, undelivered: 1 });
  });

  it('ends a loop that waits for a record when it is closed', async () => {
    const { source, clock } = setUp();
    const taken = take(source, 1);
    await source.ready();
    await source.close();
    expect(await taken).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('is closed at the end of an await using block', async () => {
    const { connector, peer } = createScriptedConnector();
    {
      // oxlint-disable-next-line typescript/await-thenable -- the linter reads test files without the library that has Symbol.asyncDispose
      await using source = createSource(connector, { topic: 't' });
      await source.ready();
      expect(peer.connections).toBe(1);
    }
    expect(peer.connections).toBe(0);
  });

  it('throws a permanent failure out of the loop, after the records before it', async () => {
    const { source, peer, clock } = setUp({ 'scripted.reconnect.max.attempts': '0' });
    await source.ready();
    peer.send('one', 'two');
    peer.drop('gone');
    const values: unknown[] = [];
    const looping = (async () => {
      for await (const record of source) values.push(record.value);
    })();
    await expect(looping).rejects.toMatchObject({ code: 'reconnect_exhausted' });
    expect(values).toEqual(['one', 'two']);
    expect(source.health()).toMatchObject({ status: 'down', reason: expect.stringContaining('gone') });
    expect(await source.close()).toEqual({ delivered: 2, undelivered: 0 });
    expect(clock.pending).toBe(0);
  });

  it('throws what the start rejects with', async () => {
    const { source, peer } = setUp({ 'scripted.start.error': 'cannot read /etc/ca.pem' });
    await expect(source.ready()).rejects.toThrow('cannot read /etc/ca.pem');
    await expect(take(source, 1)).rejects.toMatchObject({ code: 'file_unreadable' });
    expect(peer.attempts).toBe(0);
  });

  it('is ready at the first connection, however long the peer is away', async () => {
    const { source, peer, clock } = setUp();
    peer.goAway();
    let ready = false;
    const waiting = source.ready().then(() => {
      ready = true;
    });
    await clock.advance(20_000);
    expect([ready, peer.attempts > 2, source.health().status]).toEqual([false, true, 'degraded']);
    peer.comeBack();
    await clock.advance(60_000);
    await waiting;
    expect(source.health()).toEqual({ status: 'up' });
    await source.close();
  });

  it('rejects ready on a permanent failure although no records are taken', async () => {
    const { source, peer } = setUp({ 'scripted.reconnect.enabled': 'false' });
    peer.goAway();
    await expect(source.ready()).rejects.toMatchObject({ code: 'reconnect_disabled' });
  });

  it('rejects ready when it is closed before', async () => {
    const { source, peer } = setUp();
    peer.goAway();
    const ready = source.ready();
    const closing = source.close();
    await expect(ready).rejects.toMatchObject({ code: 'closed' });
    await closing;
  });

  it('emits typed events to listeners, and survives listeners that throw', async () => {
    const { source, peer, logger, clock } = setUp();
    const seen: string[] = [];
    const onReconnect = ({ attempt }: { attempt: number }): number => seen.push(`attempt ${attempt}`);
    source
      .on('connected', () => {
        throw new Error('listener is broken');
      })
      .on('connected', ({ peer: to }) => seen.push(`connected to ${to}`))
      .on('reconnecting', onReconnect);
    await source.ready();
    peer.drop();
    await clock.advance(7000);
    source.off('reconnecting', onReconnect);
    peer.drop();
    await clock.advance(60_000);
    expect(seen).toEqual([
      'connected to scripted',
      'attempt 1',
      'connected to scripted',
      'connected to scripted',
    ]);
    expect(logger.withEvent('listener_failed').length).toBe(3);
    await source.close();
  });

  it('has one consumer', async () => {
    const { source } = setUp();
    source.consumer();
    expect(() => source[Symbol.asyncIterator]()).toThrow('a source can be read only once');
    await source.close();
  });

  it('is degraded while its queue is nearly full', async () => {
    const { source, peer } = setUp({ 'scripted.queue.size': '10', 'scripted.batch.size': '1' });
    await source.ready();
    peer.send('1', '2', '3', '4', '5', '6', '7', '8', '9');
    expect(source.health()).toEqual({ status: 'degraded', reason: 'queue is 90 % full' });
    await source.close();
  });

  it('settles its close even when the task hangs', async () => {
    const { connector } = createScriptedConnector();
    const clock = createManualClock();
    const never = new Promise<never>(() => undefined);
    const hanging = {
      ...connector,
      createTask: () => ({ start: async () => undefined, poll: () => never, stop: () => never }),
    };
    const source = createSource(hanging, { topic: 't' }, { clock });
    const taken = take(source, 1);
    await source.ready();
    const closing = source.close({ timeoutMs: 300 });
    await clock.advance(1300);
    expect(await closing).toEqual({ delivered: 0, undelivered: 0 });
    expect([await taken, clock.pending]).toEqual([[], 0]);
  });

  it('settles its close even when the start hangs', async () => {
    const { connector } = createScriptedConnector();
    const clock = createManualClock();
    const never = new Promise<never>(() => undefined);
    const hanging = {
      ...connector,
      createTask: () => ({ start: () => never, poll: () => never, stop: async () => undefined }),
    };
    const source = createSource(hanging, { topic: 't' }, { clock });
    const ready = source.ready();
    const closing = source.close({ timeoutMs: 300 });
    await expect(ready).rejects.toMatchObject({ code: 'closed' });
    await clock.advance(1300);
    expect(await closing).toEqual({ delivered: 0, undelivered: 0 });
  });

  it('logs a stop that rejects, and closes all the same', async () => {
    const { connector } = createScriptedConnector();
    const logger = createRecordingLogger();
    const rude = {
      ...connector,
      createTask: () => ({
        start: async () => undefined,
        poll: async () => [],
        completed: () => true,
        stop: () => Promise.reject(new Error('port is stuck')),
      }),
    };
    const source = createSource(rude, { topic: 't' }, { logger });
    expect(await take(source, 1)).toEqual([]);
    expect(logger.withEvent('stop_failed').length).toBe(1);
  });

  it('fails when its task ends without being stopped and without being complete', async () => {
    const { connector } = createScriptedConnector();
    const ending = {
      ...connector,
      createTask: () => ({ start: async () => undefined, poll: async () => [], stop: async () => undefined }),
    };
    const source = createSource(ending, { topic: 't' });
    await expect(take(source, 1)).rejects.toThrow('the task ended although it was not stopped');
    expect(source.health()).toMatchObject({ status: 'down' });
  });

  it('notifies its task of batches, with what was not consumed of the last one', async () => {
    const { connector, peer } = createScriptedConnector();
    const committed: [values: string[], undelivered: (readonly [number, string])[]][] = [];
    const telling = {
      ...connector,
      createTask: () => {
        const task = connector.createTask();
        task.committed = (records, dropped) => {
          committed.push([records.map(({ value }) => String(value)), [...dropped]]);
        };
        return task;
      },
    };
    const source = createSource(telling, { topic: 't', 'scripted.batch.size': '2' });
    await source.ready();
    peer.send('1', '2', '3', '4');
    await take(source, 4);
    expect(committed).toEqual([
      [['1', '2'], []],
      [['3', '4'], [[1, 'shutdown_timeout']]],
    ]);
  });

  it('names connector and task in every line it logs', async () => {
    const { source, logger } = setUp();
    await source.ready();
    expect(logger.withEvent('connected')[0]?.fields).toMatchObject({ connector: 'feed', task: 0 });
    await source.close();
  });
});
