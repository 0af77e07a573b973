import { waitFor } from '@levada/connect-runtime-core/testing';
import { rawClient, requestText } from '@levada/test-peers/otlp';
import { describe, expect, it } from 'vitest';
import { defaultHttpTimeouts } from '../src/receive/http/http-receiver-options.ts';
import { openTestReceiver } from './http-receiver.ts';
import { readStatus } from './status-message.ts';

/** Short enough to wait for in real time: Node's own timers watch connections. */
const short = { headersMs: 300, requestMs: 400, keepAliveMs: 60_000 };
const message = 'the request did not arrive within 300 ms (headers) and 400 ms (all of it)';

describe('a client that is slow', () => {
  it('the receiver answers headers that arrive too slowly with 408 and closes the connection', async () => {
    const { receiver, intake } = await openTestReceiver({ timeouts: short });
    const client = await rawClient(receiver.port);
    client.send('POST /v1/traces HTTP/1.1\r\nHost: a\r\nX');
    const answer = await client.answer();
    expect(answer).toMatchObject({ status: 408, headers: { connection: 'close' } });
    expect(readStatus(answer.headers['content-type'], answer.body)).toStrictEqual({ code: 4, message });
    expect(await client.ended()).toBe(true);
    expect(intake.early).toMatchObject([{ reason: 'timeout' }]);
  });

  it('the receiver answers a client that sends headers in small pieces with 408', async () => {
    const { receiver } = await openTestReceiver({ timeouts: short });
    const client = await rawClient(receiver.port);
    client.send('POST /v1/traces HTTP/1.1\r\nHost: a\r\n');
    const drip = setInterval(() => client.send('X: y\r\n'), 5);
    const answer = await client.answer().finally(() => clearInterval(drip));
    expect(answer).toMatchObject({ status: 408 });
  });

  it('the receiver answers a body that arrives too slowly with 408 in the format of the request, and releases everything', async () => {
    const { receiver, intake } = await openTestReceiver({ timeouts: short });
    const client = await rawClient(receiver.port);
    client.send(requestText({ 'Content-Length': '10' }, { body: 'abc' }));
    const answer = await client.answer();
    expect(answer).toMatchObject({
      status: 408,
      headers: { 'content-type': 'application/x-protobuf', connection: 'close' },
    });
    expect(readStatus(answer.headers['content-type'], answer.body)).toStrictEqual({ code: 4, message });
    expect(await client.ended()).toBe(true);
    expect(intake.early).toMatchObject([{ reason: 'timeout' }]);
    expect(intake.seen).toMatchObject([{ body: undefined, releases: 1 }]);
    await waitFor(() => receiver.connections === 0);
  });

  it('the receiver sends no second answer when the body of an already refused request arrives too slowly', async () => {
    const { receiver } = await openTestReceiver({ timeouts: short });
    const client = await rawClient(receiver.port);
    client.send(requestText({ 'Content-Length': '10' }, { start: 'POST /v2 HTTP/1.1', body: 'abc' }));
    expect(await client.answer()).toMatchObject({ status: 404 });
    await client.ended();
    expect(client.rest()).toBe('');
  });

  it('the receiver closes a connection on which nothing was sent, without a response', async () => {
    const { receiver, intake } = await openTestReceiver({ timeouts: short });
    const client = await rawClient(receiver.port);
    await client.ended();
    expect(client.rest()).toBe('');
    expect(intake.early).toStrictEqual([]);
  });

  it('the receiver closes an idle keep-alive connection without a response', async () => {
    const { receiver, intake } = await openTestReceiver({ timeouts: { ...short, keepAliveMs: 50 } });
    const client = await rawClient(receiver.port);
    client.send(requestText({ 'Content-Length': '1' }, { body: 'a' }));
    expect(await client.answer()).toMatchObject({ status: 200 });
    expect(await client.ended()).toBe(true);
    expect(client.rest()).toBe('');
    expect(intake.early).toStrictEqual([]);
  });

  it('the receiver closes the connection of a client that does not read its answers, and buffers few of them', async () => {
    const { receiver, intake } = await openTestReceiver({ timeouts: short });
    const client = await rawClient(receiver.port);
    client.socket.pause();
    await waitFor(() => receiver.connections === 1);
    let sent = 0;
    const many = requestText({ 'Content-Length': '1' }, { start: 'POST /v2 HTTP/1.1', body: 'a' }).repeat(
      100,
    );
    const pump = (): void => {
      client.socket.write(many, (error) => {
        if (error) return;
        sent += 100;
        pump();
      });
    };
    pump();
    await waitFor(() => receiver.connections === 0, { timeoutMs: 15_000 });
    expect(intake.early.length).toBeGreaterThan(100);
    expect(intake.early.length).toBeLessThan(sent);
  });
});

it('the receiver does not cut off a client whose export takes long to be kept', async () => {
  const { receiver, intake } = await openTestReceiver({ timeouts: short });
  let answer = (): void => {};
  intake.onTake = () => new Promise((resolve) => (answer = () => resolve({ kind: 'accepted' })));
  const patient = await rawClient(receiver.port);
  patient.send(requestText({ 'Content-Length': '1' }, { body: 'a' }));
  await waitFor(() => intake.seen[0]?.body);
  const slow = await rawClient(receiver.port);
  for (let round = 0; round < 3; round++) {
    const client = round === 0 ? slow : await rawClient(receiver.port);
    client.send('POST');
    expect(await client.answer()).toMatchObject({ status: 408 });
  }
  answer();
  expect(await patient.answer()).toMatchObject({ status: 200 });
});

it('the receiver serves others while a thousand clients are slow, and then disconnects the slow ones', async () => {
  const { receiver } = await openTestReceiver({
    timeouts: { ...defaultHttpTimeouts, headersMs: 1500, requestMs: 1500 },
    maxConnections: 2000,
  });
  const slow = await Promise.all(Array.from({ length: 1000 }, () => rawClient(receiver.port)));
  for (const client of slow) client.send('POST /v1/traces HTTP/1.1\r\nHost: a\r\nX');
  const other = await rawClient(receiver.port);
  for (let round = 0; round < 10; round++) {
    other.send(requestText({ 'Content-Length': '1' }, { body: 'a' }));
    expect(await other.answer()).toMatchObject({ status: 200 });
  }
  await Promise.all(slow.map((client) => client.ended()));
  await waitFor(() => receiver.connections === 1);
});

it('the receiver closes connections above the limit, and accepts others when there are fewer', async () => {
  const { receiver } = await openTestReceiver({ maxConnections: 2 });
  const kept = [await rawClient(receiver.port), await rawClient(receiver.port)];
  await waitFor(() => receiver.connections === 2);
  const surplus = await rawClient(receiver.port);
  await surplus.ended();
  expect(surplus.rest()).toBe('');
  for (const client of kept) client.send(requestText({ 'Content-Length': '1' }, { body: 'a' }));
  for (const client of kept) expect(await client.answer()).toMatchObject({ status: 200 });
  kept[0]?.socket.destroy();
  await waitFor(() => receiver.connections === 1);
  const further = await rawClient(receiver.port);
  further.send(requestText({ 'Content-Length': '1' }, { body: 'a' }));
  expect(await further.answer()).toMatchObject({ status: 200 });
});
