// Records per second and CPU of all threads per record at full load, and the time from send to acknowledgement at a fixed rate.
// Run with `npm run bench -- embedded-log [seconds per case]`.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogProducer, LogRecord } from '@levada/connect-runtime-core/platform';
import { openEmbeddedPlatform } from '@levada/platform-embedded';

const seconds = Number(process.argv[2] ?? 2);
/** Batches in flight, as in a worker's task. */
const OUTSTANDING = 5;
/** Bytes kept in the log, so that long runs do not fill the disk. */
const KEPT_BYTES = 256 * 1_048_576;

async function withProducer<T>(work: (producer: LogProducer) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'embedded-bench-'));
  const platform = await openEmbeddedPlatform({ folder, retentionBytes: KEPT_BYTES });
  try {
    return await work(await platform.producer({ clientId: 'bench' }));
  } finally {
    await platform.close();
    rmSync(folder, { recursive: true });
  }
}

function batchOf(count: number, bytes: number): LogRecord[] {
  const value = new Uint8Array(bytes).fill(97);
  const timestamp = Date.now();
  return Array.from({ length: count }, () => ({
    topic: 'bench',
    partition: null,
    key: null,
    value,
    timestamp,
    headers: [],
  }));
}

async function pump(producer: LogProducer, batch: readonly LogRecord[], ms: number): Promise<number> {
  const until = performance.now() + ms;
  const outstanding: Promise<unknown>[] = [];
  let sent = 0;
  while (performance.now() < until) {
    outstanding.push(producer.send(batch));
    sent += batch.length;
    if (outstanding.length >= OUTSTANDING) await outstanding.shift();
  }
  await Promise.all(outstanding);
  return sent;
}

async function throughput(count: number, bytes: number): Promise<string[]> {
  const batch = batchOf(count, bytes);
  return withProducer(async (producer) => {
    await pump(producer, batch, (seconds * 1000) / 2);
    const rates: number[] = [];
    const costs: number[] = [];
    for (let run = 0; run < 3; run += 1) {
      const cpu = process.cpuUsage();
      const start = performance.now();
      const sent = await pump(producer, batch, (seconds * 1000) / 3);
      rates.push((sent / (performance.now() - start)) * 1000);
      costs.push(cpuMicros(cpu) / sent);
    }
    const rss = Math.round(process.memoryUsage.rss() / 1_048_576);
    return [`${bytes} B`, String(count), thousands(median(rates)), median(costs).toFixed(2), `${rss} MB`];
  });
}

async function latency(perSecond: number, bytes: number): Promise<string[]> {
  const everyMs = 1;
  const batch = batchOf(Math.max(1, (perSecond * everyMs) / 1000), bytes);
  return withProducer(async (producer) => {
    await pump(producer, batchOf(100, bytes), 500);
    const took: number[] = [];
    const cpu = process.cpuUsage();
    const start = performance.now();
    const total = seconds * 1000;
    const pending: Promise<unknown>[] = [];
    for (let tick = 0; tick < total; ) {
      // a late timer sends all ticks that are due, so a stall shows in the figures of everything it delayed
      for (; tick < total && start + tick <= performance.now(); tick += everyMs) {
        const due = start + tick;
        pending.push(producer.send(batch).then(() => took.push(performance.now() - due)));
      }
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    await Promise.all(pending);
    const cost = cpuMicros(cpu) / (took.length * batch.length);
    return [`${bytes} B`, thousands(perSecond), ...quantiles(took), cost.toFixed(1)];
  });
}

/** Times of the disk itself: a page written and synchronised at the same rate. A reference for the other figures. */
async function bareDisk(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'embedded-bench-'));
  const file = openSync(join(folder, 'bare'), 'w');
  const page = new Uint8Array(32_768);
  const took: number[] = [];
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const start = performance.now();
    writeSync(file, page, 0, page.length, (took.length % 100) * page.length);
    fdatasyncSync(file);
    took.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  closeSync(file);
  rmSync(folder, { recursive: true });
  return ['bare write + fdatasync', '', ...quantiles(took), ''];
}

function quantiles(took: number[]): string[] {
  took.sort((a, b) => a - b);
  const at = (share: number): string => (took[Math.floor(took.length * share)] ?? 0).toFixed(2);
  return [at(0.5), at(0.99), (took.at(-1) ?? 0).toFixed(1)];
}

async function measureIdle(): Promise<string> {
  return withProducer(async (producer) => {
    await pump(producer, batchOf(100, 200), 200);
    const cpu = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    return `${((cpuMicros(cpu) / (seconds * 1e6)) * 100).toFixed(2)} % of a core`;
  });
}

function cpuMicros(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return user + system;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

function thousands(value: number): string {
  return `${Math.round(value / 1000)}k`;
}

function print(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  console.log([title, '', line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n'));
}

const rows: string[][] = [];
for (const bytes of [200, 1000])
  for (const count of [100, 500, 2000]) rows.push(await throughput(count, bytes));
const load = `Full load, ${OUTSTANDING} batches outstanding, one partition (medians of 3)`;
print(load, ['value', 'records a batch', 'records/s', 'CPU µs a record', 'RSS'], rows);

const paced: string[][] = [];
for (const perSecond of [1000, 10_000]) {
  for (const bytes of [200, 1000]) paced.push(await latency(perSecond, bytes));
}
paced.push(await bareDisk());
const waits = 'Fixed rate, one send a millisecond: milliseconds from the planned time to the acknowledgement';
print(waits, ['value', 'records/s', 'p50', 'p99', 'max', 'CPU µs a record'], paced);
console.log(`Idle: ${await measureIdle()}`);
