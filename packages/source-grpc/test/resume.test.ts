import type { RawConfig, SourceOffset, SourceRecord } from '@levada/connect-runtime-core';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { messageBytes, messageJson, type ServerCall, type StreamServer } from '@levada/test-peers/grpc';
import { describe, expect, it } from 'vitest';
import { grpcSourceConnector } from '../src/connector.ts';
import { type RunTaskOptions, runTask, serve } from './feed.ts';
import { drain, type RunningTask, testConfig } from './running-task.ts';

const rich: RawConfig = {
  'grpc.service.name': 'teststream.RichService',
  'grpc.method.name': 'Watch',
  'grpc.queue.full.policy': 'block',
};
const bySequence: RawConfig = { ...rich, 'grpc.request.resume.field': 'from_sequence' };
const byId: RawConfig = {
  ...rich,
  'grpc.request.resume.field': 'cursor.token',
  'grpc.request.resume.from': '/eventId',
};

/** The n-th event of the server's history, from 1. */
const event = (n: number): Uint8Array =>
  messageBytes('teststream.RichEvent', { eventId: `e${n}`, sequence: String(n) });
/** A message without a position. */
const heartbeat = Buffer.alloc(0);

const requestOf = (call: ServerCall) => messageJson('teststream.WatchRequest', call.request);
const requestsOf = ({ calls }: StreamServer): unknown[] => calls.map(requestOf);

const watch = (onCall: (call: ServerCall, index: number) => void): Promise<StreamServer> =>
  serve(onCall, { service: 'teststream.RichService', method: 'Watch' });

const idsOf = (records: readonly SourceRecord[]): string[] =>
  records.map(({ value }) => {
    const { eventId } = JSON.parse(Buffer.from(value as Uint8Array).toString()) as { eventId: string };
    return eventId;
  });

const ids = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `e${from + i}`);

/** A run that resumes after the offset that an earlier one committed. */
const after = (port: number, raw: RawConfig, offset?: SourceOffset | null): Promise<RunningTask> => {
  const context: RunTaskOptions['context'] =
    offset === undefined ? {} : { offsets: { offset: async () => offset ?? undefined } };
  return runTask(port, { raw, context });
};

describe('a stream that is made again', () => {
  it('requests no position at first, and resumes after the number of the last message', async () => {
    const server = await watch((call, index) => {
      call.send(event(2 * index + 1), event(2 * index + 2));
      if (index < 2) call.end('UNAVAILABLE');
    });
    const running = await after(server.port, { ...bySequence, 'grpc.request.message': '{"filter":"f"}' });
    expect(idsOf(await running.take(6))).toEqual(ids(1, 6));
    expect(requestsOf(server)).toEqual([
      { filter: 'f' },
      { filter: 'f', fromSequence: '2' },
      { filter: 'f', fromSequence: '4' },
    ]);
  });

  it('resumes after the position in the last message, also when that message still waits in the queue', async () => {
    const server = await watch((call, index) => {
      if (index === 0) call.send(event(1), event(2), event(3));
      if (index === 0) call.end('UNAVAILABLE');
    });
    const running = await after(server.port, byId);
    await server.call(1);
    expect(requestsOf(server)).toEqual([{}, { cursor: { token: 'e3' } }]);
    const records = await running.take(3);
    expect(records.map(({ sourceOffset }) => sourceOffset?.['resume'])).toEqual(['e1', 'e2', 'e3']);
  });

  it.each([
    ['text', 'after_id', '/eventId', { afterId: 'e1' }],
    ['a number in text', 'after_sequence', '/sequence', { afterSequence: '1' }],
    ['a nested number', 'cursor.sequence', '/sequence', { cursor: { sequence: '1' } }],
  ])('puts %s where it belongs', async (_, field, from, request) => {
    const server = await watch((call, index) => {
      if (index > 0) return;
      call.send(event(1));
      call.end();
    });
    const raw = { ...rich, 'grpc.request.resume.field': field, 'grpc.request.resume.from': from };
    await after(server.port, raw);
    await server.call(1);
    expect(requestsOf(server)).toEqual([{}, request]);
  });

  it('resumes after the last message with a position, when later ones have none', async () => {
    const broken = Buffer.from([0x0a, 0x7f]);
    const server = await watch((call, index) => {
      if (index === 0) call.send(event(1), event(2), heartbeat, broken);
      if (index === 1) call.send(heartbeat);
    });
    const running = await after(server.port, byId);
    const records = await running.take(3);
    expect(records.map(({ sourceOffset }) => sourceOffset?.['resume'])).toEqual(['e1', 'e2', 'e2']);
    (await server.call(0)).end();
    (await server.call(1)).end();
    await server.call(2);
    expect(requestsOf(server)).toEqual([{}, { cursor: { token: 'e2' } }, { cursor: { token: 'e2' } }]);
  });

  it('does so, too, when records hold the messages as they came', async () => {
    const server = await watch((call, index) => {
      if (index === 0) call.send(event(1), event(2));
    });
    const running = await after(server.port, { ...byId, 'grpc.message.format': 'protobuf' });
    const records = await running.take(2);
    expect(records.map(({ value }) => Buffer.from(value as Uint8Array))).toEqual([
      Buffer.from(event(1)),
      Buffer.from(event(2)),
    ]);
    expect(records[1]?.sourceOffset).toMatchObject({ sequence: 2, resume: 'e2' });
    (await server.call(0)).end();
    await server.call(1);
    expect(requestsOf(server)[1]).toEqual({ cursor: { token: 'e2' } });
  });

  it('fails the task when what a message says does not fit the field, and names the field', async () => {
    const server = await watch((call) => {
      call.send(event(1));
      call.end();
    });
    const raw = { ...bySequence, 'grpc.request.resume.from': '/eventId' };
    const running = await after(server.port, raw);
    await running.take(1);
    await expect(running.task.poll()).rejects.toMatchObject({
      retriable: false,
      message: expect.stringMatching(/^grpc\.request\.resume\.field: from_sequence: expected an unsigned/),
    });
  });
});

describe('a run after another', () => {
  it('resumes after the committed number', async () => {
    const server = await watch((call) => call.send(event(42)));
    const running = await after(server.port, bySequence, { sessionId: 'a', sequence: 41 });
    const [record] = await running.take(1);
    expect(record?.sourceOffset?.['sequence']).toBe(42);
    expect(requestsOf(server)).toEqual([{ fromSequence: '41' }]);
  });

  it('resumes after the committed position of a message', async () => {
    const server = await watch((call) => call.send(heartbeat));
    const running = await after(server.port, byId, { sessionId: 'a', sequence: 41, resume: 'e41' });
    const [record] = await running.take(1);
    expect(record?.sourceOffset).toMatchObject({ sequence: 42, resume: 'e41' });
    expect(requestsOf(server)).toEqual([{ cursor: { token: 'e41' } }]);
  });

  it('drops the resume position of an earlier run from the offsets when resuming is disabled', async () => {
    const server = await watch((call) => call.send(event(42)));
    const running = await after(server.port, rich, { sessionId: 'a', sequence: 41, resume: 'e41' });
    const [record] = await running.take(1);
    expect(Object.keys(record?.sourceOffset ?? {})).toEqual(['sessionId', 'sequence']);
    expect(requestsOf(server)).toEqual([{}]);
  });
});

describe('what may be stored or not', () => {
  it.each([
    ['comes again from a source that resumes', bySequence, true],
    ['does not come again from one that only numbers what came', rich, false],
  ])('knows that what is not stored %s', (_, raw, rereads) => {
    const config = grpcSourceConnector.config.parse(testConfig(4317, raw));
    expect(grpcSourceConnector.rereads?.(config)).toBe(rereads);
  });
});

describe('a server that can resume', () => {
  /** Sends its history after the requested position, in bursts of many sizes, as long as the call lives. */
  function historian(total: number, startOf: (request: Record<string, unknown>) => number) {
    return (call: ServerCall): void => {
      let next = startOf(requestOf(call) as Record<string, unknown>) + 1;
      const burst = (): void => {
        if (call.cancelled() || next > total) return;
        const count = Math.min((next * 7) % 40, total - next + 1) + 1;
        for (let i = 0; i < count && next <= total; i += 1, next += 1) call.send(event(next));
        setImmediate(burst);
      };
      burst();
    };
  }

  it.each([
    ['numbers', bySequence, (request: Record<string, unknown>) => Number(request['fromSequence'] ?? 0)],
    [
      'what messages say',
      byId,
      (request: Record<string, unknown>) =>
        Number((request['cursor'] as { token: string } | undefined)?.token.slice(1) ?? 0),
    ],
  ])('and is killed 50 times misses nothing and sends nothing twice, by %s', async (_, raw, startOf) => {
    const total = 10_000;
    const server = await watch(historian(total, startOf));
    const running = await after(server.port, { ...raw, 'grpc.message.queue.size': '50' });
    const taken: SourceRecord[] = [];
    const killing = (async () => {
      for (let kill = 1; kill <= 50; kill += 1) {
        const place = ((kill * total) / 52) * (0.9 + ((kill * 37) % 10) / 50);
        // A call of its own for each kill: what is queued would last over several
        await waitFor(() => taken.length >= place && server.calls.length >= kill, { timeoutMs: 15_000 });
        server.kill();
        await server.listen();
      }
    })();
    while (taken.length < total) taken.push(...(await running.task.poll()));
    await killing;
    expect(idsOf(taken)).toEqual(ids(1, total));
    expect(server.calls.length).toBeGreaterThanOrEqual(50);
    expect(running.metrics.snapshot()).toMatchObject({
      MessagesReceived: total,
      MessagesDropped: 0,
      SequenceGaps: 0,
    });
  });

  it('misses nothing of a source that is stopped or cut off 25 times, whatever was committed', async () => {
    const total = 3000;
    const server = await watch(historian(total, (request) => Number(request['fromSequence'] ?? 0)));
    const stored = new Set<string>();
    let committed: SourceOffset | null = null;
    for (let run = 1; stored.size < total; run += 1) {
      const running = await after(server.port, { ...bySequence, 'grpc.message.queue.size': '50' }, committed);
      const wanted = run <= 25 ? Math.min(total, run * 100) : total;
      while (stored.size < wanted) {
        const records = await running.task.poll();
        for (const id of idsOf(records)) stored.add(id);
        // Every third batch is stored, and the offset is not: the process ends before.
        if (records.length > 0 && (run + stored.size) % 3 > 0)
          committed = records.at(-1)?.sourceOffset ?? null;
      }
      if (run % 2 === 0) running.abort();
      await running.task.stop();
      // The log stores what a stopped task still returns, but nothing of a task that was cut off.
      if (run % 2 === 1) for (const id of idsOf(await drain(running.task))) stored.add(id);
    }
    expect([...stored].sort()).toEqual(ids(1, total).sort());
  });
});
