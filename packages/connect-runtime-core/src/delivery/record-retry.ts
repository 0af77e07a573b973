import type { SourceRecord } from '../contract/source-record.ts';
import type { Clock } from '../time/clock.ts';
import { RecordFailure } from './record-failure.ts';
import { type TransformationStage, type Transformed, transform } from './transformation-chain.ts';

export interface RecordRetryOptions {
  readonly clock: Clock;
  /** Aborted: nothing is tried again. */
  readonly signal: AbortSignal;
  /** How long one record is tried again, in milliseconds; -1: without an end. */
  readonly timeoutMs: number;
  /** Longest delay between two attempts, in milliseconds. */
  readonly delayMaxMs: number;
  /** Another attempt follows one that failed. */
  readonly onRetry: () => void;
}

/** Connect's first delay. */
const FIRST_DELAY_MS = 300;

/**
 * Tries again what failed and may succeed later (`retriable`), as Kafka Connect does with `errors.retry.timeout`: after 300 ms,
 * then after twice as long each time.
 */
export class RecordRetry {
  readonly #options: RecordRetryOptions;

  constructor(options: RecordRetryOptions) {
    this.#options = options;
  }

  /** As `transformAll`. */
  async transformAll(
    stages: readonly TransformationStage[],
    records: readonly SourceRecord[],
  ): Promise<readonly Transformed[]> {
    const transformed: Transformed[] = [];
    for (const record of records) transformed.push(await this.#patiently(() => transform(stages, record)));
    return transformed;
  }

  /** What a conversion makes of each record that is sent. Ends at the first failure when that ends the task. */
  async convertAll<T>(
    records: readonly Transformed[],
    convert: (record: SourceRecord) => T,
    tolerant: boolean,
  ): Promise<ReadonlyMap<SourceRecord, T | RecordFailure>> {
    const converted = new Map<SourceRecord, T | RecordFailure>();
    for (const record of records) {
      if (record === null || record instanceof RecordFailure) continue;
      const made = await this.#patiently((): T | RecordFailure => {
        try {
          return convert(record);
        } catch (thrown) {
          return thrown instanceof RecordFailure ? thrown : new RecordFailure('VALUE_CONVERTER', thrown);
        }
      });
      converted.set(record, made);
      if (made instanceof RecordFailure && !tolerant) break;
    }
    return converted;
  }

  async #patiently<T>(attempt: () => T | RecordFailure): Promise<T | RecordFailure> {
    const { clock, signal, timeoutMs, delayMaxMs, onRetry } = this.#options;
    const begin = clock.monotonic();
    for (let delay = FIRST_DELAY_MS; ; delay *= 2) {
      const result = attempt();
      if (!(result instanceof RecordFailure) || !result.error.retriable || signal.aborted) return result;
      const left = timeoutMs < 0 ? Number.POSITIVE_INFINITY : begin + timeoutMs - clock.monotonic();
      if (left <= 0) return result;
      await clock.sleep(Math.min(delay, delayMaxMs, left), signal).catch(() => undefined);
      if (signal.aborted) return result;
      onRetry();
    }
  }
}
