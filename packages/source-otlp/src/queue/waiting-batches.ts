import type { WaitingExport } from '../model/waiting-export.ts';
import type { SignalLane } from './signal-lane.ts';

/** Most messages of one batch, and most bytes of them unless one alone has more. */
const BATCH = 1000;
const BATCH_BYTES = 1024 * 1024;

/**
 * Takes messages from the lanes, a batch of one signal at a time, in turns, so that a busy signal does not hold up the others. Of
 * a lane with a spool and a queue the spool comes first: what an earlier run left there is older.
 */
export class WaitingBatches {
  readonly #lanes: readonly SignalLane[];
  #turn = 0;
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(lanes: readonly SignalLane[]) {
    this.#lanes = lanes;
    for (const { spool } of lanes) if (spool !== undefined) spool.onArrival = () => this.arrived();
  }

  /** Something may be there. Lets everything arrive first that the event loop has to read. */
  arrived(): void {
    const wake = this.#wake;
    if (wake === undefined) return;
    this.#wake = undefined;
    setImmediate(wake);
  }

  /** Ends once the queues are empty. What lies in spools stays there. */
  close(): void {
    this.#closed = true;
    this.arrived();
  }

  /** The next messages, all of one signal; none at the end. One call at a time. */
  async next(): Promise<readonly WaitingExport[]> {
    for (;;) {
      const batch = await this.#take();
      if (batch.length > 0) return batch;
      if (this.#closed) return [];
      await new Promise<void>((resolve) => {
        // Never at once: a spool whose entries cannot be taken yet must not keep the event loop busy.
        if (this.#closed || this.#lanes.some(({ size }) => size > 0)) setImmediate(resolve);
        else this.#wake = resolve;
      });
    }
  }

  async #take(): Promise<readonly WaitingExport[]> {
    for (let tried = 0; tried < this.#lanes.length; tried += 1) {
      const lane = this.#lanes[this.#turn % this.#lanes.length] as SignalLane;
      this.#turn += 1;
      const batch = await this.#takeFrom(lane);
      if (batch.length > 0) return batch;
    }
    return [];
  }

  async #takeFrom(lane: SignalLane): Promise<readonly WaitingExport[]> {
    const { queue, spool } = lane;
    if (spool !== undefined && spool.size > 0 && !this.#closed) {
      const spooled = await lane.takeSpooled(BATCH, BATCH_BYTES);
      if (spooled.length > 0) return spooled;
    }
    if (queue.size === 0) return [];
    const batch = await queue.take(BATCH, BATCH_BYTES);
    lane.room.made();
    return batch;
  }
}
