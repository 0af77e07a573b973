import type { RawConfig } from '@levada/connect-runtime-core';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type RunningTask, startTask, texts } from './running-task.ts';
import { type SocketServer, startSocketServer } from './socket-server.ts';

let server: SocketServer | undefined;
let running: RunningTask | undefined;
afterEach(async () => {
  await running?.task.stop();
  await server?.close();
});

/** A server that sends these numbers on each connection in turn, and every number that it is asked for. */
async function numbered(connections: readonly (readonly number[])[], raw: RawConfig = {}) {
  server = await startSocketServer(({ socket }, index) => {
    socket.on('message', (data: Buffer) => {
      const { from, to = from } = JSON.parse(data.toString()) as { from: number; to?: number };
      for (let number = from; number <= to; number += 1) socket.send(`{"seq":${number}}`);
    });
    for (const number of connections[index] ?? []) socket.send(`{"seq":${number}}`);
    if (index + 1 < connections.length) socket.close(1000);
  });
  running = await startTask({ 'websocket.url': server.url, 'websocket.sequence.pointer': '/seq', ...raw });
  return running;
}

const replay = { 'websocket.sequence.replay.message': '{"from":"{{from}}","to":"{{to}}","last":"{{last}}"}' };
const numbers = (values: readonly string[]) =>
  values.map((text) => (JSON.parse(text) as { seq: number }).seq);

const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('sequence numbers', () => {
  it('that are missing are counted, emitted, and asked for', async () => {
    const { take, metrics, events } = await numbered([[1, 2, 5, 6]], replay);
    expect(numbers(texts(await take(6)))).toEqual([1, 2, 5, 6, 3, 4]);
    expect(server?.accepted[0]?.received).toEqual(['{"from":3,"to":4,"last":2}']);
    expect(metrics.read('SequenceMissing')).toBe(2);
    expect(metrics.read('SequenceRecovered')).toBe(2);
    expect(events).toContainEqual({ type: 'gap', expected: 3, received: 5 });
  });

  it('continue after a replay: each message counts once', async () => {
    server = await startSocketServer(({ socket }) => {
      socket.on('message', () => {
        for (const number of [3, 4, 7, 8]) socket.send(`{"seq":${number}}`);
      });
      for (const number of [1, 2, 5, 6]) socket.send(`{"seq":${number}}`);
    });
    running = await startTask({
      'websocket.url': server.url,
      'websocket.sequence.pointer': '/seq',
      ...replay,
    });
    expect(numbers(texts(await running.take(8)))).toEqual([1, 2, 5, 6, 3, 4, 7, 8]);
    expect(running.metrics.read('SequenceMissing')).toBe(2);
    expect(running.logger.withEvent('sequence_restarted')).toEqual([]);
    expect(server.accepted[0]?.received).toHaveLength(1);
  });

  it.each([
    ['backwards', (from: number, to: number) => upTo(from, to).reverse()],
    ['with the last one received', (from: number, to: number) => upTo(from - 1, to)],
    ['with newer ones', (from: number) => upTo(from, 7)],
    ['in part', (from: number, to: number) => upTo(from, to - 1)],
  ])('may be sent again %s, and are not asked for twice', async (_, again) => {
    server = await startSocketServer(({ socket }) => {
      const send = (values: readonly number[]) => {
        for (const seq of values) socket.send(JSON.stringify({ seq }));
      };
      socket.on('message', (data: Buffer) => {
        const { from, to } = JSON.parse(data.toString()) as { from: number; to: number };
        send([...again(from, to), 8, 9]);
      });
      send([1, 2, 6, 7]);
    });
    running = await startTask({
      'websocket.url': server.url,
      'websocket.sequence.pointer': '/seq',
      ...replay,
    });
    const sent = again(3, 5);
    expect(numbers(texts(await running.take(6 + sent.length)))).toEqual([1, 2, 6, 7, ...sent, 8, 9]);
    expect(running.metrics.read('SequenceMissing')).toBe(3);
    expect(running.metrics.read('SequenceRecovered')).toBe(sent.filter((n) => n >= 3 && n <= 5).length);
    expect(running.logger.withEvent('sequence_restarted')).toEqual([]);
    expect(server.accepted[0]?.received).toHaveLength(1);
  });

  it('are compared over connections', async () => {
    const { take, metrics, logger } = await numbered([[1, 2], [6]], replay);
    expect(numbers(texts(await take(6)))).toEqual([1, 2, 6, 3, 4, 5]);
    expect(metrics.read('SequenceRecovered')).toBe(3);
    expect(logger.withEvent('sequence_gap')[0]?.fields).toMatchObject({
      expected: 3,
      received: 6,
      missing: 3,
    });
  });

  it('are asked for only up to the limit', async () => {
    const raw = { ...replay, 'websocket.sequence.replay.limit': '3' };
    const { take, metrics } = await numbered([[1, 2, 7, 11]], raw);
    expect(numbers(texts(await take(7)))).toEqual([1, 2, 7, 11, 8, 9, 10]);
    expect(metrics.read('SequenceMissing')).toBe(7);
  });

  it('may be resumed from: each connection but the first says which was the last', async () => {
    const raw = { 'websocket.sequence.resume.message': '{"from":"{{from}}","last":"{{last}}"}' };
    const { take, metrics } = await numbered([[1, 2], []], raw);
    expect(numbers(texts(await take(3)))).toEqual([1, 2, 3]);
    expect(server?.accepted.map(({ received }) => received)).toEqual([[], ['{"from":3,"last":2}']]);
    expect(metrics.read('SequenceMissing')).toBe(0);
  });

  it('that begin again are followed from there', async () => {
    const { take, metrics, logger } = await numbered([[7, 8, 8, 1, 2, 4]], replay);
    expect(numbers(texts(await take(7)))).toEqual([7, 8, 8, 1, 2, 4, 3]);
    expect(logger.withEvent('sequence_restarted')[0]?.fields).toMatchObject({ expected: 9, received: 1 });
    expect(metrics.read('SequenceMissing')).toBe(1);
  });

  it('belong to a key where one is configured; messages without a number have none', async () => {
    server = await startSocketServer(({ socket }) => {
      for (const text of [
        '{"k":"a","seq":"1"}',
        '{"k":"b","seq":9}',
        'no',
        '{"k":"a","seq":"3"}',
        '{"k":"b","seq":10}',
      ])
        socket.send(text);
    });
    running = await startTask({
      'websocket.url': server.url,
      'websocket.sequence.pointer': '/seq',
      'websocket.sequence.key.pointer': '/k',
      'websocket.sequence.replay.message': 'again {{key}} {{from}}-{{to}}',
    });
    expect(await running.take(5)).toHaveLength(5);
    expect(running.metrics.read('SequenceMissing')).toBe(1);
    await waitFor(() => server?.accepted[0]?.received.length === 1);
    expect(server.accepted[0]?.received).toEqual(['again a 2-2']);
  });

  it('ask with the key as the message has it, and keep a number apart from the same text', async () => {
    server = await startSocketServer(({ socket }) => {
      for (const k of [5, '5', { id: 5 }]) socket.send(JSON.stringify({ k, seq: 1 }));
      for (const k of [5, { id: 5 }, '5']) socket.send(JSON.stringify({ k, seq: 3 }));
    });
    running = await startTask({
      'websocket.url': server.url,
      'websocket.sequence.pointer': '/seq',
      'websocket.sequence.key.pointer': '/k',
      'websocket.sequence.replay.message': '{"k":"{{key}}"}',
    });
    expect(await running.take(6)).toHaveLength(6);
    await waitFor(() => server?.accepted[0]?.received.length === 3);
    expect(server.accepted[0]?.received).toEqual(['{"k":5}', '{"k":{"id":5}}', '{"k":"5"}']);
  });

  it('count also where control messages have them', async () => {
    const raw = { 'websocket.control.1.match': '/seq=2', 'websocket.control.2.match': '/seq=3' };
    const { take, metrics } = await numbered([[1, 2, 3, 4]], raw);
    expect(numbers(texts(await take(2)))).toEqual([1, 4]);
    expect(metrics.read('SequenceMissing')).toBe(0);
  });

  it('are asked for by at most ten requests at once when the server answers none', async () => {
    const gaps = 150;
    server = await startSocketServer(({ socket, received }) => {
      for (let gap = 0; gap <= gaps; gap += 1) socket.send(`{"seq":${gap * 2}}`);
      socket.on('message', () => received.length === 10 && socket.send('{"seq":1}'));
    });
    running = await startTask({
      'websocket.url': server.url,
      'websocket.sequence.pointer': '/seq',
      ...replay,
    });
    expect(await running.take(gaps + 2)).toHaveLength(gaps + 2);
    expect(running.metrics.read('SequenceMissing')).toBe(gaps);
    expect(running.metrics.read('SequenceRecovered')).toBe(1);
    expect(running.logger.withEvent('sequence_restarted')).toEqual([]);
    await running.task.stop();
    expect(server.accepted[0]?.received).toHaveLength(10);
  });
});
