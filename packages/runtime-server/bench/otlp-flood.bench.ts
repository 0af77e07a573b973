// Floods an OTLP connector at defaults, over both protocols from another process, while its broker is stopped; then starts the
// broker and waits until everything that was taken is stored. Prints one line of JSON: memory, how long the event loop and REST
// were held up, and whether each message is accounted for.
// Run: npm run bench -- otlp-flood [seconds]
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTopic, startBroker } from '@levada/kafka-testkit';
import { otlpConfig, otlpPorts } from '../test/end-to-end/otlp-connector.ts';
import { startOtlpFlood } from '../test/end-to-end/otlp-flood.ts';
import { threeSignals } from '../test/end-to-end/otlp-numbered.ts';
import { onCluster } from '../test/end-to-end/worker-process.ts';

const SECONDS = Number(process.argv[2] ?? 60);
const SETTLE_MS = 30_000;
const LIMIT_MS = 120_000;
const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

type Attributes = Readonly<Record<string, number>>;

async function until<T>(what: string, condition: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const value = await condition().catch(() => undefined);
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`not within ${LIMIT_MS} ms: ${what}`);
    await pause(50);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function startWorker(folder: string, bootstrap: string, url: string): ChildProcess {
  const rows = Object.entries({ ...onCluster(bootstrap, 'otlp-flood'), listeners: url });
  const file = join(folder, 'worker.properties');
  writeFileSync(file, rows.map(([key, value]) => `${key}=${value}\n`).join(''));
  const flags = [
    '--disable-proto=delete',
    '--disallow-code-generation-from-strings',
    '--max-semi-space-size=8',
  ];
  const watch = ['--import', path('otlp-loop-watch.ts')];
  return spawn(process.execPath, [...flags, ...watch, path('../dist/main.js'), file], {
    cwd: folder,
    env: { ...process.env, LOOP_WATCH_FILE: join(folder, 'loop.json') },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function residentMiB({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

const folder = mkdtempSync(join(tmpdir(), 'levada-otlp-flood-'));
const broker = await startBroker();
const [ports, { http: restPort }] = [await otlpPorts(), await otlpPorts()];
const url = `http://127.0.0.1:${restPort}`;
const worker = startWorker(folder, broker.bootstrap, url);
try {
  for (const signal of threeSignals) await createTopic(broker, `otlp-${signal}`);
  const attributes = async (): Promise<Attributes> => {
    const response = await fetch(`${url}/connectors/telemetry/metrics`);
    const objects = (await response.json()) as Readonly<Record<string, Attributes>>;
    return Object.values(objects)[0] ?? {};
  };
  await until('a worker', async () => ((await fetch(`${url}/health`)).ok ? true : undefined));
  await fetch(`${url}/connectors/telemetry/config`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(otlpConfig(ports, { 'otlp.bind.address': '127.0.0.1' })),
  });
  await until('a connector', async () =>
    (await attributes())['HttpPort'] === ports.http ? true : undefined,
  );
  const idle = residentMiB(worker);

  await broker.kill();
  worker.kill('SIGUSR2');
  const flood = startOtlpFlood(ports);
  let peak = 0;
  let unaccounted = 0;
  const rest: number[] = [];
  const end = performance.now() + SECONDS * 1000;
  while (performance.now() < end) {
    const asked = performance.now();
    const { UnaccountedCount = Number.NaN } = await attributes();
    rest.push(performance.now() - asked);
    unaccounted = Math.max(unaccounted, Math.abs(UnaccountedCount));
    peak = Math.max(peak, residentMiB(worker));
    await pause(50);
  }
  worker.kill('SIGUSR2');
  await flood.stop();
  const answers = flood.answers();
  await broker.restart();
  const quiet = await until('a drain', async () => {
    const now = await attributes();
    return now['QueueSize'] === 0 && now['InFlightCount'] === 0 ? now : undefined;
  });
  await pause(SETTLE_MS);
  const loop = JSON.parse(readFileSync(join(folder, 'loop.json'), 'utf8')) as { p99: number; max: number };
  const figures = {
    bench: 'otlp-flood',
    seconds: SECONDS,
    node: process.version,
    requests: flood.requests(),
    answers,
    idleRssMiB: rounded(idle),
    peakRssMiB: rounded(peak),
    settledRssMiB: rounded(residentMiB(worker)),
    eventLoopP99Ms: rounded(loop.p99),
    eventLoopMaxMs: rounded(loop.max),
    restP99Ms: rounded(percentile(rest, 0.99)),
    restRequests: rest.length,
    mostUnaccountedMeanwhile: unaccounted,
    unaccountedAfter: quiet['UnaccountedCount'],
    received: quiet['TotalMessagesReceived'],
    dropped: quiet['TotalMessagesDropped'],
    produced: quiet['RecordsProduced'],
  };
  console.log(JSON.stringify(figures));
  if (!(peak < 512) || quiet['UnaccountedCount'] !== 0) process.exitCode = 1;
} finally {
  worker.kill('SIGKILL');
  await broker.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
