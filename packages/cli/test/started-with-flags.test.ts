import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const commands = {
  levada: new URL('../bin/levada.js', import.meta.url),
  'levada-worker': new URL('../../runtime-server/bin/levada-worker.js', import.meta.url),
};
/** Says what each process that begins was started with, and what it can do. */
const probe = `data:text/javascript,${encodeURIComponent(`
  let evaluates = true;
  try { (0, eval)('1'); } catch { evaluates = false; }
  process.stderr.write(JSON.stringify({ pid: process.pid, evaluates, proto: '__proto__' in {} }) + '\\n');
`)}`;

interface Started {
  readonly pid: number;
  readonly evaluates: boolean;
  readonly proto: boolean;
}

async function processesOf(file: URL, ...words: string[]): Promise<readonly Started[]> {
  const args = ['--import', probe, fileURLToPath(file), ...words];
  const ended = await promisify(execFile)(process.execPath, args).catch(
    (thrown: { stderr: string }) => thrown,
  );
  return ended.stderr
    .split('\n')
    .filter((line) => line.startsWith('{"pid"'))
    .map((line) => JSON.parse(line) as Started);
}

describe.each(Object.entries(commands))('%s', (_, file) => {
  it('has one word after env in its first line, which is all that BusyBox takes', async () => {
    expect((await readFile(file, 'utf8')).split('\n')[0]).toBe('#!/usr/bin/env node');
  });

  it.skipIf(process.platform === 'win32')(
    'gets its flags of Node in the same process (Windows cannot replace one)',
    async () => {
      const started = await processesOf(file, 'project', 'explain', 'LV1001');
      expect(started).toMatchObject([
        { evaluates: true, proto: true },
        { evaluates: false, proto: false },
      ]);
      expect(started[1]?.pid).toBe(started[0]?.pid);
    },
  );
});

describe('levada', () => {
  it.each([['--version'], ['--help'], ['project', '--help'], ['completion', 'bash']])(
    'starts once for %s, which needs no flags',
    async (...words) => {
      expect(await processesOf(commands.levada, ...words)).toHaveLength(1);
    },
  );

  it('leaves flags that were given', async () => {
    const flag = '--max-semi-space-size=16';
    const args = [flag, '--import', probe, fileURLToPath(commands.levada), 'project', 'explain', 'LV1001'];
    const script = `process.stderr.write(process.execArgv.join(' '))`;
    const { stderr } = await promisify(execFile)(process.execPath, [
      '--import',
      `data:text/javascript,${encodeURIComponent(script)}`,
      ...args,
    ]);
    expect(stderr).toContain(`${flag} `);
    expect(stderr).not.toContain('--max-semi-space-size=8');
  });
});
