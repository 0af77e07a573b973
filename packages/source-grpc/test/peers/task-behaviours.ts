// Facts about a whole task that hold with every server. This file makes suites and is none.
/* oxlint-disable vitest/no-conditional-tests */
import type { RawConfig, SourceRecord } from '@levada/connect-runtime-core';
import type { Listener, RunningPeer } from '@levada/test-peers/grpc';
import { afterEach, describe, expect, it } from 'vitest';
import { grpcSource } from '../../src/index.ts';
import { drain, type RunningTask, startTask, testConfig, texts } from '../running-task.ts';

/** A connector against a server of another implementation. */
export function describeTask(peer: RunningPeer): void {
  let running: RunningTask | undefined;

  async function start(listener: Listener, raw: RawConfig): Promise<RunningTask> {
    running = await startTask(peer.port(listener), raw);
    return running;
  }

  describe('a task', () => {
    afterEach(async () => {
      await running?.task.stop();
      running = undefined;
    });

    it('makes records of messages, numbered in order', async () => {
      const { task } = await start('plain', {
        ...request('count=500'),
        'grpc.completion.policy': 'stop',
      });
      const records = await drain(task);
      expect(texts(records)).toEqual(Array.from({ length: 500 }, (_, index) => eventJson(index + 1)));
      expect(records.map(sequenceOf)).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
    });

    it('sends metadata of both forms', async () => {
      const { take } = await start('plain', {
        ...request('echo'),
        'grpc.metadata': 'x-one:1,x-two:2:b',
        'grpc.metadata.x-three': 'a,b',
        'grpc.metadata.x-four-bin': Buffer.from([1, 255]).toString('base64'),
      });
      const [text = ''] = texts(await take(1));
      const received = JSON.parse((JSON.parse(text) as { payload: string }).payload) as object;
      expect(received).toMatchObject({
        metadata: { 'x-one': ['1'], 'x-two': ['2:b'], 'x-three': ['a,b'], 'x-four-bin': ['01ff'] },
      });
    });

    it('uses TLS with certificates on both sides', async () => {
      const { take } = await start('mtls', {
        ...request('echo'),
        'grpc.tls.enabled': 'true',
        'grpc.tls.ca.cert': peer.certificate('ca.pem'),
        'grpc.tls.client.cert': peer.certificate('client.pem'),
        'grpc.tls.client.key': peer.certificate('client.key'),
      });
      const [text = ''] = texts(await take(1));
      expect(JSON.parse((JSON.parse(text) as { payload: string }).payload)).toMatchObject({
        client: 'client',
      });
    });

    it('reconnects after a status, logs it, and continues the sequence in a new session', async () => {
      const { take, logger } = await start('plain', request('count=3&fail=14&message=going%20down'));
      const records = await take(9);
      expect(records.slice(0, 9).map(sequenceOf)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(new Set(records.slice(0, 9).map((record) => offsetOf(record).sessionId)).size).toBe(3);
      expect(JSON.stringify(logger.lines)).toContain('going down');
    });

    it('fails when the server does not know the method', async () => {
      const { task } = await start('plain', request('count=0&fail=12&message=no%20such%20method'));
      await expect(drain(task)).rejects.toThrow(/no such method/);
    });

    it('resumes after the last message when connections are cut, and misses nothing', async () => {
      const { take, logger } = await start('cut', {
        ...request('0', 5),
        'grpc.request.resume.field': 'filter',
        'grpc.request.resume.from': '/sequence',
        'grpc.queue.full.policy': 'block',
      });
      const records: SourceRecord[] = [];
      while (logger.withEvent('session_initialized').length < 3) records.push(...(await take(1)));
      records.push(...(await take(10)));
      expect(texts(records)).toEqual(records.map((_, index) => eventJson(index + 1)));
    });

    it('blocks instead of dropping when its queue is full', async () => {
      const { task, metrics } = await start('plain', {
        ...request('count=60000'),
        'grpc.completion.policy': 'stop',
        'grpc.queue.full.policy': 'block',
        'grpc.message.queue.size': '100',
      });
      const records = await drain(task);
      expect(records).toHaveLength(60_000);
      expect(metrics.read('MessagesDropped')).toBe(0);
    });

    if (peer.name !== 'grpc-js') {
      it('needs no descriptor when the server has reflection', async () => {
        const { 'grpc.proto.descriptor': _, ...raw } = testConfig(peer.port('plain'), request('count=2'));
        await using source = grpcSource.fromConfig({ ...raw, 'grpc.completion.policy': 'stop' });
        const records: SourceRecord[] = [];
        for await (const record of source) records.push(record);
        expect(texts(records)).toEqual([eventJson(1), eventJson(2)]);
      });

      it('makes keepalive rarer when the server says that pings are too many', async () => {
        const { logged, logger } = await start('strict', {
          ...request('count=1&hold'),
          'grpc.keepalive.time.ms': '100',
        });
        await logged('keepalive_backed_off');
        expect(logger.withEvent('keepalive_backed_off')[0]?.fields['keepalive_time_ms']).toBe(200);
      });
    }
  });
}

function request(filter: string, intervalMs = 0): RawConfig {
  return { 'grpc.request.message': JSON.stringify({ filter, intervalMs }) };
}

/** An event of a peer as canonical JSON. */
function eventJson(sequence: number): string {
  const event = { eventId: `event-${sequence}`, timestamp: '', eventType: 'test', payload: '01234' };
  return JSON.stringify({ ...event, sequence: String(sequence) });
}

function offsetOf(record: SourceRecord): { readonly sessionId: string; readonly sequence: number } {
  return record.sourceOffset as { sessionId: string; sequence: number };
}

function sequenceOf(record: SourceRecord): number {
  return offsetOf(record).sequence;
}
