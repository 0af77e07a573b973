import { describe, expect, it } from 'vitest';
import { createManualClock } from '../testing/manual-clock.ts';
import { RegularLine } from './regular-line.ts';

function setup() {
  const clock = createManualClock();
  let lines = 0;
  const line = new RegularLine(clock, () => {
    lines += 1;
  });
  return { clock, line, lines: () => lines };
}

describe('RegularLine', () => {
  it('writes every 30 seconds', async () => {
    const { clock, line, lines } = setup();
    line.start();
    await clock.advance(29_999);
    expect(lines()).toBe(0);
    await clock.advance(1);
    expect(lines()).toBe(1);
    await clock.advance(60_000);
    expect(lines()).toBe(3);
  });

  it('writes a last time when it stops, and leaves no timer', () => {
    const { clock, line, lines } = setup();
    line.start();
    line.stop();
    line.stop();
    expect([lines(), clock.pending]).toEqual([1, 0]);
  });

  it('writes nothing when it is stopped without a start', () => {
    const { line, lines } = setup();
    line.stop();
    expect(lines()).toBe(0);
  });
});
