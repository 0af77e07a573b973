import { EventEmitter } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RawConfig, systemClock } from '@levada/connect-runtime-core';
import { describe, expect, it } from 'vitest';
import { runWorker } from '../src/worker-process.ts';
import type { RunningWorker } from '../src/worker-server.ts';

async function run(overrides: RawConfig = {}, isTTY = false) {
  const written: string[] = [];
  const exits: number[] = [];
  const events = new EventEmitter();
  const stream = Object.assign(new EventEmitter(), { isTTY, write: (text: string) => written.push(text) });
  const listening = Promise.withResolvers<RunningWorker>();
  const code = runWorker({
    environment: {},
    overrides: {
      listeners: 'http://127.0.0.1:0',
      'embedded.storage.folder': await mkdtemp(join(tmpdir(), 'levada-run-')),
      ...overrides,
    },
    clock: systemClock,
    stdout: stream,
    stderr: stream,
    events,
    exit: (status) => exits.push(status),
    onListening: listening.resolve,
  });
  const text = (): string => written.join('');
  return { code, events, stream, exits, text, worker: await listening.promise };
}

describe('runWorker', () => {
  it('drains on the first signal and ends at once on the second', async () => {
    const { code, events, exits } = await run();
    events.emit('SIGTERM');
    expect(exits).toEqual([]);
    events.emit('SIGINT');
    expect(exits).toEqual([130]);
    expect(await code).toBe(0);
  });

  it('stops with 1 after an exception that nobody caught, and names it', async () => {
    const { code, events, text } = await run();
    events.emit('uncaughtException', new Error('a bug'));
    expect(await code).toBe(1);
    expect(text()).toMatch(/"event":"uncaught_exception".*a bug/);
  });

  it('goes on after a rejection that nobody handled, and names it', async () => {
    const { code, events, worker, text } = await run();
    events.emit('unhandledRejection', new Error('forgotten'));
    expect(text()).toMatch(/"event":"unhandled_rejection".*forgotten/);
    expect((await fetch(`${worker.url}/connectors`)).status).toBe(200);
    events.emit('SIGTERM');
    expect(await code).toBe(0);
  });

  it('does not mind a reader of its output that leaves', async () => {
    const { code, events, stream, worker } = await run();
    stream.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    expect((await fetch(`${worker.url}/`)).status).toBe(200);
    events.emit('SIGTERM');
    expect(await code).toBe(0);
  });

  it('writes text on a terminal', async () => {
    const { code, events, text } = await run({}, true);
    expect(text()).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}event=/m);
    events.emit('SIGTERM');
    expect(await code).toBe(0);
  });

  it('names unknown keys once, with what was probably meant, and keys that mean nothing here', async () => {
    const { code, events, text } = await run({ 'group.idd': 'x', 'metric.reporters': 'y' });
    expect(text()).toContain('"keys":"group.idd (did you mean group.id?)"');
    expect(text()).toContain('"event":"config_ignored_keys","keys":"metric.reporters"');
    events.emit('SIGTERM');
    expect(await code).toBe(0);
  });

  it('warns once when other machines can reach it without authentication', async () => {
    const { code, events, text } = await run({ listeners: 'http://:0' });
    expect(text().match(/rest_unauthenticated/g)).toHaveLength(1);
    events.emit('SIGTERM');
    expect(await code).toBe(0);
  });

  it('leaves admin endpoints out when there is no listener for them', async () => {
    const { code, events, worker } = await run({ 'admin.listeners': '' });
    expect((await fetch(`${worker.url}/admin/loggers`)).status).toBe(404);
    expect((await fetch(`${worker.url}/health`)).status).toBe(200);
    events.emit('SIGTERM');
    expect(await code).toBe(0);
  });

  it('closes REST when it has ended', async () => {
    const { code, events, worker } = await run();
    events.emit('SIGTERM');
    await code;
    await expect(fetch(`${worker.url}/`)).rejects.toThrow('fetch failed');
  });
});
