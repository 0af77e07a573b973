import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { SampleWindow } from './sample-window.ts';

function window() {
  const clock = createManualClock();
  const settings = { now: () => clock.monotonic(), windowMs: 30_000, samples: 2 };
  return { clock, values: new SampleWindow(settings) };
}

describe('sample window', () => {
  it('knows nothing before the first value', () => {
    const { values } = window();
    expect(values.perSecond()).toBe(0);
    expect(values.average()).toBeNaN();
    expect(values.maximum()).toBeNaN();
  });

  it('divides a first value by a whole window, so that it is no peak', async () => {
    const { clock, values } = window();
    values.record(300);
    expect(values.perSecond()).toBeCloseTo(10);
    await clock.advance(10_000);
    expect(values.perSecond()).toBeCloseTo(300 / 40);
  });

  it('settles at the true rate of a steady flow, whenever it is asked', async () => {
    const { clock, values } = window();
    const rates: number[] = [];
    for (let second = 0; second < 200; second += 1) {
      values.record(7);
      await clock.advance(1000);
      rates.push(values.perSecond());
    }
    expect(Math.min(...rates.slice(90))).toBeCloseTo(7, 0);
    expect(Math.max(...rates.slice(90))).toBeCloseTo(7, 0);
  });

  it('takes averages and maxima of what is recent', async () => {
    const { clock, values } = window();
    values.record(100);
    await clock.advance(31_000);
    values.record(4);
    values.record(6);
    expect(values.maximum()).toBe(100);
    expect(values.average()).toBeCloseTo(110 / 3);
    await clock.advance(31_000);
    expect(values.maximum()).toBe(6);
    expect(values.average()).toBe(5);
    await clock.advance(60_000);
    expect(values.maximum()).toBeNaN();
    expect(values.perSecond()).toBe(0);
  });

  it('begins again after a pause of any length', async () => {
    const { clock, values } = window();
    values.record(1_000_000);
    await clock.advance(3_600_000);
    values.record(30);
    expect(values.perSecond()).toBeCloseTo(1);
    expect(values.maximum()).toBe(30);
  });
});
