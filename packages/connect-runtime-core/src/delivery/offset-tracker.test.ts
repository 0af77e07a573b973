import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SourcePartition } from '../contract/source-offset.ts';
import { sourceRecord } from '../contract/source-record.ts';
import { OffsetTracker, type SubmittedOffset } from './offset-tracker.ts';

const record = (partition: string, position: number) =>
  sourceRecord({ topic: 't', value: '', sourcePartition: { p: partition }, sourceOffset: { position } });

describe('OffsetTracker', () => {
  it('costs nothing for a record without an offset', () => {
    const tracker = new OffsetTracker();
    expect(tracker.submit(sourceRecord({ topic: 't', value: 'x' }))).toBeUndefined();
    expect(tracker.committable()).toEqual([]);
  });

  it('commits nothing after the first record that is not acknowledged', () => {
    const tracker = new OffsetTracker();
    const [first, second, third] = [1, 2, 3].map((n) => tracker.submit(record('a', n)) as SubmittedOffset);
    tracker.ack(third as SubmittedOffset);
    tracker.ack(second as SubmittedOffset);
    expect(tracker.committable()).toEqual([]);
    tracker.ack(first as SubmittedOffset);
    expect(tracker.committable()).toEqual([{ partition: { p: 'a' }, offset: { position: 3 } }]);
  });

  it('reports each committable offset once', () => {
    const tracker = new OffsetTracker();
    tracker.ack(tracker.submit(record('a', 1)) as SubmittedOffset);
    expect(tracker.committable()).toHaveLength(1);
    expect(tracker.committable()).toEqual([]);
  });

  it('takes partitions as equal whatever the order of their keys', () => {
    const tracker = new OffsetTracker();
    const one = { topic: 't', value: '', sourceOffset: { n: 1 } };
    const left = tracker.submit(sourceRecord({ ...one, sourcePartition: { a: 1, b: 2 } }));
    const right = tracker.submit(
      sourceRecord({ ...one, sourcePartition: { b: 2, a: 1 }, sourceOffset: { n: 2 } }),
    );
    tracker.ack(right as SubmittedOffset);
    expect(tracker.committable()).toEqual([]);
    tracker.ack(left as SubmittedOffset);
    expect(tracker.committable()).toEqual([{ partition: { a: 1, b: 2 }, offset: { n: 2 } }]);
  });

  it('takes partitions as different when a value, its type or a key is', () => {
    const tracker = new OffsetTracker();
    const partitions: readonly SourcePartition[] = [
      { a: 1 },
      { a: '1' },
      { b: 1 },
      { a: 1, b: null },
      { toString: 1 },
      {},
      { a: 2 },
    ];
    for (const [n, sourcePartition] of [...partitions, ...partitions].entries()) {
      const submitted = tracker.submit(
        sourceRecord({ topic: 't', value: '', sourcePartition: { ...sourcePartition }, sourceOffset: { n } }),
      );
      tracker.ack(submitted as SubmittedOffset);
    }
    expect(tracker.committable()).toEqual(
      partitions.map((partition, i) => ({ partition, offset: { n: partitions.length + i } })),
    );
  });

  it('never commits more or less than the acknowledged prefix', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('submit' as const), lane: fc.integer({ min: 0, max: 2 }) }),
      fc.record({ do: fc.constant('ack' as const), pick: fc.nat(5000) }),
      fc.record({ do: fc.constant('commit' as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const tracker = new OffsetTracker();
        const open: { lane: number; n: number; submitted: SubmittedOffset }[] = [];
        const acked = new Map<number, boolean[]>([0, 1, 2].map((lane) => [lane, []]));
        const committed = new Map<string, number>();
        const commit = () => {
          for (const { partition, offset } of tracker.committable())
            committed.set(String(partition['p']), Number(offset['position']));
        };
        for (const action of steps) {
          if (action.do === 'submit') {
            const lane = acked.get(action.lane) as boolean[];
            const submitted = tracker.submit(record(`${action.lane}`, lane.length)) as SubmittedOffset;
            open.push({ lane: action.lane, n: lane.length, submitted });
            lane.push(false);
          } else if (action.do === 'ack' && open.length > 0) {
            const [one] = open.splice(action.pick % open.length, 1);
            if (one === undefined) continue;
            tracker.ack(one.submitted);
            (acked.get(one.lane) as boolean[])[one.n] = true;
          } else if (action.do === 'commit') commit();
        }
        commit();
        for (const [lane, flags] of acked) {
          const prefix = flags.includes(false) ? flags.indexOf(false) : flags.length;
          expect(committed.get(`${lane}`) ?? -1).toBe(prefix - 1);
        }
      }),
    );
  });

  it('keeps the prefix right over many thousands of records', () => {
    const tracker = new OffsetTracker();
    const submitted = Array.from({ length: 5000 }, (_, n) => tracker.submit(record('a', n)));
    for (const one of submitted.slice(0, 4000)) tracker.ack(one as SubmittedOffset);
    expect(tracker.committable()).toEqual([{ partition: { p: 'a' }, offset: { position: 3999 } }]);
    for (const one of submitted.slice(4001)) tracker.ack(one as SubmittedOffset);
    expect(tracker.committable()).toEqual([]);
    tracker.ack(submitted[4000] as SubmittedOffset);
    expect(tracker.committable()).toEqual([{ partition: { p: 'a' }, offset: { position: 4999 } }]);
  });
});
