import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Compilation, compile, partOfFiles } from '@levada/stream-project-compiler';
import { compareFiles, loadProjectFolder } from '@levada/stream-project-compiler/node';
import { matchesFormat, sinkConnectors } from '@levada/stream-project-schema';
import { CommandError, CommandExit, exitCodes } from '../output/command-error.ts';
import type { Terminal } from '../output/terminal.ts';
import {
  type CheckOptions,
  type HoleOptions,
  projectFolder,
  requireComplete,
  validateOptions,
} from './check-folder.ts';
import type { CompileCache } from './compile-cache.ts';
import { findingsText, printFindings } from './print-findings.ts';
import { type PartOptions, selectPart } from './select-part.ts';
import { selectFindings } from './validate-command.ts';
import { writeCompilation } from './write-compilation.ts';

/** Options of `levada project compile`. */
export interface CompileCommandOptions extends CheckOptions, HoleOptions, PartOptions {
  /** Folder to write to, relative to where the command runs. */
  readonly out: string;
  /** `json`: the manifest on standard output. */
  readonly format: 'text' | 'json';
  readonly color: boolean;
  /** Write nothing. */
  readonly dryRun?: true;
  /** `jdbc-sink=com.example.JdbcSink`, in any number; the last one of a word counts. */
  readonly connectorClass?: readonly string[];
  /** Show what would change in the folder, write nothing, and end with 3 when something would. */
  readonly diff?: true;
  /** Version of the engine, instead of those of clusters. */
  readonly engineVersion?: string;
}

/** `levada project compile [dir]`: writes the manifest and the artifacts. Of a project that is not valid, or has holes, nothing is written. */
export async function compileCommand(
  folder: string,
  options: CompileCommandOptions,
  terminal: Terminal,
  cache?: CompileCache,
): Promise<void> {
  const connectorClasses = readClasses(options.connectorClass ?? []);
  const { engineVersion } = options;
  const version = engineVersion === undefined ? {} : { engineVersion };
  const settings = { ...validateOptions(options), ...version, connectorClasses };
  const path = await projectFolder(folder, terminal);
  const loaded = cache?.loaded ?? (await loadProjectFolder(path, { environment: terminal.env }));
  const compiled = compile(loaded, settings);
  const print = { format: options.format, color: options.color, folder };
  if (!compiled.valid) {
    printFindings(compiled, print, terminal);
    throw new CommandExit(exitCodes.problems);
  }
  const findings = compiled.diagnostics.length > 0 ? findingsText(compiled, print, terminal) : '';
  if (findings !== '') terminal.err(findings);
  requireComplete(selectFindings(compiled, options, terminal), options, terminal);
  const { part, isPart } = await selectFiles(compiled, options, terminal);
  if (options.diff === true) {
    await showChanges({ ...compiled, ...part }, { ...options, isPart }, terminal);
    return;
  }
  const written =
    options.dryRun === true
      ? undefined
      : await write({ ...compiled, ...part }, { out: options.out, isPart }, terminal);
  if (options.format === 'json') terminal.out(`${JSON.stringify(part.manifest, undefined, 2)}\n`);
  else
    terminal.out(
      written ??
        [...part.files.keys()]
          .sort()
          .map((path) => `${path}\n`)
          .join(''),
    );
  await cache?.remember({ findings, paths: [...part.files.keys()].sort() });
}

interface PartOfOutput {
  readonly part: Pick<Compilation, 'files' | 'manifest'>;
  readonly isPart: boolean;
}

/** The files of what is selected, beside those of everything else that are in the folder already. */
async function selectFiles(
  compiled: Compilation,
  options: CompileCommandOptions,
  terminal: Terminal,
): Promise<PartOfOutput> {
  const { select = [], exclude = [], out } = options;
  const { manifest } = compiled;
  if ((select.length === 0 && exclude.length === 0) || manifest === undefined)
    return { part: compiled, isPart: false };
  const nodes = new Set<string>(selectPart(compiled.project, options, terminal).byId.keys());
  const earlier = await readManifest(resolve(terminal.cwd, out));
  return { part: partOfFiles({ ...compiled, manifest }, { nodes, earlier }), isPart: true };
}

async function readManifest(folder: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as unknown;
  } catch {
    // There is none, or something else of that name: writing says what is in the way
    return undefined;
  }
}

/** Prints what writing would change, and ends with 3 when that is anything. */
async function showChanges(
  { files, secretFiles }: Compilation,
  { out, format, isPart }: Pick<CompileCommandOptions, 'out' | 'format'> & { readonly isPart: boolean },
  terminal: Terminal,
): Promise<void> {
  const { changesJson, changesText, compiledChanges } = await import('./print-changes.ts');
  const found = await compareFiles(resolve(terminal.cwd, out), files, { secretFiles, isPart }).catch(
    (thrown: unknown) => {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      throw new CommandError(exitCodes.unreachable, `cannot read "${out}": ${reason}`);
    },
  );
  const changes = compiledChanges(found);
  terminal.out(
    format === 'json' ? `${JSON.stringify(changesJson(changes), undefined, 2)}\n` : changesText(changes),
  );
  if (changes.changes.length > 0) throw new CommandExit(exitCodes.differences);
}

/** Writes what is new, and says what was done to which file. */
async function write(
  compiled: Compilation,
  { out, isPart }: { readonly out: string; readonly isPart: boolean },
  terminal: Terminal,
): Promise<string> {
  const done = await writeCompilation(compiled, out, { terminal, isPart });
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
