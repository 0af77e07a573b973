import type { SignalName } from '../model/signals.ts';
import type { ExportQueue } from './export-queue.ts';
import type { MemoryQueue } from './memory-queue.ts';
import type { SignalCounts } from './signal-counts.ts';
import type { SpoolQueue } from './spool-queue.ts';

/** One signal from its receivers to `poll`. */
export class SignalQueue {
  readonly counts: SignalCounts;
  readonly memory: MemoryQueue;
  /** Present with `otlp.spool.path`, in every mode: what an earlier run left in it must come out. */
  readonly spool: SpoolQueue | undefined;
  /** Takes new exports: the spool with `otlp.ack.mode=spool`, otherwise memory. */
  readonly input: ExportQueue;
  /** In the order in which they are emptied: what is in the spool is older. */
  readonly outputs: readonly ExportQueue[];

  constructor({ counts, memory, spool, input }: Omit<SignalQueue, 'outputs' | 'signal' | 'size'>) {
    this.counts = counts;
    this.memory = memory;
    this.spool = spool;
    this.input = input;
    this.outputs = spool === undefined ? [memory] : [spool, memory];
  }

  get signal(): SignalName {
    return this.counts.signal;
  }

  /** Exports that wait for `poll`. */
  get size(): number {
    return this.memory.size + (this.spool?.size ?? 0);
  }
}
