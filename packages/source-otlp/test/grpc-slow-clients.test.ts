import { once } from 'node:events';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import {
  dataFrame,
  END_HEADERS,
  END_STREAM,
  exportHeaders,
  frameOf,
  opening,
  prefixed,
  rawClient,
} from '@levada/test-peers/http2';
import { exportRequest, http2Session } from '@levada/test-peers/otlp';
import { describe, expect, it } from 'vitest';
import { refuse } from '../src/receive/admission/export-outcome.ts';
import type { Http2Server } from '../src/receive/admission/receiver.ts';
import { scriptedIntake } from './grpc-intake.ts';
import { openedReceiver } from './grpc-receiver-under-test.ts';
import { describeOverServers } from './http2-servers.ts';

const body = Buffer.from('some telemetry');
const whole = (streamId: number): Buffer =>
  Buffer.concat([exportHeaders(streamId), dataFrame(streamId, prefixed(body), { end: true })]);

/** A receiver with a clock that stands still, and a client of it. */
async function slow(http2: Http2Server) {
  const clock = createManualClock();
  const intake = scriptedIntake();
  const receiver = await openedReceiver(intake, { clock, http2 });
  const client = rawClient(receiver.port);
  await waitFor(() => receiver.connections === 1);
  return { clock, intake, receiver, client };
}

describeOverServers('a slow client', (server) => {
  it('the receiver closes a connection without a preface after ten seconds', async () => {
    const { clock, client } = await slow(server);
    client.write(opening.subarray(0, 20));
    await clock.advance(9000);
    expect(client.closed()).toBe(false);
    await clock.advance(2000);
    await waitFor(client.closed);
  });

  it('the receiver sends GOAWAY to a client that makes no call within thirty seconds', async () => {
    const { clock, client } = await slow(server);
    client.write(opening);
    await client.frame('settings');
    await clock.advance(29_000);
    expect(client.of('goaway')).toEqual([]);
    await clock.advance(2000);
    expect((await client.frame('goaway')).payload.readUInt32BE(4)).toBe(0);
    await waitFor(client.closed);
  });

  it.each<readonly [what: string, frame: Buffer]>([
    ['DATA of stream 0', dataFrame(0, body)],
    ['SETTINGS that are too short', frameOf('settings', { payload: Buffer.alloc(5) })],
    [
      'HEADERS that cannot be decoded',
      frameOf('headers', { streamId: 9, flags: 5, payload: Buffer.alloc(5, 0xff) }),
    ],
    [
      'GOAWAY and DATA of stream 0',
      Buffer.concat([frameOf('goaway', { payload: Buffer.alloc(8) }), dataFrame(0, body)]),
    ],
    ['a length beyond what is allowed', Buffer.from('ffffff000000000001', 'hex')],
  ])('closes the connection within seven seconds of %s, whatever calls are open', async (_, wrong) => {
    const { clock, intake, client, receiver } = await slow(server);
    client.write(opening, exportHeaders(1));
    await waitFor(() => intake.open === 1);
    client.write(wrong);
    await client.frame('goaway');
    await clock.advance(7000);
    await waitFor(() => receiver.connections === 0);
    expect(intake.open).toBe(0);
  });

  it('the receiver sends GOAWAY on a connection without calls after half an hour, even if the client pings', async () => {
    const { clock, intake, client } = await slow(server);
    client.write(opening, whole(1));
    await waitFor(() => client.of('headers').length === 2);
    await clock.advance(29 * 60_000);
    client.write(frameOf('ping', { payload: Buffer.alloc(8) }));
    await client.frame('ping');
    await clock.advance(30_000);
    expect(client.of('goaway')).toEqual([]);
    await clock.advance(60_000);
    await client.frame('goaway');
    expect(intake.open).toBe(0);
  });

  it('the receiver closes a connection whose headers never end ten seconds after they began', async () => {
    const { clock, client, intake } = await slow(server);
    client.write(opening, whole(1));
    await waitFor(() => client.of('headers').length === 2);
    await clock.advance(60_000);
    const headers = exportHeaders(3);
    for (let sent = 0; sent < 12; sent += 1) {
      client.write(headers.subarray(sent, sent + 1));
      await new Promise((resolve) => client.socket.write('', resolve));
      await clock.advance(1000);
    }
    await client.frame('goaway');
    expect(intake.heads.length).toBe(1);
  });

  it('the receiver refuses a request that does not arrive within thirty seconds with DEADLINE_EXCEEDED', async () => {
    const { clock, intake, receiver } = await slow(server);
    const stream = http2Session(receiver.port).request(exportRequest());
    const [answer, closed] = [once(stream, 'response'), once(stream.resume(), 'close')];
    stream.write(prefixed(body).subarray(0, 7));
    await waitFor(() => intake.open === 1);
    await clock.advance(29_000);
    stream.write(Buffer.of(1));
    expect(intake.open).toBe(1);
    await clock.advance(2000);
    const [headers] = await answer;
    expect(headers).toMatchObject({
      'grpc-status': '4',
      'grpc-message': 'the request did not arrive in time',
    });
    await closed;
    expect(intake).toMatchObject({ open: 0, taken: [], early: [{ reason: 'timeout' }] });
  });

  it('the receiver refuses a request when its own deadline passes before it has arrived', async () => {
    const { clock, intake, client } = await slow(server);
    client.write(opening, exportHeaders(1, { 'grpc-timeout': '2S' }));
    await waitFor(() => intake.open === 1);
    expect(intake.heads[0]?.timeoutMs).toBe(2000);
    await clock.advance(3000);
    await client.frame('reset', 1);
    expect(intake).toMatchObject({ open: 0, early: [{ reason: 'timeout' }] });
  });

  it('the receiver closes the connection of a client that does not read its answers after thirty seconds', async () => {
    const { clock, intake, client, receiver } = await slow(server);
    // A window of 0 keeps the answer from being sent.
    const noWindow = Buffer.from('000400000000', 'hex');
    client.write(opening, frameOf('settings', { payload: noWindow }), whole(1));
    await waitFor(() => intake.taken.length === 1);
    await clock.advance(29_000);
    expect(receiver.connections).toBe(1);
    await clock.advance(3000);
    await waitFor(() => receiver.connections === 0);
  });

  it('the receiver stops reading from a client that reads nothing, and closes its connection after thirty seconds', async () => {
    const clock = createManualClock();
    const intake = scriptedIntake({ admit: () => refuse('unavailable', 'x'.repeat(1000)) });
    const receiver = await openedReceiver(intake, { http2: server, clock });
    const client = rawClient(receiver.port);
    client.write(opening);
    await client.frame('settings');
    client.socket.pause();
    const CALLS = 40_000;
    for (let sent = 0; sent < CALLS; sent += 1000) {
      const calls = Array.from({ length: 1000 }, (_, index) =>
        exportHeaders(1 + 2 * (sent + index), {}, END_HEADERS | END_STREAM),
      );
      client.write(...calls);
    }
    let seen = -1;
    await waitFor(async () => {
      const before = seen;
      seen = intake.heads.length;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return seen > 0 && seen === before;
    });
    expect(seen).toBeLessThan(CALLS);
    await clock.advance(32_000);
    await waitFor(() => receiver.connections === 0);
    expect(intake.open).toBe(0);
  });

  it('the receiver closes the connection of a client that reads nothing and then breaks the protocol after thirty seconds', async () => {
    const clock = createManualClock();
    const intake = scriptedIntake({ admit: () => refuse('unavailable', 'x'.repeat(1000)) });
    const receiver = await openedReceiver(intake, { http2: server, clock });
    const BATCH = 20;
    // What the network holds for a client that does not read, in batches of answers: found out with one, used with the other.
    const room = await fill(receiver.port, Number.POSITIVE_INFINITY);
    const { client, calls } = await fill(receiver.port, room.batches - 2);
    client.write(calls(BATCH * (room.batches - 2), 300), frameOf('ping', { payload: Buffer.alloc(7) }));
    expect(client.closed()).toBe(false);
    await waitFor(async () => {
      await clock.advance(32_000);
      return receiver.connections === 0;
    });

    async function fill(port: number, batches: number) {
      const filling = rawClient(port);
      filling.write(opening);
      await filling.frame('settings');
      filling.socket.pause();
      const some = (from: number, count: number): Buffer =>
        Buffer.concat(
          Array.from({ length: count }, (_, index) =>
            exportHeaders(1 + 2 * (from + index), {}, END_HEADERS | END_STREAM),
          ),
        );
      const before = intake.heads.length;
      for (let sent = 0; sent < batches; sent += 1) {
        filling.write(some(sent * BATCH, BATCH));
        const taken = await waitFor(() => intake.heads.length === before + (sent + 1) * BATCH, {
          timeoutMs: 300,
        }).catch(() => false);
        if (taken === false) return { client: filling, calls: some, batches: sent };
      }
      return { client: filling, calls: some, batches };
    }
  });

  it('the receiver uses one timer for all calls of a slow client', async () => {
    const { clock, intake, client } = await slow(server);
    client.write(opening, ...Array.from({ length: 100 }, (_, index) => exportHeaders(1 + 2 * index)));
    await waitFor(() => intake.open === 100);
    expect(clock.pending).toBe(1);
    client.socket.destroy();
    await waitFor(() => intake.open === 0);
    await clock.advance(1000);
    expect(clock.pending).toBe(0);
  });
});

describe('a slow client, over the HTTP/2 server of node alone', () => {
  it('the receiver closes the connection within seven seconds of the end of the last call after GOAWAY of the client', async () => {
    const { clock, intake, client, receiver } = await slow('node');
    client.write(opening, exportHeaders(1));
    await waitFor(() => intake.open === 1);
    client.write(frameOf('goaway', { payload: Buffer.alloc(8) }));
    client.write(dataFrame(1, prefixed(body), { end: true }));
    await waitFor(() => client.of('headers').length === 2);
    await clock.advance(3000);
    await waitFor(() => receiver.connections === 0);
    expect(intake).toMatchObject({ open: 0, taken: [{}] });
  });
});
