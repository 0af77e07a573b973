import { describe, expect, expectTypeOf, it } from 'vitest';
import type { PartitionOffset } from '../contract/offset-store.ts';
import type { SourceRecord } from '../contract/source-record.ts';
import { each } from '../sinks/each.ts';
import { eachBatch } from '../sinks/each-batch.ts';
import { logSink } from '../sinks/log-sink.ts';
import type { Sink } from '../sinks/sink.ts';
import { fakeSource } from '../testing/fake-source.ts';
import { createScriptedConnector } from '../testing/scripted-connector.ts';
import { createScriptedLog } from '../testing/scripted-log.ts';
import { waitFor } from '../testing/wait-for.ts';
import { createSource } from './create-source.ts';
import { type PipeOptions, pipe } from './pipe.ts';
import type { DecodeOptions, SourceHandle } from './source-handle.ts';

/** A source of numbers as JSON that has received these texts. */
async function numbers(texts: readonly string[], options?: DecodeOptions) {
  const { connector, peer } = createScriptedConnector();
  const source = createSource(connector, { topic: 'numbers' }, { name: 'feed' }).json<number>(options);
  await source.ready();
  peer.send(...texts);
  return source;
}

/** Runs until so many records are settled. */
async function runInto<V>(
  source: SourceHandle<V>,
  sink: Sink<V>,
  { count, ...options }: PipeOptions & { count: number },
) {
  const run = pipe(source, sink, options);
  const settled = (): boolean => {
    const { RecordsProduced, MessagesDropped } = run.status();
    return Number(RecordsProduced) + Number(MessagesDropped) === count;
  };
  await waitFor(settled);
  return { ...(await run.close()), status: run.status() };
}

describe('a pipe from a source whose values have a type', () => {
  it('gives them to callbacks', async () => {
    const seen: number[] = [];
    const one = each<number>(({ value }) => void seen.push(value + 1));
    await runInto(await numbers(['1', '2']), one, { count: 2 });
    const all = eachBatch<number>((records) => void seen.push(...records.map(({ value }) => value + 10)));
    await runInto(await numbers(['1', '2']), all, { count: 2 });
    expect(seen).toEqual([2, 3, 11, 12]);
  });

  it('takes their records into a log as they came', async () => {
    const log = createScriptedLog();
    const producer = await log.connect().producer({ clientId: 'test' });
    await runInto(await numbers(['1.50', 'not JSON']), logSink(producer), { count: 2 });
    expect(log.values('numbers')).toEqual(['1.50', 'not JSON']);
  });

  it('takes only valid ones into a log where it was asked what happens to the others', async () => {
    const log = createScriptedLog();
    const producer = await log.connect().producer({ clientId: 'test' });
    const seen: unknown[] = [];
    const onInvalid = ({ value }: SourceRecord): void => void seen.push(value);
    const source = await numbers(['1.50', 'not JSON', '2'], { onInvalid });
    const { status } = await runInto(source, logSink(producer), { count: 3 });
    expect([log.values('numbers'), seen]).toEqual([['1.50', '2'], ['not JSON']]);
    expect(status).toMatchObject({ RecordsProduced: 2, DroppedConversionError: 1, UnaccountedCount: 0 });
  });

  it('ends at an invalid one on its way into a log where that was asked for', async () => {
    const log = createScriptedLog();
    const producer = await log.connect().producer({ clientId: 'test' });
    const run = pipe(await numbers(['not JSON'], { onInvalid: 'throw' }), logSink(producer));
    await expect(run.done).rejects.toThrow('feed: the value of record 1 is not JSON: "not JSON"');
    expect(log.values('numbers')).toEqual([]);
  });

  it('gives them to a sink with a conversion of its own when that asks', async () => {
    const sent: unknown[] = [];
    const sink: Sink<number> = {
      open: async () => ({
        convert: (raw, _now, read) => {
          expectTypeOf(read().value).toEqualTypeOf<number>();
          return [raw.value instanceof Uint8Array, read().value];
        },
        send: async (batch) => {
          sent.push(...batch);
          return { stored: batch.length, failures: [] };
        },
      }),
    };
    await runInto(await numbers(['7']), sink, { count: 1 });
    expect(sent).toEqual([[true, 7]]);
  });

  it('ends at an invalid one, with the error that a loop would throw', async () => {
    const run = pipe(
      await numbers(['one']),
      each(() => undefined),
    );
    await expect(run.done).rejects.toMatchObject({
      code: 'conversion_failed',
      message: expect.stringMatching(/^feed: the value of record 1 is not JSON: "one"/),
    });
    expect(run.status()).toMatchObject({ DroppedConversionError: 1, UnaccountedCount: 0 });
  });

  it('skips invalid ones where that was asked for, and reports each', async () => {
    const seen: unknown[] = [];
    const sink = each<number>(({ value }) => void seen.push(value));
    const source = await numbers(['one', '2', 'three', '4'], { onInvalid: 'skip' });
    const onDrop: PipeOptions['onDrop'] = ({ record, error }) => seen.push([record.value, error.code]);
    const { status } = await runInto(source, sink, { count: 4, onDrop });
    const code = 'conversion_failed';
    expect(seen).toEqual([['one', code], ['three', code], 2, 4]);
    expect(status).toMatchObject({ RecordsProduced: 2, DroppedConversionError: 2, UnaccountedCount: 0 });
  });

  it('gives invalid ones to a function, and ends when what it returns rejects', async () => {
    const seen: unknown[] = [];
    const onInvalid = async ({ value }: SourceRecord): Promise<void> => {
      await Promise.resolve();
      seen.push(value);
      if (value === 'worse') throw new Error('no room for dead letters');
    };
    const sink = each<number>(({ value }) => void seen.push(value));
    const run = pipe(await numbers(['bad', '1', 'worse'], { onInvalid }), sink);
    await expect(run.done).rejects.toThrow('no room for dead letters');
    expect(new Set(seen)).toEqual(new Set([1, 'bad', 'worse']));
    expect(run.status()).toMatchObject({ DroppedConversionError: 2, UnaccountedCount: 0 });
  });

  it.each([
    ['fails', true, 'no dead letters'],
    ['does not settle', false, 'closed'],
  ])('stores no offset of an invalid record whose function %s, and closes', async (_, fails, expected) => {
    const written: unknown[] = [];
    const offsets = {
      read: async () => undefined,
      write: async (_source: string, all: readonly PartitionOffset[]) =>
        void written.push(...all.map(({ offset }) => offset['position'])),
    };
    const records = ['1', 'bad', '3'].map((value, i) => ({
      value,
      sourcePartition: { feed: 'f' },
      sourceOffset: { position: i + 1 },
    }));
    const dealing = Promise.withResolvers<void>();
    const source = fakeSource({ offsets, records });
    const run = pipe(
      source.json({ onInvalid: () => dealing.promise }),
      each(() => undefined),
    );
    await source.feed.settled();
    if (fails) dealing.reject(new Error('no dead letters'));
    expect(await run.close()).toMatchObject({ delivered: 2 });
    const end = await run.done.then(
      () => 'closed',
      (error: Error) => error.message,
    );
    expect([written, end]).toEqual([[1], expected]);
  });

  it('ends when the function for invalid records throws, also when it is tolerant', async () => {
    const onInvalid = (): never => {
      throw new Error('no dead letters');
    };
    const source = await numbers(['bad'], { onInvalid });
    const run = pipe(
      source,
      each(() => undefined),
      { tolerant: true },
    );
    await expect(run.done).rejects.toThrow('no dead letters');
  });
});
