// How long messages take from their sender through a worker and a real broker to a consumer, at 10,000 a second, from the first
// one on: p50, p99 and the maximum of every ten seconds, for gRPC, WebSocket and OTLP/HTTP with one span a request.
// Run: npm run bench -- latency [seconds] [grpc] [websocket] [otlp] [--rate=10000]
// WORKER_FLAGS adds flags of Node to those of the worker; with --trace-gc among them its lines are printed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Broker, createTopic, startBroker } from '@levada/kafka-testkit';
import { testDescriptor } from '@levada/test-peers/grpc';
import { otlpPorts } from '../test/end-to-end/otlp-connector.ts';
import { onCluster } from '../test/end-to-end/worker-process.ts';

const args = process.argv.slice(2);
const SECONDS = Number(args.find((argument) => Number(argument) > 0) ?? 60);
const RATE = args.find((argument) => argument.startsWith('--rate='))?.slice('--rate='.length) ?? '10000';
const GOAL_MS = 5;
const WARM_UP_SECONDS = 20;
const LIMIT_MS = 60_000;
/** Those of Kafka's own scripts. A broker that is small and quick to start has pauses of 10 ms. */
const brokerFlags = [
  '-Xms1g',
  '-Xmx1g',
  '-XX:+UseG1GC',
  '-XX:MaxGCPauseMillis=20',
  '-XX:InitiatingHeapOccupancyPercent=35',
];
const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const kinds = ['grpc', 'websocket', 'otlp'] as const;
type Kind = (typeof kinds)[number];

interface Window {
  readonly window: number;
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

interface Run {
  readonly kind: Kind;
  readonly topic: string;
  readonly seconds: number;
  readonly onWindow: (window: Window) => void;
}

/** A process and the lines that it prints. */
interface Program {
  readonly process: ChildProcess;
  readonly lines: Interface;
}

function start(file: string, ...words: readonly string[]): Program {
  const child = spawn(process.execPath, [path(file), ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  return { process: child, lines: createInterface({ input: child.stdout as NodeJS.ReadableStream }) };
}

async function firstLine({ lines }: Program): Promise<string> {
  const [line] = await once(lines, 'line');
  return String(line);
}

async function startWorker(folder: string, broker: Broker): Promise<{ url: string; process: ChildProcess }> {
  const { http } = await otlpPorts();
  const url = `http://127.0.0.1:${http}`;
  const rows = Object.entries({ ...onCluster(broker.bootstrap, `latency-${Date.now()}`), listeners: url });
  const file = join(folder, 'worker.properties');
  writeFileSync(file, rows.map(([key, value]) => `${key}=${value}\n`).join(''));
  // The flags with which the command starts itself.
  const [, own = ''] = (readFileSync(path('../bin/levada-worker.js'), 'utf8').split('\n', 1)[0] ?? '').split(
    ' node ',
  );
  const flags = `${own} ${process.env['WORKER_FLAGS'] ?? ''}`.split(' ').filter((flag) => flag !== '');
  const output = flags.includes('--trace-gc') ? 'inherit' : 'ignore';
  const child = spawn(process.execPath, [...flags, path('../dist/main.js'), file], {
    cwd: folder,
    stdio: ['ignore', output, 'inherit'],
  });
  const deadline = performance.now() + LIMIT_MS;
  while (
    !(await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (performance.now() > deadline) throw new Error('the worker does not start');
    await pause(50);
  }
  return { url, process: child };
}

function configOf(kind: Kind, port: string, topic: string): Readonly<Record<string, string>> {
  if (kind === 'otlp')
    return {
      'connector.class': 'OpenTelemetrySource',
      'otlp.bind.address': '127.0.0.1',
      'otlp.http.port': port,
      'otlp.grpc.enabled': 'false',
      'otlp.signals': 'traces',
      'platform.topic.traces': topic,
    };
  if (kind === 'websocket')
    return {
      'connector.class': 'WebSocketSource',
      'websocket.url': `ws://127.0.0.1:${port}/`,
      'platform.topic': topic,
    };
  return {
    'connector.class': 'GrpcSource',
    'grpc.server.host': '127.0.0.1',
    'grpc.server.port': port,
    'grpc.service.name': 'teststream.TestStreamService',
    'grpc.method.name': 'StreamEvents',
    'grpc.proto.descriptor': Buffer.from(testDescriptor()).toString('base64'),
    'platform.topic': topic,
  };
}

async function cpuSeconds(pid: number | undefined): Promise<number> {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** What every ten seconds of a run were like, and how much of a core the worker used. */
async function run(
  broker: Broker,
  { kind, topic, seconds, onWindow }: Run,
): Promise<{ windows: readonly Window[]; cores: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'levada-latency-'));
  await createTopic(broker, topic);
  const consumer = start('latency-consumer.ts', broker.bootstrap, topic);
  await firstLine(consumer);
  const worker = await startWorker(folder, broker);
  const programs: ChildProcess[] = [consumer.process, worker.process];
  try {
    const port = kind === 'otlp' ? String((await otlpPorts()).http) : undefined;
    const early = port === undefined ? start('latency-sender.ts', kind, RATE) : undefined;
    if (early !== undefined) programs.push(early.process);
    const config = configOf(kind, port ?? (await firstLine(early as Program)), topic);
    const answer = await fetch(`${worker.url}/connectors/${kind}/config`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...config, 'tasks.max': '1' }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    if (port !== undefined) {
      await untilRunning(worker.url, kind);
      programs.push(start('latency-sender.ts', kind, RATE, port).process);
    }
    const before = await cpuSeconds(worker.process.pid);
    const windows: Window[] = [];
    for await (const line of consumer.lines) {
      const window = JSON.parse(line) as Window;
      windows.push(window);
      onWindow(window);
      if (windows.length * 10 >= seconds) break;
    }
    return { windows, cores: ((await cpuSeconds(worker.process.pid)) - before) / (windows.length * 10) };
  } finally {
    for (const program of programs) program.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Answers whether every window met the goal. */
async function measure(kind: Kind, broker: Broker): Promise<boolean> {
  const onWindow = (window: Window): void =>
    console.log(JSON.stringify({ bench: 'latency', kind, rate: Number(RATE), ...window }));
  const { windows, cores } = await run(broker, {
    kind,
    topic: `latency-${kind}`,
    seconds: SECONDS,
    onWindow,
  });
  const worst = Math.max(...windows.map(({ p99 }) => p99));
  const met = worst < GOAL_MS;
  const verdict = `goal of ${GOAL_MS} ms ${met ? 'met' : 'missed'}`;
  console.log(
    `${kind}: worst p99 of ten seconds ${worst.toFixed(2)} ms, ${verdict}; ${cores.toFixed(2)} cores`,
  );
  return met;
}

async function untilRunning(url: string, name: string): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const text = await fetch(`${url}/connectors/${name}/status`).then((answer) => answer.text());
    if (text.includes('"tasks":[{') && !text.includes('UNASSIGNED')) return;
    if (performance.now() > deadline) throw new Error(text);
    await pause(50);
  }
}

const named = kinds.filter((kind) => args.includes(kind));
const broker = await startBroker({ jvm: { flags: brokerFlags } });
try {
  // A broker that has just started compiles while it answers; what is measured is the worker.
  await run(broker, {
    kind: 'websocket',
    topic: 'warm-up',
    seconds: WARM_UP_SECONDS,
    onWindow: () => undefined,
  });
  for (const kind of named.length === 0 ? kinds : named) {
    if (!(await measure(kind, broker))) process.exitCode = 1;
  }
} finally {
  await broker.stop();
}
process.exit();
