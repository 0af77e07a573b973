import { systemClock } from '@levada/connect-runtime-core';
import { expect, it, onTestFinished } from 'vitest';
import { openListener } from '../src/http/listener.ts';
import { callWorker } from '../src/rest/call-worker.ts';

const signature = { algorithm: 'HmacSHA256', signature: Buffer.alloc(32) };

/** The listener of a leader, and the sizes of the bodies that reached what is in front of its routes. */
async function leader() {
  const sizes: number[] = [];
  const listener = await openListener({
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    handle: async ({ body }) => {
      sizes.push(body.length);
      return { status: 204, headers: {}, body: '' };
    },
    headers: [],
    admission: { allowedHosts: new Set<string>(), allowedOrigins: new Set<string>(), allowedMethods: [] },
  });
  onTestFinished(() => listener.close(0));
  const call = (body: string, more: { readonly path?: readonly string[]; readonly unsigned?: true } = {}) =>
    callWorker({
      method: 'POST',
      baseUrl: `http://127.0.0.1:${listener.port}/`,
      path: more.path ?? ['connectors', 'a', 'tasks'],
      body,
      signature: more.unsigned === true ? undefined : signature,
    });
  return { call, sizes };
}

it('takes task configurations of another worker up to 16 MiB, and says why it takes no more', async () => {
  const { call, sizes } = await leader();
  const refused = (most: number) => ({
    status: 413,
    message: expect.stringContaining(`The request body is larger than ${most} bytes`),
  });
  const large = ' '.repeat(16 * 2 ** 20);
  await call(large);
  expect(sizes).toEqual([large.length]);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await expect(call(`${large} `)).rejects.toMatchObject(refused(large.length));
  }
  const more = ' '.repeat(2 ** 20 + 1);
  await expect(call(more, { unsigned: true })).rejects.toMatchObject(refused(2 ** 20));
  await expect(call(more, { path: ['connectors'] })).rejects.toMatchObject(refused(2 ** 20));
  expect(sizes).toHaveLength(1);
});
