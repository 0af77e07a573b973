import { systemClock } from '@levada/connect-runtime-core';
import {
  type Compilation,
  type CompileOptions,
  compile,
  loadProject,
  type ProjectReport,
} from '@levada/stream-project-compiler';
import type { Terminal } from '../../output/terminal.ts';
import { type CheckOptions, projectFolder, validateOptions } from '../check-folder.ts';
import { writeCompilation } from '../write-compilation.ts';
import { createChanges } from './changes.ts';
import { devJson, devText } from './dev-output.ts';
import { findingChanges } from './finding-changes.ts';
import { type WatchedFileSystem, watchedFileSystem } from './watched-file-system.ts';

/** Options of `levada project dev`. */
export interface DevOptions extends CheckOptions {
  /** `json`: one line for each run. */
  readonly format: 'text' | 'json';
  readonly color: boolean;
  /** Folder to write to what `compile` writes, relative to where the command runs. Default: nothing is written. */
  readonly out?: string;
}

/** `levada project dev [dir]`: checks and compiles the project each time that it changes, and prints what is new and what is gone, until interrupted. */
export async function devCommand(folder: string, options: DevOptions, terminal: Terminal): Promise<void> {
  const { signal } = terminal;
  const settings = validateOptions(options);
  const changes = createChanges(systemClock);
  const fileSystem = watchedFileSystem(await projectFolder(folder, terminal), changes.notify);
  if (options.format === 'text') terminal.err(`watching ${folder}, Ctrl+C ends\n`);
  try {
    let previous: Compilation | undefined;
    let written: ReadonlyMap<string, string> | undefined;
    do {
      previous = await compileAgain({ fileSystem, settings, previous, written }, options, terminal);
      if (previous.valid) written = previous.files;
    } while (await (fileSystem.isWatching() ? changes.next(signal) : again(signal)));
  } finally {
    fileSystem.close();
  }
}

/** Time between looks at a folder that is gone. */
const GONE_MS = 500;

/** True after a moment, false as soon as the signal aborts. */
function again(signal: AbortSignal): Promise<boolean> {
  return systemClock.sleep(GONE_MS, signal).then(
    () => true,
    () => false, // the only way in which a sleep rejects
  );
}

interface Run {
  readonly fileSystem: WatchedFileSystem;
  readonly settings: CompileOptions;
  readonly previous: Compilation | undefined;
  /** The files of the last run that had any. */
  readonly written: ReadonlyMap<string, string> | undefined;
}

async function compileAgain(
  { fileSystem, settings, previous, written }: Run,
  { format, color, out }: DevOptions,
  terminal: Terminal,
): Promise<Compilation> {
  const start = systemClock.monotonic();
  const loaded = await loadProject({ fileSystem, environment: terminal.env });
  const report = compile(loaded, { ...settings, ...(previous === undefined ? {} : { previous }) });
  const files =
    out === undefined || !report.valid
      ? undefined
      : await writeCompilation(report, out, { terminal, before: written });
  const milliseconds = systemClock.monotonic() - start;
  const changes = findingChanges(previous?.diagnostics ?? [], report.diagnostics);
  if (previous !== undefined && isSame(previous, report)) return report;
  const run = { report, changes, milliseconds, files };
  terminal.out(format === 'json' ? devJson(run) : devText(run, color, terminal));
  return report;
}

/** Whether nothing that was read differs, and so nothing is to be said: a file was touched, or is none of the project's. */
function isSame(before: ProjectReport, after: ProjectReport): boolean {
  if (before.diagnostics.length !== after.diagnostics.length) return false;
  const texts = ({ loaded: { files, environmentFile } }: ProjectReport) =>
    [...files, environmentFile].map((file) => [file?.path, file?.text] as const);
  const earlier = texts(before);
  const later = texts(after);
  return (
    earlier.length === later.length &&
    earlier.every(([path, text], at) => later[at]?.[0] === path && later[at]?.[1] === text)
  );
}
