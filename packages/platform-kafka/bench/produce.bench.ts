// Compares the producer with those of kafkajs and @platformatic/kafka, each in a fresh process, with the same broker: `npm run
// bench -- produce`. With taskset, the broker has one core and the producer the other.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Broker, createTopic, startBroker, withAdmin } from '@levada/kafka-testkit';

const ROUNDS = 3;
const program = fileURLToPath(new URL('produce-run.ts', import.meta.url));
const pinned = spawnSync('taskset', ['-V']).error === undefined;

interface Result {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

async function run(broker: Broker, kind: string, bytes: number): Promise<Result> {
  const topic = `${kind}-${bytes}-${Date.now()}`;
  await createTopic(broker, topic);
  const node = [
    process.execPath,
    '--disable-warning=TimeoutNegativeWarning',
    program,
    kind,
    broker.bootstrap,
    topic,
    `${bytes}`,
  ];
  const [command = '', ...args] = pinned ? ['taskset', '-c', '0', ...node] : node;
  try {
    const { stdout } = await promisify(execFile)(command, args);
    return JSON.parse(stdout) as Result;
  } finally {
    await withAdmin(broker, (admin) => admin.deleteTopics({ topics: [topic] }));
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

await using broker = await startBroker({
  version: '4.3.1',
  settings: { 'log.segment.delete.delay.ms': '0' },
});
if (pinned) execFileSync('taskset', ['-acp', '1', String(broker.pid)]);
console.log(
  `records/s and CPU µs per record; medians of ${ROUNDS}; polls of 500, 5 outstanding, one partition, Kafka ${broker.version}`,
);
for (const bytes of [200, 1024]) {
  const results = new Map<string, Result[]>([
    ['own', []],
    ['kafkajs', []],
    ['platformatic', []],
  ]);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [kind, list] of results) list.push(await run(broker, kind, bytes));
  }
  const rate = (kind: string): number => median((results.get(kind) ?? []).map((result) => result.perSecond));
  for (const [kind, list] of results) {
    const cpu = median(list.map((result) => result.cpuMicros));
    console.log(
      `${bytes} B  ${kind.padEnd(12)} ${Math.round(rate(kind)).toLocaleString('en')}/s  ${cpu.toFixed(2)} µs`,
    );
  }
  const ratio = (kind: string): string => `${(rate('own') / rate(kind)).toFixed(1)} to ${kind}`;
  console.log(`${bytes} B  ratio        ${ratio('kafkajs')}, ${ratio('platformatic')}`);
}
