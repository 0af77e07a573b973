// Receives from the generator, in its own process. Arguments: port, seconds of warm-up, seconds of a run, runs, and what
// receives: `bare` (ws alone), `discard` (no log), `embedded` or the address of a broker. Prints one line of JSON per run.
import { setTimeout as sleep } from 'node:timers/promises';
import { pipe } from '@levada/connect-runtime-core';
import type { LogProducer } from '@levada/connect-runtime-core/platform';
import { logSink } from '@levada/connect-runtime-core/sinks';
import { websocketSource } from '@levada/source-websocket';
import { WebSocket } from 'ws';
import { openSink } from './sinks.ts';

export interface RunResult {
  readonly perSecond: number;
  /** Per message. */
  readonly cpuMicros: number;
  /** Cores kept busy. */
  readonly cores: number;
  readonly dropped: number;
  /** Milliseconds from sending to the acknowledgement by the log. */
  readonly p50: number;
  readonly p99: number;
  readonly peakRssMb: number;
}

const [port, warmUp, seconds, runs] = process.argv.slice(2, 6).map(Number) as [
  number,
  number,
  number,
  number,
];
const target = process.argv[6] ?? 'embedded';
const timed = process.argv[7] === 'timed';
const url = `ws://127.0.0.1:${port}/`;

let produced = 0;
let latencies: number[] = [];
let dropped = (): number => 0;

const close = target === 'bare' ? bare() : await source();
await sleep(warmUp * 1000);
for (let run = 0; run < runs; run += 1) process.stdout.write(`${JSON.stringify(await measure())}\n`);
await close();
// The generator ends with its connection; nothing of this process is waited for.
process.exit();

function bare(): () => Promise<void> {
  const ws = new WebSocket(url, { perMessageDeflate: false });
  ws.on('message', () => {
    produced += 1;
  });
  return async () => ws.terminate();
}

/** As a worker runs it by default. */
async function source(): Promise<() => Promise<void>> {
  const sink = await openSink(target, 'bench');
  const feed = websocketSource({ url, topic: 'bench', overflow: 'drop_newest' });
  const run = pipe(feed, logSink(counting(sink.producer)));
  dropped = () => Number(run.status()['MessagesDropped']);
  return async () => {
    await run.close({ timeoutMs: 2000 });
    await sink.close();
  };
}

/** Counts what is acknowledged. */
function counting(producer: LogProducer): LogProducer {
  return {
    get pendingBytes() {
      return producer.pendingBytes;
    },
    flush: () => producer.flush(),
    close: (options) => producer.close(options),
    send: async (records) => {
      const times = timed ? records.map((record) => sentAt(record.value)) : [];
      const result = await producer.send(records);
      produced += result.stored;
      const now = Number(process.hrtime.bigint()) / 1e6;
      for (const time of times) latencies.push(now - time);
      return result;
    },
  };
}

function sentAt(value: Uint8Array | null): number {
  return Number(Buffer.from(value?.subarray(0, 20) ?? []).toString('latin1')) / 1e6;
}

async function measure(): Promise<RunResult> {
  const [before, droppedBefore, cpu, start] = [produced, dropped(), process.cpuUsage(), performance.now()];
  latencies = [];
  await sleep(seconds * 1000);
  const { user, system } = process.cpuUsage(cpu);
  const count = produced - before;
  const elapsedMs = performance.now() - start;
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return {
    perSecond: (count / elapsedMs) * 1000,
    cpuMicros: (user + system) / count,
    cores: (user + system) / 1000 / elapsedMs,
    dropped: dropped() - droppedBefore,
    p50: at(0.5),
    p99: at(0.99),
    peakRssMb: process.resourceUsage().maxRSS / 1024,
  };
}
