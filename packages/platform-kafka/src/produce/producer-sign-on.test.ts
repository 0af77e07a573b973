import { readFileSync } from 'node:fs';
import { silentLogger, systemClock } from '@levada/connect-runtime-core';
import {
  brokerUser,
  createTopic,
  type ReachableBroker,
  readTopic,
  strangerUser,
} from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { expect, it } from 'vitest';
import { addressOf, problemsOf, record, sendNumbers, sumOf } from '../../test/producing.ts';
import { producerSettings } from '../client/producer-settings.ts';
import { KafkaProducer } from './kafka-producer.ts';

const SESSION_MS = 1000;

function producerAs(
  broker: ReachableBroker,
  sasl: { mechanism: 'PLAIN' | 'SCRAM-SHA-512'; username: string; password: string },
): KafkaProducer {
  const tls = { ca: readFileSync(broker.certificates?.authority ?? '', 'utf8') };
  return new KafkaProducer({
    bootstrap: [addressOf(broker.endpoint('SASL_SSL'))],
    link: { clientId: 'replaced', clock: systemClock, tls, sasl },
    settings: producerSettings('sign-on-test', { 'batch.size': '4000' }),
    clock: systemClock,
    logger: silentLogger,
  });
}

const options = {
  authorizer: true,
  settings: { 'connections.max.reauth.ms': String(SESSION_MS) },
} as const;

describeWithSharedBroker('a producer that signs on', options, (broker) => {
  it('the session is renewed under load without lost or repeated records', async () => {
    await createTopic(broker(), 'renewed', { partitions: 2 });
    const producer = producerAs(broker(), { mechanism: 'SCRAM-SHA-512', ...brokerUser });
    const end = performance.now() + 3 * SESSION_MS;
    const { sent, results } = await sendNumbers(
      producer,
      'renewed',
      (count) => count >= 5000 && performance.now() > end,
    );
    expect(sumOf(results)).toEqual({ stored: sent, failures: [] });
    expect(problemsOf(await readTopic(broker(), 'renewed', { count: sent }), sent)).toEqual([]);
    await producer.close();
  });

  it('the error names the topic without write permission at once', async () => {
    await createTopic(broker(), 'secret');
    const producer = producerAs(broker(), { mechanism: 'PLAIN', ...strangerUser });
    const { failures } = await producer.send([record('secret', 'x')]);
    expect(failures).toMatchObject([{ index: 0, error: { code: 'topic_unavailable' } }]);
    expect(failures[0]?.error.message).toMatch(/"secret".*no right to it/);
    await producer.close();
  });

  it('a producer with a wrong password waits, and closes in time', async () => {
    const producer = producerAs(broker(), { mechanism: 'PLAIN', ...brokerUser, password: 'wrong' });
    const sent = producer.send([record('secret', 'x')]);
    await producer.close({ timeoutMs: 300 });
    expect(await sent).toMatchObject({ stored: 0, failures: [{ error: { code: 'closed' } }] });
  });
});
