// The whole receiver into a log, from a sender in another process, beside the same receiver built of express or grpc-js and
// protobufjs. `npm run bench -- otlp [words]`, with words for what is measured (otherwise what takes less than four minutes):
//   parts         compare, latency, modes, profile, idle, http2
//   transports    http, grpc
//   requests      span100, span1, logs100, metrics100
//   outputs       json, protobuf
//   logs          discard, embedded, kafka
//   of profiles   queued, produced, spool
//   numbers       seconds=0.5 of a turn, rounds=3, warmUp=1.5 before them
// `all`: everything of the kinds that have no word. Conversion alone: `otlp-conversion`; transports alone:
// `otlp-http-transport` and `otlp-grpc-transport`.
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { pinned } from './measure/processes.ts';
import { type BenchOptions, benchOptions, type Part } from './otlp/bench-options.ts';
import { type BenchRun, plainTrial } from './otlp/bench-run.ts';
import { compare } from './otlp/compare.ts';
import { http2 } from './otlp/http2.ts';
import { idle } from './otlp/idle.ts';
import { latency } from './otlp/latency.ts';
import { modes } from './otlp/modes.ts';
import { profiles } from './otlp/profiles.ts';
import { measured } from './otlp/trials.ts';

const measurements: Readonly<Record<Part, (run: BenchRun) => Promise<void>>> = {
  compare,
  latency,
  modes,
  profile: profiles,
  idle,
  http2,
};

async function measureAll(options: BenchOptions, broker: string | undefined): Promise<void> {
  const goals: string[] = [];
  const run: BenchRun = {
    options,
    logs: options.logs.flatMap((name) => {
      const target = name === 'kafka' ? broker : name;
      return target === undefined ? [] : [{ name, target }];
    }),
    goal: (text, met) => goals.push(`${met ? 'met' : 'NOT MET'}: ${text}`),
  };
  for (const part of options.parts) await measurements[part](run);
  console.log(goals.join('\n'));
}

/** The address of a broker while something is done with it; undefined where none can be started. */
async function withBroker(
  work: (broker: string | undefined) => Promise<void>,
  options: BenchOptions,
): Promise<void> {
  const { brokerUnavailable, startBroker } = await import('@levada/kafka-testkit');
  const reason = brokerUnavailable();
  if (reason !== undefined) {
    console.log(`Kafka: skipped, ${reason}`);
    await work(undefined);
    return;
  }
  const broker = await startBroker();
  try {
    console.log(`Kafka ${broker.version}`);
    if (pinned) spawnSync('taskset', ['-a', '-c', '-p', '1', String(broker.pid)]);
    // A broker takes far longer than a receiver until its code is compiled.
    await measured({ ...plainTrial('http'), target: broker.bootstrap }, options);
    await work(broker.bootstrap);
  } finally {
    await broker.stop();
  }
}

const options = benchOptions(process.argv.slice(2));
console.log(`Node ${process.version}, ${cpus()[0]?.model}, ${cpus().length} CPUs`);
console.log(
  pinned ? 'receiver on core 0, sender and broker on core 1\n' : 'processes are not pinned to cores\n',
);
if (options.logs.includes('kafka')) await withBroker((broker) => measureAll(options, broker), options);
else await measureAll(options, undefined);
