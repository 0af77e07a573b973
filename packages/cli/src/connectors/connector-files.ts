import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, relative, resolve } from 'node:path';
import { CommandError, exitCodes } from '../output/command-error.ts';
import type { Terminal } from '../output/terminal.ts';
import {
  type ConnectorDefinition,
  ConnectorFileError,
  type ConnectorText,
  parseConnectors,
} from './parse-connectors.ts';

/** Largest file that is read, in bytes. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

const formats: Readonly<Record<string, ConnectorText['format']>> = {
  '.json': 'json',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.properties': 'properties',
};

/** Options of commands that take files of connectors. */
export interface FileOptions {
  /** Files and folders; `-` is standard input. */
  readonly file: readonly string[];
}

/**
 * The connectors of files and of all files below folders, in the order of names. Throws a {@link CommandError} with every problem,
 * before anything is done with any of them.
 */
export async function connectorFiles(
  { file: paths }: FileOptions,
  terminal: Terminal,
): Promise<readonly ConnectorDefinition[]> {
  if (paths.length === 0) {
    throw new CommandError(
      exitCodes.usage,
      'no file is given',
      'name files or folders with -f, or - for standard input',
    );
  }
  const problems: string[] = [];
  const found: ConnectorDefinition[] = [];
  const note = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (thrown) {
      if (!(thrown instanceof ConnectorFileError)) throw thrown;
      problems.push(thrown.message);
    }
  };
  for (const path of paths) {
    await note(async () => {
      for (const file of await filesAt(path, terminal)) {
        await note(async () => {
          found.push(...(await parseConnectors(await textOf(file, terminal))));
        });
      }
    });
  }
  problems.push(...duplicates(found));
  if (problems.length === 1) throw new CommandError(exitCodes.problems, problems[0] as string);
  if (problems.length > 1) {
    const lines = problems.map((problem) => `\n  ${problem}`).join('');
    throw new CommandError(exitCodes.problems, `${problems.length} problems in what was given${lines}`);
  }
  return found;
}

function duplicates(found: readonly ConnectorDefinition[]): readonly string[] {
  const byName = Map.groupBy(found, ({ name }) => name);
  return [...byName]
    .filter(([, same]) => same.length > 1)
    .map(
      ([name, same]) => `the connector "${name}" is defined in ${same.map(({ file }) => file).join(' and ')}`,
    );
}

/** The file itself, or those below a folder; hidden ones are left out. */
async function filesAt(path: string, terminal: Terminal): Promise<readonly string[]> {
  if (path === '-') return [path];
  const full = resolve(terminal.cwd, path);
  const kind = await stat(full).catch((thrown: NodeJS.ErrnoException) => {
    throw new ConnectorFileError(path, thrown.code === 'ENOENT' ? 'does not exist' : thrown.message);
  });
  if (!kind.isDirectory()) return [path];
  const names = (await readdir(full, { recursive: true })).filter(
    (name) => formats[extname(name).toLowerCase()] !== undefined && !/(^|[\\/])\./.test(name),
  );
  // A link to a file counts as one: folders that Kubernetes mounts consist of links.
  const files = await Promise.all(
    names.map(async (name) => ((await stat(join(full, name))).isFile() ? [name] : [])),
  );
  const sorted = files.flat().toSorted();
  if (sorted.length === 0) {
    throw new ConnectorFileError(path, `holds no file that ends in ${Object.keys(formats).join(', ')}`);
  }
  return sorted.map((name) => join(path, name));
}

async function textOf(path: string, terminal: Terminal): Promise<ConnectorText> {
  if (path === '-') return standardInput(terminal);
  const full = resolve(terminal.cwd, path);
  const extension = extname(full).toLowerCase();
  const format = formats[extension];
  if (format === undefined) {
    throw new ConnectorFileError(path, `expected a file that ends in ${Object.keys(formats).join(', ')}`);
  }
  const file = path.startsWith('/') ? path : relative(terminal.cwd, full);
  try {
    if ((await stat(full)).size > MAX_FILE_BYTES) throw new Error(`is larger than ${MAX_FILE_BYTES} bytes`);
    return { file, text: await readFile(full, 'utf8'), format, fallbackName: basename(full, extname(full)) };
  } catch (thrown) {
    throw new ConnectorFileError(file, thrown instanceof Error ? thrown.message : String(thrown));
  }
}

/** JSON when it begins as JSON does, else YAML; properties would be hard to tell apart from it. */
async function standardInput({ input }: Terminal): Promise<ConnectorText> {
  const text = (await input?.()) ?? '';
  const format = /^\s*[{[]/.test(text) ? 'json' : 'yaml';
  return { file: 'standard input', text, format, fallbackName: undefined };
}
