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

/** Names of all properties of a value, at any depth. */
function propertyNames(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(propertyNames);
  return Array.isArray(value) ? below : [...Object.keys(value), ...below];
}

it('documents every property of its JSON in the README', async () => {
  const worker = await startTestWorker();
  const folder = await mkdtemp(join(tmpdir(), 'levada-cli-json-'));
  const config = { 'connector.class': 'WebSocketSource', 'websocket.url': 'ftp://x', 'platform.topic': 'a' };
  await writeFile(join(folder, 'a.json'), JSON.stringify(config));
  const env = { LEVADA_CONFIG: join(folder, 'config.yaml'), LEVADA_URL: worker.url };
  await runCommand(['context', 'set', 'a', '--url', worker.url], { cwd: folder, env });
  const seen: string[] = [];
  for (const words of [
    'connector diff -f a.json',
    'connector validate -f a.json',
    'connector apply -f a.json',
    'connector apply -f b.json',
    'connector export',
    'get workers',
    'logger get',
    'top',
    'doctor',
    'context list',
  ]) {
    if (words.includes('b.json')) {
      await writeFile(
        join(folder, 'b.json'),
        JSON.stringify({ ...config, 'websocket.url': 'ws://127.0.0.1:1' }),
      );
    }
    const { out } = await runCommand([...words.split(' '), '--json'], { cwd: folder, env });
    const { schema, ...value } = JSON.parse(out) as { readonly schema: string };
    seen.push(schema);
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${schema}\``)) ?? '';
    const documented = [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    expect(documented).toEqual(expect.arrayContaining([...new Set(propertyNames(value))]));
  }
  const rows = [...readme.matchAll(/^\| `(levada\.[^`]+)`/gm)].map(([, schema]) => schema);
  expect(rows.toSorted()).toEqual([...new Set(seen)].toSorted());
  await worker.close();
  await rm(folder, { recursive: true });
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
