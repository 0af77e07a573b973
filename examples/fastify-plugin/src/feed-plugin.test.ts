import { fakeSource } from '@levada/connect-runtime-core/testing';
import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { feedPlugin } from './feed-plugin.ts';

async function start(onValue?: (value: string) => Promise<void>) {
  const values: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line)) };
  const app = fastify({ logger: { level: 'debug', stream } });
  const source = fakeSource({ name: 'prices', logger: app.log });
  await app.register(feedPlugin, {
    open: () => source,
    onValue: onValue ?? ((value) => void values.push(value)),
  });
  await app.ready();
  await source.ready();
  const ready = async () => {
    const { statusCode, body } = await app.inject('/ready');
    return { statusCode, body: JSON.parse(body) };
  };
  return { app, source, values, lines, ready };
}

describe('a source as a Fastify plugin', () => {
  it('is read with the application, which reports its health', async () => {
    const { app, source, values, lines, ready } = await start();
    source.feed.send('one', 'two');
    await source.feed.delivered(2);
    expect([values, app.feed]).toEqual([['one', 'two'], source]);
    expect(await ready()).toEqual({ statusCode: 200, body: { status: 'up' } });
    source.feed.disconnect('maintenance');
    expect(await ready()).toMatchObject({ statusCode: 503, body: { status: 'degraded' } });
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'disconnected', connector: 'prices', reason: 'maintenance' }),
    );
    await app.close();
  });

  it('delivers what was received when the application closes', async () => {
    const { app, source, values } = await start();
    source.feed.send('one', 'two', 'three');
    await app.close();
    expect(values).toEqual(['one', 'two', 'three']);
    expect(source.health()).toEqual({ status: 'down', reason: 'closed' });
  });

  it('is not ready after its work has failed, and the application closes all the same', async () => {
    const { app, source, lines, ready } = await start(() => Promise.reject(new Error('no room')));
    source.feed.send('one');
    await source.feed.settled();
    expect(await ready()).toEqual({ statusCode: 503, body: { status: 'down', reason: 'no room' } });
    expect(lines.find(({ msg }) => msg === 'the feed has ended')).toMatchObject({
      err: { message: 'no room' },
    });
    await app.close();
  });
});
