import { join, resolve } from 'node:path';
import { type Compilation, compile } from '@levada/stream-project-compiler';
import { loadProjectFolder, writeFiles } from '@levada/stream-project-compiler/node';
import { matchesFormat, sinkConnectors } from '@levada/stream-project-schema';
import { CommandError, CommandExit } from '../terminal/command-error.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type CheckOptions, checkProjectOptions, projectFolder } from './check-folder.ts';
import { findingsText, printFindings } from './print-findings.ts';

/** Options of `levada project compile`. */
export interface CompileCommandOptions extends CheckOptions {
  /** Folder to write to, relative to where the command runs. */
  readonly out: string;
  /** `json`: the manifest on standard output. */
  readonly format: 'text' | 'json';
  readonly color: boolean;
  /** Write nothing. */
  readonly dryRun?: true;
  /** `jdbc-sink=com.example.JdbcSink`, in any number; the last one of a word counts. */
  readonly connectorClass?: readonly string[];
}

/** `levada project compile [dir]`: writes the manifest and the artifacts. A project that is not valid is reported as by validate, and nothing is written. */
export async function compileCommand(
  folder: string,
  options: CompileCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const connectorClasses = readClasses(options.connectorClass ?? []);
  const settings = { ...checkProjectOptions(options), connectorClasses };
  const loaded = await loadProjectFolder(await projectFolder(folder, terminal), {
    environment: terminal.env,
  });
  const compiled = compile(loaded, settings);
  const print = { format: options.format, color: options.color, folder };
  if (!compiled.valid) {
    printFindings(compiled, print, terminal);
    throw new CommandExit(exitCodes.problems);
  }
  if (compiled.diagnostics.length > 0) terminal.err(findingsText(compiled, print, terminal));
  const written = options.dryRun === true ? undefined : await write(compiled, options.out, terminal);
  if (options.format === 'json') terminal.out(`${JSON.stringify(compiled.manifest, undefined, 2)}\n`);
  else
    terminal.out(
      written ??
        [...compiled.files.keys()]
          .sort()
          .map((path) => `${path}\n`)
          .join(''),
    );
}

/** Writes what is new, and says what was done to which file. */
async function write(compiled: Compilation, out: string, terminal: Terminal): Promise<string> {
  const { files, secretFiles } = compiled;
  try {
    const done = await writeFiles(resolve(terminal.cwd, out), files, { secretFiles });
    const line = (what: string) => (path: string) => `${what}  ${join(out, path)}\n`;
    return [
      ...done.written.map(line('written  ')),
      ...done.unchanged.map(line('unchanged')),
      ...done.removed.map(line('removed  ')),
    ].join('');
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new CommandError(exitCodes.unreachable, `cannot write to "${out}": ${reason}`);
  }
}

function readClasses(settings: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(settings.map(readClass));
}

function readClass(setting: string): readonly [string, string] {
  const at = setting.indexOf('=');
  const [word, className] = [setting.slice(0, at), setting.slice(at + 1)];
  if (Object.hasOwn(sinkConnectors, word) && matchesFormat('class-name', className)) return [word, className];
  throw new CommandError(
    exitCodes.usage,
    `--connector-class: "${setting}" is not word=class, expected one of ${Object.keys(sinkConnectors).join(', ')} and a class name with its package`,
  );
}
