/** Over how much of the past rates, averages and maxima are taken. */
export interface SampleWindowSettings {
  /** Milliseconds that only grow, as `Clock.monotonic`. */
  readonly now: () => number;
  /** Length of one sample in milliseconds. Connect's `metrics.sample.window.ms`; its default is 30000. */
  readonly windowMs: number;
  /** Samples that a value is computed from. Connect's `metrics.num.samples`; its default is 2. */
  readonly samples: number;
}

/** Some values, together. */
export interface RecordedValues {
  readonly count: number;
  readonly sum: number;
  /** Negative infinity without values. */
  readonly max: number;
}

interface Sample {
  startedAt: number;
  lastAt: number;
  count: number;
  sum: number;
  max: number;
}

/**
 * Sum, average, maximum and rate of what was recorded lately: a ring of samples, each of which begins with a record and ends
 * after `windowMs`. Recording costs the same however much is recorded, and what is too old is left out when a value is read.
 * Corresponds to Kafka's `SampledStat` and `Rate`.
 */
export class SampleWindow {
  readonly #settings: SampleWindowSettings;
  /** Made when they are needed: most of the windows of an idle task stay empty. */
  #samples: Sample[] | undefined;
  #current = 0;

  constructor(settings: SampleWindowSettings) {
    this.#settings = settings;
  }

  /** Adds one value. */
  record(value: number): void {
    const now = this.#settings.now();
    const sample = this.#sampleAt(now);
    sample.lastAt = now;
    sample.count += 1;
    sample.sum += value;
    sample.max = Math.max(sample.max, value);
  }

  /** Adds values that were recorded elsewhere since the last call, as if they were recorded now. */
  add({ count, sum, max }: RecordedValues): void {
    if (count === 0) return;
    const now = this.#settings.now();
    const sample = this.#sampleAt(now);
    sample.lastAt = now;
    sample.count += count;
    sample.sum += sum;
    sample.max = Math.max(sample.max, max);
  }

  /** Sum of the values by seconds, over at least `samples - 1` windows, so that a first value is no peak; 0 when there is none. */
  perSecond(): number {
    const { now, windowMs, samples } = this.#settings;
    const recent = this.#recent();
    const oldest = recent.reduce((least, { startedAt }) => Math.min(least, startedAt), now());
    const elapsed = now() - oldest;
    const missing = Math.max(0, samples - 1 - Math.floor(elapsed / windowMs));
    const ms = elapsed + missing * windowMs;
    const sum = recent.reduce((total, sample) => total + sample.sum, 0);
    return ms === 0 ? 0 : (sum * 1000) / ms;
  }

  /** NaN when there is no value. */
  average(): number {
    const recent = this.#recent();
    const count = recent.reduce((total, sample) => total + sample.count, 0);
    return recent.reduce((total, sample) => total + sample.sum, 0) / count;
  }

  /** NaN when there is no value. */
  maximum(): number {
    const recent = this.#recent();
    return recent.length === 0 ? Number.NaN : Math.max(...recent.map(({ max }) => max));
  }

  #sampleAt(now: number): Sample {
    this.#samples ??= [];
    const { windowMs, samples } = this.#settings;
    const present = this.#samples[this.#current];
    if (present !== undefined && now - present.startedAt < windowMs) return present;
    // One more than counts, for the sample that began before the oldest moment that counts and ended after it.
    if (present !== undefined) this.#current = (this.#current + 1) % (samples + 1);
    const next = emptySample(now);
    this.#samples[this.#current] = next;
    return next;
  }

  #recent(): readonly Sample[] {
    const { now, windowMs, samples } = this.#settings;
    const since = now() - samples * windowMs;
    return this.#samples?.filter(({ lastAt }) => lastAt > since) ?? [];
  }
}

function emptySample(now: number): Sample {
  return { startedAt: now, lastAt: now, count: 0, sum: 0, max: Number.NEGATIVE_INFINITY };
}
