import { describe, expect, it } from 'vitest';
import type { OffsetStore, PartitionOffset } from '../contract/offset-store.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import { each } from '../sinks/each.ts';
import { logSink } from '../sinks/log-sink.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { createRecordingLogger } from '../testing/recording-logger.ts';
import { createScriptedConnector } from '../testing/scripted-connector.ts';
import { createScriptedLog } from '../testing/scripted-log.ts';
import { waitFor } from '../testing/wait-for.ts';
import { createSource } from './create-source.ts';
import { pipe } from './pipe.ts';

const partition = { feed: 'f' };

/** What a service would write for itself: a store in memory, with faults. */
function memoryOffsets() {
  const written: number[] = [];
  const steps: string[] = [];
  let fault: ConnectorError | undefined;
  let last: PartitionOffset | undefined;
  const store: OffsetStore = {
    open: async ({ source }) => {
      steps.push(`open ${source}`);
    },
    read: async () => last?.offset,
    write: async (_, offsets) => {
      if (fault !== undefined) throw fault;
      last = offsets[0];
      written.push(Number(last?.offset['position']));
    },
    close: async (source) => {
      steps.push(`close ${source}`);
    },
  };
  const fail = (error?: ConnectorError): void => {
    fault = error;
  };
  return { store, written, steps, fail };
}

/** A source whose messages are positions in one partition, and what its task found stored. */
async function setUp(config: Record<string, string> = {}) {
  const { connector, peer } = createScriptedConnector();
  const found: unknown[] = [];
  const numbered = {
    ...connector,
    createTask: () => {
      const task = connector.createTask();
      const start = task.start.bind(task);
      const poll = task.poll.bind(task);
      return Object.assign(task, {
        start: async (...[parsed, context]: Parameters<typeof start>) => {
          found.push(await context.offsets.offset(partition));
          await start(parsed, context);
        },
        poll: async () =>
          (await poll()).map((record) => ({
            ...record,
            sourcePartition: partition,
            sourceOffset: { position: Number(String(record.value)) },
          })),
      });
    },
  };
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const offsets = memoryOffsets();
  const source = createSource(
    numbered,
    { topic: 'prices', ...config },
    { clock, logger, name: 'feed', offsets: offsets.store },
  );
  return { peer, clock, logger, source, found, ...offsets };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) taken.push(item);
  return taken;
}

describe('offsets of a source', () => {
  it('are stored each second, up to the record for which the loop has asked the next one', async () => {
    const { source, peer, clock, written, steps, found } = await setUp();
    await source.ready();
    expect(found).toEqual([undefined]);
    peer.send('1', '2', '3');
    const records = source[Symbol.asyncIterator]();
    await records.next();
    await records.next();
    expect(written).toEqual([]);
    await clock.advance(1000);
    expect(written).toEqual([1]);
    await clock.advance(5000);
    expect(written).toEqual([1]);
    await records.next();
    await records.return?.();
    expect(written).toEqual([1, 2]);
    expect(steps).toEqual(['open feed', 'close feed']);
    expect(clock.pending).toBe(0);
  });

  it('are stored up to the last record of a loop that is limited', async () => {
    const { source, peer, written } = await setUp();
    await source.ready();
    peer.send('1', '2', '3');
    for await (const _ of source.limit(2)) expect(written).toEqual([]);
    expect(written).toEqual([2]);
  });

  it('are not stored for a record that cannot be decoded, nor for those after it, unless it is skipped', async () => {
    const invalid = (value: number): number => {
      if (value === 2) throw new Error('two');
      return value;
    };
    const stops = await setUp();
    await stops.source.ready();
    stops.peer.send('1', '2', '3');
    const decoded = stops.source.decode(({ value }) => invalid(Number(value)));
    await expect(all(decoded)).rejects.toThrow('two');
    expect(stops.written).toEqual([1]);
    const skips = await setUp();
    await skips.source.ready();
    skips.peer.send('1', '2', '3');
    const others = skips.source.decode(({ value }) => invalid(Number(value)), { onInvalid: 'skip' });
    expect(await all(others.limit(2))).toHaveLength(2);
    expect(skips.written).toEqual([3]);
  });

  it('are stored in a pipe when the sink has acknowledged, and never beyond a record on its way', async () => {
    const { source, peer, clock, written } = await setUp({ 'scripted.batch.size': '1' });
    const log = createScriptedLog({ clock });
    const run = pipe(source, logSink(await log.connect().producer({ clientId: 'test' })), { clock });
    await source.ready();
    log.faults.hold();
    peer.send('1', '2');
    await clock.advance(1000);
    expect(written).toEqual([]);
    log.faults.release();
    await clock.advance(1000);
    expect(written).toEqual([2]);
    peer.send('3');
    expect(await run.close()).toEqual({ delivered: 3, undelivered: 0 });
    expect(written).toEqual([2, 3]);
  });

  it('are stored up to the record before the one that ended a pipe', async () => {
    const { source, peer, written } = await setUp();
    const sink = each(({ value }) => {
      if (value === '3') throw new Error('three');
    });
    const run = pipe(source, sink);
    await source.ready();
    peer.send('1', '2', '3', '4');
    await expect(run.done).rejects.toThrow('three');
    expect(written).toEqual([2]);
  });

  it('are kept when they cannot be stored, and stored with the next interval', async () => {
    const { source, peer, clock, written, fail, logger } = await setUp();
    await source.ready();
    peer.send('1', '2');
    const records = source[Symbol.asyncIterator]();
    await records.next();
    await records.next();
    fail(new ConnectorError('log_unavailable', 'disk full'));
    await clock.advance(1000);
    expect(source.health()).toEqual({
      status: 'degraded',
      reason: 'offsets could not be stored: disk full',
    });
    expect(logger.withEvent('offsets_not_stored')).toHaveLength(1);
    fail();
    await clock.advance(1000);
    expect(written).toEqual([1]);
    expect(source.health()).toEqual({ status: 'up' });
    await records.return?.();
  });

  it('that cannot be stored at the end are the error of the loop, of the run and in the report', async () => {
    const fault = new ConnectorError('log_unavailable', 'disk full');
    const looped = await setUp();
    await looped.source.ready();
    looped.fail(fault);
    looped.peer.send('1');
    await expect(all(looped.source.limit(1))).rejects.toThrow('could not be stored: disk full');
    const piped = await setUp();
    const run = pipe(
      piped.source,
      each(() => undefined),
    );
    await piped.source.ready();
    piped.fail(fault);
    piped.peer.send('1');
    await waitFor(() => piped.source.status()['RecordsProduced'] === 1);
    expect(await run.close()).toMatchObject({ delivered: 1, offsetsError: { code: 'log_unavailable' } });
    await expect(run.done).rejects.toThrow('offsets could not be stored: disk full');
  });

  it('fail the source when the store cannot be opened, and are not written then', async () => {
    const { source, store, peer } = await setUp();
    Object.assign(store, {
      open: async () => {
        throw new ConnectorError('log_corrupt', 'damaged');
      },
    });
    await expect(source.ready()).rejects.toThrow('damaged');
    await expect(all(source)).rejects.toThrow('damaged');
    expect(peer.connections).toBe(0);
  });

  it('that cannot help are named once: the source has none, or is not configured to resume', async () => {
    const { connector, peer } = createScriptedConnector();
    const messages: unknown[] = [];
    for (const [rereads, count] of [
      [true, 2],
      [false, 0],
    ] as const) {
      const logger = createRecordingLogger();
      const other = { ...connector, rereads: () => rereads };
      const source = createSource(other, { topic: 't' }, { logger, offsets: memoryOffsets().store });
      await source.ready();
      peer.send(...['1', '2'].slice(0, count));
      await all(source.limit(count));
      messages.push(logger.withEvent('offsets_without_effect').map(({ message }) => message));
    }
    expect(messages).toEqual([
      ['the offset store does not let this source resume: its records have no offsets'],
      ['the offset store does not let this source resume: it is not configured to resume'],
    ]);
  });

  it('of a store that never answers keep a close waiting for two seconds at most', async () => {
    const { source, store, peer, clock } = await setUp();
    const never = (): Promise<never> => new Promise(() => {});
    Object.assign(store, { write: never, close: never });
    await source.ready();
    peer.send('1', '2');
    const records = source[Symbol.asyncIterator]();
    await records.next();
    await records.next();
    const closing = source.close({ timeoutMs: 0 });
    await clock.advance(1000);
    await clock.advance(1000);
    expect(await closing).toMatchObject({ delivered: 1, undelivered: 1, offsetsError: { code: 'timeout' } });
    await expect(records.return?.()).rejects.toThrow('storing offsets took longer than 1000 ms');
  });

  it('of a store that hangs are not written twice at once, and a close does not wait for the earlier write', async () => {
    const { source, store, peer, clock } = await setUp();
    const writes: PromiseWithResolvers<void>[] = [];
    const write = (): Promise<void> => {
      writes.push(Promise.withResolvers<void>());
      return writes.at(-1)?.promise ?? Promise.resolve();
    };
    Object.assign(store, { write });
    await source.ready();
    peer.send('1', '2', '3');
    const records = source[Symbol.asyncIterator]();
    await records.next();
    await records.next();
    await clock.advance(1000);
    await clock.advance(30_000);
    expect(source.health()).toMatchObject({ status: 'degraded' });
    await clock.advance(1000);
    expect(writes).toHaveLength(1);
    writes[0]?.resolve();
    await clock.advance(1);
    expect(writes).toHaveLength(2);
    const closing = source.close({ timeoutMs: 0 });
    await clock.advance(1000);
    expect(await closing).toMatchObject({ offsetsError: { code: 'timeout' } });
    expect(writes).toHaveLength(2);
    expect(clock.pending).toBe(0);
    await expect(records.return?.()).rejects.toThrow('storing offsets took longer than 1000 ms');
  });

  it('are refused to a second source of the same name in one store, until the first is closed', async () => {
    const { store } = memoryOffsets();
    const open = () => createSource(createScriptedConnector().connector, { topic: 't' }, { offsets: store });
    const first = open();
    await first.ready();
    const second = open();
    await expect(second.ready()).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(/^offsets: two sources named "\w+" share this store; give each a name/),
    });
    await second.close();
    await expect(open().ready()).rejects.toMatchObject({ code: 'config_invalid' });
    const closing = first.close();
    const third = open();
    await third.ready();
    await closing;
    await third.close();
  });

  it('of a store that opens late are waited for, and health says so', async () => {
    const { source, store, clock, peer } = await setUp();
    const opened = Promise.withResolvers<void>();
    Object.assign(store, { open: () => opened.promise });
    const ready = source.ready();
    await waitFor(() => source.health().status === 'degraded');
    expect(source.health()).toMatchObject({ reason: expect.stringContaining('offset store') });
    await clock.advance(3_600_000);
    opened.resolve();
    await ready;
    expect(source.health()).toEqual({ status: 'up' });
    expect(peer.connections).toBe(1);
    await source.close();
  });

  it('of a store that never opens do not keep a source from closing', async () => {
    const { source, store, clock, peer } = await setUp();
    Object.assign(store, { open: () => new Promise(() => {}) });
    const ready = source.ready();
    const failed = ready.catch((error: unknown) => error);
    const closing = source.close({ timeoutMs: 0 });
    await clock.advance(1000);
    expect(await closing).toEqual({ delivered: 0, undelivered: 0 });
    expect(await failed).toMatchObject({ code: 'closed' });
    expect(peer.connections).toBe(0);
  });
});
