import { systemClock } from '@levada/connect-runtime-core';
import {
  type CheckProjectOptions,
  checkProject,
  loadProject,
  type ProjectReport,
} from '@levada/stream-project-compiler';
import type { Terminal } from '../terminal/terminal.ts';
import { type CheckOptions, checkProjectOptions, projectFolder } from './check-folder.ts';
import { createChanges } from './dev/changes.ts';
import { devJson, devText } from './dev/dev-output.ts';
import { findingChanges } from './dev/finding-changes.ts';
import { type WatchedFileSystem, watchedFileSystem } from './dev/watched-file-system.ts';

/** Options of `levada project dev`. */
export interface DevOptions extends CheckOptions {
  /** `json`: one line for each run. */
  readonly format: 'text' | 'json';
  readonly color: boolean;
}

/** `levada project dev [dir]`: checks the project each time that it changes, and prints what is new and what is gone, until interrupted. */
export async function devCommand(folder: string, options: DevOptions, terminal: Terminal): Promise<void> {
  const { signal } = terminal;
  const settings = checkProjectOptions(options);
  const changes = createChanges(systemClock);
  const fileSystem = watchedFileSystem(await projectFolder(folder, terminal), changes.notify);
  if (options.format === 'text') terminal.err(`watching ${folder}, Ctrl+C ends\n`);
  try {
    let previous: ProjectReport | undefined;
    do {
      previous = await checkAgain({ fileSystem, settings, previous }, options, terminal);
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
  readonly settings: CheckProjectOptions;
  readonly previous: ProjectReport | undefined;
}

async function checkAgain(
  { fileSystem, settings, previous }: Run,
  { format, color }: DevOptions,
  terminal: Terminal,
): Promise<ProjectReport> {
  const start = systemClock.monotonic();
  const loaded = await loadProject({ fileSystem, environment: terminal.env });
  const report = checkProject(loaded, { ...settings, ...(previous === undefined ? {} : { previous }) });
  const milliseconds = systemClock.monotonic() - start;
  const changes = findingChanges(previous?.diagnostics ?? [], report.diagnostics);
  if (previous !== undefined && isSame(previous, report)) return report;
  const run = { report, changes, milliseconds };
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
