import { describe, expect, it } from 'vitest';
import { byteArrayConverter } from '../converter/byte-array-converter.ts';
import { stringConverter } from '../converter/string-converter.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import { each } from '../sinks/each.ts';
import { logSink } from '../sinks/log-sink.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { createRecordingLogger } from '../testing/recording-logger.ts';
import { createScriptedConnector } from '../testing/scripted-connector.ts';
import { createScriptedLog } from '../testing/scripted-log.ts';
import { waitFor } from '../testing/wait-for.ts';
import { createSource } from './create-source.ts';
import { type PipeOptions, pipe } from './pipe.ts';

async function setUp(options: PipeOptions = {}, config: Record<string, string> = {}) {
  const { connector, peer } = createScriptedConnector();
  const clock = createManualClock();
  const log = createScriptedLog({ clock });
  const producer = await log.connect().producer({ clientId: 'test' });
  const source = createSource(connector, { topic: 'prices', ...config }, { clock });
  const run = pipe(source, logSink(producer), { clock, ...options });
  await source.ready();
  return { peer, clock, log, producer, source, run };
}

const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i));

describe('pipe', () => {
  it('delivers everything in order, and counts it when the log has acknowledged', async () => {
    const { peer, clock, log, run } = await setUp({}, { 'scripted.batch.size': '3' });
    log.faults.hold();
    peer.send(...numbers(10));
    await clock.advance(0);
    expect(run.status()).toMatchObject({ RecordsProduced: 0, InFlightCount: 10, UnaccountedCount: 0 });
    log.faults.release();
    expect(await run.close()).toEqual({ delivered: 10, undelivered: 0 });
    expect(log.values('prices')).toEqual(numbers(10));
    expect(run.status()).toMatchObject({ RecordsProduced: 10, InFlightCount: 0, UnaccountedCount: 0 });
    expect([peer.connections, clock.pending]).toEqual([0, 0]);
  });

  it('keeps no more batches on their way than allowed, and leaves the rest in the queue', async () => {
    const { peer, clock, log, run } = await setUp({ maxInFlightBatches: 2 }, { 'scripted.batch.size': '3' });
    log.faults.hold();
    peer.send(...numbers(10));
    await clock.advance(0);
    expect(run.status()).toMatchObject({ InFlightCount: 6, QueueSize: 4, UnaccountedCount: 0 });
    log.faults.release();
    await run.close();
    expect(log.values('prices')).toEqual(numbers(10));
  });

  it('delivers what is queued when it is closed', async () => {
    const { peer, clock, log, run } = await setUp();
    log.faults.goAway();
    peer.send(...numbers(50));
    const closing = run.close();
    await clock.advance(1000);
    expect(peer.connections).toBe(0);
    log.faults.comeBack();
    expect(await closing).toEqual({ delivered: 50, undelivered: 0 });
    expect(await run.done).toEqual({ delivered: 50, undelivered: 0 });
  });

  it('ends with what a listener throws, and closes the source', async () => {
    const { peer, clock, log, run } = await setUp({
      tolerant: true,
      onDrop: () => {
        throw new Error('of the listener');
      },
    });
    log.faults.refuse(() => new ConnectorError('record_rejected', 'no'));
    peer.send('one');
    await expect(run.done).rejects.toThrow('of the listener');
    expect([peer.connections, clock.pending]).toEqual([0, 0]);
    expect(run.status()).toMatchObject({ UnaccountedCount: 0, DroppedProduceRejected: 1 });
  });

  it('continues when the task throws where it must not', async () => {
    const { connector, peer } = createScriptedConnector();
    const throwing = {
      ...connector,
      createTask: () =>
        Object.assign(connector.createTask(), {
          committed: () => {
            throw new Error('of the task');
          },
        }),
    };
    const log = createScriptedLog();
    const logger = createRecordingLogger();
    const source = createSource(throwing, { topic: 'prices' }, { logger });
    const run = pipe(source, logSink(await log.connect().producer({ clientId: 'test' })));
    await source.ready();
    peer.send('one');
    await waitFor(() => logger.withEvent('committed_failed').length === 1);
    peer.send('two');
    await waitFor(() => log.values('prices').length === 2);
    expect(await run.close()).toEqual({ delivered: 2, undelivered: 0 });
  });

  it.each([
    [false, true, 'continues', ['two'], 'closed'],
    [true, true, 'ends', [], 'delivery_timeout'],
    [true, false, 'continues', ['two'], 'closed'],
  ])(
    'of a source that rereads: %s, with an offset store: %s, %s after a record that the log may or may not have',
    async (rereads, stores, _, stored, end) => {
      const { connector, peer } = createScriptedConnector();
      const numbered = {
        ...connector,
        rereads: () => rereads,
        createTask: () => {
          const task = connector.createTask();
          const poll = task.poll.bind(task);
          const place = { sourcePartition: { feed: 'f' }, sourceOffset: { position: 1 } };
          return Object.assign(task, {
            poll: async () => (await poll()).map((record) => ({ ...record, ...place })),
          });
        },
      };
      const log = createScriptedLog();
      const offsets = { read: async () => undefined, write: async () => undefined };
      const source = createSource(numbered, { topic: 'prices' }, stores ? { offsets } : {});
      log.faults.refuse(({ value }) =>
        Buffer.from(value ?? []).toString() === 'one'
          ? new ConnectorError('delivery_timeout', 'no answer')
          : undefined,
      );
      const run = pipe(source, logSink(await log.connect().producer({ clientId: 'test' })));
      let ended = '';
      run.done.then(
        () => {
          ended = 'closed';
        },
        (error: ConnectorError) => {
          ended = error.code;
        },
      );
      await source.ready();
      peer.send('one');
      await waitFor(() => run.status()['DroppedDeliveryUnknown'] === 1);
      peer.send('two');
      await waitFor(() => log.values('prices').length === stored.length);
      await run.close();
      await waitFor(() => ended !== '');
      expect([log.values('prices').map(String), ended]).toEqual([stored, end]);
    },
  );

  it('settles in time when the log does not answer, and says how much is missing', async () => {
    const { peer, clock, log, run } = await setUp({}, { 'scripted.batch.size': '4' });
    log.faults.goAway();
    peer.send(...numbers(50));
    await clock.advance(0);
    const closing = run.close({ timeoutMs: 300 });
    await clock.advance(300);
    expect(await closing).toEqual({ delivered: 0, undelivered: 50 });
    await run.done;
    expect(run.status()).toMatchObject({ UnaccountedCount: 0, InFlightCount: 0, MessagesDropped: 50 });
  });

  it('drops records that are too large, and continues', async () => {
    const { peer, clock, log, run } = await setUp();
    log.faults.refuse(({ value }) =>
      (value?.length ?? 0) > 1 ? new ConnectorError('record_too_large', 'too large') : undefined,
    );
    peer.send('1', '22', '3');
    await clock.advance(0);
    expect(log.values('prices')).toEqual(['1', '3']);
    expect(run.status()).toMatchObject({ RecordsProduced: 2, DroppedRecordTooLarge: 1, UnaccountedCount: 0 });
    await run.close();
  });

  it('never sends again what may have been stored', async () => {
    const { peer, clock, log, run } = await setUp();
    log.faults.loseAnswers();
    peer.send('1');
    await clock.advance(0);
    peer.send('2');
    await clock.advance(0);
    expect(log.values('prices')).toEqual(['1', '2']);
    expect(run.status()).toMatchObject({
      RecordsProduced: 1,
      DroppedDeliveryUnknown: 1,
      UnaccountedCount: 0,
    });
    await run.close();
  });

  it('ends with the error of a record that the log refuses, and closes the source', async () => {
    const { peer, clock, log, run } = await setUp();
    log.faults.refuse(() => new ConnectorError('topic_unavailable', 'no such topic "prices"'));
    peer.send('1', '2');
    await expect(run.done).rejects.toThrow('no such topic "prices"');
    expect(run.health()).toEqual({ status: 'down', reason: 'no such topic "prices"' });
    expect(run.status()).toMatchObject({ DroppedProduceRejected: 2, UnaccountedCount: 0 });
    expect([peer.connections, clock.pending]).toEqual([0, 0]);
  });

  it('drops refused records and continues when it is tolerant', async () => {
    const dropped: unknown[] = [];
    const onDrop: PipeOptions['onDrop'] = ({ topic, cause, record }) =>
      dropped.push([topic, cause, record.value]);
    const { peer, clock, log, run } = await setUp({ tolerant: true, onDrop });
    const refusal = new ConnectorError('record_rejected', 'no');
    log.faults.refuse(({ value }) => (Buffer.from(value ?? []).toString() === '1' ? refusal : undefined));
    peer.send('1', '2');
    await clock.advance(0);
    expect(log.values('prices')).toEqual(['2']);
    expect(dropped).toEqual([['prices', 'produce_rejected', '1']]);
    await run.close();
  });

  it('refuses options that are wrong, all at once, and leaves the source to another consumer', async () => {
    const source = createSource(createScriptedConnector().connector, { topic: 'prices' });
    const sink = each(() => undefined);
    // As a service without types may write them.
    const wrong = {
      maxInFlightBatches: 0,
      maxInFlightBytes: '1 MB',
      tolerate: true,
      onDrop: 'log',
      logger: {},
    };
    expect(() => pipe(source, sink, wrong as unknown as PipeOptions)).toThrow(
      [
        'maxInFlightBatches must be a whole number from 1, got 0',
        'maxInFlightBytes must be a whole number from 1, got 1 MB',
        'tolerate is not an option, did you mean tolerant?',
        'onDrop must be a function, got string',
        'logger must have the methods debug, info, warn and error, as those of pino and console; missing: debug, info, warn, error',
      ].join('\n'),
    );
    expect(() => pipe(source, sink, 5 as unknown as PipeOptions)).toThrow(
      'options must be an object, got number',
    );
    await pipe(source, sink).close();
  });

  it('ends with the failure of the source, after delivering what it received', async () => {
    const { peer, log, run } = await setUp({}, { 'scripted.reconnect.enabled': 'false' });
    peer.send('1', '2');
    peer.drop();
    await expect(run.done).rejects.toMatchObject({ code: 'reconnect_disabled' });
    expect(log.values('prices')).toEqual(['1', '2']);
  });

  it('closes when its signal aborts', async () => {
    const abort = new AbortController();
    const { peer, log, run } = await setUp({ signal: abort.signal });
    peer.send('1');
    abort.abort();
    expect(await run.done).toEqual({ delivered: 1, undelivered: 0 });
    expect(log.values('prices')).toEqual(['1']);
    expect(peer.connections).toBe(0);
  });

  it('leaves the producer to its owner', async () => {
    const { run, producer } = await setUp();
    await run.close();
    expect(await producer.send([])).toEqual({ stored: 0, failures: [] });
  });

  it('refuses a converter that cannot take what the source states to produce', async () => {
    const { connector } = createScriptedConnector();
    const log = createScriptedLog({ clock: createManualClock() });
    const producer = await log.connect().producer({ clientId: 'test' });
    const stating = { ...connector, produces: () => ({ value: ['bytes'] }) as const };
    const valueConverter = stringConverter.create({}, false);
    const source = createSource(stating, { topic: 'prices' });
    expect(() => pipe(source, logSink(producer, { valueConverter }))).toThrow(
      'valueConverter: it cannot convert BYTES, which is the type of the values that are produced; use another one, or leave it out',
    );
    const bytes = byteArrayConverter.create({}, false);
    await pipe(source, logSink(producer, { valueConverter: bytes })).close();
  });
});
