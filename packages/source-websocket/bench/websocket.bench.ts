// Messages per second, CPU per message and time to the log, from a generator in another process, beside a bare `ws` receiver
// in the same run. `npm run bench -- websocket [seconds of a run] [runs] [embedded] [kafka]`.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { RunResult } from './receiver.ts';

const numbers = process.argv
  .slice(2)
  .map(Number)
  .filter((value) => value > 0);
const seconds = numbers[0] ?? 2;
const WARM_UP = 2;
const RUNS = numbers[1] ?? 3;
/** The receiver has one core, everything else the others. */
const pinned = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0;
const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

function start(core: string, script: string, args: readonly (string | number)[]): ChildProcess {
  const command = [process.execPath, file(script), ...args.map(String)];
  const [program, ...rest] = pinned ? ['taskset', '-c', core, ...command] : command;
  return spawn(program as string, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
}

interface Case {
  readonly bytes: number;
  /** 0: as fast as it is read. */
  readonly perSecond: number;
  readonly target: string;
  /** Connected, and nothing is sent. */
  readonly idle?: boolean;
}

/** Medians of several runs of one case. */
async function measure({ bytes, perSecond, target, idle = false }: Case): Promise<RunResult> {
  const generator = start('1', 'generator.ts', [bytes, idle ? 'idle' : perSecond]);
  try {
    const [port] = await once(createInterface({ input: generator.stdout as NodeJS.ReadableStream }), 'line');
    const timed = perSecond > 0 ? 'timed' : 'untimed';
    const receiver = start('0', 'receiver.ts', [String(port), WARM_UP, seconds, RUNS, target, timed]);
    const results: RunResult[] = [];
    for await (const line of createInterface({ input: receiver.stdout as NodeJS.ReadableStream })) {
      results.push(JSON.parse(line) as RunResult);
    }
    if (results.length < RUNS) throw new Error(`the receiver of ${target} ended early`);
    return medians(results);
  } finally {
    generator.kill();
  }
}

function medians(results: readonly RunResult[]): RunResult {
  const median = (pick: (result: RunResult) => number): number =>
    results.map(pick).toSorted((a, b) => a - b)[results.length >> 1] ?? 0;
  return {
    perSecond: median((result) => result.perSecond),
    cpuMicros: median((result) => result.cpuMicros),
    cores: median((result) => result.cores),
    dropped: results.reduce((sum, result) => sum + result.dropped, 0),
    p50: median((result) => result.p50),
    p99: median((result) => result.p99),
    peakRssMb: median((result) => result.peakRssMb),
  };
}

async function report(name: string, target: string): Promise<void> {
  const load: string[][] = [];
  for (const bytes of [200, 1000]) {
    const bare = await measure({ bytes, perSecond: 0, target: 'bare' });
    const alone = await measure({ bytes, perSecond: 0, target: 'discard' });
    const own = await measure({ bytes, perSecond: 0, target });
    load.push([
      `${bytes} B`,
      thousands(own.perSecond),
      own.cpuMicros.toFixed(2),
      String(own.dropped),
      `${own.peakRssMb.toFixed(0)} MB`,
      thousands(bare.perSecond),
      `${bare.cpuMicros.toFixed(2)} / ${alone.cpuMicros.toFixed(2)}`,
      (own.perSecond / bare.perSecond).toFixed(2),
    ]);
  }
  const loadHead = [
    'message',
    'msg/s',
    'CPU µs/msg',
    'dropped',
    'peak RSS',
    'bare ws msg/s',
    'CPU bare / without log',
    'ratio',
  ];
  print(
    `${name}, as fast as it is read, with the defaults of a worker: nothing may be dropped`,
    loadHead,
    load,
  );
  const paced: string[][] = [];
  for (const bytes of [200, 1000]) {
    for (const perSecond of [1000, 10_000]) {
      const own = await measure({ bytes, perSecond, target });
      const times = [own.p50.toFixed(2), own.p99.toFixed(2)];
      paced.push([
        `${bytes} B`,
        thousands(perSecond),
        ...times,
        own.cpuMicros.toFixed(1),
        String(own.dropped),
      ]);
    }
  }
  print(
    `${name}, at a fixed rate: milliseconds from sending to the log's acknowledgement`,
    ['message', 'msg/s', 'p50', 'p99', 'CPU µs/msg', 'dropped'],
    paced,
  );
  const idle = await measure({ bytes: 200, perSecond: 0, target, idle: true });
  console.log(`${name}, idle: ${idle.cores.toFixed(3)} cores, ${idle.peakRssMb.toFixed(0)} MB\n`);
}

function thousands(value: number): string {
  return `${Math.round(value / 1000)}k`;
}

function print(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  console.log(
    [
      `${title} (medians of ${RUNS} runs of ${seconds} s)`,
      '',
      line(head),
      line(head.map(() => '---')),
      ...rows.map(line),
      '',
    ].join('\n'),
  );
}

async function withBroker(): Promise<void> {
  const { brokerUnavailable, startBroker } = await import('@levada/kafka-testkit');
  const reason = brokerUnavailable();
  if (reason !== undefined) {
    console.log(`Kafka: skipped, ${reason}`);
    return;
  }
  const broker = await startBroker();
  try {
    if (pinned) spawnSync('taskset', ['-a', '-c', '-p', '1', String(broker.pid)]);
    // A broker takes far longer than a receiver until its code is compiled.
    await measure({ bytes: 200, perSecond: 0, target: broker.bootstrap });
    await report(`Kafka ${broker.version}`, broker.bootstrap);
  } finally {
    await broker.stop();
  }
}

const wanted = process.argv.slice(2).filter((argument) => ['embedded', 'kafka'].includes(argument));
console.log(
  pinned ? 'receiver on core 0, generator and broker on core 1\n' : 'processes are not pinned to cores\n',
);
if (wanted.length === 0 || wanted.includes('embedded')) await report('Embedded log', 'embedded');
if (wanted.length === 0 || wanted.includes('kafka')) await withBroker();
