/** A call that is not over. */
export interface OpenCall {
  /** Called about once a second with the monotonic time: whatever takes too long is ended. */
  sweep(now: number): void;
  /** The receiver stops: a call that would not end by itself ends now. */
  drain(): void;
}
