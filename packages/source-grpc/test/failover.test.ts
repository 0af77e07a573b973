import type { RawConfig } from '@levada/connect-runtime-core';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import { eventBytes, eventJson } from '@levada/test-peers/grpc';
import { describe, expect, it } from 'vitest';
import { delaysOf, fieldsOf, runTask, serve } from './feed.ts';
import { type RunningTask, texts } from './running-task.ts';

const named = (name: string) => eventBytes({ payload: name });
const received = (...names: readonly string[]) => names.map((payload) => eventJson({ payload }));

const endpoints = (...ports: readonly number[]): RawConfig => ({
  'grpc.server.endpoints': ports.map((port) => `127.0.0.1:${port}`).join(','),
});

/** Where attempts went. */
const attempted = (running: RunningTask): readonly number[] =>
  [...fieldsOf(running, 'connection_failed'), ...fieldsOf(running, 'connection_closed')].map(({ server }) =>
    Number(String(server).split(':').at(-1)),
  );

describe('several endpoints', () => {
  it('are tried in turn: the second one streams when the first is not there', async () => {
    const [first, second] = [await serve(() => undefined), await serve((call) => call.send(named('second')))];
    first.kill();
    const running = await runTask(first.port, { raw: endpoints(second.port) });
    const [record] = await running.take(1);
    expect(texts(record === undefined ? [] : [record])).toEqual(received('second'));
    // The partition is that of the configuration, whichever of them streams, so offsets stay valid.
    expect(record?.sourcePartition?.['grpc_server']).toBe(`127.0.0.1:${first.port}`);
    expect(fieldsOf(running, 'streaming_started')[0]).toMatchObject({ server: `127.0.0.1:${second.port}` });
    expect(fieldsOf(running, 'reconnect_executing')[0]).toMatchObject({
      attempt: 1,
      server: `127.0.0.1:${second.port}`,
    });
  });

  it('are gone round while none of them is there, with delays that grow over all', async () => {
    const clock = createManualClock();
    const servers = [
      await serve(() => undefined),
      await serve(() => undefined),
      await serve(() => undefined),
    ];
    for (const server of servers) server.kill();
    const [a = 0, b = 0, c = 0] = servers.map(({ port }) => port);
    const raw = { ...endpoints(b, c), 'grpc.reconnect.interval.ms': '1000' };
    const running = await runTask(a, { raw, clock });
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await running.logged('reconnect_scheduled', attempt);
      await clock.advance(delaysOf(running).at(-1) ?? 0);
    }
    await running.logged('connection_failed', 6);
    expect(attempted(running)).toEqual([a, b, c, a, b, c]);
    expect(delaysOf(running)[4]).toBeGreaterThanOrEqual(16_000);
  });

  it('are left when they refuse, or greet and end at once', async () => {
    const refusing = await serve((call) => call.end('UNAVAILABLE'));
    const greeting = await serve((call) => {
      call.send(named('greeting'));
      call.end();
    });
    const good = await serve((call) => call.send(named('good')));
    const clock = createManualClock();
    const running = await runTask(refusing.port, { raw: endpoints(greeting.port, good.port), clock });
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await running.logged('reconnect_scheduled', attempt);
      await clock.advance(delaysOf(running).at(-1) ?? 0);
    }
    expect(texts(await running.take(2))).toEqual(received('greeting', 'good'));
  });

  it('are returned to after a healthy stream that broke', async () => {
    const first = await serve((call, index) => call.send(named(`first ${index}`)));
    const second = await serve((call) => call.send(named('second')));
    const clock = createManualClock();
    const running = await runTask(first.port, { raw: endpoints(second.port), clock });
    await running.take(1);
    await clock.advance(2);
    (await first.call(0)).end('UNAVAILABLE');
    await running.logged('reconnect_scheduled');
    await clock.advance(delaysOf(running)[0] ?? 0);
    expect(texts(await running.take(1))).toEqual(received('first 1'));
    expect(second.calls).toHaveLength(0);
  });
});
