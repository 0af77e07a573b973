import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { formatText, formatYaml, sourceFile } from '@levada/stream-project-compiler';
import { loadProjectFolder } from '@levada/stream-project-compiler/node';
import { CommandError, CommandExit, exitCodes } from '../output/command-error.ts';
import { visible } from '../output/render.ts';
import type { Terminal } from '../output/terminal.ts';
import { statPath } from './stat-path.ts';

/** Options of `levada project fmt`. */
export interface FmtOptions {
  /** Write nothing; end with 1 when a file would change. */
  readonly check?: boolean;
}

interface Fmt {
  readonly check: boolean;
  readonly terminal: Terminal;
  changed: number;
  unreadable: number;
}

/** `levada project fmt [file...]`: gives YAML files one layout, without a change of meaning; of folders, those of the project. */
export async function fmtCommand(
  names: readonly string[],
  { check = false }: FmtOptions,
  terminal: Terminal,
): Promise<void> {
  const run: Fmt = { check, terminal, changed: 0, unreadable: 0 };
  for (const path of await filesOf(names.length === 0 ? ['.'] : names, terminal)) await formatFile(path, run);
  if (run.unreadable > 0 || (check && run.changed > 0)) throw new CommandExit(exitCodes.problems);
}

/** Paths as they are shown: relative where they were given so. */
async function filesOf(names: readonly string[], { cwd, env }: Terminal): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of names) {
    const path = resolve(cwd, name);
    const kind = await statPath(path);
    if (kind === undefined) throw new CommandError(exitCodes.usage, `"${name}" does not exist`);
    if (kind === 'file') {
      found.push(name);
      continue;
    }
    const { value } = await loadProjectFolder(path, { environment: env });
    found.push(...value.files.map((file) => join(name, file.path)));
  }
  return [...new Set(found)];
}

const MAX_BYTES = 8 * 1024 * 1024;

async function formatFile(name: string, run: Fmt): Promise<void> {
  const { terminal, check } = run;
  const path = resolve(terminal.cwd, name);
  const before = await readText(path, name);
  const file = sourceFile(relative(terminal.cwd, path) || name, before);
  const result = formatYaml(file);
  if (result.kind === 'unreadable') {
    run.unreadable += 1;
    terminal.err(formatText(result.diagnostics, { files: [file] }));
  } else if (result.kind === 'left') {
    terminal.err(`levada: "${visible(name)}" stays as it is: no other layout is known to say the same\n`);
  } else if (result.text !== before) {
    run.changed += 1;
    if (!check) await replaceText(path, result.text);
    terminal.out(`${visible(name)}\n`);
  }
}

async function readText(path: string, name: string): Promise<string> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new CommandError(exitCodes.problems, `"${name}" is larger than 8 MiB`);
  const bytes = await readFile(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(exitCodes.problems, `"${name}" is not UTF-8`);
  }
}

/** Puts a new text in the place of a file's, with its mode, so that no reader ever sees a half of it. A link stays a link. */
export async function replaceText(path: string, text: string): Promise<void> {
  try {
    const target = await realpath(path);
    const { mode } = await stat(target);
    const temporary = `${target}.${process.pid}.tmp`;
    try {
      await writeFile(temporary, text, { flag: 'wx', mode: mode & 0o777 });
      await rename(temporary, target);
    } finally {
      await rm(temporary, { force: true });
    }
  } catch (thrown) {
    const reason = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown);
    throw new CommandError(exitCodes.unreachable, `"${path}" cannot be written: ${reason}`);
  }
}
