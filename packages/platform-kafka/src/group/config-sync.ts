import type { Clock } from '@levada/connect-runtime-core';
import type { GroupMembershipOptions } from '@levada/connect-runtime-core/platform';
import type { ProtocolName } from './connect-protocol.ts';

export interface ConfigSyncOptions {
  readonly member: Pick<
    GroupMembershipOptions,
    'readConfigs' | 'syncTimeoutMs' | 'unsyncBackoffMs' | 'maxDelayMs'
  >;
  readonly clock: Clock;
  /** Ends every wait. */
  readonly signal: AbortSignal;
}

/** Number of attempts. The wait between them is a growing share of the rebalance delay, as in Kafka Connect. */
const ATTEMPTS = 5;
/** The attempts together wait for less than a quarter of the delay, so that a returning worker still gets its own work. */
const DELAY_SHARE = 10;
const LEAST_BACKOFF_MS = 1_000;

/** Reads the config topic to its end within Connect's `worker.sync.timeout.ms`, and determines the wait after a failure. */
export class ConfigSync {
  readonly #options: ConfigSyncOptions;
  #attemptsLeft = ATTEMPTS;

  constructor(options: ConfigSyncOptions) {
    this.#options = options;
  }

  /** False if the end was not reached in time, or if reading failed. */
  async read(): Promise<boolean> {
    const { member, clock, signal } = this.#options;
    const limit = new AbortController();
    const timer = clock.after(member.syncTimeoutMs, () => limit.abort());
    const ended = Promise.withResolvers<boolean>();
    const either = AbortSignal.any([limit.signal, signal]);
    const end = (): void => ended.resolve(false);
    either.addEventListener('abort', end, { once: true });
    if (either.aborted) end();
    const reading = member.readConfigs(either).then(
      () => true,
      // The log itself reports why it cannot be read
      () => false,
    );
    try {
      const complete = await Promise.race([reading, ended.promise]);
      if (complete) this.#attemptsLeft = ATTEMPTS;
      return complete;
    } finally {
      timer.cancel();
      either.removeEventListener('abort', end);
    }
  }

  /**
   * How long a worker that could not read the topic stays out of the group. Connect's `worker.unsync.backoff.ms` in the eager
   * protocol; otherwise short enough to return before others take over its work.
   */
  nextBackoffMs(protocol: ProtocolName | undefined): number {
    const { maxDelayMs, unsyncBackoffMs } = this.#options.member;
    if (protocol === 'default') return unsyncBackoffMs;
    const delayMs = maxDelayMs / DELAY_SHARE / this.#attemptsLeft;
    this.#attemptsLeft = this.#attemptsLeft === 1 ? ATTEMPTS : this.#attemptsLeft - 1;
    return Math.max(LEAST_BACKOFF_MS, Math.floor(delayMs));
  }
}
