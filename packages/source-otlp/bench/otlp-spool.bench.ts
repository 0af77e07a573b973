// What the spool costs: appends that wait for fdatasync, with 64 waiting at once, while all is taken and committed again, beside
// writes of the same bytes that wait for nothing; the time of an append at a fixed rate; and how long an opening takes.
// Run with `npm run bench -- otlp-spool [seconds per case]`.
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@levada/connect-runtime-core';
import { openSpool } from '../src/spool/open-spool.ts';
import type { Spool } from '../src/spool/spool.ts';

const seconds = Number(process.argv[2] ?? 2);
const WAITING = 64;
const RUNS = 3;
/** The spool is no larger than this, so that long runs do not fill the disk. */
const MOST_BYTES = 512 * 1_048_576;
/** What a plain file grows to before it is begun again. */
const FILE_BYTES = 64 * 1_048_576;

interface Outcome {
  readonly perSecond: number;
  readonly took: readonly number[];
  readonly cpuMicros: number;
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'spool-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function withSpool<T>(work: (spool: Spool) => Promise<T>): Promise<T> {
  return inFolder(async (folder) => {
    const spool = await openSpool({ folder, maxBytes: MOST_BYTES, clock: systemClock });
    const emptied = empty(spool);
    try {
      return await work(spool);
    } finally {
      await emptied.stop();
      await spool.close();
    }
  });
}

/** Takes and commits all that arrives, as a task does. */
function empty(spool: Spool): { readonly stop: () => Promise<void> } {
  let running = true;
  let wake = (): void => undefined;
  spool.onArrival = () => wake();
  const run = async (): Promise<void> => {
    while (running) {
      const taken = await spool.take(500, 4_194_304);
      spool.commit(taken.map(({ place }) => place));
      if (taken.length === 0 && running) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  };
  const ended = run();
  return {
    stop: () => {
      running = false;
      wake();
      return ended;
    },
  };
}

/** Does it over and over, with so many waiting at once. */
async function atFullLoad(once: () => Promise<unknown>, ms: number): Promise<Outcome> {
  const took: number[] = [];
  const cpu = process.cpuUsage();
  const start = performance.now();
  const pump = async (): Promise<void> => {
    for (let began = performance.now(); began < start + ms; began = performance.now()) {
      await once();
      took.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: WAITING }, pump));
  return {
    perSecond: (took.length / (performance.now() - start)) * 1000,
    took,
    cpuMicros: cpuSince(cpu) / took.length,
  };
}

/** Does it at this rate, whether it was done in time or not. */
async function atFixedRate(once: () => Promise<unknown>, perSecond: number, ms: number): Promise<Outcome> {
  const took: number[] = [];
  const pending: Promise<unknown>[] = [];
  const cpu = process.cpuUsage();
  const start = performance.now();
  for (let done = 0; done < (perSecond * ms) / 1000; ) {
    const dueBy = ((performance.now() - start) * perSecond) / 1000;
    for (; done < dueBy; done += 1) {
      const due = start + (done * 1000) / perSecond;
      pending.push(once().then(() => took.push(performance.now() - due)));
    }
    await sleep(1);
  }
  await Promise.all(pending);
  return { perSecond, took, cpuMicros: cpuSince(cpu) / took.length };
}

async function appends(bytes: number): Promise<Outcome> {
  const entry = [new Uint8Array(bytes).fill(97)];
  return withSpool(async (spool) => {
    const once = (): Promise<unknown> => spool.append(entry);
    await atFullLoad(once, 300);
    return atFullLoad(once, (seconds * 1000) / RUNS);
  });
}

/** The same bytes by one write each, into a file that grows, without waiting for the disk. */
async function writes(bytes: number): Promise<Outcome> {
  const entry = new Uint8Array(bytes).fill(97);
  return inFolder(async (folder) => {
    const file = await open(join(folder, 'plain'), 'w');
    let at = 0;
    const once = async (): Promise<void> => {
      if (at > FILE_BYTES) {
        at = 0;
        await file.truncate(0);
      }
      const position = at;
      at += bytes;
      await file.write(entry, 0, bytes, position);
    };
    await atFullLoad(once, 300);
    const outcome = await atFullLoad(once, (seconds * 1000) / RUNS);
    await file.close();
    return outcome;
  });
}

/** What the disk itself takes now: one entry written and forced to the disk at a time. To judge the figures beside it by. */
async function bareDisk(bytes: number): Promise<Outcome> {
  const entry = new Uint8Array(bytes).fill(97);
  return inFolder(async (folder) => {
    const file = await open(join(folder, 'bare'), 'w');
    let at = 0;
    const once = async (): Promise<void> => {
      await file.write(entry, 0, bytes, at);
      at += bytes;
      await file.datasync();
    };
    const outcome = await oneByOne(once, (seconds * 1000) / 2);
    await file.close();
    return outcome;
  });
}

async function oneByOne(once: () => Promise<void>, ms: number): Promise<Outcome> {
  const took: number[] = [];
  const cpu = process.cpuUsage();
  const start = performance.now();
  for (let began = start; began < start + ms; began = performance.now()) {
    await once();
    took.push(performance.now() - began);
    await sleep(1);
  }
  const perSecond = (took.length / (performance.now() - start)) * 1000;
  return { perSecond, took, cpuMicros: cpuSince(cpu) / took.length };
}

async function opening(bytes: number): Promise<string[]> {
  const total = 100 * 1_048_576;
  return inFolder(async (folder) => {
    const options = { folder, maxBytes: MOST_BYTES, clock: systemClock };
    const spool = await openSpool(options);
    const group = Array.from({ length: Math.ceil(4_194_304 / bytes) }, () => new Uint8Array(bytes).fill(97));
    while (spool.bytes < total) await spool.append(group);
    await spool.close();
    const start = performance.now();
    const again = await openSpool(options);
    const took = performance.now() - start;
    const { size } = again;
    await again.close();
    return [`${bytes} B`, String(size), String(Math.round(spool.bytes / 1_048_576)), took.toFixed(0)];
  });
}

function cpuSince(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return user + system;
}

/** The run of the middle. */
async function median(run: () => Promise<Outcome>): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (let i = 0; i < RUNS; i += 1) outcomes.push(await run());
  return outcomes.toSorted((a, b) => a.perSecond - b.perSecond)[RUNS >> 1] as Outcome;
}

function row(bytes: number, { perSecond, took, cpuMicros }: Outcome): string[] {
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2);
  const rate = perSecond.toFixed(0);
  return [
    `${bytes} B`,
    rate,
    ((perSecond * bytes) / 1e6).toFixed(0),
    at(0.5),
    at(0.99),
    cpuMicros.toFixed(0),
  ];
}

function print(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  console.log([title, '', line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n'));
}

const columns = ['entry', 'entries/s', 'MB/s', 'p50 ms', 'p99 ms', 'CPU µs an entry'];

const loaded: string[][] = [];
for (const bytes of [4096, 25_000]) {
  const spooled = await median(() => appends(bytes));
  const plain = await median(() => writes(bytes));
  loaded.push(['spool', ...row(bytes, spooled), (spooled.perSecond / plain.perSecond).toFixed(2)]);
  loaded.push(['plain writes, no fdatasync', ...row(bytes, plain), '1']);
}
const load = `Full load, ${WAITING} waiting at once, all taken and committed meanwhile (the middle one of ${RUNS} runs)`;
print(load, ['', ...columns, 'ratio'], loaded);

const paced: string[][] = [];
for (const [bytes, perSecond] of [
  [4096, 1000],
  [4096, 5000],
  [25_000, 1000],
  [25_000, 5000],
] as const) {
  const entry = [new Uint8Array(bytes).fill(97)];
  paced.push(
    row(bytes, await withSpool((spool) => atFixedRate(() => spool.append(entry), perSecond, seconds * 1000))),
  );
}
for (const bytes of [4096, 25_000]) paced.push(row(bytes, await bareDisk(bytes)));
print(
  'Fixed rate: milliseconds from the planned time to the acknowledgement (last two rows: bare write + fdatasync, one at a time)',
  columns,
  paced,
);

const opened: string[][] = [];
for (const bytes of [200, 4096, 25_000]) opened.push(await opening(bytes));
print('Opening', ['entry', 'entries', 'MiB', 'ms'], opened);
