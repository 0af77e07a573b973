import { describe, expect, it } from 'vitest';
import { createManualClock } from '../testing/manual-clock.ts';
import { createRecordingLogger } from '../testing/recording-logger.ts';
import { eventLog, type LogEventTable } from './log-event.ts';
import { silentLogger } from './logger.ts';

const table = {
  connected: { level: 'info', help: 'Connected' },
  queue_full: { level: 'warn', help: 'Dropped', everyMs: 1000 },
  gap: { level: 'warn', help: 'Gap', everyMs: 1000 },
} as const satisfies LogEventTable;

function setUp() {
  const logger = createRecordingLogger();
  const clock = createManualClock();
  return { logger, clock, log: eventLog(table, logger, clock) };
}

describe('eventLog', () => {
  it('writes the event, its fields and the message at the level of the table', () => {
    const { logger, log } = setUp();
    log('connected', { peer: 'ws://feed' }, 'connected to the feed');
    log('connected');
    expect(logger.lines).toEqual([
      {
        level: 'info',
        fields: { event: 'connected', peer: 'ws://feed' },
        message: 'connected to the feed',
      },
      { level: 'info', fields: { event: 'connected' }, message: undefined },
    ]);
  });

  it('writes the first line of a rate-limited event at once, and then one per interval with the number left out', async () => {
    const { logger, clock, log } = setUp();
    for (let i = 0; i < 4; i += 1) log('queue_full', { i });
    await clock.advance(999);
    log('queue_full', { i: 4 });
    await clock.advance(1);
    log('queue_full', { i: 5 });
    log('queue_full', { i: 6 });
    expect(logger.lines.map(({ fields }) => fields)).toEqual([
      { event: 'queue_full', i: 0 },
      { event: 'queue_full', suppressed: 4, i: 5 },
    ]);
  });

  it('counts each event for itself', () => {
    const { logger, log } = setUp();
    log('queue_full');
    log('gap');
    expect(logger.lines.map(({ fields }) => fields['event'])).toEqual(['queue_full', 'gap']);
  });

  it('says nothing of earlier lines when none were left out', async () => {
    const { logger, clock, log } = setUp();
    log('gap');
    await clock.advance(1000);
    log('gap');
    expect(logger.lines.at(-1)?.fields).toEqual({ event: 'gap' });
  });

  it('is not confused by a wall clock that jumps', async () => {
    const { logger, clock, log } = setUp();
    log('gap');
    clock.jump(-86_400_000);
    await clock.advance(1000);
    log('gap');
    expect(logger.lines.length).toBe(2);
  });

  it('refuses events that the table lacks', () => {
    const { logger, clock } = setUp();
    const log = eventLog<LogEventTable>(table, logger, clock);
    expect(() => log('surprise')).toThrow('log event "surprise" is not in the table');
    expect(() => log('toString')).toThrow('log event "toString" is not in the table');
  });
});

describe('silentLogger', () => {
  it('takes everything and has itself as child', () => {
    for (const level of ['debug', 'info', 'warn', 'error'] as const) {
      expect(silentLogger[level]({ event: 'x' }, 'message')).toBeUndefined();
    }
    expect(silentLogger.child({ a: 1 })).toBe(silentLogger);
  });
});
