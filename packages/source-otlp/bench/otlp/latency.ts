import { printTable } from '../measure/print-table.ts';
import { type BenchRun, plainTrial, thousands } from './bench-run.ts';
import { measured } from './trials.ts';

const RATE = 5000;
const GOAL_MS = 50;
/** Enough that a request seldom waits for a connection. */
const load = { http: { connections: 32, atOnce: 1 }, grpc: { connections: 8, atOnce: 16 } } as const;

/** From sending to the acknowledgement by the log, at a fixed rate. */
export async function latency({ options, logs, goal }: BenchRun): Promise<void> {
  const rows: string[][] = [];
  for (const { name, target } of logs) {
    if (name === 'discard') continue;
    for (const transport of options.transports) {
      const trial = { ...plainTrial(transport), ...load[transport], request: 'span1' as const };
      const own = await measured({ ...trial, target, timed: true, rate: RATE }, options);
      rows.push([
        transport,
        name,
        thousands(own.perSecond),
        own.p50.toFixed(2),
        own.p99.toFixed(2),
        own.cpuMicros.toFixed(1),
        String(own.dropped),
      ]);
      const text = `${transport} into ${name} at ${RATE}/s: p99 ${own.p99.toFixed(1)} ms, goal ${GOAL_MS} ms`;
      goal(text, own.p99 < GOAL_MS && own.dropped === 0);
    }
  }
  printTable(
    `${RATE} exports of one span per second: milliseconds from sending to the log's acknowledgement`,
    ['transport', 'log', 'exports/s', 'p50', 'p99', 'CPU µs each', 'refused'],
    rows,
  );
}
