import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { createProgram } from '../src/main.ts';
import { exitCodes } from '../src/output/command-error.ts';
import { runCommand } from './run-command.ts';
import { startTestWorker } from './running-worker.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const program = createProgram({
  out: () => undefined,
  err: () => undefined,
  env: {},
  cwd: '.',
  signal: new AbortController().signal,
});

/** Commands that run, by their words. */
function runnable(command: Command, path: readonly string[] = []): readonly (readonly [string, Command])[] {
  const visible = command.createHelp().visibleCommands(command);
  const below = visible.filter((one) => one.name() !== 'help');
  if (below.length === 0) return [[path.join(' '), command]];
  return below.flatMap((one) => runnable(one, [...path, one.name()]));
}

/** What the README says of commands: their words, and what follows. */
function documented(): readonly (readonly [string, string])[] {
  return [...readme.matchAll(/`levada ([^`]+)`/g)].flatMap(([, text = '']) => {
    const [, words = '', last = '', rest = ''] =
      /^((?:[a-z]+ )*)([a-z-]+(?:\\\|[a-z-]+)*)(.*)$/.exec(text) ?? [];
    return last.split('\\|').map((one) => [`${words}${one}`, rest] as const);
  });
}

it('lists every command with existing options in the README', () => {
  const commands = new Map(runnable(program));
  const found = documented().flatMap(([words, rest]) => {
    // "get connectors" is the command "get" and an argument.
    const path = [...commands.keys()].find((one) => words === one || words.startsWith(`${one} `));
    return path === undefined ? [] : [[path, rest] as const];
  });
  expect([...new Set(found.map(([path]) => path))].toSorted()).toEqual([...commands.keys()].toSorted());
  for (const [path, rest] of found) {
    const known = commands.get(path)?.options.flatMap(({ short, long }) => [short, long]);
    for (const [option] of rest.matchAll(/(?<![\w-])--?[a-z][a-z-]*/g)) expect(known).toContain(option);
  }
});

it('lists every exit code in the README', () => {
  const rows = [...readme.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code));
  expect(rows).toEqual(Object.values(exitCodes));
});

it('has examples in the README that run', async () => {
  const worker = await startTestWorker();
  const folder = await mkdtemp(join(tmpdir(), 'levada-cli-readme-'));
  const [, yaml = ''] = /```yaml\n(connector\.class[^`]+)```/.exec(readme) ?? [];
  await mkdir(join(folder, 'connectors'));
  await writeFile(join(folder, 'connectors/prices.yaml'), yaml);
  const env = { LEVADA_CONFIG: join(folder, 'config.yaml'), LEVADA_URL: worker.url };
  const blocks = [...readme.matchAll(/```sh\n(npx levada (?:connector|context)[^`]+)```/g)];
  const lines = blocks.flatMap(([, block = '']) => block.trimEnd().split('\n'));
  expect(lines.length).toBeGreaterThan(15);
  for (const line of lines) {
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    const needsLog = words[2] === 'tap' || words[2] === 'topic';
    const args = [...words.slice(2), ...(needsLog ? ['--folder', worker.folder] : [])];
    const { code, err } = await runCommand(args, { cwd: folder, env });
    expect([line, code, err]).toEqual([line, 0, expect.not.stringContaining('levada: ')]);
  }
  await worker.close();
  await rm(folder, { recursive: true });
});
