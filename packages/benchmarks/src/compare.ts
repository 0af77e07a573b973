import { writeFile } from 'node:fs/promises';
import type { Say } from './measure/contest.ts';
import { leaveMeasuredCore } from './measure/cores.ts';
import { openLog } from './measure/log.ts';
import type { CompareOptions, Part } from './options.ts';
import { idle } from './parts/idle.ts';
import { latency } from './parts/latency.ts';
import { otlpThroughput, prepareCollector } from './parts/otlp.ts';
import { feedThroughput, type PartRun } from './parts/throughput.ts';
import { benchmarksPage } from './report/docs-page.ts';
import { machine } from './report/machine.ts';
import { markdownTable, type Table } from './report/table.ts';

const measurements: Readonly<Record<Part, (run: PartRun) => Promise<readonly Table[]>>> = {
  websocket: async (run) => [await feedThroughput('websocket', run)],
  grpc: async (run) => [await feedThroughput('grpc', run)],
  otlp: otlpThroughput,
  latency,
  idle: async (run) => [await idle(run)],
};

/** What needs the Collector. */
const collected: readonly Part[] = ['otlp', 'latency', 'idle'];

const page = new URL('../../../docs/reference/benchmarks.md', import.meta.url);

/** Measures, prints the tables, and writes what the options ask for. `say` gets what happens meanwhile. */
export async function compare(
  { parts, rounds, json, docs }: CompareOptions,
  print: Say,
  say: Say,
): Promise<void> {
  leaveMeasuredCore();
  const on = machine();
  const started = performance.now();
  if (parts.some((part) => collected.includes(part))) {
    say('building the OpenTelemetry Collector, if it is not there yet');
    await prepareCollector();
  }
  const tables: Table[] = [];
  const log = await openLog();
  try {
    for (const part of parts) {
      const made = await measurements[part]({ log, rounds, say });
      for (const table of made) print(`${table.title}\n\n${markdownTable(table)}\n\n${table.note}\n`);
      tables.push(...made);
    }
  } finally {
    await log.close();
  }
  const minutes = (performance.now() - started) / 60_000;
  print(
    `Medians of ${rounds.runs} turns of ${rounds.seconds} s, least and greatest in brackets; ${minutes.toFixed(1)} minutes in all.`,
  );
  print(
    Object.entries(on)
      .map(([what, which]) => `${what}: ${which}\n`)
      .join(''),
  );
  if (json !== undefined) {
    const whole = { machine: on, rounds, tables };
    await writeFile(json, `${JSON.stringify(whole, undefined, 2)}\n`);
  }
  if (docs) await writeFile(page, benchmarksPage({ machine: on, rounds, tables }));
}
