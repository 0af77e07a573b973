// Reads a topic as another program would, and takes the age of each record when it arrives. Arguments: address of a broker, topic.
// Prints `ready`; forgets all ages for `reset`, and prints their number and quantiles in milliseconds for `report`.
// Generators write the time of sending into each message, in nanoseconds of the machine's monotonic clock.
import { createInterface } from 'node:readline';
import { Kafka, logLevel } from 'kafkajs';
import { quantile } from '../measure/statistics.ts';

const [bootstrap = '', topic = ''] = process.argv.slice(2);
/** Of records that are aged: more are counted as an error. */
const MOST = 4_000_000;
/** At the start of a text, in the first field of a JSON object, or as the start of the first span, whatever its name is. */
const TIME = /^(?:\{\s*"id"\s*:\s*")?0*(\d{12,20})|start_?time_?unix_?nano"\s*:\s*"?(\d+)/i;

const ages = new Float64Array(MOST);
let count = 0;

const kafka = new Kafka({ clientId: 'consumer', brokers: [bootstrap], logLevel: logLevel.NOTHING });
const consumer = kafka.consumer({ groupId: `consumer-${process.pid}`, maxWaitTimeInMs: 100 });
await consumer.connect();
await consumer.subscribe({ topic, fromBeginning: false });
const joined = new Promise((resolve) => consumer.on(consumer.events.GROUP_JOIN, resolve));
await consumer.run({
  autoCommit: false,
  eachBatch: async ({ batch }) => {
    const now = Number(process.hrtime.bigint()) / 1e6;
    for (const { value } of batch.messages) {
      const [, first, second] = TIME.exec(value?.toString('latin1') ?? '') ?? [];
      const sent = first ?? second;
      if (sent === undefined) throw new Error(`no time in the record ${String(value).slice(0, 200)}`);
      if (count < MOST) ages[count] = now - Number(sent) / 1e6;
      count += 1;
    }
  },
});
await joined;
process.stdout.write('ready\n');
createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (line === 'report') process.stdout.write(`${JSON.stringify(report())}\n`);
    count = 0;
  })
  .on('close', () => process.exit());

function report(): object {
  const taken = ages.slice(0, Math.min(count, MOST));
  return { count, p50: quantile(taken, 0.5), p99: quantile(taken, 0.99) };
}
