import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolders } from '@levada/stream-project-compiler/node';
import { CommandError, exitCodes } from './command-error.ts';
import { packageFile, packageFiles } from './package-files.ts';

/** A file to write, its path below the folder that is made, with "/" between. */
export interface TemplateFile {
  readonly path: string;
  readonly text: string;
}

/** What stands for each `__key__` in a template, escaped for where it is written. */
export type TemplateValues = Readonly<Record<string, string>>;

/** Files of these folders of `templates/`, one folder after the other, in order of their paths. */
export function readTemplates(names: readonly string[], values: TemplateValues): readonly TemplateFile[] {
  return names.flatMap((name) =>
    packageFiles(`templates/${name}`).map((path) => ({
      path: written(path),
      text: filled(packageFile(`templates/${name}/${path}`), values),
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
    .split('/')
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
