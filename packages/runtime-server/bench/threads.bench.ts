// Two WebSocket connectors that a flood keeps busy, into a real broker, once in the thread of the worker and once each in a thread of its
// own, in turn. Prints for each round the records per second that the broker acknowledged, the CPU time of the worker per record and
// the cores that it used; at the end the medians and their ratios.
//
// Cases: `plain` passes texts on; `transformed` wraps, extends and prints each record, so that the worker is most of the work: on a machine
// with two cores, where feed and broker need some of them, only that shows what a second core brings.
// Run: npm run bench -- threads [plain] [transformed] [rounds] [seconds=15]
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Broker, createTopic, startBroker } from '@levada/kafka-testkit';
import type { ObservedWorker } from '../test/end-to-end/observed-worker.ts';
import { onCluster, startWorkerProcess } from '../test/end-to-end/worker-process.ts';

const CONNECTORS = ['first', 'second'];
const WARM_UP_MS = 8000;
/** Ticks of `/proc/<pid>/stat` per second: the same on every Linux. */
const TICKS = 100;

const args = process.argv.slice(2);
const ROUNDS = Number(args.find((argument) => Number(argument) > 0) ?? 5);
const SECONDS = Number(
  args.find((argument) => argument.startsWith('seconds='))?.slice('seconds='.length) ?? 10,
);

const isolations = ['none', 'thread'] as const;
type Isolation = (typeof isolations)[number];

const string = 'org.apache.kafka.connect.storage.StringConverter';
const transformation = (name: string) => `org.apache.kafka.connect.transforms.${name}$Value`;
/** Fields that are added one by one. */
const marks = Array.from({ length: 8 }, (_, i) => `mark${i}`);
const cases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  plain: { 'value.converter': string },
  transformed: {
    'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
    'value.converter.schemas.enable': 'false',
    transforms: ['wrap', ...marks, 'rename'].join(','),
    'transforms.wrap.type': transformation('HoistField'),
    'transforms.wrap.field': 'text',
    ...Object.fromEntries(
      marks.flatMap((mark) => [
        [`transforms.${mark}.type`, transformation('InsertField')],
        [`transforms.${mark}.static.field`, mark],
        [`transforms.${mark}.static.value`, 'bench'],
      ]),
    ),
    'transforms.rename.type': transformation('ReplaceField'),
    'transforms.rename.renames': 'text:message',
  },
};

/** One measurement. */
interface Round {
  readonly recordsPerSecond: number;
  /** CPU time of all threads of the worker. */
  readonly cpuMicros: number;
  readonly cores: number;
  /** Of everything else on the machine: feed, broker, and whatever else runs. */
  readonly otherCores: number;
}

async function startFeed(): Promise<{ readonly port: string; readonly process: ChildProcess }> {
  const path = fileURLToPath(new URL('threads-feed.ts', import.meta.url));
  const child = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line');
  return { port: String(port), process: child };
}

function cpuSeconds({ pid }: { readonly pid: number | undefined }): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) / TICKS;
}

/** CPU time of the machine that was not idle. */
function busySeconds(): number {
  const [total = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = total.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + irq + softirq) / TICKS;
}

async function looked(worker: ObservedWorker) {
  const records = await produced(worker);
  return { at: performance.now(), records, cpu: cpuSeconds(worker), busy: busySeconds() };
}

async function produced(worker: ObservedWorker): Promise<number> {
  const all = await Promise.all(CONNECTORS.map((name) => worker.attributes(name)));
  return all.reduce((sum, { RecordsProduced = 0 }) => sum + RecordsProduced, 0);
}

async function measure(broker: Broker, name: string, isolation: Isolation): Promise<Round> {
  const folder = mkdtempSync(join(tmpdir(), 'levada-threads-'));
  const feeds = await Promise.all(CONNECTORS.map(startFeed));
  const id = `threads-${name}-${isolation}-${Date.now()}`;
  const worker = await startWorkerProcess(folder, onCluster(broker.bootstrap, id));
  try {
    await worker.ready();
    for (const [at, connector] of CONNECTORS.entries()) {
      await createTopic(broker, `${id}-${connector}`, {
        config: { 'retention.bytes': String(64 * 1024 * 1024) },
      });
      const answer = await worker.call('PUT', `/connectors/${connector}/config`, {
        'connector.class': 'io.vendor.connect.websocket.WebSocketSourceConnector',
        'tasks.max': '1',
        'websocket.url': `ws://127.0.0.1:${feeds[at]?.port}/`,
        'websocket.queue.full.policy': 'block',
        'platform.topic': `${id}-${connector}`,
        'task.isolation': isolation,
        ...cases[name],
      });
      if (answer.status !== 201) throw new Error(answer.text);
      await worker.untilState(connector, 'RUNNING');
    }
    await pause(WARM_UP_MS);
    const before = await looked(worker);
    await pause(SECONDS * 1000);
    const after = await looked(worker);
    const records = after.records - before.records;
    const seconds = (after.at - before.at) / 1000;
    const cpu = after.cpu - before.cpu;
    return {
      recordsPerSecond: records / seconds,
      cpuMicros: (cpu * 1e6) / records,
      cores: cpu / seconds,
      otherCores: (after.busy - before.busy - cpu) / seconds,
    };
  } finally {
    await worker.end('SIGKILL');
    for (const feed of feeds) feed.process.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

function shown(name: string, isolation: Isolation, rounds: readonly Round[]): Round {
  const of = (key: keyof Round): readonly number[] => rounds.map((round) => round[key]).sort((a, b) => a - b);
  const median = (key: keyof Round): number => of(key)[Math.floor(rounds.length / 2)] ?? Number.NaN;
  const spread = (key: keyof Round): string => `${of(key)[0]?.toFixed(2)} to ${of(key).at(-1)?.toFixed(2)}`;
  const medians = {
    recordsPerSecond: median('recordsPerSecond'),
    cpuMicros: median('cpuMicros'),
    cores: median('cores'),
    otherCores: median('otherCores'),
  };
  console.log(
    `${name} ${isolation}: median ${Math.round(medians.recordsPerSecond)} records/s (${spread('recordsPerSecond')}), ` +
      `${medians.cpuMicros.toFixed(2)} µs of CPU per record (${spread('cpuMicros')}), ${medians.cores.toFixed(2)} cores, all else ${medians.otherCores.toFixed(2)}`,
  );
  return medians;
}

const named = args.filter((argument) => Object.hasOwn(cases, argument));
const broker = await startBroker();
try {
  for (const name of named.length > 0 ? named : Object.keys(cases)) {
    const rounds: Record<Isolation, Round[]> = { none: [], thread: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const isolation of isolations) {
        const result = await measure(broker, name, isolation);
        rounds[isolation].push(result);
        console.log(JSON.stringify({ bench: 'threads', case: name, isolation, round, ...result }));
      }
    }
    const [none, thread] = isolations.map((isolation) => shown(name, isolation, rounds[isolation])) as [
      Round,
      Round,
    ];
    const ratio = thread.recordsPerSecond / none.recordsPerSecond;
    const cost = thread.cpuMicros / none.cpuMicros;
    console.log(
      `${name}: ${ratio.toFixed(2)} times the records with threads on ${availableParallelism()} cores, shared with feed and broker; ` +
        `a record costs ${cost.toFixed(2)} times the CPU, so ${(2 / cost).toFixed(2)} times on two cores of their own`,
    );
  }
} finally {
  await broker.stop();
}
process.exit();
