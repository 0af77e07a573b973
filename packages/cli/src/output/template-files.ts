import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolders } from '@levada/stream-project-compiler/node';
import { CommandError, exitCodes } from './command-error.ts';

/** A file to write, its path below the folder that is made, with "/" between. */
export interface TemplateFile {
  readonly path: string;
  readonly text: string;
}

/** What stands for each `__key__` in a template, escaped for where it is written. */
export type TemplateValues = Readonly<Record<string, string>>;

const root = fileURLToPath(new URL('../../templates/', import.meta.url));

/** Files of these folders of `templates/`, one folder after the other, in order of their paths. */
export async function readTemplates(
  names: readonly string[],
  values: TemplateValues,
): Promise<readonly TemplateFile[]> {
  const folders = await Promise.all(names.map((name) => filesOf(join(root, name), values)));
  return folders.flat();
}

async function filesOf(folder: string, values: TemplateValues): Promise<readonly TemplateFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.sort().map(async (path) => ({
      path: written(relative(folder, path)),
      text: filled(await readFile(path, 'utf8'), values),
    })),
  );
}

/**
 * Packages cannot hold files such as `.gitignore`, so names begin with "_" for ".". Code that is not complete yet ends in
 * `.template`, which keeps it from tools.
 */
function written(path: string): string {
  return path
    .replace(/\.template$/, '')
    .split(sep)
    .map((part) => part.replace(/^_/, '.'))
    .join('/');
}

function filled(text: string, values: TemplateValues): string {
  return text.replaceAll(/__([a-z]+)__/g, (whole, key: string) => values[key] ?? whole);
}

/** Writes files that must not be there yet, and the folders that they are in. */
export async function writeNewFiles(folder: string, files: readonly TemplateFile[]): Promise<void> {
  await writeAll(folder, files, 'wx');
}

/** Writes files, over those of the same names. */
export async function writeOver(folder: string, files: readonly TemplateFile[]): Promise<void> {
  await writeAll(folder, files, 'w');
}

async function writeAll(folder: string, files: readonly TemplateFile[], flag: 'w' | 'wx'): Promise<void> {
  for (const { path, text } of files) {
    const target = join(folder, path);
    try {
      await makeFolders(dirname(target));
      await writeFile(target, text, { flag });
    } catch (thrown) {
      const reason = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown);
      throw new CommandError(exitCodes.unreachable, `"${target}" cannot be written: ${reason}`);
    }
  }
}
