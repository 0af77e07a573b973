import type { ConnectorError } from '@levada/connect-runtime-core';
import type { Submission } from './submission.ts';

/**
 * Says for each record of a batch which record of which submission it is, as runs of neighbours: an acknowledgement costs one
 * step per run, not per record.
 */
export class RecordRuns {
  readonly #submissions: Submission[] = [];
  /** Index, in its submission, of the first record of each run. */
  readonly #firsts: number[] = [];
  /** Index, in the batch, behind the last record of each run. */
  readonly #ends: number[] = [];
  #count = 0;
  #last: Submission | undefined;
  #next = 0;

  /** The next record of the batch is this record of this submission. */
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

  /** Every record is stored. */
  stored(): void {
    let from = 0;
    this.#submissions.forEach((submission, run) => {
      const end = this.#ends[run] as number;
      submission.stored(end - from);
      from = end;
    });
  }

  /** No record will be stored. */
  failed(error: ConnectorError): void {
    this.#each((submission, index) => submission.failed(index, error));
  }

  /** The runs of the records from one index of the batch to another, exclusive, without those that are left out. */
  part(from: number, to: number, leftOut: ReadonlySet<number>): RecordRuns {
    const runs = new RecordRuns();
    this.#each((submission, index, position) => {
      if (position >= from && position < to && !leftOut.has(position)) runs.add(submission, index);
    });
    return runs;
  }

  /** Fails single records, by their index in the batch. */
  failedAt(errors: ReadonlyMap<number, ConnectorError>): void {
    this.#each((submission, index, position) => {
      const error = errors.get(position);
      if (error !== undefined) submission.failed(index, error);
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
