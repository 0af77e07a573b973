import { readFile } from 'node:fs/promises';
import { pipe, sourceRecord } from '@levada/connect-runtime-core';
import { createSource } from '@levada/connect-runtime-core/library';
import { createManualClock, createScriptedConnector, waitFor } from '@levada/connect-runtime-core/testing';
import { brokerUser, createTopic, readTopic } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { describe, expect, it } from 'vitest';
import { kafkaOffsets } from './kafka-offsets.ts';
import { kafkaSink } from './kafka-sink.ts';

/** A source of messages `<position>` that resumes after the last stored position. */
function feed(options: Parameters<typeof createSource>[2] = {}) {
  const { connector, peer } = createScriptedConnector();
  const found: unknown[] = [];
  const partition = { feed: 'f' };
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
          (await poll()).map((record) =>
            sourceRecord({
              ...record,
              key: 'k',
              sourcePartition: partition,
              sourceOffset: { position: Number(String(record.value)) },
            }),
          ),
      });
    },
  };
  return {
    peer,
    found,
    source: createSource(numbered, { topic: 'sink-prices' }, { name: 'feed', ...options }),
  };
}

describeWithSharedBroker('kafkaSink', {}, (broker) => {
  it('the sink writes compressed records to its topic and closes its connections', async () => {
    await createTopic(broker(), 'sink-own');
    const { source, peer } = feed();
    const sink = kafkaSink({ bootstrap: broker().bootstrap, topic: 'sink-own', compression: 'gzip' });
    const run = pipe(source, sink);
    await source.ready();
    peer.send('1', '2', '3');
    const read = await readTopic(broker(), 'sink-own', { count: 3 });
    expect(read.map(({ key, value }) => `${String(key)} ${String(value)}`)).toEqual(['k 1', 'k 2', 'k 3']);
    expect(await run.close()).toEqual({ delivered: 3, undelivered: 0 });
    expect(await run.done).toEqual({ delivered: 3, undelivered: 0 });
  });

  it('the sink writes to the topic of each record, or to that of a function', async () => {
    await Promise.all([createTopic(broker(), 'sink-prices'), createTopic(broker(), 'raw.sink-prices')]);
    const plain = feed();
    const named = feed();
    const { bootstrap } = broker();
    const runs = [
      pipe(plain.source, kafkaSink({ bootstrap: [bootstrap] })),
      pipe(named.source, kafkaSink({ bootstrap, topic: ({ topic }) => `raw.${topic}` })),
    ];
    await Promise.all([plain.source.ready(), named.source.ready()]);
    plain.peer.send('1');
    named.peer.send('2');
    await Promise.all(runs.map((run) => run.close()));
    expect(
      (await readTopic(broker(), 'sink-prices', { count: 1 })).map(({ value }) => String(value)),
    ).toEqual(['1']);
    expect(
      (await readTopic(broker(), 'raw.sink-prices', { count: 1 })).map(({ value }) => String(value)),
    ).toEqual(['2']);
  });

  it('the sink supports TLS and passwords', async () => {
    await createTopic(broker(), 'sink-secure');
    const { source, peer } = feed();
    const run = pipe(
      source,
      kafkaSink({
        bootstrap: broker().endpoint('SASL_SSL'),
        topic: 'sink-secure',
        tls: { ca: await readFile(broker().certificates?.authority ?? '', 'utf8') },
        sasl: { mechanism: 'SCRAM-SHA-512', ...brokerUser },
      }),
    );
    await source.ready();
    peer.send('1');
    expect(await readTopic(broker(), 'sink-secure', { count: 1 })).toHaveLength(1);
    await run.close();
  });

  it('the sink waits for unreachable brokers and reports it', async () => {
    const { source, peer } = feed();
    const run = pipe(source, kafkaSink({ bootstrap: '127.0.0.1:1', topic: 'sink-own' }));
    await source.ready();
    peer.send('1');
    await waitFor(() => run.health().status === 'down');
    expect(run.health()).toMatchObject({ reason: expect.stringContaining('sink: ') });
    expect(await run.close({ timeoutMs: 0 })).toEqual({ delivered: 0, undelivered: 1 });
  });

  it('the sink closes at once when the run has given up, with or without brokers', async () => {
    const { source, peer } = feed();
    // Stopped: a close must not depend on it
    const clock = createManualClock();
    const run = pipe(source, kafkaSink({ bootstrap: '127.0.0.1:1', topic: 'sink-own', clock }));
    await source.ready();
    peer.send('1');
    await waitFor(() => run.status()['InFlightCount'] === 1);
    expect(await run.close({ timeoutMs: 0 })).toEqual({ delivered: 0, undelivered: 1 });
    expect(await run.done).toEqual({ delivered: 0, undelivered: 1 });
  });

  it('a missing topic ends the run with its error', async () => {
    const { source, peer } = feed();
    const config = { 'max.block.ms': '200', 'allow.auto.create.topics': 'false' };
    const run = pipe(source, kafkaSink({ bootstrap: broker().bootstrap, topic: 'no such topic!', config }));
    await source.ready();
    peer.send('1');
    await expect(run.done).rejects.toMatchObject({ code: 'topic_unavailable' });
    expect(run.status()).toMatchObject({ DroppedProduceRejected: 1, UnaccountedCount: 0 });
  });
});

describeWithSharedBroker('kafkaOffsets', {}, (broker) => {
  it('a source resumes after the last delivered record, in the format of Kafka Connect', async () => {
    const options = { bootstrap: broker().bootstrap, topic: 'feed-offsets' };
    await createTopic(broker(), 'resumed');
    const runOnce = async (...messages: string[]): Promise<unknown> => {
      const { source, peer, found } = feed({ offsets: kafkaOffsets(options) });
      const run = pipe(source, kafkaSink({ bootstrap: options.bootstrap, topic: 'resumed' }));
      await source.ready();
      peer.send(...messages);
      await waitFor(() => run.status()['RecordsProduced'] === messages.length);
      await run.close();
      return found[0];
    };
    expect(await runOnce('1', '2')).toBeUndefined();
    expect(await runOnce('3')).toEqual({ position: 2 });
    expect(await runOnce('4')).toEqual({ position: 3 });
    const stored = await readTopic(broker(), 'feed-offsets', { count: 3 });
    expect(stored.map(({ key, value }) => `${String(key)} ${String(value)}`).at(-1)).toBe(
      '["feed",{"feed":"f"}] {"position":4}',
    );
  });
});

describe('options of a Kafka sink', () => {
  const certificate = '-----BEGIN CERTIFICATE-----\n';
  const user = { mechanism: 'PLAIN', username: 'u', password: 'p' };
  it.each<[string, object, string]>([
    ['no brokers', { bootstrap: '' }, 'bootstrap: '],
    ['an address without port', { bootstrap: ['kafka'] }, 'bootstrap: got [kafka]: "kafka" is not host:port'],
    [
      'a time that is too long',
      { bootstrap: 'k:1', lingerMs: -1 },
      'lingerMs: got -1: expected a whole number',
    ],
    ['a codec', { bootstrap: 'k:1', compression: 'lzo' as 'gzip' }, 'compression: got lzo: expected one of'],
    ['an option of another client', { ssl: true }, 'ssl is not an option, did you mean tls?'],
    ['a slip', { compresion: 'gzip' }, 'compresion is not an option, did you mean compression?'],
    ['a type', { topic: 7 }, 'topic must be a string or a function, got number'],
    [
      'a logger without levels',
      { logger: { info: () => undefined } },
      'logger must have the methods debug, info, warn and error, as those of pino and console; missing: debug, warn, error',
    ],
    ['a member of tls', { tls: { rejectUnauthorized: true } }, 'tls.rejectUnauthorized is not an option'],
    ['bytes', { tls: { ca: Buffer.from(certificate) } }, 'tls.ca must be PEM text with a certificate'],
    ['the name of a file', { tls: { ca: 'ca.pem' } }, 'tls.ca must be PEM text with a certificate'],
    ['half of a pair', { tls: { cert: certificate } }, 'tls.key is required with tls.cert'],
    ['a password of no key', { tls: { passphrase: 'p' } }, 'tls.key is required with tls.passphrase'],
    [
      'a mechanism',
      { sasl: { ...user, mechanism: 'plain' } },
      'sasl.mechanism must be one of PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, got plain',
    ],
    ['no name', { sasl: { ...user, username: '' } }, 'sasl.username must be a string that is not empty'],
    ['no password', { sasl: { ...user, password: undefined } }, 'sasl.password is required'],
    [
      'a number in the configuration',
      { config: { 'request.timeout.ms': 1000 } },
      'config["request.timeout.ms"] must be a string, got number',
    ],
    [
      'a key of the configuration',
      { bootstrap: 'k:1', config: { 'request.timeout.ms': 'x' } },
      'config["request.timeout.ms"]: got x',
    ],
  ])('that are wrong are named as they were written: %s', (_, options, message) => {
    expect(() => kafkaSink({ bootstrap: 'k:1', ...options })).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        message: expect.stringContaining(message),
      }),
    );
  });

  it('invalid options are reported together, including those of an offset store', () => {
    const options = { bootstrap: ['kafka'], partitions: 0, sasl: { mechanism: 'PLAIN' }, lingerMs: 1 };
    expect(() => kafkaOffsets(options as never)).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        issues: ['topic', 'partitions', 'sasl.username', 'sasl.password', 'lingerMs', 'bootstrap'].map(
          (key) => expect.objectContaining({ key }),
        ),
      }),
    );
    expect(() => kafkaSink(undefined as never)).toThrow('bootstrap is required');
  });
});
