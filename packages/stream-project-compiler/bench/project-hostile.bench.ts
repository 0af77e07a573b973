// How `levada project validate` ends on every hostile project, each in a process of its own: exit 1 or 2, never 0, never a
// signal, within 2 s and 300 MB. With a word, only the projects whose names hold it.
import { hostileCases } from '../test/hostile/hostile-cases.ts';
import { runCommand } from '../test/hostile/run-command.ts';
import type { CommandRun } from './measure-command.ts';

const MAX_MS = 2000;
/** 300 MB. */
const MAX_MIB = 286;
const LARGEST = 12;
const FOUR_OF_FIVE = 0.8;

type NamedRun = CommandRun & { readonly name: string };

const only = process.argv[2] ?? '';
const print = (text: string) => process.stdout.write(`${text}\n`);
const runs: NamedRun[] = [];
for (const one of hostileCases.filter(({ name }) => name.includes(only)))
  runs.push({ name: one.name, ...(await runCommand(one)) });

const refused = runs.filter(({ exitCode }) => exitCode === 1 || exitCode === 2);
const wrong = runs.filter((run) => !refused.includes(run));
const slow = runs.filter(({ ms }) => ms > MAX_MS);
const large = runs.filter(({ peakMiB = 0 }) => peakMiB > MAX_MIB);
print(`${runs.length} projects, one process each: ${refused.length} refused, ${wrong.length} not`);
print(`beyond ${MAX_MS} ms: ${slow.length}, beyond 300 MB: ${large.length}`);
print(
  `median ${at(0.5)} ms, slowest ${at(1)} ms; half hold at most ${heldAt(0.5)} MiB, ${FOUR_OF_FIVE * 100} % ${heldAt(FOUR_OF_FIVE)} MiB, the largest ${heldAt(1)} MiB`,
);
for (const run of wrong) print(`not refused: ${run.name}: ${run.signal ?? run.exitCode}`);
table('slowest', (run) => run.ms);
table('largest', (run) => run.peakMiB ?? 0);
process.exitCode = wrong.length + slow.length + large.length > 0 ? 1 : 0;

function at(share: number): number {
  return quantile(
    runs.map(({ ms }) => ms),
    share,
  );
}

function heldAt(share: number): number {
  return quantile(
    runs.map(({ peakMiB = 0 }) => peakMiB),
    share,
  );
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
}

function table(title: string, by: (run: NamedRun) => number): void {
  print(`\n${title}:`);
  for (const run of runs.toSorted((one, other) => by(other) - by(one)).slice(0, LARGEST)) {
    print(
      `${String(run.ms).padStart(6)} ms (${String(run.cpuMs ?? '?').padStart(5)} of processors) ${String(run.peakMiB ?? '?').padStart(5)} MiB  ${run.name}`,
    );
  }
}
