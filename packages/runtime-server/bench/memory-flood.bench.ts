// Floods a worker with messages of 64 KiB while its broker is frozen, then resumes the broker, ends the flood and waits until
// the worker is quiet: over gRPC alone, over WebSocket alone, and over both. Prints what the worker holds beside the bounds, and
// what that consists of. Run: npm run bench -- memory-flood [seconds of a flood] [grpc] [websocket] [both]
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Broker, createTopic, startBroker } from '@levada/kafka-testkit';
import { testDescriptor } from '@levada/test-peers/grpc';
import { otlpPorts } from '../test/end-to-end/otlp-connector.ts';
import { onCluster } from '../test/end-to-end/worker-process.ts';

const SECONDS = Number(process.argv.slice(2).find((argument) => Number(argument) > 0) ?? 20);
const SETTLE_MS = 30_000;
const LIMIT_MS = 120_000;
/** Queue of a connector at defaults. */
const QUEUE_MIB = 64;
const MIB = 1024 * 1024;
const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

type Kind = 'grpc' | 'websocket';
type Attributes = Readonly<Record<string, number>>;

const cases: Readonly<Record<string, readonly Kind[]>> = {
  grpc: ['grpc'],
  websocket: ['websocket'],
  both: ['grpc', 'websocket'],
};

interface Server {
  readonly port: string;
  readonly process: ChildProcess;
  readonly send: (command: 'flood' | 'quiet') => void;
}

interface Worker {
  readonly process: ChildProcess;
  readonly url: string;
  readonly watchFile: string;
}

/** What a process holds, in MiB. */
interface Held {
  readonly rss: number;
  readonly heap: number;
  readonly heapUsed: number;
  readonly buffers: number;
  /** Neither on V8's heap nor in a buffer: code, stacks, C++ and what the allocator keeps. */
  readonly rest: number;
}

async function startServer(kind: Kind): Promise<Server> {
  const child = spawn(process.execPath, [path('memory-flood-server.ts'), kind], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line');
  return { port: String(port), process: child, send: (command) => child.stdin?.write(`${command}\n`) };
}

async function startWorker(folder: string, broker: Broker, id: string): Promise<Worker> {
  const { http } = await otlpPorts();
  const url = `http://127.0.0.1:${http}`;
  const rows = Object.entries({ ...onCluster(broker.bootstrap, id), listeners: url });
  const file = join(folder, `${id}.properties`);
  writeFileSync(file, rows.map(([key, value]) => `${key}=${value}\n`).join(''));
  const main = path('../dist/main.js');
  // The flags with which the command starts itself.
  const command = readFileSync(path('../bin/levada-worker.js'), 'utf8');
  const flags = [...(/const flags = \[([^\]]*)\]/.exec(command)?.[1] ?? '').matchAll(/'(.*)'/g)].map(
    ([, flag = '']) => flag,
  );
  const watchFile = join(folder, `${id}.json`);
  const more = (process.env['WORKER_FLAGS'] ?? '').split(' ').filter((flag) => flag !== '');
  const args = [...flags, ...more, '--import', path('memory-watch.mjs'), main, file];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, MEMORY_WATCH_FILE: watchFile },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await until('a worker', async () => ((await fetch(`${url}/health`)).ok ? true : undefined));
  return { process: child, url, watchFile };
}

async function until<T>(what: string, condition: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const value = await condition().catch(() => undefined);
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`not within ${LIMIT_MS} ms: ${what}`);
    await pause(50);
  }
}

function configOf(kind: Kind, port: string): Readonly<Record<string, string>> {
  if (kind === 'websocket')
    return {
      'connector.class': 'io.vendor.connect.websocket.WebSocketSourceConnector',
      'tasks.max': '1',
      'websocket.url': `ws://127.0.0.1:${port}/`,
      'platform.topic': 'memory-websocket',
    };
  return {
    'connector.class': 'io.vendor.connect.grpc.GrpcSourceConnector',
    'tasks.max': '1',
    'grpc.server.host': '127.0.0.1',
    'grpc.server.port': port,
    'grpc.service.name': 'teststream.TestStreamService',
    'grpc.method.name': 'StreamEvents',
    'grpc.proto.descriptor': Buffer.from(testDescriptor()).toString('base64'),
    'platform.topic': 'memory-grpc',
  };
}

async function attributes({ url }: Worker, name: string): Promise<Attributes> {
  const response = await fetch(`${url}/connectors/${name}/metrics`, { signal: AbortSignal.timeout(10_000) });
  return Object.values((await response.json()) as Readonly<Record<string, Attributes>>)[0] ?? {};
}

function rssOf({ process: { pid } }: Worker): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** Of all threads, since the start. */
function cpuSecondsOf({ process: { pid } }: Worker): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function heldBy(worker: Worker): Promise<Held> {
  rmSync(worker.watchFile, { force: true });
  worker.process.kill('SIGUSR2');
  const usage = await until('memory usage', async () => JSON.parse(readFileSync(worker.watchFile, 'utf8')));
  const { rss, heapTotal, heapUsed, external } = usage as NodeJS.MemoryUsage;
  const [all, heap, used, buffers] = [rss, heapTotal, heapUsed, external].map((bytes) => bytes / MIB) as [
    number,
    number,
    number,
    number,
  ];
  return { rss: all, heap, heapUsed: used, buffers, rest: all - heap - buffers };
}

function shown(held: Held): Readonly<Record<keyof Held, number>> {
  const entries = Object.entries(held).map(([key, value]) => [key, Math.round(value)]);
  return Object.fromEntries(entries) as Readonly<Record<keyof Held, number>>;
}

async function measure(name: string, kinds: readonly Kind[], broker: Broker): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'levada-memory-flood-'));
  const servers = await Promise.all(kinds.map((kind) => startServer(kind)));
  const worker = await startWorker(folder, broker, `memory-${name}-${Date.now()}`);
  try {
    await pause(3000);
    const empty = await heldBy(worker);
    for (const [at, kind] of kinds.entries()) {
      const body = JSON.stringify(configOf(kind, servers[at]?.port ?? ''));
      const headers = { 'content-type': 'application/json' };
      await fetch(`${worker.url}/connectors/${kind}/config`, { method: 'PUT', headers, body });
      await until('a connection', async () =>
        (await attributes(worker, kind))['IsConnected'] ? true : undefined,
      );
    }
    const sendAll = (command: 'flood' | 'quiet'): void => {
      for (const server of servers) server.send(command);
    };
    // Long enough that topics are known and code is compiled.
    sendAll('flood');
    await pause(2000);
    broker.pause();
    let peak = await heldBy(worker);
    const end = performance.now() + SECONDS * 1000;
    while (performance.now() < end) {
      await pause(20);
      if (rssOf(worker) > peak.rss) peak = await heldBy(worker);
    }
    const full = await Promise.all(kinds.map((kind) => attributes(worker, kind)));
    broker.unpause();
    await pause(1000);
    sendAll('quiet');
    const quiet = await Promise.all(
      kinds.map((kind) =>
        until('a drain', async () => {
          const now = await attributes(worker, kind);
          if (rssOf(worker) > peak.rss) peak = await heldBy(worker);
          return now['QueueSize'] === 0 && now['InFlightCount'] === 0 ? now : undefined;
        }),
      ),
    );
    const drained = await heldBy(worker);
    await pause(SETTLE_MS);
    const settled = await heldBy(worker);
    const peakBound = empty.rss + 1.5 * QUEUE_MIB * kinds.length + 120;
    const settledBound = empty.rss * 1.2;
    const received = quiet.reduce((sum, now) => sum + (now['MessagesReceived'] ?? 0), 0);
    const figures = {
      bench: 'memory-flood',
      case: name,
      seconds: SECONDS,
      node: process.version,
      empty: shown(empty),
      peak: shown(peak),
      peakBound: Math.round(peakBound),
      drained: shown(drained),
      settled: shown(settled),
      settledBound: Math.round(settledBound),
      inFlightMiB: full.map((now) => Math.round(((now['InFlightCount'] ?? 0) * 64) / 1024)),
      queueMiB: full.map((now) => Math.round((now['QueueBytes'] ?? 0) / MIB)),
      received: quiet.map((now) => now['MessagesReceived']),
      unaccounted: quiet.map((now) => now['UnaccountedCount']),
      cpuMicrosPerMessage: Math.round((cpuSecondsOf(worker) * 1e6) / received),
    };
    console.log(JSON.stringify(figures));
    const met = peak.rss <= peakBound && settled.rss <= settledBound;
    console.log(`${name}: memory under a flood and after it ${met ? 'inside' : 'outside'} its bounds`);
    return met;
  } finally {
    broker.unpause();
    worker.process.kill('SIGKILL');
    for (const server of servers) server.process.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

const named = process.argv.slice(2).filter((argument) => Object.hasOwn(cases, argument));
const broker = await startBroker();
try {
  for (const topic of ['memory-grpc', 'memory-websocket']) await createTopic(broker, topic);
  for (const [name, kinds] of Object.entries(cases)) {
    if (named.length > 0 && !named.includes(name)) continue;
    if (!(await measure(name, kinds, broker))) process.exitCode = 1;
  }
} finally {
  await broker.stop();
}
process.exit();
