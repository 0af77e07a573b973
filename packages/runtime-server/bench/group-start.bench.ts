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

/** Tasks that run, by worker. */
async function running(worker: ObservedWorker): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const answer = await worker.call('GET', '/connectors?expand=status').catch(() => undefined);
  if (answer?.status !== 200) return counts;
  type Task = { readonly state: string; readonly worker_id: string };
  const all = Object.values(answer.json as Record<string, { status: { tasks: readonly Task[] } }>);
  for (const { state, worker_id } of all.flatMap(({ status }) => status.tasks)) {
    if (state === 'RUNNING') counts.set(worker_id, (counts.get(worker_id) ?? 0) + 1);
  }
  return counts;
}

async function untilAllRun(workers: readonly ObservedWorker[]): Promise<ReadonlyMap<string, number>> {
  const own = new Set(await Promise.all(workers.map(async (worker) => new URL(await worker.url()).host)));
  for (;;) {
    const counts = await running(workers[0] as ObservedWorker);
    const here = [...counts].filter(([id]) => own.has(id));
    if (here.length === WORKERS && here.reduce((sum, [, count]) => sum + count, 0) === connectors)
      return counts;
    await pause(100);
  }
}

function cpuSeconds({ pid }: { readonly pid: number | undefined }): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
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
  console.log(`${connectors} connectors on ${WORKERS} workers: ${[...counts.values()].join(', ')} tasks`);
  console.log(
    `all run ${seconds.toFixed(1)} s after the start of the processes; ${seconds <= GOAL.seconds ? 'met' : 'NOT MET'}: goal ${GOAL.seconds} s`,
  );
  await pause(10_000);
  const before = workers.map(cpuSeconds);
  await pause(idleSeconds * 1000);
  const cores = workers.map((worker, i) => (cpuSeconds(worker) - (before[i] as number)) / idleSeconds);
  const most = Math.max(...cores);
  console.log(
    `idle: ${cores.map((one) => one.toFixed(4)).join(', ')} cores; ${most < GOAL.cores ? 'met' : 'NOT MET'}: goal below ${GOAL.cores} a worker`,
  );
} finally {
  await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
  server.close();
}
process.exit();
