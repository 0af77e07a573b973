// Prints how long a worker on the embedded log takes until REST answers, and what it holds and uses when idle: without
// connectors, and with gRPC connectors whose server says nothing. Says whether the goals are met, and fails when one is not.
// Run: npm run bench -- worker-start [number of connectors]
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from '@levada/kafka-testkit';
import { startStreamServer, testDescriptor } from '@levada/test-peers/grpc';

const RUNS = 5;
/** Until a worker has collected what its start has left, which takes 2.5 seconds of quiet, and V8 has returned it, 8 seconds later. */
const SETTLE_MS = 14_000;
const IDLE_MS = 10_000;
const CONNECTORS = Number(process.argv[2] ?? 20);
const REST_GOAL_MS = 500;
const EMPTY_GOAL_MB = 100;
const CONNECTORS_GOAL_MB = 120;
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const bin = readFileSync(new URL('../bin/levada-worker.js', import.meta.url), 'utf8');
/** The flags with which the command starts itself. */
const flags = (bin.split('\n', 1)[0]?.split(' ') ?? []).filter((word) => word.startsWith('--'));

interface Run {
  readonly restMs: number;
  readonly readyMs: number;
  readonly idleRssMb: number;
  readonly idleCores: number;
}

/** What is done with a worker that is ready. */
type Prepare = (url: string) => Promise<void>;

async function measure(prepare: Prepare): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'levada-bench-'));
  const [port] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const child = spawn(process.execPath, [...flags, main], {
    cwd: folder,
    env: { ...process.env, CONNECT_LISTENERS: url },
    stdio: 'ignore',
  });
  try {
    const restMs = (await untilAnswered(`${url}/`, (status) => status > 0)) - started;
    const readyMs = (await untilAnswered(`${url}/health`, (status) => status === 200)) - started;
    await prepare(url);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const before = await cpuSeconds(child);
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const idleCores = ((await cpuSeconds(child)) - before) / (IDLE_MS / 1000);
    return { restMs, readyMs, idleRssMb: await rssMb(child), idleCores };
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('close', resolve));
    await rm(folder, { recursive: true, force: true });
  }
}

async function untilAnswered(url: string, fits: (status: number) => boolean): Promise<number> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => 0,
    );
    if (fits(status)) return performance.now();
    if (performance.now() > deadline) throw new Error(`${url} never answered`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function cpuSeconds(child: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function rssMb(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) * 1.024e-3;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

/** Measures several starts and prints their medians. */
async function report(what: string, goalMb: number, prepare: Prepare): Promise<void> {
  const runs: Run[] = [];
  for (let i = 0; i < RUNS; i += 1) runs.push(await measure(prepare));
  const rows: readonly (readonly [string, (run: Run) => number, number, number?])[] = [
    ['REST answers after, ms', (run) => run.restMs, 0, REST_GOAL_MS],
    ['/health is 200 after, ms', (run) => run.readyMs, 0],
    ['resident memory when idle, MB', (run) => run.idleRssMb, 1, goalMb],
    ['cores used when idle', (run) => run.idleCores, 4],
  ];
  console.log(`worker on the embedded log${what}, Node ${process.version}, median of ${RUNS} starts`);
  for (const [name, value, digits, goal] of rows) {
    const values = runs.map(value);
    const spread = `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`;
    const met = goal === undefined || median(values) < goal;
    const verdict = goal === undefined ? '' : `, goal ${goal} ${met ? 'met' : 'missed'}`;
    console.log(`${name.padEnd(32)}${median(values).toFixed(digits).padStart(10)}   (${spread})${verdict}`);
    if (!met) process.exitCode = 1;
  }
}

await report('', EMPTY_GOAL_MB, async () => undefined);

const server = await startStreamServer();
const descriptor = Buffer.from(testDescriptor()).toString('base64');
await report(` with ${CONNECTORS} idle gRPC connectors`, CONNECTORS_GOAL_MB, async (url) => {
  const opened = server.calls.length;
  for (let i = 0; i < CONNECTORS; i += 1) {
    const answer = await fetch(`${url}/connectors/idle-${i}/config`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        'connector.class': 'io.vendor.connect.grpc.GrpcSourceConnector',
        'tasks.max': '1',
        'grpc.server.host': '127.0.0.1',
        'grpc.server.port': String(server.port),
        'grpc.service.name': 'teststream.TestStreamService',
        'grpc.method.name': 'StreamEvents',
        'grpc.proto.descriptor': descriptor,
        'platform.topic': 'idle',
      }),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }
  await server.call(opened + CONNECTORS - 1);
});
await server.close();
