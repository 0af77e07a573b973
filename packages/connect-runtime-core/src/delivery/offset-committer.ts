import { canonicalJson } from '../contract/source-offset.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { Clock, Timer } from '../time/clock.ts';
import { within } from '../time/deadline.ts';
import type { CommittableOffset, OffsetTracker } from './offset-tracker.ts';

export interface OffsetCommitterOptions {
  readonly tracker: OffsetTracker;
  /** Stores offsets. Resolves when all of them are stored. */
  readonly write: (offsets: readonly CommittableOffset[]) => Promise<void>;
  /** False while another worker may run the task: then nothing is written. */
  readonly mayCommit: () => boolean;
  readonly clock: Clock;
  readonly intervalMs: number;
  /** Longest that one commit is waited for. */
  readonly timeoutMs: number;
  /** A commit failed or took too long; its offsets are kept for the next one. */
  readonly onFailure: (failure: { readonly error: ConnectorError; readonly count: number }) => void;
  /** A commit ended, after so many milliseconds. */
  readonly onEnd?: (succeeded: boolean, ms: number) => void;
}

/** Commits a task's offsets on an interval, and again at its end. Nothing is written when nothing changed. */
export class OffsetCommitter {
  readonly #options: OffsetCommitterOptions;
  /** Taken from the tracker and not stored yet, by canonical partition. */
  readonly #held = new Map<string, CommittableOffset>();
  #timer: Timer | undefined;
  #running: Promise<boolean> = Promise.resolve(true);
  /** Under way, or waiting for one that is. */
  #commits = 0;
  #stopped = false;
  /** A write that is not settled, also when it is not waited for any longer. */
  #writing: Promise<unknown> | undefined;
  /** Ends the wait for the store. */
  #giveUp: ((error: ConnectorError) => void) | undefined;
  /** Why nothing is waited for any longer. */
  #over: ConnectorError | undefined;

  constructor(options: OffsetCommitterOptions) {
    this.#options = options;
  }

  /** Begins to commit on the interval. */
  start(): void {
    if (this.#stopped) return;
    this.#timer = this.#options.clock.after(this.#options.intervalMs, () => {
      void this.commit().finally(() => this.start());
    });
  }

  /** Commits what is committable now; after a commit that is under way. False when it failed. Never rejects. */
  commit(timeoutMs: number = this.#options.timeoutMs): Promise<boolean> {
    this.#commits += 1;
    this.#running = this.#running
      .then(() => this.#flush(timeoutMs))
      .finally(() => {
        this.#commits -= 1;
      });
    return this.#running;
  }

  /** Commits before the interval ends, unless a commit is under way. */
  commitEarly(): void {
    if (this.#commits === 0 && !this.#stopped) void this.commit();
  }

  /** Ends the interval. A final {@link commit} is still possible. */
  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  /** Ends the interval and commits what is left; all that is under way takes no longer than this together. Never rejects. */
  finish(timeoutMs: number): Promise<boolean> {
    this.stop();
    const timer = this.#options.clock.after(timeoutMs, () => {
      this.#over = new ConnectorError('timeout', `storing offsets took longer than ${timeoutMs} ms`);
      this.#giveUp?.(this.#over);
    });
    return this.commit().finally(() => timer.cancel());
  }

  async #flush(timeoutMs: number): Promise<boolean> {
    const { clock, mayCommit, onEnd } = this.#options;
    // Another worker may have committed later ones.
    if (!mayCommit()) return false;
    const begun = clock.monotonic();
    const succeeded = await this.#write(timeoutMs);
    onEnd?.(succeeded, clock.monotonic() - begun);
    return succeeded;
  }

  async #write(timeoutMs: number): Promise<boolean> {
    const { tracker, clock, onFailure, mayCommit } = this.#options;
    for (const one of tracker.committable()) this.#held.set(canonicalJson(one.partition), one);
    const offsets = [...this.#held.values()];
    if (offsets.length === 0) return true;
    try {
      const due = clock.monotonic() + timeoutMs;
      // One call at a time: an earlier one may have been given up, and still be under way.
      if (this.#writing !== undefined) await this.#wait(timeoutMs, this.#writing);
      // That may have taken long, or the process may have been frozen in it.
      if (!mayCommit()) return false;
      await this.#wait(Math.max(0, due - clock.monotonic()), this.#begin(offsets));
    } catch (thrown) {
      onFailure({ error: ConnectorError.from(thrown), count: offsets.length });
      return false;
    }
    this.#held.clear();
    return true;
  }

  #begin(offsets: readonly CommittableOffset[]): Promise<void> {
    const written = this.#options.write(offsets);
    // What failed is reported by the call that waits for `written`; this says only when it is over.
    const writing = written
      .catch(() => undefined)
      .finally(() => {
        if (this.#writing === writing) this.#writing = undefined;
      });
    this.#writing = writing;
    return written;
  }

  async #wait(ms: number, promise: Promise<unknown>): Promise<void> {
    const given = Promise.withResolvers<never>();
    this.#giveUp = given.reject;
    if (this.#over !== undefined) given.reject(this.#over);
    const { clock } = this.#options;
    try {
      await within({ clock, ms }, 'storing offsets', Promise.race([promise, given.promise]));
    } finally {
      this.#giveUp = undefined;
    }
  }
}
