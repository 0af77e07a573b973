import { connect, type Socket } from 'node:net';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { newFolder } from '@levada/test-peers/new-folder';
import { afterAll, describe, expect, it } from 'vitest';
import { killChildren, startWorkerChild } from './worker-child.ts';

const open: Socket[] = [];
const closeAll = (): void => {
  for (const socket of open.splice(0)) socket.destroy();
};
afterAll(() => {
  closeAll();
  killChildren();
});

/** More connections than the worker may have files. */
const LIMIT = 100;
const COUNTER = 'connect_worker_descriptors_exhausted_total';

describe.skipIf(process.platform === 'win32')('a worker without a free file descriptor', () => {
  it('says so in one line and counts it, and serves again when there is one', async () => {
    const folder = await newFolder();
    const limited = ['sh', '-c', `ulimit -n ${LIMIT}; exec "$@"`, 'sh'];
    const worker = startWorkerChild(folder, {}, [], limited);
    const url = await worker.url();
    await waitFor(() => worker.lines.some(({ event }) => event === 'worker_ready'), { timeoutMs: 30_000 });
    const counted = async (): Promise<number> => {
      const text = await (await fetch(`${url}/metrics`)).text();
      return Number(new RegExp(`^${COUNTER} (\\d+)`, 'm').exec(text)?.[1]);
    };
    expect(await counted()).toBe(0);

    for (let i = 0; i < LIMIT; i += 1) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      open.push(socket);
    }
    const lines = () => worker.lines.filter(({ event }) => event === 'descriptors_exhausted');
    await waitFor(() => lines().length > 0, { timeoutMs: 30_000 });
    expect(lines()).toMatchObject([
      {
        level: 'warn',
        logger: 'levada.worker',
        code: 'EMFILE',
        msg: expect.stringContaining('ulimit -n'),
      },
    ]);

    closeAll();
    await waitFor(
      async () => (await worker.call('GET', '/connectors').catch(() => undefined))?.status === 200,
    );
    expect(await counted()).toBeGreaterThan(0);
    worker.process.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  }, 60_000);
});
