// Facts about the transport that hold with every server. This file makes suites and is none.
/* oxlint-disable vitest/no-conditional-tests */
import { readFileSync } from 'node:fs';
import { waitFor } from '@levada/connect-runtime-core/testing';
import type { Listener, RunningPeer } from '@levada/test-peers/grpc';
import { serverName } from '@levada/test-peers/tls';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChannelOptions } from '../../src/transport/channel.ts';
import {
  type Asked,
  channelsOver,
  closeChannels,
  type OpenPeerChannel,
  streamEvents,
  type TestedTransport,
} from './peer-call.ts';
import { eventBytes, payloadOf } from './test-events.ts';

/** Servers end connections after about half a second. */
const START_LIMIT_MS = 300;

interface Received {
  readonly authority: string;
  readonly metadata: Readonly<Record<string, readonly string[]>>;
  readonly deadline: boolean;
  /** The name in the client's certificate. */
  readonly client: string;
}

/** Metadata, TLS, and how connections end. */
export function describeConnections(peer: RunningPeer, tested: TestedTransport): void {
  const peerChannel = channelsOver(tested);

  const read = (name: string): Buffer => readFileSync(peer.certificate(name));

  async function echo(
    listener: Listener,
    options: Partial<ChannelOptions> = {},
    more: Partial<Asked> = {},
  ): Promise<Received> {
    const channel = await peerChannel(peer.port(listener), options);
    const { messages, ended } = streamEvents(channel, { filter: 'echo', ...more });
    expect((await ended).code).toBe('OK');
    return JSON.parse(payloadOf(messages[0] as Uint8Array)) as Received;
  }

  describe('metadata', () => {
    afterEach(closeChannels);

    it('delivers text and binary metadata, and several values of one name', async () => {
      const { metadata } = await echo(
        'plain',
        {},
        {
          metadata: [
            ['authorization', 'Bearer a,b:c'],
            ['x-list', 'one'],
            ['x-list', 'two'],
            ['x-token-bin', new Uint8Array([0, 1, 254, 255])],
          ],
        },
      );
      expect(metadata).toMatchObject({ authorization: ['Bearer a,b:c'], 'x-token-bin': ['0001feff'] });
      expect(metadata['x-list']?.join(', ')).toBe('one, two');
    });

    it('names the endpoint as authority, and no deadline', async () => {
      const received = await echo('plain');
      expect(received).toMatchObject({ authority: `127.0.0.1:${peer.port('plain')}`, deadline: false });
    });

    it('names the authority that is configured', async () => {
      expect((await echo('plain', { authority: 'feed.example:443' })).authority).toBe('feed.example:443');
    });
  });

  describe('TLS', () => {
    afterEach(closeChannels);
    const trusting = (): NonNullable<ChannelOptions['tls']> => ({
      ca: read('ca.pem'),
      rejectUnauthorized: true,
    });

    it('trusts the authority that is given', async () => {
      expect(await echo('tls', { tls: trusting() })).toMatchObject({ client: '' });
    });

    it('checks the name that is configured', async () => {
      const tls = trusting();
      expect((await echo('tls', { tls, authority: serverName })).authority).toBe(serverName);
      await expect(peerChannel(peer.port('tls'), { tls, authority: 'other.example' })).rejects.toMatchObject({
        code: 'connection_failed',
        message: expect.stringContaining('other.example'),
      });
    });

    it('refuses a server whose certificate no trusted authority signed', async () => {
      const tls = { ca: read('stranger.pem'), rejectUnauthorized: true };
      await expect(peerChannel(peer.port('tls'), { tls })).rejects.toMatchObject({
        code: 'connection_failed',
      });
    });

    it('shows its own certificate', async () => {
      const tls = { ...trusting(), cert: read('client.pem'), key: read('client.key') };
      expect((await echo('mtls', { tls })).client).toBe('client');
    });

    it.each(['none', 'stranger'])('is refused by the server with the certificate "%s"', async (name) => {
      const own = name === 'none' ? {} : { cert: read(`${name}.pem`), key: read(`${name}.key`) };
      const attempt = async (): Promise<string> => {
        // With TLS 1.3 the server's refusal may come before or after the connection counts as open.
        const channel = await peerChannel(peer.port('mtls'), { tls: { ...trusting(), ...own } });
        return (await streamEvents(channel, { filter: 'echo' }).ended).code;
      };
      expect(await attempt().catch((error: { code?: unknown }) => error.code)).toMatch(
        /^(UNAVAILABLE|connection_failed)$/,
      );
    });

    it('does not talk to a server without TLS', async () => {
      await expect(peerChannel(peer.port('plain'), { tls: trusting() })).rejects.toMatchObject({
        code: 'connection_failed',
      });
    });
  });

  describe('connections', () => {
    afterEach(closeChannels);

    /** A call on a connection of its own that began before the server took leave of that: again if a process stood still meanwhile. */
    async function startedInTime(listener: 'aged' | 'cut', asked: Asked) {
      for (;;) {
        const begun = performance.now();
        const channel = await peerChannel(peer.port(listener));
        const started = streamEvents(channel, asked);
        await Promise.race([started.ended, waitFor(() => started.messages.length > 0)]);
        if (performance.now() - begun < START_LIMIT_MS) return { channel, started };
        await channel.close();
      }
    }

    it('completes open calls on a connection that the server shuts down with GOAWAY', async () => {
      const { channel, started } = await startedInTime('aged', { filter: 'count=60', intervalMs: 25 });
      expect((await started.ended).code).toBe('OK');
      expect(started.messages).toEqual(Array.from({ length: 60 }, (_, index) => eventBytes(index + 1)));
      const { code } = await streamEvents(channel, { filter: 'count=1' }).ended;
      // Whether a channel connects again is its own business; ours leaves that to the task.
      expect(code).toBe(tested.name === 'grpc-js' ? 'OK' : 'UNAVAILABLE');
    });

    it('ends calls as UNAVAILABLE without a gap when the connection is closed after GOAWAY', async () => {
      const { started } = await startedInTime('cut', { filter: '', intervalMs: 5 });
      expect(await started.ended).toMatchObject({ code: 'UNAVAILABLE', source: 'local' });
      expect(started.messages.length).toBeGreaterThan(0);
      expect(started.messages).toEqual(started.messages.map((_, index) => eventBytes(index + 1)));
    });

    it('ends calls as UNAVAILABLE when the server dies', async () => {
      const other = await peer.another();
      const channel = await peerChannel(other.port('plain'));
      const started = streamEvents(channel, { filter: '', intervalMs: 1 });
      await waitFor(() => started.messages.length >= 10);
      await other.stop();
      expect(await started.ended).toMatchObject({ code: 'UNAVAILABLE', source: 'local' });
      await expect(peerChannel(other.port('plain'))).rejects.toMatchObject({ code: 'connection_failed' });
    });

    it('are kept alive by pings that the server permits', async () => {
      const channel = await peerChannel(peer.port('plain'), { keepaliveTimeMs: 20 });
      const started = streamEvents(channel, { filter: 'count=20', intervalMs: 20 });
      expect((await started.ended).code).toBe('OK');
    });

    // grpc-js counts no pings.
    if (peer.name !== 'grpc-js') {
      it('end as too many pings where the server permits few', async () => {
        const channel = await peerChannel(peer.port('strict'), { keepaliveTimeMs: 10 });
        const started = streamEvents(channel, { filter: 'count=1&hold' });
        expect(await started.ended).toMatchObject({ source: 'local', exhausted: 'too_many_pings' });
        expect(started.messages).toEqual([eventBytes(1)]);
      });
    }
  });

  if (peer.name === 'grpc-go') describeHttp(peer, peerChannel);
}

function describeHttp(peer: RunningPeer, peerChannel: OpenPeerChannel): void {
  describe('HTTP/2 without gRPC', () => {
    afterEach(closeChannels);

    it.each([
      [401, 'UNAUTHENTICATED'],
      [403, 'PERMISSION_DENIED'],
      [404, 'UNIMPLEMENTED'],
      [429, 'UNAVAILABLE'],
      [500, 'UNKNOWN'],
      [503, 'UNAVAILABLE'],
    ])('ends a call by its status %i as %s', async (status, code) => {
      const channel = await peerChannel(peer.port('http'));
      const { ended } = streamEvents(channel, { filter: '', metadata: [['x-status', String(status)]] });
      expect(await ended).toMatchObject({
        code,
        source: 'http',
        message: expect.stringContaining(String(status)),
      });
    });

    it('ends a call by RST_STREAM', async () => {
      const channel = await peerChannel(peer.port('http'));
      expect(await streamEvents(channel, { filter: '' }).ended).toMatchObject({
        code: 'INTERNAL',
        source: 'local',
        message: expect.stringMatching(/INTERNAL_ERROR|Internal server error/),
      });
    });
  });
}
