import type { SourceRecord } from '../../contract/source-record.ts';
import type { OffsetTracking, SubmittedOffset } from '../../delivery/offset-tracker.ts';

/**
 * Acknowledges the offset of an invalid record once the function for such records has dealt with it, and never when that failed: the
 * record is then read again. Without an offset store nothing is tracked.
 */
export class SkippedOffsets implements OffsetTracking {
  readonly #tracking: OffsetTracking;
  readonly #submitted = new WeakMap<SourceRecord, SubmittedOffset>();
  readonly #held = new WeakMap<SubmittedOffset, Promise<boolean>>();

  constructor(tracking: OffsetTracking) {
    this.#tracking = tracking;
  }

  submit(record: SourceRecord): SubmittedOffset | undefined {
    const submitted = this.#tracking.submit(record);
    if (submitted !== undefined) this.#submitted.set(record, submitted);
    return submitted;
  }

  /** The record is invalid; `dealtWith` says whether its offset may be stored. */
  hold(record: SourceRecord, dealtWith: Promise<boolean> | undefined): void {
    const submitted = this.#submitted.get(record);
    if (submitted !== undefined && dealtWith !== undefined) this.#held.set(submitted, dealtWith);
  }

  ack(submitted: SubmittedOffset): void {
    const held = this.#held.get(submitted);
    if (held === undefined) this.#tracking.ack(submitted);
    else
      void held.then((isDone) => {
        if (isDone) this.#tracking.ack(submitted);
      });
  }
}
