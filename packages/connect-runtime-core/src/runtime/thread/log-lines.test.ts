import { describe, expect, it } from 'vitest';
import { ConnectorError } from '../../diagnostics/connector-error.ts';
import type { LogFields, Logger } from '../../diagnostics/logger.ts';
import { DebugSwitch, type SentLine, sendingLogger, writeLine } from './log-lines.ts';

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
  log(sendingLogger((line: SentLine) => writeLine(to as Logger, structuredClone(line)), debug));
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
});
