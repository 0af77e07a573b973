import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { createLogging } from './create-logging.ts';
import { formatText, jsonSink, textSink } from './log-sinks.ts';

function collected() {
  const lines: string[] = [];
  return { lines, write: (text: string) => lines.push(text) };
}

describe('createLogging', () => {
  it('writes JSON lines with the fields of parents', () => {
    const out = collected();
    const logging = createLogging({ sink: jsonSink(out), level: 'INFO', clock: createManualClock() });
    logging
      .logger('levada.runtime')
      .child({ connector: 'a', task: 0 })
      .warn({ event: 'queue_full', count: 3 }, 'full');
    expect(JSON.parse(out.lines[0] ?? '')).toMatchObject({
      level: 'warn',
      logger: 'levada.connector.a',
      connector: 'a',
      task: 0,
      event: 'queue_full',
      count: 3,
      msg: 'full',
    });
  });

  it('changes the level of a logger and of all below it while they are in use', () => {
    const out = collected();
    const { logger, levels } = createLogging({
      sink: textSink(out),
      level: 'INFO',
      clock: createManualClock(),
    });
    const rest = logger('levada.rest');
    rest.debug({ event: 'one' });
    expect(levels.set('levada', 'DEBUG')).toEqual(['levada', 'levada.rest']);
    rest.debug({ event: 'two' });
    levels.set('root', 'OFF');
    rest.error({ event: 'three' });
    expect(out.lines.map((line) => line.match(/event=(\w+)/)?.[1])).toEqual(['two']);
  });

  it('leaves a logger that has the level already as it is, as Kafka Connect does', () => {
    const { levels } = createLogging({ sink: () => undefined, level: 'INFO', clock: createManualClock() });
    expect(levels.set('a.b', 'INFO')).toEqual(['a.b']);
    expect(levels.get('a.b')).toEqual({ level: 'INFO', lastModified: null });
    expect([...levels.list().keys()]).toEqual(['root']);
  });

  it('takes root in any case for the root, and knows every word of Kafka Connect', () => {
    const { levels } = createLogging({ sink: () => undefined, level: 'INFO', clock: createManualClock() });
    expect(levels.set('ROOT', 'ALL')).toEqual(['root']);
    expect(levels.get('Root')).toMatchObject({ level: 'ALL' });
    expect(levels.enabled('any', 'debug')).toBe(true);
  });

  it('lists only loggers that have a level of their own', () => {
    const { levels, logger } = createLogging({
      sink: () => undefined,
      level: 'WARN',
      clock: createManualClock(),
    });
    logger('levada.rest');
    expect([...levels.list()]).toEqual([['root', { level: 'WARN', lastModified: null }]]);
    expect(levels.get('levada.rest')).toEqual({ level: 'WARN', lastModified: null });
    expect(levels.get('levada')).toBeUndefined();
  });
});

describe('loggers of connectors', () => {
  function setUp() {
    const out = collected();
    const { levels, logger } = createLogging({
      sink: textSink(out),
      level: 'INFO',
      clock: createManualClock(),
    });
    const runtime = logger('levada.runtime');
    const debugs = (connector: string): boolean => levels.enabled(`levada.connector.${connector}`, 'debug');
    return { levels, runtime, debugs, child: (connector: string) => runtime.child({ connector }) };
  }

  it('knows the logger of a connector as long as the connector exists', () => {
    const { levels, child } = setUp();
    child('a');
    expect(levels.get('levada.connector.a')).toBeUndefined();
    expect(levels.get('levada.connector.a', ['levada.connector.a'])).toMatchObject({ level: 'INFO' });
    expect(levels.set('root', 'WARN', ['levada.connector.b'])).toEqual([
      'levada.connector.b',
      'levada.runtime',
      'root',
    ]);
  });

  it('applies levels of one connector logger by name, or of all', () => {
    const { levels, debugs } = setUp();
    const present = ['levada.connector.a', 'levada.connector.b'];
    expect(levels.set('levada.connector.a', 'DEBUG', present)).toEqual(['levada.connector.a']);
    expect([debugs('a'), debugs('b')]).toEqual([true, false]);
    levels.set('levada', 'ERROR', present);
    expect(present.map((name) => levels.get(name, present)?.level)).toEqual(['ERROR', 'ERROR']);
    levels.set('levada.connector', 'DEBUG', present);
    expect([debugs('a'), debugs('b'), debugs('of later')]).toEqual([true, true, true]);
    expect([...levels.list().keys()]).toEqual(['levada', 'levada.connector', 'levada.runtime', 'root']);
  });

  it('sets the level of a connector logger before the connector exists', () => {
    const { levels, debugs } = setUp();
    levels.set('levada.connector.c', 'DEBUG');
    expect([debugs('c'), levels.get('levada.connector.c')?.level]).toEqual([true, 'DEBUG']);
  });
});

describe('lines', () => {
  const line = (fields: Record<string, unknown>, message?: string) => ({
    time: 0,
    level: 'info' as const,
    logger: 'x',
    fields,
    message,
  });

  it('escapes control characters, so that lines cannot be forged in either form', () => {
    const evil = 'a\nINFO event=fake \u001b[31m\u2028';
    const out = collected();
    jsonSink(out)(line({ reason: evil }, evil));
    for (const text of [formatText(line({ reason: evil }, evil)), (out.lines[0] ?? '').trimEnd()]) {
      expect(text).not.toMatch(/[\p{Cc}\u2028]/u);
      expect(text).toContain('u001b[31m');
    }
  });

  it('truncates long values of log lines', () => {
    expect(formatText(line({ reason: 'x'.repeat(100_000) })).length).toBeLessThan(4200);
  });

  it('writes errors with their causes', () => {
    const error = new Error('no connection', { cause: new Error('ECONNREFUSED') });
    expect(formatText(line({ event: 'failed', error }))).toBe(
      '00:00:00.000 INFO  event=failed error="Error: no connection, caused by Error: ECONNREFUSED"',
    );
  });
});
