import { silentLogger, systemClock } from '@levada/connect-runtime-core';
import { createTopic, readTopic } from '@levada/kafka-testkit';
import { describeWithBroker } from '@levada/kafka-testkit/vitest';
import { expect, it } from 'vitest';
import { record } from '../test/producing.ts';
import { openKafkaPlatform } from './kafka-platform.ts';

const PER_TRANSACTION = 20;

/** A restarted broker waits until its previous session has ended. */
const shortSession = { 'broker.session.timeout.ms': '2000' };

describeWithBroker('transactions on a broker that is killed', { settings: shortSession }, (broker) => {
  it('transactions continue with the same producer, each completely or not at all', async () => {
    await createTopic(broker(), 'killed', { partitions: 2 });
    const platform = await openKafkaPlatform({
      config: { 'bootstrap.servers': broker().bootstrap },
      logger: silentLogger,
      clock: systemClock,
    });
    const producer = await platform.transactions?.producer(
      { clientId: 'killed', transactionalId: 'killed-0' },
      new AbortController().signal,
    );
    if (producer === undefined) throw new Error('the platform has no transactions');
    const committed: string[] = [];
    const transaction = async (number: number): Promise<void> => {
      const texts = Array.from({ length: PER_TRANSACTION }, (_, i) => `${number}-${i}`);
      const sent = await producer.send(texts.map((text, i) => record('killed', text, { partition: i % 2 })));
      expect(sent).toEqual({ stored: PER_TRANSACTION, failures: [] });
      if (number % 3 === 2) await producer.abort();
      else {
        await producer.commit();
        committed.push(...texts);
      }
    };
    let number = 0;
    for (let kills = 0; kills < 2; kills += 1) {
      for (const until = number + 10; number < until; number += 1) await transaction(number);
      const underWay = transaction(number);
      number += 1;
      await broker().kill();
      await broker().restart();
      await underWay;
    }
    await transaction(number);
    const read = await readTopic(broker(), 'killed', { count: committed.length, lingerMs: 300 });
    expect(read.map(({ value }) => String(value)).sort()).toEqual(committed.sort());
    await platform.close();
  }, 90_000);
});
