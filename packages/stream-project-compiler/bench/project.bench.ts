// How long projects of 10, 100, 1,000 and 5,000 models take to load and validate, how much memory, and how the cost of a
// model grows with their number; what compiling 1,000 and 5,000 takes; then what one edit costs. Run with `npm run bench -- project [runs]`.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type Compilation,
  checkProject,
  compile,
  type LoadedProject,
  type ProjectReport,
  sourceFile,
} from '@levada/stream-project-compiler';
import { loadProjectFolder, writeFiles } from '@levada/stream-project-compiler/node';
import { generateProject } from './generate-project.ts';
import { type CommandRun, measureCommand } from './measure-command.ts';
import { median, withFolder } from './measured-project.ts';
import { hasOriginal, timeOriginal } from './python-original.ts';

const sizes = [10, 100, 1000, 5000] as const;
/** What is aimed at, in milliseconds, for the whole command and for one edit. */
const goals: Readonly<Partial<Record<number, number>>> = { 1000: 2000, 5000: 8000 };
const compileGoals = { 1000: 2000, 5000: 10_000 } as const;
const editGoals = { 1000: 100, 5000: 300 } as const;
const EDITED_MODELS = 1000;
/** What an unchanged second compilation may cost of the first. */
const AGAIN_GOAL = 0.1;
const EDIT_GOAL_MS = 50;
const EDITS = 21;

const { positionals } = parseArgs({ allowPositionals: true });
const rounds = Number(positionals[0] ?? 5);
const print = (text: string) => process.stdout.write(`${text}\n`);

print(
  `levada project validate, ${rounds} runs each, medians; Node ${process.version}, ${availableParallelism()} processors`,
);
print(
  'cold: a process from its start to its end (and the time it used processors). warm: loadProjectFolder and validate,',
);
print(
  'called again and again in this process, before which they ran once. Peak: the most memory of the cold process.\n',
);
print('models     cold  (processors)     warm    per model     peak   goal');
let missed = 0;
for (const models of sizes) await measureSize(models);
print(
  '\nlevada project compile, cold, every time into a new folder, then again (processors, and their share):',
);
for (const models of [1000, 5000] as const) await measureCompile(models);
print('');
await measureEdits();
for (const models of [1000, 5000] as const) await measureCompiledEdits(models);
await measureOriginal();
process.exitCode = missed > 0 ? 1 : 0;

async function measureSize(models: number): Promise<void> {
  await withFolder(generateProject({ models }), async (folder) => {
    const cold: CommandRun[] = [];
    for (let run = 0; run < rounds; run += 1) cold.push(await measureCommand(folder));
    const refused = cold.find(({ exitCode }) => exitCode !== 0);
    if (refused !== undefined)
      print(`the project of ${models} models is refused:\n${refused.output.slice(0, 2000)}`);
    const warm = await measureWarm(folder);
    const ms = median(cold.map((run) => run.ms));
    const cpu = median(cold.map((run) => run.cpuMs ?? Number.NaN));
    const peak = median(cold.map((run) => run.peakMiB ?? Number.NaN));
    print(
      `${cell(models, 6)} ${cell(ms, 6)} ms ${cell(cpu, 8)} ms ${cell(warm, 6)} ms ${((1000 * warm) / models).toFixed(0).padStart(8)} µs ${cell(peak, 5)} MiB   ${goalText(ms, goals[models])}`,
    );
  });
}

async function measureWarm(folder: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run <= rounds; run += 1) {
    const start = performance.now();
    checkProject(await loadProjectFolder(folder, { environment: {} }));
    times.push(performance.now() - start);
  }
  return median(times.slice(1));
}

async function measureCompile(models: keyof typeof compileGoals): Promise<void> {
  await withFolder(generateProject({ models }), async (folder) => {
    const runs: CommandRun[] = [];
    const again: CommandRun[] = [];
    const environment = { XDG_CACHE_HOME: join(folder, 'caches') };
    for (let run = 0; run < rounds; run += 1) {
      const command = ['compile', '--out', join(folder, `out-${run}`)] as const;
      runs.push(await measureCommand(folder, { command, environment }));
      again.push(await measureCommand(folder, { command, environment }));
    }
    const refused = runs.find(({ exitCode }) => exitCode !== 0);
    if (refused !== undefined) print(`${models} models do not compile:\n${refused.output.slice(0, 2000)}`);
    const ms = median(runs.map((run) => run.ms));
    const cpu = median(runs.map((run) => run.cpuMs ?? Number.NaN));
    const peak = median(runs.map((run) => run.peakMiB ?? Number.NaN));
    const cpuAgain = median(again.map((run) => run.cpuMs ?? Number.NaN));
    const share = cpuAgain / cpu;
    print(
      `${cell(models, 6)} ${cell(ms, 6)} ms ${cell(cpu, 8)} ms ${cell(peak, 28)} MiB   ${goalText(ms, compileGoals[models])}`,
    );
    if (share > AGAIN_GOAL) missed += 1;
    print(
      ` again ${cell(median(again.map((run) => run.ms)), 6)} ms ${cell(cpuAgain, 8)} ms   ${share.toFixed(3)} of it, goal ${AGAIN_GOAL}: ${share > AGAIN_GOAL ? 'missed' : 'met'}`,
    );
  });
}

/** As `levada project dev` does after an edit: what is affected is compiled again, and the files that differ are written. */
async function measureCompiledEdits(models: keyof typeof editGoals): Promise<void> {
  await withFolder(generateProject({ models }), async (folder) => {
    const loaded = await loadProjectFolder(folder, { environment: {} });
    const paths = loaded.value.files.map(({ path }) => path).filter((path) => path.startsWith('models/'));
    const out = join(folder, 'out');
    let compilation: Compilation = compile(loaded);
    await writeFiles(out, compilation.files);
    const times: number[] = [];
    const cpu: number[] = [];
    for (let edit = 0; edit < EDITS; edit += 1) {
      const path = paths[(edit * 7) % paths.length] ?? '';
      const changed = { ...loaded, value: edited(compilation.loaded, path, edit) };
      const start = performance.now();
      const startCpu = process.cpuUsage();
      const before = compilation.files;
      compilation = compile(changed, { previous: compilation });
      await writeFiles(out, compilation.files, { before });
      times.push(performance.now() - start);
      cpu.push(millisecondsOf(process.cpuUsage(startCpu)));
    }
    const ms = median(times);
    print(
      `one edit of ${models} models, compiled and written: ${ms.toFixed(1)} ms (processors ${median(cpu).toFixed(1)} ms, slowest of ${EDITS}: ${Math.max(...times).toFixed(1)} ms); ${goalText(ms, editGoals[models])}`,
    );
  });
}

/** One model's SQL changes, then is as before, and so on; each time what was known is given. */
async function measureEdits(): Promise<void> {
  await withFolder(generateProject({ models: EDITED_MODELS }), async (folder) => {
    const loaded = await loadProjectFolder(folder, { environment: {} });
    const paths = loaded.value.files.map(({ path }) => path).filter((path) => path.startsWith('models/'));
    let report: ProjectReport = checkProject(loaded);
    const times: number[] = [];
    const cpu: number[] = [];
    for (let edit = 0; edit < EDITS; edit += 1) {
      const path = paths[(edit * 7) % paths.length] ?? '';
      const changed = { ...loaded, value: edited(report.loaded, path, edit) };
      const start = performance.now();
      const startCpu = process.cpuUsage();
      report = checkProject(changed, { previous: report });
      times.push(performance.now() - start);
      cpu.push(millisecondsOf(process.cpuUsage(startCpu)));
    }
    const reload: number[] = [];
    for (let run = 0; run < rounds; run += 1) {
      const start = performance.now();
      await loadProjectFolder(folder, { environment: {} });
      reload.push(performance.now() - start);
    }
    const ms = median(times);
    print(
      `one edit of ${EDITED_MODELS} models: ${ms.toFixed(1)} ms (processors ${median(cpu).toFixed(1)} ms, slowest of ${EDITS}: ${Math.max(...times).toFixed(1)} ms), beside ${median(reload).toFixed(1)} ms if all files are read again; ${goalText(ms, EDIT_GOAL_MS)}`,
    );
  });
}

/** Of all processors together; on a busy machine, work also waits. */
function millisecondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

/** The project with another bound in a file's first query, or other words in its first description. */
function edited(loaded: LoadedProject, path: string, edit: number): LoadedProject {
  const files = loaded.files.map((file) => {
    if (file.path !== path) return file;
    const inSql = file.text.replace(/amount > \d+/, `amount > ${edit + 1}`);
    const text = inSql === file.text ? file.text.replace('What area', `Edit ${edit}: what area`) : inSql;
    return sourceFile(path, text);
  });
  return { ...loaded, files };
}

async function measureOriginal(): Promise<void> {
  if (!hasOriginal()) {
    print('the Python original (the command "streamt"): not installed, so there is no ratio');
    return;
  }
  print('the Python original, "streamt validate" on the same models in its own words, cold:');
  for (const models of sizes) {
    const files = generateProject({ models });
    const original = await timeOriginal(files);
    const own = await withFolder(files, (folder) => measureCommand(folder));
    if (typeof original === 'string') print(`${cell(models, 6)} ${original}`);
    else
      print(
        `${cell(models, 6)} ${cell(original.ms, 6)} ms (exit ${original.exitCode}), ${(original.ms / own.ms).toFixed(1)} times as long`,
      );
  }
}

function goalText(ms: number, goal: number | undefined): string {
  if (goal === undefined) return '';
  if (ms <= goal) return `met: below ${goal} ms`;
  missed += 1;
  return `missed: above ${goal} ms`;
}

function cell(value: number, width: number): string {
  return value.toFixed(0).padStart(width);
}
