import { ConnectorError } from '@levada/connect-runtime-core';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic, type KafkaProxy, readTopic, startKafkaProxy } from '@levada/kafka-testkit';
import { describeWithBroker } from '@levada/kafka-testkit/vitest';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { problemsOf, producerAt, record, sendNumbers, sumOf } from '../../test/producing.ts';

const PRODUCE = 0;
const INIT_PRODUCER_ID = 22;

/** A restarted broker waits until its previous session has ended. */
const shortSession = { 'broker.session.timeout.ms': '2000' };

describeWithBroker('a producer whose broker is killed', { settings: shortSession }, (broker) => {
  it('no record is lost, repeated or reordered over three kills under load', async () => {
    await createTopic(broker(), 'killed', { partitions: 3 });
    const reported: string[] = [];
    const onHealth = (error: ConnectorError | undefined): void => {
      reported.push(error === undefined ? 'up' : 'down');
    };
    const producer = producerAt(broker().bootstrap, { 'batch.size': '8000' }, { onHealth });
    let over = false;
    const load = sendNumbers(producer, 'killed', (sent) => over && sent >= 30_000);
    for (let kills = 0; kills < 3; kills++) {
      await waitFor(() => producer.pendingBytes > 0);
      await broker().kill();
      await broker().restart();
    }
    over = true;
    const { sent, results } = await load;
    expect(sumOf(results)).toEqual({ stored: sent, failures: [] });
    const records = await readTopic(broker(), 'killed', { count: sent, lingerMs: 100 });
    expect(problemsOf(records, sent)).toEqual([]);
    expect(reported).toContain('down');
    expect(reported.at(-1)).toBe('up');
    await producer.close();
  }, 90_000);

  it('the producer settles and closes within its timeout while the broker is away', async () => {
    await createTopic(broker(), 'away');
    const producer = producerAt(broker().bootstrap);
    await producer.send([record('away', '0')]);
    await broker().kill();
    const left = producer.send([record('away', '1'), record('away', '2')]);
    await producer.close({ timeoutMs: 200 });
    expect(sumOf([await left])).toMatchObject({ stored: 0, failures: [{ index: 0 }, { index: 1 }] });
    expect((await left).failures[0]?.error).toMatchObject({ code: 'closed', cause: { message: /stored/ } });
    expect(producer.pendingBytes).toBe(0);
    await broker().restart();
  }, 60_000);

  it('the producer waits for a broker that is away from the start, and can be closed meanwhile', async () => {
    await broker().kill();
    const [waiting, closed] = [producerAt(broker().bootstrap), producerAt(broker().bootstrap)];
    const stored = waiting.send([record('later', '0')]);
    const given = closed.send([record('later', 'never')]);
    await closed.close({ timeoutMs: 50 });
    expect((await given).failures).toMatchObject([
      { error: { code: 'closed', cause: { message: 'it was not sent: it is not stored' } } },
    ]);
    await broker().restart();
    expect(await stored).toEqual({ stored: 1, failures: [] });
    await waiting.close();
  }, 60_000);
});

describeWithBroker('a producer on a bad network', {}, (broker) => {
  let proxy: KafkaProxy;
  beforeEach(async () => {
    proxy = await startKafkaProxy(broker());
  });
  afterEach(() => proxy.close());

  const numbersArrive = async (topic: string, sent: number): Promise<readonly string[]> =>
    problemsOf(await readTopic(broker(), topic, { count: sent, lingerMs: 100 }), sent);

  it('no record is lost or repeated when connections break every 20 ms', async () => {
    await createTopic(broker(), 'torn', { partitions: 3 });
    const producer = producerAt(proxy.bootstrap, { 'batch.size': '4000' });
    proxy.resetEvery(20);
    const { sent, results } = await sendNumbers(
      producer,
      'torn',
      (count) => count >= 10_000 && proxy.connections > 100,
    );
    proxy.resetEvery(0);
    expect(sumOf(results)).toEqual({ stored: sent, failures: [] });
    expect(await numbersArrive('torn', sent)).toEqual([]);
    await producer.close();
  }, 60_000);

  it('no record is lost or repeated over 200 lost acknowledgements', async () => {
    await createTopic(broker(), 'ambiguous', { partitions: 2 });
    const producer = producerAt(proxy.bootstrap, { 'batch.size': '4000', 'retry.backoff.ms': '5' });
    let asked = 0;
    const { sent, results } = await sendNumbers(producer, 'ambiguous', () => {
      // One at a time: each loss ends the connection
      if (proxy.dropped === asked && asked < 200) {
        proxy.dropResponses(PRODUCE, 1);
        asked += 1;
      }
      return proxy.dropped === 200;
    });
    expect(sumOf(results)).toEqual({ stored: sent, failures: [] });
    expect(await numbersArrive('ambiguous', sent)).toEqual([]);
    await producer.close();
  }, 60_000);

  it.each([
    ['NOT_LEADER_OR_FOLLOWER', 6],
    ['REQUEST_TIMED_OUT', 7],
    ['NOT_ENOUGH_REPLICAS', 19],
    ['OUT_OF_ORDER_SEQUENCE_NUMBER', 45],
    ['INVALID_PRODUCER_EPOCH', 47],
    ['KAFKA_STORAGE_ERROR', 56],
    ['UNKNOWN_PRODUCER_ID', 59],
  ])(
    'the producer continues after the answer %s',
    async (name, code) => {
      await createTopic(broker(), name);
      const producer = producerAt(proxy.bootstrap, { 'batch.size': '2000' });
      const { sent, results } = await sendNumbers(producer, name, (count) => {
        if (count % 1000 === 0) proxy.refuseProduce({ code, times: 2 });
        return count >= 5000;
      });
      expect(sumOf(results)).toEqual({ stored: sent, failures: [] });
      expect(await numbersArrive(name, sent)).toEqual([]);
      await producer.close();
    },
    30_000,
  );

  it('the end of an idle connection is not a problem', async () => {
    await createTopic(broker(), 'idle');
    const reported: (ConnectorError | undefined)[] = [];
    const onHealth = (error: ConnectorError | undefined): void => {
      reported.push(error);
    };
    const producer = producerAt(proxy.bootstrap, {}, { onHealth });
    expect(await producer.send([record('idle', '0')])).toEqual({ stored: 1, failures: [] });
    const before = proxy.connections;
    proxy.reset();
    await waitFor(() => proxy.connections > before);
    expect(await producer.send([record('idle', '1')])).toEqual({ stored: 1, failures: [] });
    expect(reported.filter((error) => error !== undefined)).toEqual([]);
    await producer.close();
  });

  it('records without write permission fail at once', async () => {
    await createTopic(broker(), 'forbidden');
    const producer = producerAt(proxy.bootstrap);
    proxy.refuseProduce({ code: 29 });
    const refused = await producer.send([record('forbidden', 'x'), record('forbidden', 'y')]);
    expect(refused.failures.map(({ index, error }) => [index, error.code])).toEqual([
      [0, 'topic_unavailable'],
      [1, 'topic_unavailable'],
    ]);
    expect(await producer.send([record('forbidden', '0')])).toEqual({ stored: 1, failures: [] });
    expect(await numbersArrive('forbidden', 1)).toEqual([]);
    await producer.close();
  });

  it('the producer pauses for as long as the broker throttles it', async () => {
    await createTopic(broker(), 'throttled');
    const producer = producerAt(proxy.bootstrap);
    proxy.refuseProduce({ code: 89, throttleMs: 300 });
    const started = performance.now();
    expect(await producer.send([record('throttled', '0')])).toEqual({ stored: 1, failures: [] });
    expect(performance.now() - started).toBeGreaterThan(290);
    await producer.close();
  });

  it('a record without acknowledgement in time fails, and the error says that it may be stored', async () => {
    await createTopic(broker(), 'timed');
    // Long enough for a slow broker to store the records before and after
    const keys = { 'delivery.timeout.ms': '6000', 'request.timeout.ms': '3000' };
    const producer = producerAt(proxy.bootstrap, keys);
    expect(await producer.send([record('timed', '0')])).toEqual({ stored: 1, failures: [] });
    proxy.blackhole(true);
    const [sent, queued] = await Promise.all([lateSend(producer, 'sent'), lateSend(producer, 'queued')]);
    expect(sent).toMatchObject({
      code: 'delivery_timeout',
      retriable: true,
      cause: { message: /may have been stored/ },
    });
    expect(queued).toMatchObject({ code: 'delivery_timeout' });
    proxy.blackhole(false);
    expect(producer.pendingBytes).toBe(0);
    expect(await producer.send([record('timed', '1')])).toEqual({ stored: 1, failures: [] });
    const values = (await readTopic(broker(), 'timed', { count: 2, lingerMs: 200 })).map(({ value }) =>
      String(value),
    );
    expect(values.filter((value) => /^\d$/.test(value))).toEqual(['0', '1']);
    expect(new Set(values).size).toBe(values.length);
    await producer.close();
  });

  it('the error of an unsent record says that it is not stored', async () => {
    await createTopic(broker(), 'unsent');
    proxy.delay(60_000, INIT_PRODUCER_ID);
    const producer = producerAt(proxy.bootstrap, { 'delivery.timeout.ms': '100' });
    expect(await lateSend(producer, 'x', 'unsent')).toMatchObject({
      code: 'delivery_timeout',
      cause: { message: 'it was not sent: it is not stored' },
    });
    await producer.close();
  });

  it('no record is lost or repeated when the broker freezes for longer than a request timeout', async () => {
    await createTopic(broker(), 'frozen');
    const reported: (ConnectorError | undefined)[] = [];
    const onHealth = (error: ConnectorError | undefined): void => {
      reported.push(error);
    };
    const keys = { 'request.timeout.ms': '300', 'batch.size': '4000' };
    const producer = producerAt(proxy.bootstrap, keys, { onHealth });
    let over = false;
    const load = sendNumbers(producer, 'frozen', (count) => over && count >= 5000);
    await waitFor(() => proxy.requests(PRODUCE) > 3);
    broker().pause();
    await waitFor(() => reported.some((error) => error?.code === 'timeout'));
    broker().unpause();
    over = true;
    const { sent, results } = await load;
    expect(sumOf(results)).toEqual({ stored: sent, failures: [] });
    expect(await numbersArrive('frozen', sent)).toEqual([]);
    await producer.close();
  });
});

async function lateSend(
  producer: ReturnType<typeof producerAt>,
  value: string,
  topic = 'timed',
): Promise<ConnectorError> {
  const result = await producer.send([record(topic, value)]);
  const error = result.failures[0]?.error;
  return error ?? new ConnectorError('internal', 'the record was stored');
}
