import type { MetricGroup } from '@levada/connect-runtime-core';
import type { Counter } from '@levada/connect-runtime-core/source-kit';
import { type otlpMetrics, signalAttributes } from '../model/metrics.ts';
import type { SignalName } from '../model/signals.ts';

/** The counters and the sequence numbers of one signal. */
export class SignalCounts {
  readonly signal: SignalName;
  readonly dropped: Counter;
  readonly itemsRejected: Counter;
  /** Monotonic time of the last export; undefined before the first. */
  lastReceivedAt: number | undefined;
  readonly #received: Counter;
  readonly #items: Counter;
  #sequence: number;

  /** `sequence`: number of the last export of an earlier run. */
  constructor(signal: SignalName, metrics: MetricGroup<typeof otlpMetrics>, sequence: number) {
    const names = signalAttributes[signal];
    this.signal = signal;
    this.dropped = metrics.counter(names.dropped);
    this.itemsRejected = metrics.counter(names.itemsRejected);
    this.#received = metrics.counter(names.received);
    this.#items = metrics.counter(names.items);
    this.#sequence = sequence;
  }

  /** Number of the last export that got one. */
  get sequence(): number {
    return this.#sequence;
  }

  /** The number of the next export; one that is dropped has a number, too. */
  takeNumber(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  /** Counts exports, dropped ones included, and the items that their client sent in them. */
  countReceived(exports: number, items: number): void {
    this.#received.value += exports;
    this.#items.value += items;
  }
}
