import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from '@levada/kafka-testkit';
import { GuideShell } from '@levada/test-peers/guide-shell';
import { type Block, isCommands } from './page-blocks.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const levada = join(repository, 'packages/cli/bin/levada.js');

/** Ports that pages name; each run has others. */
const PORTS = ['8083', '8443', '4317', '4318', '9000'];

/** Longest time of one command, on a busy machine. */
const LIMIT_MS = 120_000;

/** What a command of a page printed in place of what the page shows. */
export interface Difference {
  readonly command: string;
  readonly exitCode: number;
  readonly expected: string;
  readonly output: string;
}

/** What a page takes as given. */
export interface Surroundings {
  /** Texts of the page, and what stands for each here. */
  readonly places?: readonly (readonly [string, string])[];
  /** Files of its folder, by name. */
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Does what a page says, in a folder of its own: writes the files, which are the blocks with a path, and runs the commands in one shell.
 * Answers the first command that failed or printed something else; `…` on the page is for any text, a line of it for any lines.
 */
export async function runPage(
  blocks: readonly Block[],
  { places: given = [], files = {}, environment = {} }: Surroundings,
): Promise<Difference | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'levada-page-'));
  const work = join(folder, 'work');
  const places = new Map<string, string>([...given, ['/etc/levada', work]]);
  const free = await freePorts(PORTS.length);
  for (const [index, port] of PORTS.entries()) places.set(port, String(free[index]));
  const here = (text: string): string =>
    [...places].reduce(
      (found, [there, place]) =>
        found.replaceAll(new RegExp(`(?<!\\w)${RegExp.escape(there)}(?!\\w)`, 'g'), place),
      text,
    );
  await linkCommands(join(folder, 'bin'));
  await linkPackages(folder);
  await mkdir(work);
  for (const [name, text] of Object.entries(files)) await writeIn(work, name, text);
  const shell = new GuideShell(work, {
    PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env['PATH']}`,
    HOME: folder,
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    LEVADA_URL: here('http://127.0.0.1:8083'),
    ...Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, here(value)])),
  });
  try {
    for (const block of blocks) {
      if (block.notRun !== undefined) continue;
      if (block.path !== '') await writeIn(work, block.path, here(block.text));
      if (!isCommands(block)) continue;
      for (const step of stepsOf(block)) {
        const ended = await Promise.race([shell.end(here(step.command)), late()]);
        if (ended === undefined)
          return {
            command: step.command,
            exitCode: -1,
            expected: `an end within ${LIMIT_MS} ms`,
            output: '',
          };
        const { output, exitCode } = ended;
        const expected = here(step.printed.join('\n'));
        if ((exitCode === 0) === step.fails || !matches(output, expected))
          return { command: step.command, exitCode, expected, output };
      }
    }
    return undefined;
  } finally {
    await shell.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function late(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, LIMIT_MS, undefined).unref());
}

interface Step {
  readonly command: string;
  readonly printed: readonly string[];
  /** Whether the page shows that the command ends with an error: a line with `✗`. */
  readonly fails: boolean;
}

/** A block of `sh` is one command; in a block of `console` each follows `$ `, and what it prints follows the command. */
function stepsOf({ language, text }: Block): readonly Step[] {
  if (language === 'sh') return [{ command: text, printed: [], fails: false }];
  const steps: { command: string; printed: string[] }[] = [];
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), printed: [] });
    else if (line.startsWith('> '))
      steps.splice(-1, 1, { command: `${steps.at(-1)?.command}\n${line.slice(2)}`, printed: [] });
    else steps.at(-1)?.printed.push(line);
  }
  return steps.map((step) => ({ ...step, fails: step.printed.some((line) => line.startsWith('✗')) }));
}

/** Widths of columns depend on names. A page that shows nothing leaves open what is printed. */
function matches(output: string, expected: string): boolean {
  if (expected === '') return true;
  const comparable = (text: string): string =>
    text.trimEnd().replaceAll(/ {2,}/g, '  ').replaceAll(/ +$/gm, '');
  const pattern = comparable(expected)
    .split('\n')
    .map((line) =>
      line.trim() === '…'
        ? '(?:.*\n)*?.*'
        : line
            .split('…')
            .map((part) => RegExp.escape(part))
            .join('.*'),
    )
    .join('\n');
  return new RegExp(`^${pattern}$`).test(comparable(output));
}

const layOut =
  'process.stdout.write(JSON.stringify(JSON.parse(require("fs").readFileSync(0, "utf8")), null, 2) + "\\n")';

/** The commands that a reader has installed, and an npx that finds them. */
async function linkCommands(folder: string): Promise<void> {
  await mkdir(folder);
  const write = (name: string, line: string): Promise<void> =>
    writeFile(join(folder, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  await write('levada', `exec '${process.execPath}' --disable-warning=ExperimentalWarning '${levada}' "$@"`);
  await write('npx', 'exec "$@"');
  // They are installed: linkPackages.
  await write('npm', 'test "$*" = "install @levada/cli @levada/runtime-server"');
  // Only what pages ask of jq, which not every machine has: layout.
  await write('jq', `exec '${process.execPath}' --eval '${layOut}'`);
}

/** The packages that a page imports, as an install would have put them. */
async function linkPackages(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@levada'), { recursive: true });
  for (const name of ['source-websocket', 'connect-runtime-core', 'runtime-server']) {
    await symlink(join(repository, 'packages', name), join(modules, '@levada', name));
  }
  await symlink(join(repository, 'packages/source-websocket/node_modules/ws'), join(modules, 'ws'));
}

async function writeIn(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}
