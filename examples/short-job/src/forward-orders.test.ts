import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@levada/connect-runtime-core/testing';
import {
  messageBytes,
  messageJson,
  type StreamServer,
  startStreamServer,
  testDescriptor,
} from '@levada/test-peers/grpc';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Forwarding, forwardOrders } from './forward-orders.ts';

let folder: string;
let shop: StreamServer;
let hook: Server;
/** How many orders the shop has, and the ids that the webhook got. */
let orders: number;
let got: string[];
/** Status that the webhook answers for an id. */
let answer: (id: string) => number;
let forwarding: Forwarding;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'levada-job-'));
  await writeFile(join(folder, 'shop.binpb'), testDescriptor());
  [orders, got, answer] = [100, [], () => 204];
  shop = await startStreamServer({
    service: 'teststream.RichService',
    method: 'Watch',
    onCall: (call) => {
      const { afterId = 'e0' } = messageJson('teststream.WatchRequest', call.request) as { afterId?: string };
      for (let n = Number(afterId.slice(1)) + 1; n <= orders; n += 1)
        call.send(messageBytes('teststream.RichEvent', { eventId: `e${n}` }));
      call.end('OK');
    },
  });
  hook = createServer((request, response) => {
    const id = String(request.headers['idempotency-key']);
    const status = answer(id);
    if (status === 204) got.push(id);
    request.resume().on('end', () => response.writeHead(status).end());
  }).listen(0, '127.0.0.1');
  await once(hook, 'listening');
  forwarding = {
    feed: {
      host: '127.0.0.1',
      port: shop.port,
      service: 'teststream.RichService',
      method: 'Watch',
      descriptor: join(folder, 'shop.binpb'),
      key: '/eventId',
      resume: { field: 'after_id', from: '/eventId' },
    },
    webhook: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`,
    offsetFile: join(folder, 'offsets.json'),
  };
});
afterEach(async () => {
  await shop.close();
  hook.close();
  hook.closeAllConnections();
  await rm(folder, { recursive: true });
});

const ids = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `e${from + index}`);

const inOrder = (list: readonly string[]): readonly string[] =>
  list.toSorted((one, other) => Number(one.slice(1)) - Number(other.slice(1)));

describe('a job that forwards what is new', () => {
  it('forwards each order once, over several runs', async () => {
    expect(await forwardOrders(forwarding)).toEqual({ delivered: 100, undelivered: 0 });
    orders = 150;
    expect(await forwardOrders(forwarding)).toEqual({ delivered: 50, undelivered: 0 });
    expect(await forwardOrders(forwarding)).toEqual({ delivered: 0, undelivered: 0 });
    expect(inOrder(got)).toEqual(ids(1, 150));
  });

  it('leaves no gap when a run is ended in the middle', async () => {
    orders = 500;
    const end = new AbortController();
    const running = forwardOrders({ ...forwarding, signal: end.signal });
    await waitFor(() => got.length > 20);
    end.abort();
    await running;
    await forwardOrders(forwarding);
    expect(inOrder([...new Set(got)])).toEqual(ids(1, 500));
  });

  it('begins with the order that was refused, and repeats what fails for a moment', async () => {
    const failed = new Set<string>();
    answer = (id) => {
      if (id === 'e30') return 422;
      return id !== 'e7' || failed.size === failed.add(id).size ? 204 : 503;
    };
    await expect(forwardOrders(forwarding)).rejects.toThrow('the webhook answers 422');
    expect(got).toContain('e7');
    expect(got).not.toContain('e30');
    answer = () => 204;
    await forwardOrders(forwarding);
    expect(inOrder([...new Set(got)])).toEqual(ids(1, 100));
  });

  it('leaves no gap when its process is killed', async () => {
    orders = 500;
    const program = `import { forwardOrders } from '${new URL('forward-orders.ts', import.meta.url).href}';
      await forwardOrders(${JSON.stringify(forwarding)});`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
    onTestFinished(() => void child.kill('SIGKILL'));
    await waitFor(() => got.length > 20);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await forwardOrders(forwarding);
    expect(inOrder([...new Set(got)])).toEqual(ids(1, 500));
  });
});
