import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';

let folder: string;
let feed: WebSocketServer;
let url: string;

/** A feed that sends numbers from 1 on, to who says "numbers". */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'feed-tail-'));
  const entryPoints = [fileURLToPath(new URL('feed-tail.ts', import.meta.url))];
  const outfile = join(folder, 'feed-tail.cjs');
  await build({ entryPoints, outfile, bundle: true, minify: true, platform: 'node', format: 'cjs' });
  feed = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(feed, 'listening');
  feed.on('connection', (socket) => {
    socket.once('message', () => {
      for (let n = 1; n <= 1000; n += 1) socket.send(`${n}`);
    });
  });
  url = `ws://127.0.0.1:${(feed.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  feed.close();
  await rm(folder, { recursive: true });
});

interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<{ readonly code: number | null; readonly output: string; readonly errors: string }>;
}

/** Runs the one file, which is all that there is in its folder. */
function feedTail(...args: readonly string[]): Running {
  const child = spawn(process.execPath, ['feed-tail.cjs', ...args], { cwd: folder });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output, errors }));
  return { child, output: () => output, ended };
}

describe('the command in one file', () => {
  it('prints as many messages as are asked for', async () => {
    expect(await readdir(folder)).toEqual(['feed-tail.cjs']);
    const { ended } = feedTail(url, '--subscribe', '"numbers"', '--limit', '3');
    expect(await ended).toEqual({ code: 0, output: '1\n2\n3\n', errors: '' });
  });

  it('prints what it has received when it is interrupted', async () => {
    const { child, output, ended } = feedTail(url, '--subscribe', '"numbers"');
    await waitFor(() => output().endsWith('\n1000\n'));
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 0, errors: '' });
  });

  it('ends in silence when its reader leaves', async () => {
    const { child, ended } = feedTail(url, '--subscribe', '"numbers"');
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ code: 0, errors: '' });
  });

  it('says what is wrong with its arguments', async () => {
    const { code, errors } = await feedTail('https://feed.example/').ended;
    expect(code).toBe(2);
    expect(errors).toMatch(/^feed-tail: url must use ws:.*usage: feed-tail <url>/s);
  });

  it('fails when the feed does not answer in time', async () => {
    const { code, errors } = await feedTail('ws://127.0.0.1:1/', '--wait', '0.01').ended;
    expect([code, errors]).toEqual([1, 'feed-tail: not connected after 0.01 seconds\n']);
  });
});
