// A group of three workers on a real broker with many connectors whose servers send nothing: how long it takes from the start of
// all three until every task runs, and what the group costs while it is idle.
// Run: npm run bench -- group-start [connectors=1000] [idle=30]
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createTopic, startBroker } from '@levada/kafka-testkit';
import { WebSocketServer } from 'ws';
import type { ObservedWorker } from '../test/end-to-end/observed-worker.ts';
import { onCluster, startWorkerProcess } from '../test/end-to-end/worker-process.ts';

const words = process.argv.slice(2);
const number = (name: string, fallback: number): number =>
  Number(words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ?? fallback);
const connectors = number('connectors', 1000);
const idleSeconds = number('idle', 30);
const WORKERS = 3;
const GOAL = { seconds: 10, cores: 0.01 };
const TICKS_PER_SECOND = 100;

await using broker = await startBroker();
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
await createTopic(broker, 'idle');
const keys = {
  ...onCluster(broker.bootstrap, 'start'),
  'session.timeout.ms': '10000',
  'heartbeat.interval.ms': '3000',
};

async function startWorkers(): Promise<readonly ObservedWorker[]> {
  return await Promise.all(
    Array.from({ length: WORKERS }, async () =>
      startWorkerProcess(await mkdtemp(join(tmpdir(), 'levada-start-')), keys),
    ),
  );
}

/** One series of a worker, which is cheap to ask for: a list of all states would be the most that a worker does here. */
async function series(worker: ObservedWorker, name: string): Promise<string> {
  const answer = await worker.call('GET', `/metrics?family=${name}`).catch(() => undefined);
  return answer?.text ?? '';
}

/** Tasks that run on each worker, when all do. */
async function untilAllRun(workers: readonly ObservedWorker[]): Promise<readonly number[]> {
  for (;;) {
    const texts = await Promise.all(workers.map((worker) => series(worker, 'connect_worker_tasks')));
    const counts = texts.map((text) => Number(/state="RUNNING"\} (\d+)/.exec(text)?.[1] ?? 0));
    if (!counts.includes(0) && counts.reduce((sum, count) => sum + count, 0) === connectors) return counts;
    await pause(100);
  }
}

/** Which of the workers leads. */
async function leaderOf(workers: readonly ObservedWorker[]): Promise<number> {
  const text = await series(workers[0] as ObservedWorker, 'kafka_connect_worker_rebalance_leader_name');
  const urls = await Promise.all(workers.map((worker) => worker.url()));
  return urls.findIndex((url) => text.includes(`"${url}/"`));
}

function cpuSeconds({ pid }: { readonly pid: number | undefined }): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Cores that each worker uses over the time to watch. */
async function coresUsed(workers: readonly ObservedWorker[]): Promise<readonly number[]> {
  const before = workers.map(cpuSeconds);
  await pause(idleSeconds * 1000);
  return workers.map((worker, i) => (cpuSeconds(worker) - (before[i] as number)) / idleSeconds);
}

function coresText(cores: readonly number[], leader: number): string {
  const texts = cores.map((one, i) => `${one.toFixed(4)}${i === leader ? ' (leader)' : ''}`);
  return `${texts.join(', ')} cores`;
}

const first = await startWorkers();
try {
  for (const worker of first) await worker.ready();
  const [leader] = first as [ObservedWorker];
  for (let i = 0; i < connectors; i += 1) {
    const config = {
      'connector.class': 'io.vendor.connect.websocket.WebSocketSourceConnector',
      'tasks.max': '1',
      'websocket.url': `ws://127.0.0.1:${port}/`,
      'platform.topic': 'idle',
    };
    const { status, text } = await leader.call('PUT', `/connectors/idle-${i}/config`, config);
    if (status !== 201) throw new Error(text);
  }
  await untilAllRun(first);
} finally {
  await Promise.all(first.map((worker) => worker.end('SIGTERM')));
}

const began = performance.now();
const workers = await startWorkers();
try {
  const counts = await untilAllRun(workers);
  const seconds = (performance.now() - began) / 1000;
  console.log(`${connectors} connectors on ${WORKERS} workers: ${counts.join(', ')} tasks`);
  console.log(
    `all run ${seconds.toFixed(1)} s after the start of the processes; ${seconds <= GOAL.seconds ? 'met' : 'NOT MET'}: goal ${GOAL.seconds} s`,
  );
  const leader = await leaderOf(workers);
  await pause(10_000);
  // What the start has left in memory is collected once, which is not what an idle group costs.
  console.log(`after the start: ${coresText(await coresUsed(workers), leader)}`);
  const cores = await coresUsed(workers);
  console.log(
    `idle: ${coresText(cores, leader)}; ${Math.max(...cores) < GOAL.cores ? 'met' : 'NOT MET'}: goal below ${GOAL.cores} a worker`,
  );
} finally {
  await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
  server.close();
}
process.exit();
