import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileOffsets } from '@levada/connect-runtime-core/sinks';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { sqliteOffsets } from '@levada/platform-embedded';
import { messageBytes, messageJson, startStreamServer } from '@levada/test-peers/grpc';
import { describe, expect, it } from 'vitest';

const LAST = 5000;
const KILLS = 3;
const reader = fileURLToPath(new URL('resuming-reader.ts', import.meta.url));

/**
 * Answers each call with the events after the one that it names: with all of them only those that come after the kills, so that no
 * reader is done before it is killed.
 */
function startEvents() {
  let calls = 0;
  return startStreamServer({
    service: 'teststream.RichService',
    method: 'Watch',
    onCall: (call) => {
      calls += 1;
      const last = Math.min(LAST, (LAST / (KILLS + 1)) * calls);
      const { afterId = 'e0' } = messageJson('teststream.WatchRequest', call.request) as { afterId?: string };
      for (let n = Number(afterId.slice(1)) + 1; n <= last; n += 1)
        call.send(messageBytes('teststream.RichEvent', { eventId: `e${n}` }));
    },
  });
}

describe('a service that is killed while it reads', () => {
  it.each(['loop', 'pipe'])('resumes after what it has delivered, without a gap: %s', async (way) => {
    const folder = await mkdtemp(join(tmpdir(), 'levada-resume-'));
    const [offsets, output] = [join(folder, 'offsets'), join(folder, 'ids')];
    const server = await startEvents();
    const start = (): ChildProcess =>
      spawn(process.execPath, [reader, way, `${server.port}`, offsets, output, `e${LAST}`], {
        stdio: ['ignore', 'inherit', 'inherit'],
      });
    const numbers = async (): Promise<readonly number[]> =>
      (await readFile(output, 'utf8').catch(() => ''))
        .split('\n')
        .slice(0, -1)
        .map((id) => Number(id.slice(1)));
    const partition = {
      grpc_server: `127.0.0.1:${server.port}`,
      grpc_method: 'teststream.RichService/Watch',
    };
    /** Number of the message up to which offsets are stored. */
    const stored = async (): Promise<number> => {
      const store = way === 'loop' ? fileOffsets(offsets) : sqliteOffsets(offsets);
      const offset = await store.read('events', partition);
      await store.close?.('events');
      return Number(offset?.['sequence'] ?? 0);
    };
    const begins: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const known = (await numbers()).length;
      const before = await stored();
      const child = start();
      const isFurther = async () => (await numbers()).length > known + 200 && (await stored()) > before;
      await waitFor(isFurther, { timeoutMs: 30_000 });
      child.kill('SIGKILL');
      await once(child, 'exit');
      begins.push((await numbers())[known] ?? 0);
    }
    const child = start();
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    const all = await numbers();
    // Repeated after a kill, at most; never left out.
    for (const [i, n] of all.entries()) expect(n).toBeLessThanOrEqual((all[i - 1] ?? 0) + 1);
    expect(new Set(all).size).toBe(LAST);
    // It did resume, and did not begin again.
    expect(begins.slice(1).every((n) => n > 1)).toBe(true);
    expect(await stored()).toBe(LAST);
    await server.close();
    await rm(folder, { recursive: true });
  });
});
