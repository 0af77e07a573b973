import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadProjectFolder } from '@levada/stream-project-compiler/node';
import { packageVersion } from '../output/package-files.ts';
import { inColor, showsUnicode } from '../output/style.ts';
import type { Terminal } from '../output/terminal.ts';
import type { CompileCommandOptions } from './compile-command.ts';

/** The project of a command as it was read. */
type LoadedFolder = Awaited<ReturnType<typeof loadProjectFolder>>;

/** The output of a compilation. */
export interface CompiledBefore {
  /** Findings as they were printed; may be empty. */
  readonly findings: string;
  /** Paths below the output folder, in order. */
  readonly paths: readonly string[];
}

/** The cache entry of one command: all that decides about its output is in `key`. */
export interface CompileCache {
  readonly loaded: LoadedFolder;
  /** The earlier compilation, if its input was the same and all its files are still as it left them. */
  readonly find: () => Promise<CompiledBefore | undefined>;
  readonly remember: (compiled: CompiledBefore) => Promise<void>;
}

interface Entry extends CompiledBefore {
  readonly key: string;
  /** Digest of the stamps of all files. */
  readonly stamps: string;
}

/** Entries of more output folders are removed, the oldest first. */
const MAX_ENTRIES = 20;
/**
 * File systems count time in steps of up to 10 ms. After this wait no later change can have the time of the files as they were written.
 */
const CLOCK_STEP_MS = 20;

/**
 * The cache of a compilation into a folder, in `XDG_CACHE_HOME`, `.cache` of the home folder, or `LOCALAPPDATA`. Undefined where there is
 * none of these, or where the output does not follow from the files, the variables that they name and the options alone.
 */
export async function openCompileCache(
  folder: string,
  options: CompileCommandOptions,
  terminal: Terminal,
): Promise<CompileCache | undefined> {
  const caches = cacheFolder(terminal);
  const { select = [], exclude = [], dryRun, diff } = options;
  const isPart = select.length > 0 || exclude.length > 0;
  if (caches === undefined || isPart || dryRun === true || diff === true) return undefined;
  const project = resolve(terminal.cwd, folder);
  const code = codeIdentity();
  const loaded = await loadProjectFolder(project, { environment: terminal.env });
  const variables = usedVariables(loaded);
  if (code === undefined || variables === undefined) return undefined;
  const out = resolve(terminal.cwd, options.out);
  const { severity, today, engineVersion, connectorClass, allowIncomplete, color } = options;
  const day = today ?? new Date().toISOString().slice(0, 10);
  const { files, environmentFile, projectFile, complete } = loaded.value;
  const key = digest([
    [code, project, out, severity, day, engineVersion, connectorClass, allowIncomplete],
    [inColor(terminal, color), showsUnicode(terminal)],
    [variables, projectFile, complete, environmentFile?.text, loaded.diagnostics],
    files.map(({ path, text }) => [path, text]),
  ]);
  const file = join(caches, `${digest(out)}.json`);
  return {
    loaded,
    find: async () => {
      const entry = await readEntry(file);
      if (entry?.key !== key || entry.stamps !== stampsOf(out, entry.paths)) return undefined;
      return entry;
    },
    remember: async ({ findings, paths }) => {
      await new Promise((done) => setTimeout(done, CLOCK_STEP_MS));
      const stamps = stampsOf(out, paths);
      if (stamps === undefined) return;
      await writeEntry(caches, file, { key, stamps, findings, paths });
    },
  };
}

function cacheFolder({ env, cwd }: Terminal): string | undefined {
  const set = env['XDG_CACHE_HOME'] ?? env['LOCALAPPDATA'] ?? '';
  const home = env['HOME'] ?? '';
  const caches = set !== '' ? set : home === '' ? undefined : join(home, '.cache');
  return caches === undefined ? undefined : join(resolve(cwd, caches), 'levada', 'compile');
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** Which code compiles: versions alone do not distinguish builds of a checkout. Undefined where that cannot be found out. */
function codeIdentity(): unknown {
  try {
    const own = fileURLToPath(import.meta.url);
    const require = createRequire(own);
    const compiler = require.resolve('@levada/stream-project-compiler');
    const below = createRequire(realpathSync(compiler));
    const modules = [
      own,
      compiler,
      require.resolve('@levada/stream-project-compiler/node'),
      ...['@levada/stream-project-schema', '@levada/stream-sql', 'yaml', 're2js'].map((name) =>
        below.resolve(name),
      ),
    ];
    return [packageVersion(), process.version, ...modules.map(moduleStamp)];
  } catch {
    // The single executable bundles these modules, so none of them resolves
    const { size, mtimeMs } = statSync(process.execPath);
    return [packageVersion(), process.version, process.execPath, size, mtimeMs];
  }
}

function moduleStamp(path: string): unknown {
  const { size, mtimeMs, ino } = statSync(path);
  return [realpathSync(path), size, mtimeMs, ino];
}

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)(:-)?/g;

/** Names and values of all variables that the files may name. Undefined where one has neither a value nor a default. */
function usedVariables({ value: { files, variables } }: LoadedFolder): unknown {
  const used = new Map<string, string | null>();
  for (const { text } of files) {
    if (!text.includes('${')) continue;
    for (const [, name = '', fallback] of text.matchAll(reference)) {
      const value = variables.get(name);
      // Hints may then name others
      if (value === undefined && fallback === undefined) return undefined;
      used.set(name, value ?? null);
    }
  }
  return [...used].sort(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * One digest of what a change of any of these files changes: its time of change, which no program can set, its size, place and mode. Undefined
 * where one is missing, or is no file, or where the file system keeps whole seconds only.
 */
function stampsOf(folder: string, paths: readonly string[]): string | undefined {
  const hash = createHash('sha256');
  let isFine = paths.length === 0;
  for (const path of paths) {
    const facts = lstatSync(join(folder, path), { throwIfNoEntry: false, bigint: true });
    if (facts?.isFile() !== true) return undefined;
    const { ino, size, mode, mtimeNs, ctimeNs } = facts;
    if (ctimeNs % 1_000_000_000n !== 0n) isFine = true;
    hash.update(`${path} ${ino} ${size} ${mode} ${mtimeNs} ${ctimeNs}\n`);
  }
  return isFine ? hash.digest('hex') : undefined;
}

async function readEntry(file: string): Promise<Entry | undefined> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Entry;
  } catch {
    // Without a readable entry the project is compiled
    return undefined;
  }
}

async function writeEntry(caches: string, file: string, entry: Entry): Promise<void> {
  const staged = `${file}.${process.pid}`;
  try {
    const { makeFolders } = await import('@levada/stream-project-compiler/node');
    await makeFolders(caches, 0o700);
    await writeFile(staged, JSON.stringify(entry), { mode: 0o600 });
    await rename(staged, file);
    await removeOldest(caches);
  } catch {
    // A cache that cannot be written must not fail the compilation: the next one only takes as long as this one
    await rm(staged, { force: true }).catch(() => {});
  }
}

async function removeOldest(caches: string): Promise<void> {
  const names = await readdir(caches);
  if (names.length <= MAX_ENTRIES) return;
  const aged = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(caches, name))).mtimeMs })),
  );
  const old = aged.sort((one, other) => other.at - one.at).slice(MAX_ENTRIES);
  await Promise.all(old.map(({ name }) => rm(join(caches, name), { force: true })));
}

/**
 * `levada project compile [dir]`. Where nothing changed since the last time, neither the input nor a file of the output, it says the same
 * without compiling, and without loading the compiler.
 */
export async function compileAgain(
  folder: string,
  options: CompileCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const cache = await openCompileCache(folder, options, terminal);
  const before = await cache?.find();
  if (before === undefined) {
    const { compileCommand } = await import('./compile-command.ts');
    await compileCommand(folder, options, terminal, cache);
    return;
  }
  if (before.findings !== '') terminal.err(before.findings);
  const lines = before.paths.map((path) => `unchanged  ${join(options.out, path)}\n`);
  terminal.out(
    options.format === 'json'
      ? await readFile(join(resolve(terminal.cwd, options.out), 'manifest.json'), 'utf8')
      : lines.join(''),
  );
}
