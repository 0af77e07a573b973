import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newFolder } from '@levada/test-peers/new-folder';
import { afterEach, expect, it } from 'vitest';
import { killWorkerProcesses, startWorkerProcess } from './end-to-end/worker-process.ts';

afterEach(killWorkerProcesses);

/** The package that a module belongs to. */
function packageOf(url: string): string {
  const installed = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
  return installed ?? `@levada/${/\/packages\/([^/]+)\//.exec(url)?.[1]}`;
}

const ofPino = [
  '@pinojs/redact',
  'atomic-sleep',
  'on-exit-leak-free',
  'pino',
  'pino-std-serializers',
  'quick-format-unescaped',
  'safe-stable-stringify',
  'sonic-boom',
  'thread-stream',
];

it('loads no package before something needs it, because each costs memory and time at the start', async () => {
  const folder = await newFolder();
  const file = join(folder, 'modules.txt');
  const list = new URL('list-modules.mjs', import.meta.url);
  const environment = { MODULES_FILE: file, NODE_OPTIONS: `--import=${list}` };
  const worker = await startWorkerProcess(folder, {}, environment);
  const loaded = async (): Promise<ReadonlySet<string>> => {
    const urls = (await readFile(file, 'utf8')).split('\n').filter((url) => url.startsWith('file:'));
    return new Set(urls.filter((url) => url !== list.href).map(packageOf));
  };
  await worker.ready();
  await worker.call('GET', '/connector-plugins');
  await worker.call('GET', '/metrics');
  const idle = [
    '@levada/connect-runtime-core',
    '@levada/connect-transforms',
    '@levada/connect-worker',
    '@levada/platform-embedded',
    '@levada/registry-converters',
    '@levada/runtime-server',
    ...ofPino,
  ];
  expect(await loaded()).toEqual(new Set(idle));
  const { status } = await worker.call('PUT', '/connectors/prices/config', {
    'connector.class': 'WebSocketSource',
    'tasks.max': '1',
    'websocket.url': 'ws://127.0.0.1:1/',
    'platform.topic': 'prices',
  });
  expect(status).toBe(201);
  await worker.untilState('prices', 'RUNNING');
  expect(await loaded()).toEqual(new Set([...idle, '@levada/source-websocket', 'ws']));
  expect(await worker.end('SIGTERM')).toBe(0);
});

it('loads nothing but errors of the core into the thread of the embedded log', async () => {
  const folder = await newFolder();
  const file = join(folder, 'modules.txt');
  const list = new URL('list-modules.mjs', import.meta.url);
  const thread = new URL('../../platform-embedded/dist/commit/commit-thread.js', import.meta.url);
  const environment = { ...process.env, MODULES_FILE: file };
  await promisify(execFile)(process.execPath, [`--import=${list}`, fileURLToPath(thread)], {
    env: environment,
  });
  const urls = (await readFile(file, 'utf8')).split('\n').filter((url) => url.startsWith('file:'));
  const folders = urls.map((url) => /\/packages\/([^/]+\/dist\/[^/]+)\//.exec(url)?.[1]);
  expect(new Set(folders)).toEqual(
    new Set([
      'connect-runtime-core/dist/diagnostics',
      'platform-embedded/dist/commit',
      'platform-embedded/dist/folder',
      'platform-embedded/dist/model',
      'platform-embedded/dist/topics',
    ]),
  );
});
