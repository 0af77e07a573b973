/** A run of sequence numbers that is missing. */
export interface SequenceGap {
  /** The number that should have come. */
  readonly expected: number;
  /** The number that came instead; one above the last number given when nothing more comes. */
  readonly received: number;
  readonly missing: number;
}

/** Finds what is missing among the sequence numbers of records on their way to the log: messages that were dropped before. */
export class SequenceGaps {
  #next: number;

  constructor(lastSequence: number) {
    this.#next = lastSequence + 1;
  }

  /** A record with this number was passed on; returns the gap before it. */
  passed(sequence: number): SequenceGap | undefined {
    const expected = this.#next;
    this.#next = sequence + 1;
    if (sequence === expected) return undefined;
    return { expected, received: sequence, missing: sequence - expected };
  }

  /** Nothing more comes, and `lastSequence` was the last number given; returns the gap at the end. */
  ended(lastSequence: number): SequenceGap | undefined {
    const expected = this.#next;
    if (lastSequence < expected) return undefined;
    this.#next = lastSequence + 1;
    return { expected, received: this.#next, missing: this.#next - expected };
  }
}
