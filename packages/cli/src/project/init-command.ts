import { access } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { matchesFormat } from '@levada/stream-project-schema';
import { stringify } from 'yaml';
import { CommandError, exitCodes } from '../output/command-error.ts';
import type { templateNames } from '../output/forms.ts';
import { packageVersion } from '../output/package-files.ts';
import { readTemplates, type TemplateFile, writeNewFiles } from '../output/template-files.ts';
import type { Terminal } from '../output/terminal.ts';
import { editorSchemaFiles } from './schema-command.ts';

/** Options of `levada project init`. */
export interface InitOptions {
  /** Default: the name of the folder. */
  readonly name?: string;
  readonly template: (typeof templateNames)[number];
}

/** Files that a folder may have already; they stay as they are. */
const kept: ReadonlySet<string> = new Set(['.gitignore', '.vscode/settings.json']);

/** `levada project init [dir]`: writes a project that validates. Nothing is overwritten: a file that is in its way ends it before anything is written. */
export async function initCommand(
  dir: string,
  { name, template }: InitOptions,
  terminal: Terminal,
): Promise<void> {
  const folder = resolve(terminal.cwd, dir);
  const values = { name: stringify(projectName(name, folder)).trim(), version: packageVersion() };
  const files = [...readTemplates(['project', template], values), ...editorSchemaFiles('.vscode')];
  const there = await existing(folder, files);
  const inTheWay = there.filter((path) => !kept.has(path));
  if (inTheWay.length > 0) throw refusal(dir, inTheWay);
  const left = new Set(there);
  const written = files.filter(({ path }) => !left.has(path));
  await writeNewFiles(folder, written);
  for (const { path } of written) terminal.out(`${join(dir, path)}\n`);
  for (const path of there) terminal.err(`levada: "${path}" was there already and stays as it is\n`);
  const next = dir === '.' ? '' : `cd ${dir} && `;
  terminal.err(`next: ${next}levada project validate\n`);
}

function projectName(name: string | undefined, folder: string): string {
  const chosen = name ?? basename(folder);
  if (chosen !== '' && matchesFormat('label', chosen)) return chosen;
  throw new CommandError(
    exitCodes.usage,
    `"${chosen}" cannot be the name of a project`,
    name === undefined ? 'name it with --name' : undefined,
  );
}

async function existing(folder: string, files: readonly TemplateFile[]): Promise<readonly string[]> {
  const found = await Promise.all(
    files.map(async ({ path }) => {
      const there = await access(join(folder, path)).then(
        () => true,
        () => false, // what cannot be reached is reported by the write
      );
      return there ? [path] : [];
    }),
  );
  return found.flat();
}

function refusal(dir: string, paths: readonly string[]): CommandError {
  const list = paths.map((path) => `"${join(dir, path)}"`).join(', ');
  return new CommandError(
    exitCodes.problems,
    `nothing was written, because there is ${list} already`,
    'choose a folder that does not hold a project',
  );
}
