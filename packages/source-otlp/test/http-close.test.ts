import { createServer } from 'node:net';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { freePorts } from '@levada/kafka-testkit';
import { rawClient, requestText } from '@levada/test-peers/otlp';
import { describe, expect, it } from 'vitest';
import type { ExportOutcome } from '../src/receive/admission/export-outcome.ts';
import { openTestReceiver, type TestReceiver } from './http-receiver.ts';

const one = requestText({ 'Content-Length': '1' }, { body: 'a' });

/** Makes the intake wait; returns what lets it answer. */
function holdExports({ intake }: TestReceiver): () => void {
  const waiting: ((outcome: ExportOutcome) => void)[] = [];
  intake.onTake = () => new Promise((resolve) => waiting.push(resolve));
  return () => {
    for (const resolve of waiting.splice(0)) resolve({ kind: 'accepted' });
  };
}

async function refusesConnections(port: number): Promise<boolean> {
  const client = await rawClient(port);
  return !(await client.ended());
}

describe('closing', () => {
  it('closing ends idle connections and resolves, as often as it is asked', async () => {
    const { receiver } = await openTestReceiver();
    const used = await rawClient(receiver.port);
    used.send(one);
    await used.answer();
    const unused = await rawClient(receiver.port);
    await waitFor(() => receiver.connections === 2);
    await Promise.all([receiver.close({ graceMs: 60_000 }), receiver.close({ graceMs: 60_000 })]);
    await receiver.close({ graceMs: 60_000 });
    expect(receiver.connections).toBe(0);
    expect(await used.ended()).toBe(true);
    expect(used.rest() + unused.rest()).toBe('');
    expect(await refusesConnections(receiver.port)).toBe(true);
  });

  it('closing lets requests under way be answered, and ends their connections', async () => {
    const test = await openTestReceiver();
    const answer = holdExports(test);
    const client = await rawClient(test.receiver.port);
    client.send(one);
    await waitFor(() => test.intake.seen[0]?.body);
    const closed = test.receiver.close({ graceMs: 60_000 });
    expect(await refusesConnections(test.receiver.port)).toBe(true);
    answer();
    expect(await client.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(await client.ended()).toBe(true);
    await closed;
    expect(test.intake.seen).toMatchObject([{ releases: 1 }]);
  });

  it('closing lets all requests of a client that does not wait for answers be answered', async () => {
    const { receiver, intake } = await openTestReceiver();
    const waiting: ((outcome: ExportOutcome) => void)[] = [];
    intake.onTake = () => new Promise((resolve) => waiting.push(resolve));
    const client = await rawClient(receiver.port);
    client.send(one.repeat(3));
    await waitFor(() => waiting.length === 3);
    const closed = receiver.close({ graceMs: 60_000 });
    for (const resolve of waiting.reverse()) resolve({ kind: 'accepted' });
    for (const connection of ['keep-alive', 'keep-alive', 'close']) {
      expect(await client.answer()).toMatchObject({ status: 200, headers: { connection } });
    }
    expect(await client.ended()).toBe(true);
    await closed;
  });

  it('closing waits for a body that is arriving', async () => {
    const { receiver, intake } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    client.send(requestText({ 'Content-Length': '6' }, { body: 'abc' }));
    await waitFor(() => intake.seen[0]?.held.length);
    const closed = receiver.close({ graceMs: 60_000 });
    client.send('def');
    expect(await client.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
    await closed;
    expect(intake.seen).toMatchObject([{ releases: 1 }]);
  });

  it('closing refuses further requests so that they are sent again elsewhere', async () => {
    const test = await openTestReceiver();
    const half = await rawClient(test.receiver.port);
    // Its second request has begun when its first one is answered.
    half.send(one + one.slice(0, 20));
    expect(await half.answer()).toMatchObject({ status: 200 });
    const answer = holdExports(test);
    const client = await rawClient(test.receiver.port);
    client.send(one);
    await waitFor(() => test.intake.seen[1]?.body);
    const closed = test.receiver.close({ graceMs: 60_000 });
    half.send(one.slice(20));
    const headers = { 'retry-after': '1', connection: 'close', 'content-type': 'application/x-protobuf' };
    expect(await half.answer()).toMatchObject({ status: 503, headers });
    expect(await half.ended()).toBe(true);
    expect(test.intake.early).toMatchObject([{ reason: 'unavailable', message: 'the receiver is stopping' }]);
    answer();
    expect(await client.answer()).toMatchObject({ status: 200 });
    await closed;
  });

  it('closing cuts what is left when its time is over', async () => {
    const clock = createManualClock();
    const test = await openTestReceiver({ clock });
    holdExports(test);
    const client = await rawClient(test.receiver.port);
    client.send(one);
    await waitFor(() => test.intake.seen[0]?.body);
    const closed = test.receiver.close({ graceMs: 5000 });
    await clock.advance(4999);
    expect(test.receiver.connections).toBe(1);
    await clock.advance(1);
    await closed;
    await client.ended();
    expect(test.intake.seen).toMatchObject([{ releases: 1 }]);
  });

  it('closing ends the remaining connections at once when the signal is aborted, before or after close was called', async () => {
    for (const beforehand of [true, false]) {
      const test = await openTestReceiver({ clock: createManualClock() });
      holdExports(test);
      const client = await rawClient(test.receiver.port);
      client.send(one);
      await waitFor(() => test.intake.seen[0]?.body);
      const hurry = new AbortController();
      if (beforehand) hurry.abort();
      const closed = test.receiver.close({ graceMs: 5000, signal: hurry.signal });
      hurry.abort();
      await closed;
      expect(test.receiver.connections).toBe(0);
      expect(test.intake.seen).toMatchObject([{ releases: 1 }]);
    }
  });

  it('closing leaves the port to the next receiver', async () => {
    const [port = 0] = await freePorts(1);
    const { receiver } = await openTestReceiver({ port });
    const client = await rawClient(port);
    client.send(one);
    await client.answer();
    await receiver.close({ graceMs: 1000 });
    const next = await openTestReceiver({ port });
    expect(next.receiver.port).toBe(port);
  });
});

describe('opening', () => {
  it('an opened receiver reports its address and port', async () => {
    const { receiver } = await openTestReceiver();
    expect(receiver.address).toBe('127.0.0.1');
    expect(receiver.port).toBeGreaterThan(1023);
    expect(receiver.connections).toBe(0);
  });

  it('opening rejects with the error of the system when the port is taken', async () => {
    const [port = 0] = await freePorts(1);
    const other = createServer().listen(port, '127.0.0.1');
    await waitFor(() => other.listening);
    await expect(openTestReceiver({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    other.close();
    await waitFor(() => !other.listening);
    const { receiver } = await openTestReceiver({ port });
    expect(receiver.port).toBe(port);
  });

  it('opening rejects with the error of the system when no interface has the address', async () => {
    await expect(openTestReceiver({ address: '192.0.2.1' })).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
  });
});
