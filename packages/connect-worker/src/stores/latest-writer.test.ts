import { ConnectorError } from '@levada/connect-runtime-core';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { LatestWriter } from './latest-writer.ts';

describe('LatestWriter', () => {
  it.each(Array.from({ length: 12 }, (_, turns) => turns))(
    'writes what comes %d turns after everything was written',
    async (turns) => {
      const written: (string | null)[] = [];
      const writer = new LatestWriter({
        clock: createManualClock(),
        onFailure: () => {},
        put: async (_, value) => {
          written.push(value);
        },
      });
      writer.write('key', 'first');
      for (let i = 0; i < turns; i += 1) await Promise.resolve();
      writer.write('key', 'second');
      await new Promise(setImmediate);
      expect(written.at(-1)).toBe('second');
    },
  );

  it('writes only the last of the values that came while the log was away', async () => {
    const clock = createManualClock();
    const written: string[] = [];
    let away = true;
    const writer = new LatestWriter({
      clock,
      onFailure: () => {},
      put: async (key, value) => {
        if (away) throw new ConnectorError('log_unavailable', 'away');
        written.push(`${key}=${value}`);
      },
    });
    for (const value of ['1', '2', null]) writer.write('a', value);
    writer.write('b', '1');
    await clock.advance(1_000);
    away = false;
    await clock.advance(10_000);
    expect(written).toEqual(['a=null', 'b=1']);
    expect(clock.pending).toBe(0);
  });

  it('gives up a value that the log refuses for good, and continues with others', async () => {
    const failures: number[] = [];
    const written: string[] = [];
    const clock = createManualClock();
    const writer = new LatestWriter({
      clock,
      onFailure: ({ attempt }) => failures.push(attempt),
      put: async (key) => {
        if (key === 'bad') throw new ConnectorError('record_too_large', 'no');
        written.push(key);
      },
    });
    writer.write('bad', 'x');
    await clock.advance(1_000);
    writer.write('good', 'x');
    await clock.advance(1_000);
    expect([failures, written]).toEqual([[1], ['good']]);
  });
});
