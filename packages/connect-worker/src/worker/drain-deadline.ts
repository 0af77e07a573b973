import type { Clock, Timer } from '@levada/connect-runtime-core';
import { closingShare } from '@levada/connect-runtime-core/host';

export interface DrainDeadlineOptions {
  readonly clock: Clock;
  /** The time to drain is over: what still waits is cut off. */
  readonly onCutOff: () => void;
  /** The time after that is over, too. */
  readonly onAbandon: () => void;
}

type State =
  | { readonly phase: 'none' | 'over' }
  | {
      readonly phase: 'draining' | 'cut-off';
      /** Monotonic time of the cut. */
      readonly cutAt: number;
      /** Kept for what follows the cut. */
      readonly windDownMs: number;
      readonly timer: Timer;
    };

/** How long a task may still take: it drains until it is cut off, gets a last part of the time to wind down, and is abandoned. */
export class DrainDeadline {
  readonly #options: DrainDeadlineOptions;
  #state: State = { phase: 'none' };

  constructor(options: DrainDeadlineOptions) {
    this.#options = options;
  }

  /** All of it has to be over in that time. A shorter time than before wins; nothing once it was cut off. */
  within(ms: number): void {
    const { clock } = this.#options;
    const before = this.#state;
    if (before.phase === 'cut-off' || before.phase === 'over') return;
    const windDownMs = closingShare(ms);
    const cutAt = clock.monotonic() + ms - windDownMs;
    if (before.phase === 'draining') {
      if (before.cutAt <= cutAt) return;
      before.timer.cancel();
    }
    const timer = clock.after(ms - windDownMs, () => this.#cutOff(cutAt, windDownMs));
    this.#state = { phase: 'draining', cutAt, windDownMs, timer };
  }

  /** How long a last commit may take: as long as any, but so that the task can still be stopped in time after it. */
  commitMs(mostMs: number): number {
    if (!('cutAt' in this.#state)) return mostMs;
    const { cutAt, windDownMs } = this.#state;
    return Math.min(mostMs, Math.max(0, cutAt + windDownMs / 2 - this.#options.clock.monotonic()));
  }

  /** The task is over. */
  close(): void {
    if ('timer' in this.#state) this.#state.timer.cancel();
    this.#state = { phase: 'over' };
  }

  #cutOff(cutAt: number, windDownMs: number): void {
    const { clock, onCutOff, onAbandon } = this.#options;
    this.#state = { phase: 'cut-off', cutAt, windDownMs, timer: clock.after(windDownMs, onAbandon) };
    onCutOff();
  }
}
