import type { ConnectorError } from '@levada/connect-runtime-core';
import type { SendFailure, SendResult } from '@levada/connect-runtime-core/platform';

/** One call of `send`, until each of its records is settled. There is no promise per record. */
export class Submission {
  readonly result: Promise<SendResult>;
  readonly #total: number;
  readonly #failures: SendFailure[] = [];
  readonly #resolve: (result: SendResult) => void;
  #left: number;

  constructor(total: number) {
    const { promise, resolve } = Promise.withResolvers<SendResult>();
    this.result = promise;
    this.#resolve = resolve;
    this.#total = total;
    this.#left = total;
    if (total === 0) this.#finish();
  }

  /** Whether every record is settled. */
  get settled(): boolean {
    return this.#left === 0;
  }

  /** Notes more stored records. */
  noteStored(count: number): void {
    this.#left -= count;
    if (this.#left === 0) this.#finish();
  }

  /** The record at this index of the batch will not be stored. */
  noteFailed(index: number, error: ConnectorError): void {
    this.#failures.push({ index, error });
    this.noteStored(1);
  }

  #finish(): void {
    const failures = this.#failures.sort((one, other) => one.index - other.index);
    this.#resolve({ stored: this.#total - failures.length, failures });
  }
}

/**
 * Maps the records of a batch to those of submissions, as runs of neighbours: an acknowledgement takes one step per run, not per
 * record.
 */
export class RecordRuns {
  readonly #submissions: Submission[] = [];
  /** Index of the first record of each run in its submission. */
  readonly #firsts: number[] = [];
  /** Index after the last record of each run in the batch. */
  readonly #ends: number[] = [];
  #count = 0;
  #last: Submission | undefined;
  #next = 0;

  /** Maps the next record of the batch to this record of this submission. */
  add(submission: Submission, index: number): void {
    this.#count += 1;
    if (submission === this.#last && index === this.#next) this.#ends[this.#ends.length - 1] = this.#count;
    else {
      this.#submissions.push(submission);
      this.#firsts.push(index);
      this.#ends.push(this.#count);
      this.#last = submission;
    }
    this.#next = index + 1;
  }

  /** Settles every record as stored. */
  settleStored(): void {
    let from = 0;
    this.#submissions.forEach((submission, run) => {
      const end = this.#ends[run] as number;
      submission.noteStored(end - from);
      from = end;
    });
  }

  /** Settles every record as failed. */
  settleFailed(error: ConnectorError): void {
    this.#each((submission, index) => submission.noteFailed(index, error));
  }

  /** The runs of the records from one index of the batch to another (exclusive), without those that are left out. */
  part(from: number, to: number, leftOut: ReadonlySet<number>): RecordRuns {
    const runs = new RecordRuns();
    this.#each((submission, index, position) => {
      if (position >= from && position < to && !leftOut.has(position)) runs.add(submission, index);
    });
    return runs;
  }

  /** Fails single records by their index in the batch. */
  failedAt(errors: ReadonlyMap<number, ConnectorError>): void {
    this.#each((submission, index, position) => {
      const error = errors.get(position);
      if (error !== undefined) submission.noteFailed(index, error);
    });
  }

  #each(visit: (submission: Submission, index: number, position: number) => void): void {
    let position = 0;
    this.#submissions.forEach((submission, run) => {
      const end = this.#ends[run] as number;
      for (let index = this.#firsts[run] as number; position < end; index++, position++) {
        visit(submission, index, position);
      }
    });
  }
}
