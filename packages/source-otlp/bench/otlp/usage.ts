import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../measure/median.ts';
import type { SelfTime } from './self-times.ts';

/** What one run measured. */
export interface Usage {
  /** Exports that the log acknowledged. */
  readonly perSecond: number;
  /** Of all threads, per export. */
  readonly cpuMicros: number;
  /** Cores kept busy. */
  readonly cores: number;
  /** Exports that a full queue refused. */
  readonly dropped: number;
  /** Milliseconds from sending to the acknowledgement by the log; 0 where that is not measured. */
  readonly p50: number;
  readonly p99: number;
  readonly peakRssMb: number;
  /** Where the time went, if that was asked for. */
  readonly selfTimes?: readonly SelfTime[];
}

/** What a receiver counts. */
export interface Counts {
  readonly exports: () => number;
  readonly dropped: () => number;
  /** Milliseconds; forgotten when measuring begins. */
  readonly latencies: number[];
}

/** Watches the counters for a while. */
export async function measure(counts: Counts, seconds: number): Promise<Usage> {
  counts.latencies.length = 0;
  const [before, droppedBefore] = [counts.exports(), counts.dropped()];
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  await sleep(seconds * 1000);
  const { user, system } = process.cpuUsage(cpu);
  const elapsedMs = performance.now() - start;
  const count = counts.exports() - before;
  const sorted = counts.latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return {
    perSecond: (count / elapsedMs) * 1000,
    cpuMicros: (user + system) / Math.max(1, count),
    cores: (user + system) / 1000 / elapsedMs,
    dropped: counts.dropped() - droppedBefore,
    p50: at(0.5),
    p99: at(0.99),
    peakRssMb: process.resourceUsage().maxRSS / 1024,
  };
}

/** The median of each figure; drops are summed, the peak is the highest. */
export function medians(results: readonly Usage[]): Usage {
  const middle = (pick: (result: Usage) => number): number => median(results.map(pick));
  return {
    perSecond: middle((result) => result.perSecond),
    cpuMicros: middle((result) => result.cpuMicros),
    cores: middle((result) => result.cores),
    dropped: results.reduce((sum, result) => sum + result.dropped, 0),
    p50: middle((result) => result.p50),
    p99: middle((result) => result.p99),
    peakRssMb: Math.max(...results.map((result) => result.peakRssMb)),
  };
}
