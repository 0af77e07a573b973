import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { rawClient, requestText } from '@levada/test-peers/otlp';
import { describe, expect, it } from 'vitest';
import { refuse } from '../src/receive/admission/export-outcome.ts';
import { openTestReceiver } from './http-receiver.ts';

const MIB = 1024 * 1024;

describe('a refused request whose body is small', () => {
  it('the receiver keeps the connection open after a refused request with a small body', async () => {
    const { receiver, intake } = await openTestReceiver();
    intake.onAdmit = () => refuse('unavailable', 'later');
    const client = await rawClient(receiver.port);
    client.send(requestText({ 'Content-Length': '60000' }, { body: 'a'.repeat(30_000) }));
    expect(await client.answer()).toMatchObject({ status: 503, headers: { connection: 'keep-alive' } });
    intake.onAdmit = () => undefined;
    client.send('a'.repeat(30_000));
    client.send(requestText({ 'Content-Length': '1' }, { body: 'b' }));
    expect(await client.answer()).toMatchObject({ status: 200 });
    expect(Buffer.from(intake.seen[0]?.body ?? []).toString()).toBe('b');
  });
});

describe('a refused request whose body is large', () => {
  it.each([
    ['of declared length', { 'Content-Length': String(8 * MIB) }],
    ['of declared length that awaits 100 Continue', { 'Content-Length': '1000', Expect: '100-continue' }],
    ['of unknown length', { 'Transfer-Encoding': 'chunked' }],
  ])(
    'the receiver answers a refused request with a large body %s at once, and closes its connection in order',
    async (_, headers) => {
      const { receiver, intake } = await openTestReceiver({ maxRequestBytes: 2000 * MIB });
      intake.onAdmit = () => refuse('unauthenticated', 'no token');
      const client = await rawClient(receiver.port);
      client.send(requestText(headers));
      expect(await client.answer()).toMatchObject({ status: 401, headers: { connection: 'close' } });
      expect(await client.ended()).toBe(true);
      await waitFor(() => receiver.connections === 0);
    },
  );

  it('the receiver answers a refused request after the requests before it', async () => {
    const { receiver, intake } = await openTestReceiver({ maxRequestBytes: 1000 });
    let answer = (): void => {};
    intake.onTake = () => new Promise((resolve) => (answer = () => resolve({ kind: 'accepted' })));
    const client = await rawClient(receiver.port);
    client.send(requestText({ 'Content-Length': '1' }, { body: 'a' }));
    client.send(requestText({ 'Content-Length': String(8 * MIB) }));
    await waitFor(() => intake.early.length === 1);
    answer();
    expect(await client.answer()).toMatchObject({ status: 200 });
    expect(await client.answer()).toMatchObject({ status: 413, headers: { connection: 'close' } });
    expect(await client.ended()).toBe(true);
    await waitFor(() => receiver.connections === 0);
  });

  it('the receiver answers a refused body although the client keeps sending all of it', async () => {
    const { receiver, intake } = await openTestReceiver({ maxRequestBytes: 2000 * MIB });
    intake.onAdmit = () => refuse('unauthenticated', 'no token');
    for (let round = 0; round < 10; round++) {
      const status = await new Promise((resolve, reject) => {
        const headers = { 'content-type': 'application/json', 'content-length': String(20 * MIB) };
        const options = { port: receiver.port, method: 'POST', path: '/v1/traces', headers };
        const sent = request(options, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.on('error', reject);
        for (let part = 0; part < 20; part++) sent.write(Buffer.alloc(MIB));
        sent.end();
      });
      expect(status).toBe(401);
    }
    await waitFor(() => receiver.connections === 0);
  });

  it('the receiver reads only a little more of a refused body, and closes the connection when the client does not', async () => {
    const clock = createManualClock();
    const { receiver, intake } = await openTestReceiver({ clock, maxRequestBytes: 2000 * MIB });
    intake.onAdmit = () => refuse('forbidden', 'no');
    const client = await rawClient(receiver.port, { halfOpen: true });
    client.send(requestText({ 'Content-Length': String(1000 * MIB) }));
    expect(await client.answer()).toMatchObject({ status: 403 });
    let taken = 0;
    const chunk = Buffer.alloc(64 * 1024);
    const pump = (): void => {
      client.socket.write(chunk, (error) => {
        if (error) return;
        taken += chunk.length;
        pump();
      });
    };
    pump();
    let before = -1;
    await waitFor(async () => {
      const stalled = before === taken;
      before = taken;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return stalled;
    });
    expect(taken).toBeLessThan(64 * MIB);
    expect(receiver.connections).toBe(1);
    await clock.advance(2000);
    await waitFor(() => receiver.connections === 0);
  });
});

describe('a body above the limit', () => {
  it('the receiver refuses a body of unknown length as soon as it is too large', async () => {
    const { receiver, intake } = await openTestReceiver({ maxRequestBytes: 100_000 });
    const client = await rawClient(receiver.port);
    client.send(requestText({ 'Transfer-Encoding': 'chunked' }));
    const chunk = `${(50_000).toString(16)}\r\n${'a'.repeat(50_000)}\r\n`;
    client.send(chunk);
    client.send(chunk);
    client.send('1\r\nb\r\n');
    const answer = await client.answer();
    expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' } });
    expect(answer.body.length).toBeGreaterThan(0);
    expect(await client.ended()).toBe(true);
    expect(intake.seen).toMatchObject([{ body: undefined, releases: 1 }]);
    expect(intake.early).toMatchObject([{ reason: 'too_large' }]);
  });

  it('the receiver accepts a body of exactly the size limit', async () => {
    const { url } = await openTestReceiver({ maxRequestBytes: 1000, maxCompressedBytes: 1000 });
    const send = (body: Uint8Array, encoding: string): Promise<number> =>
      fetch(`${url}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': encoding },
        body,
      }).then((response) => response.status);
    expect(await send(Buffer.alloc(1000), 'identity')).toBe(200);
    expect(await send(Buffer.alloc(1001), 'identity')).toBe(413);
    expect(await send(gzipSync(Buffer.alloc(1000)), 'gzip')).toBe(200);
    expect(await send(gzipSync(Buffer.alloc(1001)), 'gzip')).toBe(413);
    const noise = Buffer.from(Array.from({ length: 990 }, (_, index) => (index * index * 7 + index) & 255));
    const padded = Buffer.concat([gzipSync(noise, { level: 0 })]);
    expect(padded.length).toBeGreaterThan(1000);
    expect(await send(padded, 'gzip')).toBe(413);
  });

  it('the receiver refuses twenty concurrent bodies that are too large after inflation without inflating them completely', async () => {
    const { url, intake } = await openTestReceiver({ maxRequestBytes: 4 * MIB, maxCompressedBytes: MIB });
    const bomb = gzipSync(Buffer.alloc(200 * MIB));
    const before = process.memoryUsage.rss();
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const response = await fetch(`${url}/v1/traces`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' },
          body: bomb,
        });
        return response.status;
      }),
    );
    expect(statuses).toStrictEqual(Array(20).fill(413));
    // A part of the 4000 that all of it would take; what Node has not given back of 4 each varies.
    expect(process.memoryUsage.rss() - before).toBeLessThan(512 * MIB);
    expect(intake.seen.every(({ body, releases }) => body === undefined && releases === 1)).toBe(true);
  });
});

describe('a client that goes away', () => {
  it('the receiver releases an export whose client disconnects while it sends its body', async () => {
    const { receiver, intake } = await openTestReceiver();
    for (const headers of [{ 'Content-Length': '10' }, { 'Transfer-Encoding': 'chunked' }]) {
      const client = await rawClient(receiver.port);
      client.send(requestText(headers, { body: '3\r\nabc\r\n' }));
      await waitFor(() => intake.seen.at(-1)?.held.length === 1);
      client.socket.resetAndDestroy();
      await waitFor(() => intake.seen.at(-1)?.releases === 1);
    }
    await waitFor(() => receiver.connections === 0);
    expect(intake.seen).toMatchObject([{ body: undefined }, { body: undefined }]);
  });

  it('the receiver releases an export whose client disconnects while its body is inflated', async () => {
    const { receiver, intake } = await openTestReceiver({ maxRequestBytes: 64 * MIB });
    const body = gzipSync(Buffer.alloc(30 * MIB));
    const client = await rawClient(receiver.port);
    client.send(requestText({ 'Content-Encoding': 'gzip', 'Content-Length': String(body.length) }));
    client.send(body);
    await waitFor(() => intake.seen[0]?.held.at(-1) === body.length);
    client.socket.resetAndDestroy();
    await waitFor(() => intake.seen[0]?.releases === 1);
    await waitFor(() => receiver.connections === 0);
    expect(intake.seen).toMatchObject([{ releases: 1 }]);
  });

  it('the receiver releases an export once when its client disconnects before the answer', async () => {
    const { receiver, intake, errors } = await openTestReceiver();
    let answer = (): void => {};
    intake.onTake = () => new Promise((resolve) => (answer = () => resolve({ kind: 'accepted' })));
    const client = await rawClient(receiver.port);
    client.send(requestText({ 'Content-Length': '1' }, { body: 'a' }));
    await waitFor(() => intake.seen[0]?.body);
    client.socket.resetAndDestroy();
    await waitFor(() => intake.seen[0]?.releases === 1);
    answer();
    await new Promise((resolve) => setImmediate(resolve));
    expect(intake.seen).toMatchObject([{ releases: 1 }]);
    expect(errors).toStrictEqual([]);
  });
});
