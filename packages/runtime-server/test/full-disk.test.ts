import { execFileSync, spawnSync } from 'node:child_process';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { newFolder } from '@levada/test-peers/new-folder';
import { afterEach, describe, expect, it } from 'vitest';
import { killChildren, startWorkerChild } from './worker-child.ts';

afterEach(killChildren);

const missing = spawnSync('prlimit', ['--version']).error !== undefined;
/** A write over the limit is an error only when somebody listens for the signal; else it ends the process. */
const listening = `--import=data:text/javascript,${encodeURIComponent('process.on("SIGXFSZ", () => undefined)')}`;

describe.skipIf(missing)('a worker whose files cannot grow (needs prlimit of Linux)', () => {
  it('reports a full disk in /health while it lasts, and continues by itself after it', async () => {
    const folder = await newFolder();
    const worker = startWorkerChild(folder, { NODE_OPTIONS: listening });
    await waitFor(() => worker.lines.some(({ event }) => event === 'worker_ready'), { timeoutMs: 30_000 });
    const limit = (value: string): void => {
      execFileSync('prlimit', ['--pid', String(worker.process.pid), `--fsize=${value}`]);
    };
    const health = async (status: number) =>
      await waitFor(
        async () => {
          const answer = await worker.call('GET', '/health');
          return answer.status === status ? answer : undefined;
        },
        { timeoutMs: 30_000 },
      );
    await health(200);
    limit('1:unlimited');
    const created = worker.call('PUT', '/connectors/feed/config', {
      'connector.class': 'io.vendor.connect.websocket.WebSocketSourceConnector',
      'websocket.url': 'ws://127.0.0.1:1/feed',
      'platform.topic': 'prices',
    });
    expect((await health(500)).json).toEqual({
      status: 'unhealthy',
      message: expect.stringMatching(
        /^Worker was unable to handle this request and may be unable to handle other requests\..* The log is away since .*: log ".*" cannot be used now: /,
      ),
    });
    expect((await worker.call('GET', '/connectors')).json).toEqual([]);
    limit('unlimited');
    expect((await created).status).toBe(201);
    expect((await health(200)).json).toMatchObject({ status: 'healthy' });
    // Its output may come later than its answer.
    for (const logged of ['embedded_log_degraded', 'embedded_log_recovered'])
      await waitFor(() => worker.lines.some(({ event }) => event === logged));
    worker.process.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  }, 60_000);
});
