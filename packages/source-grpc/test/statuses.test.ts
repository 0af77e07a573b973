import type { RawConfig } from '@levada/connect-runtime-core';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { type StatusName, statusNames } from '@levada/grpc-wire';
import { eventBytes, eventJson } from '@levada/test-peers/grpc';
import { dataFrame, frameTypes, goawayFrame, headersFrame, resetFrame } from '@levada/test-peers/http2';
import { describe, expect, it } from 'vitest';
import { delaysOf, feed, fieldsOf, runTask } from './feed.ts';
import { answerWith, rawServer } from './raw-feed.ts';
import { type RawPeer, trailersFrame } from './raw-http2-server.ts';
import { texts } from './running-task.ts';

const message = eventBytes({ payload: 'm' });
const again = [eventJson({ payload: 'm' })];

/** Statuses that count as ones that repeating seldom cures. */
const permanent = new Set<StatusName>([
  'INVALID_ARGUMENT',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'FAILED_PRECONDITION',
  'OUT_OF_RANGE',
  'UNAUTHENTICATED',
]);

const others = statusNames.filter((name) => name !== 'OK' && name !== 'UNIMPLEMENTED');

/** A server that refuses the first call so and answers the second one, and a task that has a message of the second. */
async function refusedOnce(refuse: (peer: RawPeer, streamId: number) => void, raw: RawConfig = {}) {
  const server = await rawServer({
    onCall: (peer, streamId) => {
      if (server.peers.length > 1) answerWith(peer, streamId, [message]);
      else refuse(peer, streamId);
    },
  });
  const running = await runTask(server.port, { raw });
  expect(texts(await running.take(1))).toEqual(again);
  return { ...running, server, peer: `127.0.0.1:${server.port}` };
}

describe('a call that the server refuses', () => {
  it.each(others)('with %s is made again, and the refusal is seen', async (code) => {
    const clock = createManualClock();
    const running = await feed(
      (call, index) => {
        if (index === 0) call.end(code, 'not today');
        else call.send(message);
      },
      { clock, raw: { 'grpc.reconnect.interval.ms': '5000' } },
    );
    await running.logged('reconnect_scheduled');
    const server = `127.0.0.1:${running.server.port}`;
    const text = `${server}: ${statusNames.indexOf(code)} ${code}: not today`;
    expect(running.logger.withEvent('connection_failed')).toEqual([
      expect.objectContaining({
        level: 'error',
        fields: expect.objectContaining({
          server,
          status_code: code,
          error_code: 'handshake_rejected',
          error_message: text,
        }),
      }),
    ]);
    expect(running.task.connection()).toMatchObject({ state: 'backing-off', attempt: 1, lastError: text });
    expect(running.metrics.read('PermanentErrors')).toBe(permanent.has(code) ? 1 : 0);
    expect(running.metrics.read('IsConnected')).toBe(0);
    await clock.advance(delaysOf(running)[0] ?? 0);
    expect(texts(await running.take(1))).toEqual(again);
    expect(running.task.connection().lastError).toBeUndefined();
  });

  it('as not implemented fails the task', async () => {
    const running = await feed(() => undefined, { method: 'Other' });
    await expect(running.task.poll()).rejects.toMatchObject({
      retriable: false,
      message: expect.stringContaining('12 UNIMPLEMENTED: The server does not implement the method'),
    });
    expect(fieldsOf(running, 'connection_failed')[0]).toMatchObject({ status_code: 'UNIMPLEMENTED' });
    expect(running.logger.withEvent('reconnect_scheduled')).toHaveLength(0);
    expect(running.task.connection()).toMatchObject({
      state: 'closed',
      lastError: expect.stringContaining('12 UNIMPLEMENTED'),
    });
  });

  it.each([
    ['unavailable, permission_denied', 'PERMISSION_DENIED'],
    ['7', 'PERMISSION_DENIED'],
    ['14', 'UNAVAILABLE'],
  ] as const)('with a status named in grpc.fail.on.status=%s fails the task', async (list, code) => {
    const running = await feed((call) => call.end(code, 'no'), { raw: { 'grpc.fail.on.status': list } });
    await expect(running.task.poll()).rejects.toThrow(`${statusNames.indexOf(code)} ${code}: no`);
    expect(running.server.calls).toHaveLength(1);
  });

  it('as not implemented is made again when grpc.fail.on.status leaves that out', async () => {
    const running = await feed(
      (call, index) => (index === 0 ? call.end('UNIMPLEMENTED') : call.send(message)),
      {
        raw: { 'grpc.fail.on.status': '' },
      },
    );
    expect(texts(await running.take(1))).toEqual(again);
  });

  it('fails the task after messages, too, when the status is one of those', async () => {
    const running = await feed(
      (call) => {
        call.send(message, message);
        call.end('PERMISSION_DENIED', 'expired');
      },
      { raw: { 'grpc.fail.on.status': 'PERMISSION_DENIED' } },
    );
    expect(await running.take(2)).toHaveLength(2);
    await expect(running.task.poll()).rejects.toThrow('7 PERMISSION_DENIED: expired');
    // It was a connection: nothing failed to be made.
    expect(fieldsOf(running, 'connection_closed')[0]).toMatchObject({ messages_received: 2 });
    expect(running.logger.withEvent('connection_failed')).toHaveLength(0);
  });

  it('counts a call refused after half a minute of silence as a connection, not as a failed attempt', async () => {
    const clock = createManualClock();
    const running = await feed(() => undefined, { clock, raw: { 'grpc.keepalive.time.ms': '0' } });
    const call = await running.server.call(0);
    await running.logged('streaming_started');
    await clock.advance(30_000);
    call.end('UNAVAILABLE', 'restart');
    await running.logged('connection_closed');
    expect(running.logger.withEvent('connection_failed')).toHaveLength(0);
  });
});

describe('a call that something before the server answers', () => {
  it.each([
    [404, 'UNIMPLEMENTED'],
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED'],
    [503, 'UNAVAILABLE'],
    [200, 'UNKNOWN'],
  ] as const)('with HTTP %i is made again', async (status, code) => {
    const html = { ':status': String(status), 'content-type': 'text/html' };
    const running = await refusedOnce((peer, streamId) =>
      peer.write(
        headersFrame(streamId, html),
        dataFrame(streamId, Buffer.from('<h1>no\u001b[31m</h1>\n'), { end: true }),
      ),
    );
    expect(fieldsOf(running, 'connection_failed')[0]).toMatchObject({
      status_code: code,
      error_message: expect.stringMatching(`HTTP ${status} with .*text/html`),
    });
    expect(running.logger.text()).not.toContain('\u001b');
    // Not the server's word.
    expect(running.metrics.read('PermanentErrors')).toBe(0);
  });
});

describe('a stream that breaks', () => {
  it.each([
    [0, 'INTERNAL'],
    [2, 'INTERNAL'],
    [7, 'UNAVAILABLE'],
    [8, 'CANCELLED'],
    [11, 'RESOURCE_EXHAUSTED'],
  ] as const)('by RST_STREAM %i is made again, and the code is logged', async (code, status) => {
    const running = await refusedOnce((peer, streamId) => peer.write(resetFrame(streamId, code)));
    expect(fieldsOf(running, 'connection_closed')[0]).toMatchObject({
      status_code: status,
      error_message: expect.stringContaining('stream reset with'),
    });
  });

  it.each([
    ['a status that is no number', { 'grpc-status': 'abc' }, 'UNKNOWN'],
    ['a status beyond all known', { 'grpc-status': '99' }, 'UNKNOWN'],
    ['details that are garbage', { 'grpc-status': '13', 'grpc-status-details-bin': '%%%' }, 'INTERNAL'],
  ])('with %s is made again', async (_, trailers, status) => {
    const running = await refusedOnce((peer, streamId) => {
      answerWith(peer, streamId, []);
      peer.write(trailersFrame(streamId, trailers as Record<string, string>));
    });
    expect(fieldsOf(running, 'connection_failed')[0]).toMatchObject({ status_code: status });
  });

  it('because the server leaves, after the messages before that', async () => {
    const server = await rawServer({
      onCall: (peer, streamId) => {
        answerWith(peer, streamId, [message, message]);
        if (server.peers.length === 1) {
          peer.write(goawayFrame(0, 'max_age'));
          setImmediate(() => peer.socket.end());
        }
      },
    });
    const running = await runTask(server.port);
    expect(await running.take(4)).toHaveLength(4);
    expect(fieldsOf(running, 'connection_closed')[0]).toMatchObject({ status_code: 'UNAVAILABLE' });
    expect(running.metrics.read('MessagesDropped')).toBe(0);
  });
});

describe('a server that complains of too many pings', () => {
  const raw = { 'grpc.keepalive.time.ms': '60000', 'grpc.reconnect.interval.ms': '1000' };

  it('is pinged half as often each time, but every five minutes at the least', async () => {
    const clock = createManualClock();
    const complaints = 4;
    const server = await rawServer({
      onCall: (peer) => {
        if (server.peers.length > complaints) return;
        peer.write(goawayFrame(11, 'too_many_pings'));
        peer.socket.end();
      },
    });
    const running = await runTask(server.port, { raw, clock });
    for (let attempt = 1; attempt <= complaints; attempt += 1) {
      await running.logged('reconnect_scheduled', attempt);
      await clock.advance(delaysOf(running).at(-1) ?? 0);
    }
    await running.logged('streaming_started', complaints + 1);
    const lines = running.logger.withEvent('keepalive_backed_off');
    expect(lines.map(({ level, fields }) => [level, fields['keepalive_time_ms']])).toEqual([
      ['warn', 120_000],
      ['warn', 240_000],
      ['warn', 300_000],
      ['warn', 300_000],
    ]);
    expect(fieldsOf(running, 'connection_closed')[0]).toMatchObject({ status_code: 'RESOURCE_EXHAUSTED' });
    const { frames } = await server.peer(complaints);
    const pings = () => frames.filter(({ type, flags }) => type === frameTypes.ping && flags === 0);
    // What the connection began with counts as heard at the first look, a tenth of the time later.
    await clock.advance(330_000);
    await waitFor(() => pings().length > 0);
    expect(pings()).toHaveLength(1);
  });

  it('is not pinged at all when keepalive is off, which is then nothing to back off', async () => {
    const server = await rawServer({
      onCall: (peer, streamId) => {
        if (server.peers.length > 1) answerWith(peer, streamId, [message]);
        else peer.write(goawayFrame(11, 'too_many_pings'));
        if (server.peers.length === 1) peer.socket.end();
      },
    });
    const running = await runTask(server.port, { raw: { 'grpc.keepalive.time.ms': '0' } });
    await running.take(1);
    expect(running.logger.withEvent('keepalive_backed_off')).toHaveLength(0);
  });
});
