import type { SourceOffset } from '@levada/connect-runtime-core';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { eventBytes, eventJson } from '@levada/test-peers/grpc';
import { describe, expect, it } from 'vitest';
import type { GrpcContext } from '../src/model/metrics.ts';
import { feed, fieldsOf, runTask } from './feed.ts';
import { drain, type RunningTask, texts } from './running-task.ts';

const sent = (payload: string): Uint8Array => eventBytes({ payload });
const batch = (name: string): readonly Uint8Array[] => [1, 2, 3].map((n) => sent(`${name}${n}`));

/** A context in which an earlier run committed this offset. */
const committed = (offset: SourceOffset): Partial<GrpcContext> => ({
  offsets: { offset: async () => offset },
});

/** Missing numbers as they were logged, emitted and counted. */
function gapsOf(running: RunningTask) {
  return {
    logged: fieldsOf(running, 'sequence_gap').map(({ expected, received, missing }) => [
      expected,
      received,
      missing,
    ]),
    emitted: running.events.flatMap((event) =>
      event.type === 'gap' ? [[event.expected, event.received]] : [],
    ),
    counted: running.metrics.read('SequenceGaps'),
  };
}

describe('a session', () => {
  it('starts a new session for each connection, and continues the sequence', async () => {
    const running = await feed((call, index) => {
      call.send(sent(`a${index}`), sent(`b${index}`));
      if (index < 2) call.end();
    });
    const records = await running.take(6);
    expect(texts(records)).toEqual(
      ['a0', 'b0', 'a1', 'b1', 'a2', 'b2'].map((payload) => eventJson({ payload })),
    );
    expect(records.map(({ sourceOffset }) => sourceOffset?.['sequence'])).toEqual([1, 2, 3, 4, 5, 6]);
    const sessions = records.map(({ sourceOffset }) => sourceOffset?.['sessionId']);
    const initialized = fieldsOf(running, 'session_initialized');
    expect(sessions).toEqual([0, 0, 1, 1, 2, 2].map((connection) => initialized[connection]?.['session_id']));
    expect(new Set(sessions).size).toBe(3);
    for (const id of sessions)
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(initialized.map((fields) => fields['starting_sequence'])).toEqual([1, 3, 5]);
    expect(gapsOf(running)).toEqual({ logged: [], emitted: [], counted: 0 });
  });

  it('is logged from its beginning to that of the next one in the order of the product definition', async () => {
    const running = await feed((call, index) => {
      call.send(sent('m'));
      if (index === 0) call.end('UNAVAILABLE', 'going away');
    });
    await running.take(2);
    const sessionEvents = new Set([
      'streaming_started',
      'session_initialized',
      'connection_closed',
      'reconnect_scheduled',
      'reconnect_executing',
    ]);
    const lines = running.logger.lines.filter(({ fields }) => sessionEvents.has(String(fields['event'])));
    expect(lines.map(({ level, fields }) => [level, fields['event']])).toEqual([
      ['info', 'streaming_started'],
      ['info', 'session_initialized'],
      ['info', 'connection_closed'],
      ['info', 'reconnect_scheduled'],
      ['info', 'reconnect_executing'],
      ['info', 'streaming_started'],
      ['info', 'session_initialized'],
    ]);
    const server = `127.0.0.1:${running.server.port}`;
    expect(fieldsOf(running, 'connection_closed')[0]).toMatchObject({
      server,
      status_code: 'UNAVAILABLE',
      error_message: `${server}: 14 UNAVAILABLE: going away`,
      messages_received: 1,
    });
    expect(running.events.map(({ type }) => type)).toEqual([
      'connected',
      'session',
      'disconnected',
      'reconnecting',
      'connected',
      'session',
    ]);
  });

  it('ends with a line when the task is stopped, too', async () => {
    const running = await feed((call) => call.send(sent('m')));
    await running.take(1);
    await running.task.stop();
    expect(fieldsOf(running, 'connection_closed')).toEqual([
      expect.objectContaining({ status_code: 'CANCELLED', messages_received: 1 }),
    ]);
    expect(running.events.map(({ type }) => type)).toEqual(['connected', 'session']);
  });
});

describe('the sequence', () => {
  it.each([
    ['sessionId', { sessionId: '0b7f', sequence: 41 }],
    ['session_id', { session_id: '0b7f', sequence: 41 }],
  ])('continues the sequence after an offset with %s', async (_, offset) => {
    const running = await feed((call) => call.send(sent('m')), { context: committed(offset) });
    const [record] = await running.take(1);
    expect(record?.sourceOffset).toEqual({
      sessionId: fieldsOf(running, 'session_initialized')[0]?.['session_id'],
      sequence: 42,
    });
    expect(fieldsOf(running, 'offset_restored')[0]).toMatchObject({ session_id: '0b7f', sequence: 41 });
    expect(gapsOf(running).counted).toBe(0);
  });

  it.each([
    ['text', { sessionId: 'a', sequence: '41' }],
    ['below zero', { sessionId: 'a', sequence: -1 }],
    ['no integer', { sessionId: 'a', sequence: Number.POSITIVE_INFINITY }],
    ['nested', { sessionId: 'a', sequence: { value: 1 } }],
    ['in a heap of other things', { sessionId: 'a'.repeat(100_000) }],
    ['missing', {}],
  ])('begins with 1 when the stored number is %s', async (_, offset) => {
    const running = await feed((call) => call.send(sent('m')), {
      context: committed(offset as unknown as SourceOffset),
    });
    const [record] = await running.take(1);
    expect(record?.sourceOffset?.['sequence']).toBe(1);
    expect(running.logger.withEvent('offset_restore_error')).toHaveLength(1);
    expect(running.logger.text().length).toBeLessThan(10_000);
    expect(gapsOf(running).counted).toBe(0);
  });
});

/** A full queue drops at once. */
const AT_ONCE = { 'grpc.queue.full.grace.ms': '0' };

describe('a gap in the sequence', () => {
  it('reports what a full queue dropped as one gap per run of numbers', async () => {
    const running = await feed(() => undefined, { raw: { 'grpc.message.queue.size': '10', ...AT_ONCE } });
    const call = await running.server.call(0);
    const receive = async (count: number, total: number): Promise<void> => {
      for (let i = 0; i < count; i += 1) call.send(sent('m'));
      await waitFor(() => running.metrics.read('MessagesReceived') === total);
    };
    await receive(25, 25);
    await running.take(10);
    await receive(12, 37);
    const records = await running.take(10);
    expect(records[0]?.sourceOffset?.['sequence']).toBe(26);
    expect(gapsOf(running)).toEqual({ logged: [[11, 26, 15]], emitted: [[11, 26]], counted: 15 });
    expect(running.logger.withEvent('sequence_gap')[0]?.level).toBe('warn');
    expect(fieldsOf(running, 'sequence_gap')[0]?.['session_id']).toBe(
      records[0]?.sourceOffset?.['sessionId'],
    );
    await running.task.stop();
    expect(await drain(running.task)).toEqual([]);
    expect(gapsOf(running).emitted).toEqual([
      [11, 26],
      [36, 38],
    ]);
    expect(gapsOf(running).counted).toBe(running.metrics.read('MessagesDropped'));
    expect(running.metrics.read('UnaccountedCount')).toBe(20);
  });

  it('reports a gap when the task fails right after it', async () => {
    const raw = { 'grpc.message.queue.size': '1', ...AT_ONCE, 'grpc.reconnect.enabled': 'false' };
    const running = await feed(
      (call) => {
        call.send(sent('a'), sent('b'), sent('c'));
        call.end();
      },
      { raw },
    );
    await running.logged('reconnect_skipped');
    expect(await running.take(1)).toHaveLength(1);
    await expect(running.task.poll()).rejects.toMatchObject({ code: 'reconnect_disabled' });
    expect(gapsOf(running)).toEqual({ logged: [[2, 4, 2]], emitted: [[2, 4]], counted: 2 });
  });

  it('assigns a gap to the session of the message after it', async () => {
    const broken = Buffer.from([0x0a, 0x7f]);
    const running = await feed((call, index) => {
      call.send(...(index === 0 ? [sent('a'), broken] : [sent('b')]));
      if (index === 0) call.end();
    });
    await waitFor(() => running.metrics.read('QueueSize') === 3);
    // A third session is there when the gap is found.
    running.server.open()[0]?.end();
    await running.logged('session_initialized', 3);
    const records = await running.take(2);
    const [gap] = fieldsOf(running, 'sequence_gap');
    expect(gap).toMatchObject({
      expected: 2,
      received: 3,
      session_id: records[1]?.sourceOffset?.['sessionId'],
    });
  });

  it('is never found between runs that left nothing out', async () => {
    const running = await feed((call) => call.send(sent('m')), {
      context: committed({ sessionId: 'a', sequence: 7 }),
    });
    await running.take(1);
    await running.task.stop();
    expect(await drain(running.task)).toEqual([]);
    expect(gapsOf(running).counted).toBe(0);
  });
});

describe('a run that was cut off', () => {
  it('loses the queue of a run that was cut off, and continues with the number after the last one in the log', async () => {
    const raw = { 'grpc.request.message': '{"filter":"f"}' };
    const running = await feed((call, index) => call.send(...(index === 0 ? batch('a') : batch('b'))), {
      raw,
    });
    const [first] = await running.take(3);
    const rest = batch('lost');
    (await running.server.call(0)).send(...rest);
    await waitFor(() => running.metrics.read('QueueSize') === rest.length);
    running.abort();
    const offset = { sessionId: String(first?.sourceOffset?.['sessionId']), sequence: 3 };
    const next = await runTask(running.server.port, { raw, context: committed(offset) });
    const records = await next.take(3);
    expect(texts(records)).toEqual(['b1', 'b2', 'b3'].map((payload) => eventJson({ payload })));
    expect(records.map(({ sourceOffset }) => sourceOffset?.['sequence'])).toEqual([4, 5, 6]);
    const requests = running.server.calls.map(({ request }) => request.toString('hex'));
    expect(requests).toEqual([requests[0], requests[0]]);
    // The next run cannot know of them: a gap is what this side dropped.
    expect(gapsOf(next).counted).toBe(0);
  });
});
