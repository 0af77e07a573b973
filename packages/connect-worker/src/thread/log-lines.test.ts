import { ConnectorError, type Logger } from '@levada/connect-runtime-core';
import type { LogFields } from '@levada/connect-runtime-core/contract';
import { describe, expect, it } from 'vitest';
import { DebugSwitch, type SentLine, sendingLogger, WaitingLines, writeLine } from './log-lines.ts';

/** What arrives of lines that are sent as messages of a port. */
function arrived(log: (logger: Logger) => void, debug = new DebugSwitch()): readonly LogFields[] {
  const lines: LogFields[] = [];
  const take = (level: string) => (fields: LogFields, message?: string) =>
    lines.push({ level, message, ...fields });
  const to = {
    debug: take('debug'),
    info: take('info'),
    warn: take('warn'),
    error: take('error'),
  } as unknown;
  const post = (line: SentLine): void => {
    waiting.leave();
    writeLine(to as Logger, structuredClone(line));
  };
  const waiting = new WaitingLines();
  log(sendingLogger({ post, debug, waiting }));
  return lines;
}

describe('lines of a logger in another thread', () => {
  it('arrive with level, message, fields and those of their children', () => {
    const lines = arrived((logger) => logger.child({ part: 'a' }).warn({ event: 'late', ms: 5 }, 'too late'));
    expect(lines).toEqual([{ level: 'warn', message: 'too late', part: 'a', event: 'late', ms: 5 }]);
  });

  it('keep names, codes, causes and stacks of errors', () => {
    const error = new ConnectorError('fenced', 'replaced', { cause: new RangeError('deep') });
    const [line] = arrived((logger) => logger.error({ error }));
    expect(line?.['error']).toMatchObject({
      name: 'ConnectorError',
      message: 'replaced',
      code: 'fenced',
      stack: error.stack,
      cause: { name: 'RangeError', message: 'deep' },
    });
  });

  it('say of what cannot be sent that it was there', () => {
    const [line] = arrived((logger) => logger.info({ call: () => 5, holder: { call: () => 5 } }));
    expect(line).toMatchObject({ call: '() => 5', holder: '[object Object]' });
  });

  it('of level debug are sent while the worker writes them', () => {
    const debug = new DebugSwitch();
    const worker = new DebugSwitch(debug.memory);
    const lines = arrived((logger) => {
      logger.debug({ n: 1 });
      worker.set(true);
      logger.child({ part: 'a' }).debug({ n: 2 });
      worker.set(false);
      logger.debug({ n: 3 });
    }, debug);
    expect(lines).toEqual([{ level: 'debug', message: undefined, part: 'a', n: 2 }]);
  });

  it('are no more than the bound while none is written, and the others are counted', () => {
    const waiting = new WaitingLines(undefined, 3);
    const worker = new WaitingLines(waiting.memory);
    const sent: SentLine[] = [];
    const logger = sendingLogger({ post: (line) => sent.push(line), debug: new DebugSwitch(), waiting });
    for (let n = 1; n <= 5; n += 1) logger.child({ n }).info({});
    // What is not sent anyway is not lost.
    logger.debug({});
    expect(sent.map(({ fields }) => fields['n'])).toEqual([1, 2, 3]);
    expect(worker.takeLost()).toBe(2);
    worker.leave();
    for (let n = 6; n <= 7; n += 1) logger.info({ n });
    expect(sent.map(({ fields }) => fields['n'])).toEqual([1, 2, 3, 6]);
    expect(worker.end()).toBe(4);
    expect(worker.end()).toBe(0);
  });
});
