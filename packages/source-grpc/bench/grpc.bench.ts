// Receiving, converting and the whole connector, from a generator in another process that is faster than any of them, beside
// grpc-js and protobufjs doing the same. `npm run bench -- grpc [seconds of a run] [runs] [receive] [library] [embedded] [kafka]`.
// Conversion alone is measured by `wire-json`, receiving alone with both kinds of frames by `grpc-transport`.
import { spawnSync } from 'node:child_process';
import { sizes } from './event.ts';
import { interleaved, pinned, type Trial } from './processes.ts';
import { cpu, figures, printTable, thousands } from './table.ts';
import type { Usage } from './usage.ts';

const numbers = process.argv
  .slice(2)
  .map(Number)
  .filter((value) => value > 0);
const seconds = numbers[0] ?? 2;
const runs = numbers[1] ?? 3;
const wanted = process.argv
  .slice(2)
  .filter((argument) => ['receive', 'library', 'embedded', 'kafka'].includes(argument));
const wants = (part: string): boolean => wanted.length === 0 || wanted.includes(part);

/** Receiving and converting, ours over grpc-js with protobufjs. */
const CONVERT_GOAL = 2.5;
/** The required rate and latency, and the headroom required above them. */
const RATE = 10_000;
const P99_MS = 5;
const ROOM = 10;
/** A connector and a log take longer than a transport until their code is compiled. */
const WARM_UP = { receive: 1, connector: 2 } as const;

const goals: string[] = [];

function goal(text: string, met: boolean): void {
  goals.push(`${met ? 'met' : 'NOT MET'}: ${text}`);
}

async function receiving(): Promise<void> {
  const rows: string[][] = [];
  for (const bytes of sizes) {
    const trial = { bytes, warmUp: WARM_UP.receive, seconds };
    const cases = ['grpc-js receive', 'own receive', 'grpc-js convert', 'own convert', 'connector discard'];
    const results = await interleaved(
      runs,
      cases.map((receiver) => ({ ...trial, receiver: receiver.split(' ') })),
    );
    const [, , theirs, ours] = results as [Usage, Usage, Usage, Usage];
    const ratio = ours.perSecond / theirs.perSecond;
    const cpuRatio = theirs.cpuMicros / ours.cpuMicros;
    rows.push([`${bytes} B`, ...results.map(figures), ratio.toFixed(2), cpuRatio.toFixed(2)]);
    if (bytes === 200 || bytes === 1000) {
      const text = `receiving and converting ${bytes} B: ${ratio.toFixed(1)}x grpc-js with protobufjs`;
      goal(
        `${text} (by CPU ${cpuRatio.toFixed(1)}x), goal ${CONVERT_GOAL}x`,
        Math.max(ratio, cpuRatio) >= CONVERT_GOAL,
      );
    }
  }
  printTable(
    `messages per second [CPU µs per message]; medians of ${runs} interleaved runs of ${seconds} s`,
    [
      'message',
      'receive: grpc-js',
      'own',
      'and convert: grpc-js, protobufjs',
      'own',
      'connector without log',
      'ratio of converting',
      'of CPU',
    ],
    rows,
  );
}

/** The whole connector, and the same with the library in place of the converter. */
async function withLibrary(): Promise<void> {
  const rows: string[][] = [];
  for (const bytes of sizes) {
    for (const target of ['discard', 'embedded']) {
      const trial = { bytes, warmUp: WARM_UP.connector, seconds };
      const results = await interleaved(runs, [
        { ...trial, receiver: ['connector', target] },
        { ...trial, receiver: ['connector', target, 'bufbuild'] },
      ]);
      const [own, library] = results as [Usage, Usage];
      const ratio = (own.perSecond / library.perSecond).toFixed(2);
      rows.push([
        `${bytes} B`,
        target,
        ...results.map(figures),
        ratio,
        (library.cpuMicros / own.cpuMicros).toFixed(2),
      ]);
    }
  }
  printTable(
    `the whole connector, messages per second [CPU µs per message]; medians of ${runs} interleaved runs of ${seconds} s`,
    ['message', 'log', 'protobuf-tables', '@bufbuild/protobuf', 'ratio of rates', 'of CPU'],
    rows,
  );
}

async function connector(name: string, target: string): Promise<void> {
  await atFullSpeed(name, target);
  await atFixedRates(name, target);
}

async function atFullSpeed(name: string, target: string): Promise<void> {
  const rows: string[][] = [];
  for (const bytes of sizes) {
    const [own] = await measured({ bytes, receiver: ['connector', target] });
    const mb = `${own.peakRssMb.toFixed(0)} MB`;
    rows.push([`${bytes} B`, thousands(own.perSecond), cpu(own), String(own.dropped), mb]);
    if (bytes === 200) {
      const text = `${name}, 200 B: ${thousands(own.perSecond)} msg/s, goal ${thousands(RATE * ROOM)}`;
      goal(text, own.perSecond >= RATE * ROOM);
    }
  }
  printTable(
    `${name}, as fast as it is taken, nothing may be dropped`,
    ['message', 'msg/s', 'CPU µs/msg', 'dropped', 'peak RSS'],
    rows,
  );
}

async function atFixedRates(name: string, target: string): Promise<void> {
  const rows: string[][] = [];
  for (const bytes of [200, 1000]) {
    for (const perSecond of [1000, RATE]) {
      const [own] = await measured({ bytes, perSecond, receiver: ['connector', target, 'timed'] });
      const times = [own.p50.toFixed(2), own.p99.toFixed(2)];
      rows.push([`${bytes} B`, thousands(perSecond), ...times, cpu(own), String(own.dropped)]);
      const text = `${name}, ${bytes} B at ${perSecond}/s: p99 ${own.p99.toFixed(2)} ms, goal ${P99_MS} ms`;
      goal(text, own.p99 < P99_MS && own.dropped === 0);
    }
  }
  printTable(
    `${name}, at a fixed rate: milliseconds from sending to the log's acknowledgement`,
    ['message', 'msg/s', 'p50', 'p99', 'CPU µs/msg', 'dropped'],
    rows,
  );
}

async function measured(trial: Omit<Trial, 'warmUp' | 'seconds'>): Promise<readonly [Usage]> {
  const results = await interleaved(runs, [{ ...trial, warmUp: WARM_UP.connector, seconds }]);
  return results as unknown as readonly [Usage];
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
    await measured({ bytes: 200, receiver: ['connector', broker.bootstrap] });
    await connector(`Kafka ${broker.version}`, broker.bootstrap);
  } finally {
    await broker.stop();
  }
}

console.log(
  pinned ? 'receiver on core 0, generator and broker on core 1\n' : 'processes are not pinned to cores\n',
);
if (wants('receive')) await receiving();
if (wants('library')) await withLibrary();
if (wants('embedded')) await connector('Embedded log', 'embedded');
if (wants('kafka')) await withBroker();
console.log(goals.join('\n'));
