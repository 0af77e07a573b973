import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { createLogging } from './create-logging.ts';

function logging() {
  return createLogging({ sink: () => undefined, level: 'DEBUG', clock: createManualClock({ now: 0 }) });
}

describe('recent lines', () => {
  it('are those of a connector, of a level or above, after a number', () => {
    const { logger, recent } = logging();
    const log = logger('levada.runtime');
    log.info({ event: 'one' }, 'first\nline');
    log.child({ connector: 'a' }).debug({ event: 'two' });
    log.child({ connector: 'a' }).error({ event: 'three', number: 7 });
    const time = '1970-01-01T00:00:00.000Z';
    expect(recent.read({ after: 0 })).toMatchObject({ since: 0, last: 3, lost: 0 });
    expect(recent.read({ after: 0, last: 1, level: 'info', connector: 'a' }).lines).toEqual([
      { number: 3, level: 'error', time, logger: 'levada.connector.a', connector: 'a', event: 'three' },
    ]);
    expect(recent.read({ after: 0 }).lines[0]).toEqual({
      number: 1,
      level: 'info',
      time,
      logger: 'levada.runtime',
      event: 'one',
      msg: 'first\\nline',
    });
    expect(recent.read({ after: 3 }).lines).toEqual([]);
  });

  it('are bounded in number and size, and what is dropped is counted', () => {
    const { logger, recent } = logging();
    for (let at = 0; at < 1500; at++) logger('levada.x').info({ event: 'many' });
    expect(recent.read({ after: 100 })).toMatchObject({ last: 1500, lost: 400 });
    expect(recent.read({ after: 100 }).lines).toHaveLength(1000);
    for (let at = 0; at < 1000; at++) logger('levada.x').info({ event: 'x'.repeat(4000) });
    expect(recent.read({ after: 0 }).lines.length).toBeLessThan(250);
  });

  it('keep a line whose fields have no JSON', () => {
    const { logger, recent } = logging();
    const round: Record<string, unknown> = {};
    round['self'] = round;
    logger('levada.x').info({ event: 'odd', round });
    expect(recent.read({ after: 0 }).lines).toMatchObject([{ number: 1, logger: 'levada.x' }]);
  });
});
