import { expect, it } from 'vitest';
import { sourceRecord } from '../contract/source-record.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { OffsetCommitter } from './offset-committer.ts';
import { type CommittableOffset, OffsetTracker, type SubmittedOffset } from './offset-tracker.ts';

it('a commit that waited for an earlier write begins only if the worker may still commit', async () => {
  const clock = createManualClock();
  const tracker = new OffsetTracker();
  const written: (readonly CommittableOffset[])[] = [];
  const first = Promise.withResolvers<void>();
  const lease = { valid: true };
  const committer = new OffsetCommitter({
    tracker,
    clock,
    intervalMs: 60_000,
    timeoutMs: 5_000,
    mayCommit: () => lease.valid,
    onFailure: () => undefined,
    write: (offsets) => {
      written.push(offsets);
      return written.length === 1 ? first.promise : Promise.resolve();
    },
  });
  const acknowledge = (position: number): void =>
    tracker.ack(
      tracker.submit(
        sourceRecord({ topic: 't', value: '', sourcePartition: { p: 1 }, sourceOffset: { position } }),
      ) as SubmittedOffset,
    );
  acknowledge(1);
  const given = committer.commit(1_000);
  await clock.advance(1_000);
  expect(await given).toBe(false);
  acknowledge(2);
  const waiting = committer.commit();
  await clock.advance(10);
  lease.valid = false;
  first.resolve();
  expect(await waiting).toBe(false);
  expect(written).toHaveLength(1);
  lease.valid = true;
  expect(await committer.commit()).toBe(true);
  expect(written.at(-1)).toEqual([{ partition: { p: 1 }, offset: { position: 2 } }]);
});
