import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDescriptor } from '../../../packages/test-peers/src/grpc/descriptor-fixtures.ts';
import { type StreamServer, startStreamServer } from '../../../packages/test-peers/src/grpc/stream-server.ts';
import { messageBytes, messageJson } from '../../../packages/test-peers/src/grpc/test-messages.ts';
import { appendStream, type Feed } from './append-stream.ts';

let folder: string;
let file: string;
let server: StreamServer;
let feed: Feed;

/** Answers each call with the hundred events after the one that it names. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'levada-append-'));
  file = join(folder, 'events.ndjson');
  server = await startStreamServer({
    service: 'teststream.RichService',
    method: 'Watch',
    onCall: (call) => {
      const { afterId = 'e0' } = messageJson('teststream.WatchRequest', call.request) as { afterId?: string };
      const after = Number(afterId.slice(1));
      for (let n = after + 1; n <= after + 100; n += 1)
        call.send(messageBytes('teststream.RichEvent', { eventId: `e${n}` }));
    },
  });
  feed = {
    host: '127.0.0.1',
    port: server.port,
    service: 'teststream.RichService',
    method: 'Watch',
    descriptor: Buffer.from(testDescriptor()).toString('base64'),
    resume: { field: 'after_id', from: '/eventId' },
    reconnect: { intervalMs: 10 },
  };
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const lines = async (): Promise<readonly string[]> =>
  (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(0, -1);

const ids = async (): Promise<readonly string[]> =>
  (await lines()).map((line) => (JSON.parse(line) as { eventId: string }).eventId);

const firstIds = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `e${i + 1}`);

/** Runs until the file has so many lines. */
async function runUntil(count: number): Promise<void> {
  const end = new AbortController();
  const running = appendStream(feed, file, end.signal);
  await waitFor(async () => (await lines()).length >= count);
  end.abort();
  await running;
}

describe('a stream that is appended to a file', () => {
  it('resumes after the last line of the file in each run', async () => {
    await runUntil(100);
    await runUntil(200);
    await runUntil(300);
    expect(await ids()).toEqual(firstIds(300));
  });

  it('resumes after the last line of the file when the server was unavailable', async () => {
    const end = new AbortController();
    const running = appendStream(feed, file, end.signal);
    await waitFor(async () => (await lines()).length === 100);
    server.kill();
    await server.listen();
    await waitFor(async () => (await lines()).length === 200);
    end.abort();
    await running;
    expect(await ids()).toEqual(firstIds(200));
  });

  it('resumes after the last complete line when a run was killed during a write', async () => {
    await appendFile(file, '{"eventI');
    await runUntil(100);
    await appendFile(file, '{"eventId":"e10');
    await runUntil(200);
    expect(await ids()).toEqual(firstIds(200));
  });
});
