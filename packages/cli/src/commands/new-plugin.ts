import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { CommandError, exitCodes } from '../output/command-error.ts';
import { packageVersion } from '../output/package-files.ts';
import { readTemplates, writeNewFiles } from '../output/template-files.ts';
import type { Terminal } from '../output/terminal.ts';

/** Options of `levada plugin new`. */
export interface NewPluginOptions {
  /** Default: `com.example.<Folder>Source`. */
  readonly class?: string;
}

/** Parts of a Java class name, in ASCII; so it needs no escaping wherever the template has it. */
const classPattern = /^(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*$/;
/** Longest class name, and longest package name that registries take. */
const MAX_LENGTH = 200;

/** `levada plugin new <folder>`: writes a package with a connector. A folder that is not empty stays as it is. */
export async function newPlugin(
  folder: string,
  options: NewPluginOptions,
  terminal: Terminal,
): Promise<void> {
  const target = resolve(terminal.cwd, folder);
  const name = packageName(target);
  const className = options.class ?? `com.example.${capitalized(name)}Source`;
  if (!classPattern.test(className) || className.length > MAX_LENGTH) {
    throw new CommandError(
      exitCodes.usage,
      `${JSON.stringify(className)} cannot be the class name of a connector`,
      'name it with --class: letters, digits and _ with dots between, such as com.example.MySource',
    );
  }
  await requireEmpty(target, folder);
  const dot = className.lastIndexOf('.');
  const files = readTemplates(['plugin'], {
    name,
    class: className,
    simple: className.slice(dot + 1),
    domain: dot === -1 ? className : className.slice(0, dot),
    version: packageVersion(),
  });
  await writeNewFiles(target, files);
  for (const { path } of files) terminal.out(`${join(folder, path)}\n`);
  terminal.err('next: npm install && npm test && npm run build, in that folder\n');
}

/** The folder's name with what package names cannot have as "-". */
function packageName(target: string): string {
  const name = basename(target)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (name !== '' && name !== 'node-modules' && name.length <= MAX_LENGTH) return name;
  throw new CommandError(
    exitCodes.usage,
    `${JSON.stringify(basename(target))} cannot be the name of a package`,
    'choose a folder whose name has letters or digits',
  );
}

function capitalized(name: string): string {
  const text = name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  return /^\d/.test(text) ? `_${text}` : text;
}

async function requireEmpty(target: string, folder: string): Promise<void> {
  let found: readonly string[];
  try {
    found = await readdir(target);
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown);
    if (code === 'ENOENT') return;
    const reason = code === 'ENOTDIR' ? 'it is not a folder' : `it cannot be read: ${code}`;
    throw new CommandError(exitCodes.problems, `nothing was written to "${folder}", because ${reason}`);
  }
  if (found.length === 0) return;
  throw new CommandError(
    exitCodes.problems,
    `nothing was written, because "${folder}" is not empty`,
    'choose a folder that is empty or does not exist',
  );
}
