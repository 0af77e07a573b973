import { setTimeout as sleep } from 'node:timers/promises';

export interface Usage {
  readonly perSecond: number;
  /** CPU time of all threads per message. */
  readonly cpuMicros: number;
  /** Cores kept busy. */
  readonly cores: number;
  readonly dropped: number;
  /** Milliseconds from sending to the acknowledgement by the log; 0 where that is not measured. */
  readonly p50: number;
  readonly p99: number;
  readonly peakRssMb: number;
}

export interface Counts {
  messages: () => number;
  dropped: () => number;
  latencies: number[];
}

/** Watches the counters for a while. */
export async function measure(counts: Counts, seconds: number): Promise<Usage> {
  counts.latencies = [];
  const [before, droppedBefore] = [counts.messages(), counts.dropped()];
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  await sleep(seconds * 1000);
  const { user, system } = process.cpuUsage(cpu);
  const elapsedMs = performance.now() - start;
  const count = counts.messages() - before;
  const sorted = counts.latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return {
    perSecond: (count / elapsedMs) * 1000,
    cpuMicros: (user + system) / count,
    cores: (user + system) / 1000 / elapsedMs,
    dropped: counts.dropped() - droppedBefore,
    p50: at(0.5),
    p99: at(0.99),
    peakRssMb: process.resourceUsage().maxRSS / 1024,
  };
}

/** The median of each figure; drops are summed, the peak is the highest. */
export function medians(results: readonly Usage[]): Usage {
  const median = (pick: (result: Usage) => number): number =>
    results.map(pick).toSorted((a, b) => a - b)[results.length >> 1] ?? 0;
  return {
    perSecond: median((result) => result.perSecond),
    cpuMicros: median((result) => result.cpuMicros),
    cores: median((result) => result.cores),
    dropped: results.reduce((sum, result) => sum + result.dropped, 0),
    p50: median((result) => result.p50),
    p99: median((result) => result.p99),
    peakRssMb: Math.max(...results.map((result) => result.peakRssMb)),
  };
}
