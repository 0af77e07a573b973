import type { ProcessReading } from './exposition.ts';

/** Reads this process at each call. */
export function processReader(startedAt: number): () => ProcessReading {
  return () => {
    const { user, system } = process.cpuUsage();
    return { startedAt, residentBytes: process.memoryUsage.rss(), cpuSeconds: (user + system) / 1e6 };
  };
}
