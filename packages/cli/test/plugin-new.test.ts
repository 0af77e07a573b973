import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { projectFolder } from './project-folder.ts';
import { runCommand } from './run-command.ts';
import { startTestWorker } from './running-worker.ts';

const installed = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const core = fileURLToPath(new URL('../../connect-runtime-core', import.meta.url));

const create = (cwd: string, ...args: string[]) => runCommand(['plugin', 'new', ...args], { cwd });

/** What `npm install` would bring, from this workspace. */
async function install(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  for (const scope of ['@levada', '@types', '.bin']) await mkdir(join(modules, scope), { recursive: true });
  await symlink(core, join(modules, '@levada/connect-runtime-core'));
  await symlink(join(installed, '@types/node'), join(modules, '@types/node'));
  await symlink(join(installed, 'typescript/bin/tsc'), join(modules, '.bin/tsc'));
}

/** Runs a script of the package. */
async function runScript(folder: string, script: string): Promise<string> {
  // The test runner of Node leaves out files when it believes that another one has started it.
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  const run = promisify(execFile)(process.execPath, ['--run', script], { cwd: folder, env });
  const { stdout } = await run.catch((failed: { stdout: string; stderr: string }) => {
    throw new Error(`${script} failed: ${failed.stdout}${failed.stderr}`);
  });
  return stdout;
}

/** A server that sends these lines to everyone who connects. */
async function startLines(lines: string) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write(lines);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

describe('levada plugin new', () => {
  it('writes a connector that builds, passes its tests, and runs in a worker', async () => {
    const cwd = await projectFolder({});
    const { code, out } = await create(cwd, 'lines', '--class', 'com.acme.Lines_Source');
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n')).toHaveLength(8);
    const folder = join(cwd, 'lines');
    await install(folder);
    await runScript(folder, 'build');
    const tested = await runScript(folder, 'test');
    expect(tested).toContain('Lines_Source keeps the contract of a source task');
    expect(tested).toMatch(/pass (?:1[4-9]|[2-9]\d)\n/);

    const server = await startLines('one\ntwo\n');
    const worker = await startTestWorker({ 'plugin.path': folder });
    try {
      await worker.put('/connectors/lines/config', {
        'connector.class': 'com.acme.Lines_Source',
        topic: 'lines',
        'lines.host': '127.0.0.1',
        'lines.port': String(server.port),
      });
      const read = ['topic', 'read', 'lines', '--folder', worker.folder, '--json'];
      const records = await waitFor(
        async () => {
          const { out: text } = await runCommand(read);
          return text.includes('two') ? text : undefined;
        },
        { timeoutMs: 30_000 },
      );
      expect(records.indexOf('one')).toBeGreaterThan(0);
      expect(records.indexOf('one')).toBeLessThan(records.indexOf('two'));
      const metrics = await (await fetch(`${worker.url}/metrics`)).text();
      expect(metrics).toMatch(/^connect_lines_received_bytes_total\{[^}]*connector="lines"[^}]*\} 8$/m);
    } finally {
      await worker.close();
      server.close();
    }
  }, 180_000);

  it('names package and class after the folder, without what names cannot have', async () => {
    const cwd = await projectFolder({});
    expect((await create(cwd, 'My "odd" $& feed')).code).toBe(0);
    const file = (name: string) => readFile(join(cwd, 'My "odd" $& feed', name), 'utf8');
    expect(JSON.parse(await file('package.json'))).toMatchObject({
      name: 'my-odd-feed',
      description: 'The connector com.example.MyOddFeedSource',
      levada: { connectors: './dist/index.js' },
    });
    const source = await file('src/index.ts');
    expect(source).toContain("className: 'com.example.MyOddFeedSource'");
    expect(source).toContain("domain: 'com.example', type: 'MyOddFeedSource'");
    for (const name of ['README.md', 'src/index.ts', 'src/index.test.ts', 'src/task.ts'])
      expect(await file(name)).not.toMatch(/__[a-z]+__/);
  });

  it.each(['x.ts', '.git/config'])('writes nothing to a folder that has %s', async (path) => {
    const cwd = await projectFolder({ [`mine/${path}`]: '' });
    const { code, err } = await create(cwd, 'mine');
    expect(code).toBe(1);
    expect(err).toContain('nothing was written, because "mine" is not empty');
    await expect(readFile(join(cwd, 'mine/package.json'))).rejects.toThrow('ENOENT');
  });

  it('writes nothing in place of a file', async () => {
    const { code, err } = await create(await projectFolder({ mine: 'text' }), 'mine');
    expect(code).toBe(1);
    expect(err).toContain('nothing was written to "mine", because it is not a folder');
  });

  it.each([
    ['lines', '--class', "com.acme.It's"],
    ['lines', '--class', 'com..Acme'],
    ['lines', '--class', '2fast'],
    ['lines', '--class', ''],
    ['$&'],
  ])('ends with 2 for names that nothing can have: %j', async (...args) => {
    const cwd = await projectFolder({});
    const { code, err } = await create(cwd, ...args);
    expect(code).toBe(2);
    expect(err).toMatch(/cannot be the (?:class name of a connector|name of a package)/);
    await expect(readFile(join(cwd, args[0] as string, 'package.json'))).rejects.toThrow('ENOENT');
  });
});
