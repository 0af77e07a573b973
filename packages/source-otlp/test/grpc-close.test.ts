import { createServer } from 'node:net';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { freePorts } from '@levada/kafka-testkit';
import { dataFrame, exportHeaders, opening, prefixed, rawClient } from '@levada/test-peers/http2';
import { grpcClient, http2Request, http2Session, retryDelay } from '@levada/test-peers/otlp';
import { describe, expect, it } from 'vitest';
import { HpackDecoder } from '../src/http2/hpack/hpack-decoder.ts';
import { accepted } from '../src/receive/admission/export-outcome.ts';
import { scriptedIntake } from './grpc-intake.ts';
import { openedReceiver } from './grpc-receiver-under-test.ts';
import { describeOverServers } from './http2-servers.ts';

const body = Buffer.from('some telemetry');

describeOverServers('a gRPC receiver', (server) => {
  it('the receiver reports the port that the operating system chose, and its connections', async () => {
    const receiver = await openedReceiver(scriptedIntake(), { http2: server });
    expect(receiver.address).toBe('127.0.0.1');
    expect(receiver.port).toBeGreaterThan(1023);
    const client = grpcClient(receiver.port);
    await client.export('traces', body);
    expect(receiver.connections).toBe(1);
    client.raw.close();
    await waitFor(() => receiver.connections === 0);
  });

  it('the receiver rejects with the code of the system when its port is in use, and leaves that port to its owner', async () => {
    const owner = createServer();
    const [port = 0] = await freePorts(1);
    await new Promise<void>((resolve) => owner.listen(port, '127.0.0.1', resolve));
    await expect(openedReceiver(scriptedIntake(), { http2: server, port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await new Promise((resolve) => owner.close(resolve));
    expect((await openedReceiver(scriptedIntake(), { http2: server, port })).port).toBe(port);
  });

  it('the receiver closes connections beyond its limit at once, and accepts others when there is room', async () => {
    const receiver = await openedReceiver(scriptedIntake(), { http2: server, maxConnections: 2 });
    const clients = [rawClient(receiver.port), rawClient(receiver.port)];
    for (const client of clients) client.write(opening);
    for (const client of clients) await client.frame('settings');
    const third = rawClient(receiver.port);
    await waitFor(third.closed);
    clients[0]?.socket.destroy();
    await waitFor(() => receiver.connections === 1);
    const answer = await http2Request(http2Session(receiver.port), {}, [prefixed(body)]);
    expect(answer.trailers['grpc-status']).toBe('0');
  });
});

describeOverServers('close of a gRPC receiver', (server) => {
  it('closing releases the port, notifies clients, and leaves neither connections nor timers', async () => {
    const clock = createManualClock();
    const [port = 0] = await freePorts(1);
    const receiver = await openedReceiver(scriptedIntake(), { http2: server, clock, port });
    const client = rawClient(receiver.port);
    client.write(opening);
    await client.frame('settings');
    const closed = receiver.close({ graceMs: 5000 });
    expect((await client.frame('goaway')).payload.readUInt32BE(4)).toBe(0);
    await closed;
    expect(receiver.connections).toBe(0);
    expect(clock.pending).toBe(0);
    expect((await openedReceiver(scriptedIntake(), { http2: server, port })).port).toBe(port);
  });

  it('closing waits for requests without an outcome, and for those that are half read', async () => {
    const later = Promise.withResolvers<typeof accepted>();
    const intake = scriptedIntake({ take: () => later.promise });
    const receiver = await openedReceiver(intake, { http2: server });
    const waiting = grpcClient(receiver.port).export('traces', body);
    await waitFor(() => intake.taken.length === 1);
    const half = rawClient(receiver.port);
    const message = prefixed(body);
    half.write(opening, exportHeaders(1), dataFrame(1, message.subarray(0, 10)));
    await waitFor(() => intake.heads.length === 2);
    let isClosed = false;
    const closed = receiver.close({ graceMs: 20_000 }).then(() => {
      isClosed = true;
    });
    await half.frame('goaway');
    half.write(dataFrame(1, message.subarray(10), { end: true }));
    await waitFor(() => intake.taken.length === 2);
    expect(isClosed).toBe(false);
    later.resolve(accepted);
    expect(await waiting).toMatchObject({ code: 0 });
    await waitFor(() => half.of('headers').length === 2);
    await closed;
    expect(intake).toMatchObject({ open: 0, early: [] });
  });

  it('closing ends what a client begins meanwhile with UNAVAILABLE', async () => {
    const later = Promise.withResolvers<typeof accepted>();
    const intake = scriptedIntake({ take: () => later.promise });
    const receiver = await openedReceiver(intake, { http2: server });
    const client = grpcClient(receiver.port);
    const waiting = client.export('traces', body);
    await waitFor(() => intake.taken.length === 1);
    const closed = receiver.close({ graceMs: 20_000 });
    expect(await client.export('traces', body)).toMatchObject({ code: 14 });
    later.resolve(accepted);
    expect(await waiting).toMatchObject({ code: 0 });
    await closed;
    expect(intake.heads.length).toBe(1);
  });

  it('closing ends the remaining connections when the signal of a later close call is aborted', async () => {
    const intake = scriptedIntake({ take: () => new Promise(() => undefined) });
    const receiver = await openedReceiver(intake, { http2: server });
    const waiting = grpcClient(receiver.port).export('traces', body);
    await waitFor(() => intake.taken.length === 1);
    const abort = new AbortController();
    const closed = receiver.close({ graceMs: 60_000 });
    const again = receiver.close({ graceMs: 60_000, signal: abort.signal });
    abort.abort();
    await Promise.all([closed, again]);
    expect(await waiting).toMatchObject({ code: 14 });
    expect(intake.open).toBe(0);
  });

  it('closing does not wait for a client that leaves its side open', async () => {
    const clock = createManualClock();
    const receiver = await openedReceiver(scriptedIntake(), { http2: server, clock });
    const client = rawClient(receiver.port);
    client.socket.allowHalfOpen = true;
    client.write(opening);
    await client.frame('settings');
    const closed = receiver.close({ graceMs: 60_000 });
    await client.frame('goaway');
    await clock.advance(250);
    await closed;
    expect(receiver.connections).toBe(0);
  });

  it('closing ends connections that have not begun with HTTP/2, and sends nothing on them', async () => {
    const receiver = await openedReceiver(scriptedIntake(), { http2: server });
    const client = rawClient(receiver.port);
    await waitFor(() => receiver.connections === 1);
    await receiver.close({ graceMs: 60_000 });
    expect(receiver.connections).toBe(0);
    await waitFor(client.closed);
    expect(client.socket.bytesRead).toBe(0);
  });
});

describe('close of a gRPC receiver, over our own HTTP/2 server alone', () => {
  // Node refuses them with REFUSED_STREAM, which clients repeat on another connection.
  it('closing asks clients to retry calls that arrive on an open connection during the close', async () => {
    const intake = scriptedIntake({ take: () => new Promise(() => undefined) });
    const receiver = await openedReceiver(intake);
    const client = rawClient(receiver.port);
    const call = (streamId: number): Buffer =>
      Buffer.concat([exportHeaders(streamId), dataFrame(streamId, prefixed(body), { end: true })]);
    client.write(opening, call(1));
    await waitFor(() => intake.taken.length === 1);
    const abort = new AbortController();
    const closed = receiver.close({ graceMs: 60_000, signal: abort.signal });
    await client.frame('goaway');
    client.write(call(3));
    const answer = new Map<string, string>();
    new HpackDecoder(16_384).decode((await client.frame('headers', 3)).payload, (name, value) => {
      answer.set(name, value);
    });
    expect(answer.get('grpc-status')).toBe('14');
    expect(retryDelay(Buffer.from(answer.get('grpc-status-details-bin') ?? '', 'base64'))).toBeGreaterThan(
      0.9,
    );
    expect(intake.early).toMatchObject([{ reason: 'unavailable' }]);
    abort.abort();
    await closed;
  });

  it('closing cuts what is left after the grace period', async () => {
    const clock = createManualClock();
    const intake = scriptedIntake({ take: () => new Promise(() => undefined) });
    const receiver = await openedReceiver(intake, { clock });
    const waiting = grpcClient(receiver.port).export('traces', body);
    await waitFor(() => intake.taken.length === 1);
    const closed = receiver.close({ graceMs: 5000 });
    await clock.advance(4999);
    expect(receiver.connections).toBe(1);
    await clock.advance(1);
    await closed;
    expect(await waiting).toMatchObject({ code: 14 });
    expect(intake.open).toBe(0);
    expect(clock.pending).toBe(0);
  });
});
