import 'reflect-metadata';
import { fakeSource } from '@levada/connect-runtime-core/testing';
import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Feed, feedModule } from './feed.module.ts';
import { nestLogger } from './nest-logger.ts';

/** Keeps the lines that Nest would print. */
class RecordingLogger extends ConsoleLogger {
  readonly lines: unknown[] = [];

  protected override printMessages(messages: unknown[], context?: string, level?: LogLevel): void {
    for (const message of messages) this.lines.push({ context, level, ...(message as object) });
  }
}

async function start(onValue?: (value: string) => Promise<void>) {
  const values: string[] = [];
  const source = fakeSource({ name: 'prices', logger: nestLogger('feed') });
  const logger = new RecordingLogger();
  const app = await NestFactory.create(
    feedModule(() => source, onValue ?? ((value) => void values.push(value))),
    { logger },
  );
  onTestFinished(() => app.close());
  await app.listen(0, '127.0.0.1');
  await source.ready();
  const ready = async () => {
    const response = await fetch(`${await app.getUrl()}/ready`);
    return { status: response.status, body: await response.json() };
  };
  return { app, source, values, lines: logger.lines, ready };
}

describe('a source as a provider of Nest', () => {
  it('is read with the application, which reports its health', async () => {
    const { app, source, values, lines, ready } = await start();
    source.feed.send('one', 'two');
    await source.feed.delivered(2);
    expect([values, app.get(Feed).source]).toEqual([['one', 'two'], source]);
    expect(await ready()).toEqual({ status: 200, body: { status: 'up' } });
    source.feed.disconnect('maintenance');
    expect(await ready()).toMatchObject({ status: 503, body: { status: 'degraded' } });
    const line = { context: 'feed', level: 'warn', message: 'disconnected', reason: 'maintenance' };
    expect(lines).toContainEqual(expect.objectContaining(line));
  });

  it('delivers what was received when the application closes', async () => {
    const { app, source, values } = await start();
    source.feed.send('one', 'two', 'three');
    await app.close();
    expect(values).toEqual(['one', 'two', 'three']);
    expect(source.health()).toEqual({ status: 'down', reason: 'closed' });
  });

  it('is not ready after its work has failed', async () => {
    const { source, ready } = await start(() => Promise.reject(new Error('no room')));
    source.feed.send('one');
    await source.feed.settled();
    expect(await ready()).toEqual({ status: 503, body: { status: 'down', reason: 'no room' } });
  });
});
