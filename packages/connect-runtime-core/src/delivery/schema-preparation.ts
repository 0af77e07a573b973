import type { SourceRecord } from '../contract/source-record.ts';
import type {
  Converter,
  ConverterPreparation,
  PreparationContext,
  ValueToConvert,
} from '../converter/converter.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import { type BackoffPolicy, backoffDelay } from '../time/backoff.ts';

/** How long what a converter depends on may be away before the task fails. Connect's `errors.retry.*`. */
export interface RetryLimits {
  /** Milliseconds from the first failure during which it is tried again; 0 for not at all, -1 forever. */
  readonly timeoutMs: number;
  /** Longest delay between two attempts, in milliseconds. */
  readonly delayMaxMs: number;
}

export interface SchemaPreparationOptions {
  readonly key: Converter;
  readonly value: Converter;
  readonly context: PreparationContext;
  readonly retry: RetryLimits;
  /** A converter could not get ready; it is tried again. Attempts count from 1. */
  readonly onFailed: (failure: { readonly error: ConnectorError; readonly attempt: number }) => void;
}

/** The first delay, as Kafka Connect has it. */
const FIRST_DELAY_MS = 300;

interface Part {
  readonly preparation: ConverterPreparation;
  readonly of: (record: SourceRecord) => ValueToConvert;
}

const keyPart = ({ topic, keySchema, key }: SourceRecord): ValueToConvert => ({
  topic,
  schema: keySchema,
  value: key,
});

const valuePart = ({ topic, valueSchema, value }: SourceRecord): ValueToConvert => ({
  topic,
  schema: valueSchema,
  value,
});

/** Gets converters ready that have to ask another system about a new schema, before a batch is converted. */
export class SchemaPreparation {
  readonly #options: SchemaPreparationOptions;
  readonly #parts: readonly Part[];

  constructor(options: SchemaPreparationOptions) {
    this.#options = options;
    const { key, value } = options;
    this.#parts = [
      ...(key.preparation === undefined ? [] : [{ preparation: key.preparation, of: keyPart }]),
      ...(value.preparation === undefined ? [] : [{ preparation: value.preparation, of: valuePart }]),
    ];
  }

  /** True when a batch can be converted at once. Costs nothing when no converter depends on another system. */
  knows(records: readonly SourceRecord[]): boolean {
    return this.#parts.every(({ preparation, of }) =>
      records.every((record) => preparation.knows(of(record))),
    );
  }

  /**
   * Gets ready forevery record of a batch. Resolves early when the signal aborts, and rejects when the time to try again is
   * over.
   */
  async prepare(records: readonly SourceRecord[]): Promise<void> {
    for (const { preparation, of } of this.#parts) {
      for (const record of records) {
        const value = of(record);
        if (!preparation.knows(value)) await this.#prepareOne(preparation, value);
      }
    }
  }

  async #prepareOne(preparation: ConverterPreparation, value: ValueToConvert): Promise<void> {
    const { context, retry, onFailed } = this.#options;
    const { clock, signal } = context;
    const backoff: BackoffPolicy = { intervalMs: FIRST_DELAY_MS, maxMs: retry.delayMaxMs };
    const start = clock.monotonic();
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        await preparation.prepare(value, context);
        return;
      } catch (thrown) {
        if (signal.aborted) return;
        const error = ConnectorError.from(thrown);
        const left = retry.timeoutMs < 0 ? Infinity : retry.timeoutMs - (clock.monotonic() - start);
        if (!error.retriable || left <= 0) throw error;
        onFailed({ error, attempt });
        const delay = Math.min(left, backoffDelay(backoff, attempt, Math.random));
        // An abort ends the pause; the loop looks at the signal.
        await clock.sleep(delay, signal).catch(() => undefined);
      }
    }
  }
}
