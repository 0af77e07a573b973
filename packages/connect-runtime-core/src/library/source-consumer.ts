import type { SourceRecord } from '../contract/source-record.ts';
import type { LibraryRun } from './library-run.ts';
import { InvalidCalls } from './records/invalid-calls.ts';
import { markUndelivered } from './records/mark-undelivered.ts';
import type { FeedOptions } from './records/record-feed.ts';
import { invalidRecord } from './records/record-values.ts';
import { SkippedOffsets } from './records/skipped-offsets.ts';
import { WantedRecords } from './records/wanted-records.ts';
import type { SourceConsumer } from './source-handle.ts';

/** What a consumer reads records as, and when it ends. */
export interface ConsumerReading<V> extends FeedOptions<V>, Pick<SourceConsumer, 'checksValues'> {}

/** Becomes the one consumer of a run. */
export function consumerOf<V>(run: LibraryRun, reading: ConsumerReading<V>): SourceConsumer<V> {
  const { source, onInvalid, checksValues } = reading;
  run.consume();
  const calls = new InvalidCalls(onInvalid, run.closed);
  const offsets = new SkippedOffsets(run);
  const wanted = new WantedRecords(reading);
  let number = 0;
  let left: Promise<void> | undefined;
  const takeNext = async (): Promise<readonly SourceRecord[]> =>
    wanted.isOver ? [] : wanted.selectWanted(await run.next());
  const leave = async (): Promise<void> => {
    const closed = run.leave();
    run.dropped('shutdown_timeout', wanted.undelivered);
    await closed;
  };
  return {
    closed: run.closed,
    checksValues,
    next: () => calls.orFailure(takeNext()),
    read: (record) => {
      number += 1;
      try {
        return wanted.read(record);
      } catch (thrown) {
        const skipped = invalidRecord(record, { source, number }, thrown);
        if (onInvalid === 'throw') throw skipped;
        offsets.hold(record, calls.call(record, skipped));
        return { skipped };
      }
    },
    produced: (count) => run.produced(count),
    dropped: (cause, count) => run.dropped(cause, count),
    offsets,
    rereads: run.rereads,
    committed: (records, dropped = new Map()) => {
      const whole = wanted.findWhole(records);
      run.committed(whole, markUndelivered(dropped, { from: records.length, to: whole.length }));
    },
    leave: () => {
      left ??= leave();
      return left;
    },
  };
}
