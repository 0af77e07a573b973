import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { describe, expect, it } from 'vitest';
import { contest } from '../measure/contest.ts';
import { logOn } from '../measure/log.ts';
import { benchmarksPage } from '../report/docs-page.ts';
import { feedReaders } from './feeds.ts';
import { ratioOf, throughputCells } from './throughput.ts';

const turn = {
  perSecond: 150_000,
  offeredPerSecond: 200_000,
  cpuMicros: 6.5,
  cores: 0.98,
  lost: 0.25,
  p50: 0,
  p99: 0,
};

describe('throughputCells', () => {
  it('shows medians with their spread, and what is lost', () => {
    const slower = { ...turn, perSecond: 140_000 };
    const cells = throughputCells({ name: 'one', turns: [turn, slower, turn] });
    expect(cells).toEqual(['one', '150k (140k to 150k)', '200k', '25 %', '6.50 (6.50 to 6.50)']);
  });

  it('names what was not measured, with the reason', () => {
    const cells = throughputCells({ name: 'one', turns: [], unavailable: 'no Go\nlook here' });
    expect(cells.slice(0, 2)).toEqual(['one', 'not measured: no Go']);
  });
});

describe('ratioOf', () => {
  it('takes the median of the ratios within each round', () => {
    const [one, other] = [1, 2, 3].map((factor) => ({ ...turn, perSecond: 100 * factor }));
    const rounds = { name: 'a', turns: [one ?? turn, other ?? turn, turn] };
    const base = { name: 'b', turns: [other ?? turn, other ?? turn, turn] };
    expect(ratioOf(rounds, base, ({ perSecond }) => perSecond)).toBe('1.00x');
  });

  it('is empty beside one that was not measured', () => {
    expect(ratioOf({ name: 'a', turns: [turn] }, undefined, ({ perSecond }) => perSecond)).toBe('');
  });
});

describeWithSharedBroker('a contest', {}, (broker) => {
  it('measures our worker without loss, and names what cannot be measured', {
    timeout: 120_000,
  }, async () => {
    const log = await logOn(broker());
    try {
      const rate = { bytes: 200, perSecond: 1000 };
      const readers = feedReaders({ name: 'websocket', log, rate, timed: true }, ['block', 'engine']);
      // In which a record arrives at the consumer even where the broker stands still for a while.
      const rounds = { runs: 1, seconds: 4, warmUpShare: 0 };
      const [ours, engine] = await contest(readers, rounds, () => undefined);
      expect(ours?.unavailable).toBeUndefined();
      expect(ours?.turns).toMatchObject([{ lost: 0 }]);
      expect(ours?.turns[0]?.p99).toBeGreaterThan(0);
      expect(engine?.unavailable).toContain('cannot be built');
      const head = ['', 'records/s'];
      const rows = [engine, ours].flatMap((one) => (one === undefined ? [] : [throughputCells(one)]));
      const tables = [{ title: 'WebSocket', note: '', head, rows, data: undefined }];
      expect(benchmarksPage({ machine: {}, rounds, tables })).toContain('not measured: its Go modules');
    } finally {
      await log.close();
    }
  });
});
