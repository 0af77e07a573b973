import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { type RawClient, rawClient, requestText } from '@levada/test-peers/otlp';
import { expect, it, onTestFinished } from 'vitest';

const one = requestText({ 'Content-Length': '1' }, { body: 'a' });

/** Returns the lines that it has printed. */
function startWithFewFiles(files: number): () => string[] {
  const script = fileURLToPath(new URL('http-few-descriptors.ts', import.meta.url));
  const command = `ulimit -n ${files} && exec "$0" "$1"`;
  const child = spawn('sh', ['-c', command, process.execPath, script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk.toString()));
  return () => output.split('\n').slice(0, -1);
}

it('the receiver serves those that are connected when no file is left for another, and others again later', async () => {
  const lines = startWithFewFiles(64);
  const port = await waitFor(() => Number(lines()[0] ?? 0) || undefined, { timeoutMs: 15_000 });
  const first = await rawClient(port);
  first.send(one);
  expect(await first.answer()).toMatchObject({ status: 200 });

  const crowd: RawClient[] = [];
  for (let index = 0; index < 100; index++) crowd.push(await rawClient(port));
  // libuv takes those that it has no file for with one that it keeps aside, and closes them at once.
  await waitFor(() => crowd.some(({ socket }) => socket.destroyed));
  expect(crowd.some(({ socket }) => !socket.destroyed)).toBe(true);
  first.send(one);
  expect(await first.answer()).toMatchObject({ status: 200 });

  for (const client of crowd) client.socket.destroy();
  await waitFor(async () => {
    const later = await rawClient(port);
    later.send(one);
    const answer = await later.answer().catch(() => undefined);
    return answer?.status === 200;
  });
  expect(lines().slice(1)).toStrictEqual([]);
});
