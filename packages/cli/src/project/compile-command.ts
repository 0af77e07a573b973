import { join } from 'node:path';
import { type Compilation, compile } from '@levada/stream-project-compiler';
import { loadProjectFolder } from '@levada/stream-project-compiler/node';
import { matchesFormat, sinkConnectors } from '@levada/stream-project-schema';
import { CommandError, CommandExit, exitCodes } from '../output/command-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { type CheckOptions, projectFolder, validateOptions } from './check-folder.ts';
import { findingsText, printFindings } from './print-findings.ts';
import { writeCompilation } from './write-compilation.ts';

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
  const settings = { ...validateOptions(options), connectorClasses };
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
  const done = await writeCompilation(compiled, out, { terminal });
  const line = (what: string) => (path: string) => `${what}  ${join(out, path)}\n`;
  return [
    ...done.written.map(line('written  ')),
    ...done.unchanged.map(line('unchanged')),
    ...done.removed.map(line('removed  ')),
  ].join('');
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
