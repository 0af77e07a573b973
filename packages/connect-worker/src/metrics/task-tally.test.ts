import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { TaskMetrics } from './task-metrics.ts';
import { TaskTally } from './task-tally.ts';

describe('what a task in another thread has done', () => {
  const newMetrics = () => {
    const clock = createManualClock();
    return new TaskMetrics({ now: () => clock.monotonic(), windowMs: 30_000, samples: 2 });
  };

  it('shows as if it had been recorded by the worker', () => {
    const direct = newMetrics();
    const taken = newMetrics();
    const tally = new TaskTally();
    for (const target of [direct, tally]) {
      target.observeActive(() => 3);
      target.polled(10, 5);
      target.polled(20, 1);
      target.written(28, 30);
      target.errors.failures += 2;
    }
    const before = { ...taken.errors };
    taken.add(tally.take(), before);
    taken.add(tally.take(), before);
    const shown = (metrics: TaskMetrics) => ({
      totals: [metrics.polledTotal, metrics.writtenTotal, metrics.sentTotal, metrics.activeNow],
      errors: metrics.errors,
      windows: [metrics.batches, metrics.pollMs, metrics.writes, metrics.unstored, metrics.active].map(
        (window) => [window.perSecond(), window.average(), window.maximum()],
      ),
    });
    expect(shown(taken)).toEqual(shown(direct));
    expect(taken.sentTotal).toBe(30);
  });

  it('continues the errors of a task before it', () => {
    const metrics = newMetrics();
    metrics.errors.failures = 5;
    metrics.errors.lastErrorAt = 1000;
    const before = { ...metrics.errors };
    const tally = new TaskTally();
    metrics.add(tally.take(), before);
    expect(metrics.errors).toMatchObject({ failures: 5, lastErrorAt: 1000 });
    tally.errors.failures = 1;
    tally.errors.lastErrorAt = 2000;
    metrics.add(tally.take(), before);
    expect(metrics.errors).toMatchObject({ failures: 6, lastErrorAt: 2000 });
  });
});
