import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describeProgram } from '@levada/test-peers/programs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from './run-command.ts';
import { startTestWorker, type TestWorker } from './running-worker.ts';

const run = promisify(execFile);
let worker: TestWorker;
let folder: string;

beforeAll(async () => {
  worker = await startTestWorker();
  for (const name of ['prices', "odd name's"]) {
    await worker.put(`/connectors/${encodeURIComponent(name)}/config`, {
      'connector.class': 'WebSocketSource',
      'tasks.max': '1',
      'websocket.url': 'ws://127.0.0.1:1/feed',
      'platform.topic': 'prices',
    });
  }
  folder = await mkdtemp(join(tmpdir(), 'levada-cli-completion-'));
  const command = fileURLToPath(new URL('../bin/levada.js', import.meta.url));
  await writeFile(join(folder, 'levada'), `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n`);
  await chmod(join(folder, 'levada'), 0o755);
  const config = `current: here\ncontexts:\n  here: { url: "${worker.url}" }\n  there: { url: "http://127.0.0.1:1" }\n`;
  await writeFile(join(folder, 'config.yaml'), config, { mode: 0o600 });
});
afterAll(async () => {
  await worker.close();
  await rm(folder, { recursive: true });
});

const surroundings = () => ({ LEVADA_CONFIG: join(folder, 'config.yaml') });

async function wordsFor(...words: string[]): Promise<readonly string[]> {
  const { code, out, err } = await runCommand(['complete-words', '--', ...words], { env: surroundings() });
  expect([code, err]).toEqual([0, '']);
  return out.split('\n').slice(0, -1);
}

/** What the worker names. A completion waits for it no longer than a moment and has no words then, so that it is asked for again. */
const namesFor = (...words: string[]) => expect.poll(() => wordsFor(...words));

async function inShell(shell: string, script: string, timeout = 50_000): Promise<readonly string[]> {
  const env = { ...process.env, ...surroundings(), PATH: `${folder}:${process.env['PATH']}` };
  return (await run(shell, ['-c', script], { env, timeout })).stdout.split('\n').slice(0, -1);
}

/** The shell as a program that tests need. */
function shell(name: string) {
  const missing = () => spawnSync(name, ['-c', 'true']).error !== undefined;
  return {
    unavailable: () => (missing() ? `no ${name}: it is not installed` : undefined),
    make: async () => name,
  };
}

describe('levada complete-words', () => {
  it('names connectors, tasks, plugins and contexts', async () => {
    const names = async () => (await wordsFor('connector', 'restart', '')).toSorted();
    await expect.poll(names).toEqual(["odd name's", 'prices']);
    await namesFor('connector', 'pause', 'prices', '').toEqual(["odd name's"]);
    await namesFor('connector', 'offsets', 'get', 'p').toEqual(['prices']);
    await namesFor('describe', 'connector', 'p').toEqual(['prices']);
    await namesFor('describe', 'plugin', 'io.vendor.connect.web').toEqual([
      'io.vendor.connect.websocket.WebSocketSourceConnector',
    ]);
    expect(await wordsFor('context', 'use', '')).toEqual(['here', 'there']);
    expect(await wordsFor('get', 'connectors', '--context', 't')).toEqual(['there']);
    expect(await wordsFor('top', '-o', 'j')).toEqual(['json']);
    expect(await wordsFor('get', 'pl')).toEqual(['plugins']);
  });

  it('names the tasks of a connector that runs', async () => {
    await runCommand(['connector', 'resume', 'prices'], { env: surroundings() });
    const tasks = () => wordsFor('connector', 'restart', 'prices', '--task', '');
    await expect.poll(tasks).toEqual(['0']);
  });

  it('asks the worker that the line names, and is silent without one', async () => {
    expect(await wordsFor('logs', '--url', 'http://127.0.0.1:1', '')).toEqual([]);
    expect(await wordsFor('logs', '--context=there', '')).toEqual([]);
    expect(await wordsFor('logs', '--context', 'none', '')).toEqual([]);
    await namesFor('logs', '--context', 'there', '--url', worker.url, 'pr').toEqual(['prices']);
    expect(await wordsFor('project', 'validate', '')).toEqual([]);
  });
});

describe('a completion script', () => {
  it.each([
    ['levada connector restart p', ['prices']],
    ['levada connector restart --all ', ['prices', "odd\\ name\\'s"]],
    ['levada connector offsets ', ['get', 'alter', 'reset', '--help']],
    ['levada describe connector pr', ['prices']],
    ['levada get connectors --context h', ['here']],
  ])('of bash completes "%s"', async (line, expected) => {
    const { out } = await runCommand(['completion', 'bash']);
    const words = line.split(' ').map((word) => `'${word}'`);
    const script = `${out}\nCOMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _levada; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const found = async () => {
      const completed = await inShell('bash', script);
      return completed.filter((word) => !word.startsWith('--') || expected.includes(word)).toSorted();
    };
    await expect.poll(found).toEqual(expected.toSorted());
  });
});

describeProgram('the script of fish', shell('fish'), (fish) => {
  it('completes names', async () => {
    const { out } = await runCommand(['completion', 'fish']);
    await writeFile(join(folder, 'levada.fish'), out);
    const complete = (line: string) =>
      inShell(fish(), `source '${join(folder, 'levada.fish')}'; complete -C '${line}'`);
    await expect.poll(() => complete('levada connector restart p')).toEqual(['prices']);
    expect(await complete('levada get connectors --context h')).toContain('here');
    expect(await complete('levada project val')).toEqual(['validate']);
  });
});

describeProgram('the script of zsh', shell('zsh'), (zsh) => {
  it('completes names', async () => {
    const { out } = await runCommand(['completion', 'zsh']);
    const file = join(folder, 'levada.zsh');
    await writeFile(file, out);
    // In two parts, so that the echo of the line is not taken for the prompt.
    const setUp = `PS1="RE""ADY> "; autoload -U compinit; compinit -u -D; source ${file}; bindkey "^I" complete-word`;
    const script = `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z '${setUp}'
zpty -r z out '*READY> *'
zpty -w -n z $'levada connector restart --context here p\t'
zpty -r z out '*restart --context here prices*'
print -r -- "$out"`;
    // Without a name, it waits for one until its time is over.
    const typed = () => inShell(zsh(), script, 10_000).then((lines) => lines.join(''));
    await expect.poll(typed, { timeout: 45_000 }).toContain('prices');
  });
});
