import { type Clock, type EventLog, isConnectorError } from '@levada/connect-runtime-core';
import type { Counter } from '@levada/connect-runtime-core/source-kit';
import type { otlpEvents } from '../model/events.ts';
import type { WaitingExport } from '../model/waiting-export.ts';
import { type Refusal, refused } from '../receive/admission/export-outcome.ts';
import { spooledBytes } from '../spool/spooled-export.ts';
import { answerTime } from './answer-time.ts';
import type { SignalLane } from './signal-lane.ts';

export interface SpoolWritesOptions {
  readonly clock: Clock;
  /** Longest wait of a client, in milliseconds. */
  readonly timeoutMs: number;
  readonly log: EventLog<typeof otlpEvents>;
  /** Counts exports that were kept after they had been answered as not kept. */
  readonly ackedLate: Counter;
}

/** `kept`: on the disk; `full`: there is no room, nothing of it is kept; or the refusal that answers the client. */
export type SpoolWrite = 'kept' | 'full' | Refusal;

/** One export on its way to the disk. */
export interface SpoolableExport {
  readonly messages: readonly WaitingExport[];
  /** Items that the client sent. */
  readonly items: number;
}

const late = refused('unavailable', 'not on the disk in time');
const neverFits = refused('too_large', 'its records are more than otlp.spool.bytes allow');
const failed = refused('unavailable', 'the spool cannot be written');

/** Puts exports into the spool of their lane; clients wait for the disk. */
export class SpoolWrites {
  readonly #options: SpoolWritesOptions;

  constructor(options: SpoolWritesOptions) {
    this.#options = options;
  }

  /** Keeps all messages or none. Counts those that are kept as received, whether or not their client still waits. */
  write(
    lane: SignalLane,
    spoolable: SpoolableExport,
    clientTimeoutMs: number | undefined,
  ): Promise<SpoolWrite> {
    const { clock, timeoutMs, ackedLate } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<SpoolWrite>();
    let isLate = false;
    const timer = clock.after(answerTime(timeoutMs, clientTimeoutMs), () => {
      isLate = true;
      resolve(late);
    });
    void this.#append(lane, spoolable).then((written) => {
      timer.cancel();
      if (isLate && written === 'kept') ackedLate.value += 1;
      resolve(written);
    }, reject);
    return promise;
  }

  async #append(lane: SignalLane, { messages, items }: SpoolableExport): Promise<SpoolWrite> {
    try {
      const places = await lane.spool?.append(messages.map(spooledBytes));
      if (places === undefined) return 'full';
      lane.countReceived(messages.length, items);
      return 'kept';
    } catch (thrown) {
      if (isConnectorError(thrown) && thrown.code === 'record_too_large') return neverFits;
      const error = thrown instanceof Error ? thrown.message : String(thrown);
      this.#options.log('spool_write_failed', { signal: lane.signal, error }, error);
      return failed;
    }
  }
}
