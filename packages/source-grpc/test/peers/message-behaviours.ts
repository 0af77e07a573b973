// Facts about the transport that hold with every server. This file makes suites and is none.
/* oxlint-disable vitest/no-conditional-tests */
import { randomUUID } from 'node:crypto';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { statusNames } from '@levada/grpc-wire';
import type { RunningPeer } from '@levada/test-peers/grpc';
import { afterEach, describe, expect, it } from 'vitest';
import {
  channelsOver,
  closeChannels,
  type PeerCall,
  startCall,
  streamEvents,
  type TestedTransport,
} from './peer-call.ts';
import { eventBytes, payloadOf } from './test-events.ts';

const MAX_MESSAGE = 4_194_304;
/** Bytes of an event around a payload of megabytes: id (9), type (6), tag and length of the payload (5), sequence (2). */
const AROUND_PAYLOAD = 22;

/** Messages, statuses and flow control. */
export function describeMessages(peer: RunningPeer, tested: TestedTransport): void {
  const peerChannel = channelsOver(tested);

  describe('messages', () => {
    afterEach(closeChannels);
    const call = async (filter: string, intervalMs = 0): Promise<PeerCall> =>
      streamEvents(await peerChannel(peer.port('plain')), { filter, intervalMs });

    it('arrive in order, byte for byte', async () => {
      const { messages, ended } = await call('count=1000&after=41');
      expect(await ended).toEqual({ code: 'OK', message: expect.any(String), source: 'server' });
      expect(messages).toEqual(Array.from({ length: 1000 }, (_, index) => eventBytes(index + 42)));
    });

    it('arrive on many calls of one channel at once', async () => {
      const channel = await peerChannel(peer.port('plain'));
      const calls = Array.from({ length: 20 }, (_, index) =>
        streamEvents(channel, { filter: `count=50&after=${index * 50}` }),
      );
      for (const [index, { messages, ended }] of calls.entries()) {
        expect((await ended).code).toBe('OK');
        expect(messages).toEqual(Array.from({ length: 50 }, (_, at) => eventBytes(index * 50 + at + 1)));
      }
    });

    it('receives messages of the maximum size split over frames', async () => {
      const size = MAX_MESSAGE - AROUND_PAYLOAD;
      const { messages, oversized, ended } = await call(`count=3&size=${size}`);
      expect((await ended).code).toBe('OK');
      expect(oversized).toEqual([]);
      expect(messages.map((message) => message.length)).toEqual([MAX_MESSAGE, MAX_MESSAGE, MAX_MESSAGE]);
      expect(messages.every((message, at) => Buffer.compare(message, eventBytes(at + 1, size)) === 0)).toBe(
        true,
      );
    });

    it('skips messages above the limit, and continues the call', async () => {
      const size = MAX_MESSAGE - AROUND_PAYLOAD + 1;
      const { messages, oversized, ended } = await call(`count=3&size=${size}`);
      expect((await ended).code).toBe('OK');
      expect(oversized).toEqual([MAX_MESSAGE + 1, MAX_MESSAGE + 1, MAX_MESSAGE + 1]);
      expect(messages).toEqual([]);
    });

    // grpc-js has no way to compress answers.
    if (peer.name !== 'grpc-js') {
      it('are decompressed', async () => {
        const { messages, ended } = await call('count=20&size=100000&gzip');
        expect((await ended).code).toBe('OK');
        expect(messages).toEqual(Array.from({ length: 20 }, (_, index) => eventBytes(index + 1, 100_000)));
      });
    }

    it('are asked for by compressed requests, too', async () => {
      const channel = await peerChannel(peer.port('plain'));
      const { messages, ended } = streamEvents(channel, { filter: 'count=2', compression: 'gzip' });
      expect((await ended).code).toBe('OK');
      expect(messages).toEqual([eventBytes(1), eventBytes(2)]);
    });

    it('go both ways', async () => {
      const path = '/teststream.TestStreamService/Exchange';
      const started = startCall(await peerChannel(peer.port('plain')), { path });
      for (let sequence = 1; sequence <= 100; sequence += 1) {
        started.call.send(eventBytes(sequence));
        await waitFor(() => started.messages.length === sequence);
      }
      started.call.half();
      expect((await started.ended).code).toBe('OK');
      expect(started.messages).toEqual(Array.from({ length: 100 }, (_, index) => eventBytes(index + 1)));
    });
  });

  describe('statuses', () => {
    afterEach(closeChannels);

    it.each(statusNames.slice(1).map((code, index) => [code, index + 1] as const))(
      'of %s arrive without any message',
      async (code, number) => {
        const channel = await peerChannel(peer.port('plain'));
        const message = `no %, "${code}"\r\n\u00e9\u{1F9F5}`;
        const filter = new URLSearchParams({ count: '0', fail: String(number), message }).toString();
        const { messages, ended } = streamEvents(channel, { filter });
        expect(await ended).toEqual({ code, message, source: 'server' });
        expect(messages).toEqual([]);
      },
    );

    it('delivers a status after messages', async () => {
      const channel = await peerChannel(peer.port('plain'));
      const { messages, ended } = streamEvents(channel, { filter: 'count=3&fail=8&message=enough' });
      expect(await ended).toEqual({ code: 'RESOURCE_EXHAUSTED', message: 'enough', source: 'server' });
      expect(messages).toEqual([1, 2, 3].map((sequence) => eventBytes(sequence)));
    });

    it.each(['/teststream.TestStreamService/Missing', '/teststream.Missing/StreamEvents'])(
      'of the unknown method "%s" are UNIMPLEMENTED',
      async (path) => {
        const channel = await peerChannel(peer.port('plain'));
        const { ended } = streamEvents(channel, { filter: '', path });
        expect(await ended).toMatchObject({ code: 'UNIMPLEMENTED', source: 'server' });
      },
    );
  });

  describe('flow control', () => {
    afterEach(closeChannels);

    async function stat(name: string): Promise<{ sent: number; over: boolean }> {
      const { messages, ended } = streamEvents(await peerChannel(peer.port('plain')), {
        filter: `stat=${name}`,
      });
      await ended;
      return JSON.parse(payloadOf(messages[0] as Uint8Array)) as { sent: number; over: boolean };
    }

    it('holds the server up while the call is paused, and loses nothing', async () => {
      const [name, count] = [randomUUID(), 1000];
      const channel = await peerChannel(peer.port('plain'));
      const started = streamEvents(channel, { filter: `count=${count}&size=65536&name=${name}` });
      await waitFor(() => started.messages.length > 0);
      started.call.pause();
      let before = -1;
      await waitFor(
        async () => {
          const { sent } = await stat(name);
          const stalled = sent === before && started.messages.length < count;
          before = sent;
          return stalled;
        },
        { what: 'a server that sends no more' },
      );
      expect(before).toBeLessThan(count);
      const delivered = started.messages.length;
      await stat(name);
      expect(started.messages).toHaveLength(delivered);
      started.call.resume();
      expect((await started.ended).code).toBe('OK');
      expect(started.messages.map((message) => message.length)).toEqual(
        Array.from({ length: count }, (_, index) => eventBytes(index + 1, 65_536).length),
      );
    });

    it('notifies the server when the call is cancelled', async () => {
      const name = randomUUID();
      const channel = await peerChannel(peer.port('plain'));
      const started = streamEvents(channel, { filter: `name=${name}`, intervalMs: 1 });
      await waitFor(() => started.messages.length >= 3);
      started.call.cancel();
      expect(await started.ended).toMatchObject({ code: 'CANCELLED', source: 'local' });
      await waitFor(async () => (await stat(name)).over, { what: 'the end of the call at the server' });
    });
  });
}
