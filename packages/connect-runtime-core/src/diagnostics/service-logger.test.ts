import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createSource } from '../library/create-source.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { createScriptedConnector } from '../testing/scripted-connector.ts';
import { ConnectorError } from './connector-error.ts';
import { messageFirst, type ServiceLogger, serviceLogger } from './service-logger.ts';

/** Connects a source with this logger, has a listener throw, and closes it. */
async function runWith(logger: ServiceLogger): Promise<void> {
  const { connector } = createScriptedConnector();
  const source = createSource(
    connector,
    { topic: 't' },
    { logger, name: 'feed', clock: createManualClock() },
  );
  source.on('connected', () => {
    throw new ConnectorError('fenced', 'listener is broken', { cause: new Error('deep') });
  });
  await source.ready();
  await source.close();
}

function collected() {
  const texts: string[] = [];
  const stream = new Writable({
    write: (chunk, _, done) => {
      texts.push(String(chunk));
      done();
    },
  });
  return { texts, stream };
}

describe('a logger that a service has', () => {
  it('may be one of pino, whose lines have a message, the names of source and task, and errors written out', async () => {
    const { texts, stream } = collected();
    await runWith(pino({ level: 'debug' }, stream));
    const lines = texts.map((text) => JSON.parse(text));
    expect(lines).toMatchObject([
      { level: 30, msg: 'connected', event: 'connected', connector: 'feed', task: 0 },
      {
        level: 50,
        msg: 'a listener threw',
        event: 'listener_failed',
        err: {
          type: 'ConnectorError',
          message: 'listener is broken: deep',
          code: 'fenced',
          retriable: false,
          issues: [],
          stack: expect.stringContaining('caused by: Error: deep'),
        },
      },
    ]);
    expect(lines.every(({ msg }) => typeof msg === 'string' && msg !== '')).toBe(true);
  });

  it('may be a console, which has no child', async () => {
    const { texts, stream } = collected();
    await runWith(new Console({ stdout: stream, stderr: stream }));
    const text = texts.join('');
    expect(text).toMatch(/\{ connector: 'feed', task: 0, event: 'connected' \} connected\n/);
    expect(text).toMatch(
      /connector: 'feed',[\s\S]*event: 'listener_failed'[\s\S]*ConnectorError: listener is broken/,
    );
  });

  it('may take the message first', async () => {
    const lines: unknown[] = [];
    const write = (level: string) => (message: string, fields: object) =>
      lines.push([level, message, fields]);
    const logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
    await runWith(messageFirst(logger));
    expect(lines).toMatchObject([
      ['info', 'connected', { connector: 'feed', task: 0, event: 'connected' }],
      ['error', 'a listener threw', { connector: 'feed', event: 'listener_failed', err: { code: 'fenced' } }],
    ]);
  });

  it('passes fields of its children on, whether the logger has children or not', () => {
    const { texts, stream } = collected();
    const plain: unknown[] = [];
    const ignore = (): void => undefined;
    const info = (fields: unknown, message: unknown): number => plain.push([fields, message]);
    for (const logger of [pino({ base: null }, stream), { debug: ignore, info, warn: ignore, error: ignore }])
      serviceLogger(logger, { connector: 'feed' }).child({ producer: 1 }).info({ event: 'queue_full' });
    const all = { connector: 'feed', producer: 1, event: 'queue_full' };
    expect(texts.map((text) => JSON.parse(text))).toMatchObject([{ ...all, msg: 'queue full' }]);
    expect(plain).toEqual([[all, 'queue full']]);
  });

  it('is refused with the names of what it lacks', () => {
    const { connector } = createScriptedConnector();
    const logger = { log: () => undefined, error: () => undefined } as unknown as ServiceLogger;
    expect(() => createSource(connector, { topic: 't' }, { logger })).toThrow(
      /^logger must have the methods .*; missing: debug, info, warn$/,
    );
  });
});
