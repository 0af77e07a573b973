// A producer under load while its broker is killed, and another whose acknowledgements are lost: counts records that are missing,
// repeated or out of order. Takes about five minutes. Run: npm run bench -- produce-faults [kills=50] [lost=200]
import { setTimeout as sleep } from 'node:timers/promises';
import { createTopic, readTopic, startBroker, startKafkaProxy } from '@levada/kafka-testkit';
import { problemsOf, producerAt, sendNumbers, sumOf } from '../test/producing.ts';

const PRODUCE = 0;
const words = process.argv.slice(2);
const number = (name: string, fallback: number): number =>
  Number(words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ?? fallback);
const kills = number('kills', 50);
const lost = number('lost', 200);

// A restarted broker waits until its previous session has ended
await using broker = await startBroker({ settings: { 'broker.session.timeout.ms': '2000' } });

async function report(what: string, topic: string, load: ReturnType<typeof sendNumbers>): Promise<void> {
  const { sent, results } = await load;
  const { stored, failures } = sumOf(results);
  const problems = problemsOf(await readTopic(broker, topic, { count: sent, lingerMs: 500 }), sent);
  console.log(
    `${what}: ${sent} records sent, ${stored} acknowledged, ${failures.length} failed; ${problems.length} problems in the topic`,
  );
  for (const problem of problems) console.log(`  ${problem}`);
  if (stored !== sent || failures.length + problems.length > 0) process.exitCode = 1;
}

async function killed(): Promise<void> {
  await createTopic(broker, 'killed', { partitions: 3 });
  const producer = producerAt(broker.bootstrap, { 'batch.size': '8000' });
  let over = false;
  const load = sendNumbers(producer, 'killed', () => over);
  for (let kill = 0; kill < kills; kill++) {
    // At a different moment of a batch each time
    await sleep(200 + 40 * (kill % 12));
    await broker.kill();
    await broker.restart();
  }
  over = true;
  await report(`${kills} kills of the broker`, 'killed', load);
  await producer.close();
}

async function unacknowledged(): Promise<void> {
  const proxy = await startKafkaProxy(broker);
  await createTopic(broker, 'lost', { partitions: 2 });
  const producer = producerAt(proxy.bootstrap, { 'batch.size': '4000', 'retry.backoff.ms': '5' });
  let asked = 0;
  const load = sendNumbers(producer, 'lost', () => {
    // One at a time: each loss ends the connection
    if (proxy.dropped === asked && asked < lost) {
      proxy.dropResponses(PRODUCE, 1);
      asked += 1;
    }
    return proxy.dropped === lost;
  });
  await report(`${lost} lost acknowledgements`, 'lost', load);
  await producer.close();
  await proxy.close();
}

await killed();
await unacknowledged();
