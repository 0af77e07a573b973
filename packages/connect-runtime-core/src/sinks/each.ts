import { anyFunction, type OptionChecks, wholeNumberFrom } from '../config/option-checks.ts';
import type { SourceRecord } from '../contract/source-record.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { SendFailure, SendResult } from '../platform/log-platform.ts';
import {
  type AttemptParts,
  attempt,
  type CallbackContext,
  type CallbackOptions,
  callbackChecks,
  checkCallback,
} from './callback-attempts.ts';
import type { Sink, SinkWriter } from './sink.ts';

/** How a callback gets records. */
export interface EachOptions<V = unknown> extends CallbackOptions<SourceRecord<V>> {
  /**
   * Calls that may run at once. Default 1: one record after the other, in order. With more, records with the same key keep their order,
   * and records without a key have none.
   */
  readonly concurrency?: number | undefined;
  /**
   * Records for which it gives the same text are handled one after the other, in order; those for which it gives undefined in any order.
   * Has an effect with a `concurrency` above 1. Default: the topic and the key.
   *
   * @example `orderBy: ({ value }) => (value as Order).customer`
   */
  readonly orderBy?: ((record: SourceRecord<V>) => string | undefined) | undefined;
}

const checks: OptionChecks<EachOptions<never>> = {
  ...callbackChecks,
  concurrency: wholeNumberFrom(1),
  orderBy: anyFunction,
};

/**
 * A sink that calls a function with each record, text as strings; a promise that it returns is waited for. A record is produced when its call
 * succeeded. After the last failure of a record that is not dropped no further call is begun. The function may be called again for a
 * record, after a failure or by a later run: at least once.
 *
 * @example
 * ```ts
 * const run = pipe(source, each(async ({ key, value }) => await store(key, value), { concurrency: 10, retries: 3 }));
 * ```
 */
export function each<V = unknown>(
  callback: (record: SourceRecord<V>, context: CallbackContext) => unknown,
  options: EachOptions<V> = {},
): Sink<V> {
  checkCallback('each', callback, { checks, options });
  return {
    open: async ({ clock, signal, tolerant }) =>
      new EachWriter<V>({
        call: callback,
        options,
        clock,
        signal,
        tolerant,
        what: ({ topic }) => `a record of "${topic}"`,
      }),
  };
}

interface Portion {
  readonly size: number;
  unsettled: number;
  readonly failures: SendFailure[];
  readonly settle: (result: SendResult) => void;
}

interface Job<V> {
  readonly record: SourceRecord<V>;
  readonly index: number;
  readonly portion: Portion;
  /** Jobs of one lane run one after the other. */
  readonly lane: string | undefined;
}

type EachParts<V> = AttemptParts<SourceRecord<V>> & { readonly options: EachOptions<V> };

/** The one lane of a writer that does one thing at a time. */
const ONE = '';
const latin1 = new TextDecoder('latin1');

/** Calls for each record, so many at once, in order within a lane. */
class EachWriter<V> implements SinkWriter<SourceRecord<V>, V> {
  readonly #parts: EachParts<V>;
  readonly #concurrency: number;
  /** May begin, in order. */
  readonly #ready: Job<V>[] = [];
  /** Of lanes that are ready or running: the jobs after that. */
  readonly #lanes = new Map<string, Job<V>[]>();
  #running = 0;
  /** A record failed that is not to be dropped. */
  #failed = false;

  constructor(parts: EachParts<V>) {
    this.#parts = parts;
    this.#concurrency = parts.options.concurrency ?? 1;
  }

  send(records: readonly SourceRecord<V>[]): Promise<SendResult> {
    const lanes = records.map((record) => this.#laneOf(record));
    return new Promise((settle) => {
      const portion: Portion = { size: records.length, unsettled: records.length, failures: [], settle };
      for (const [index, record] of records.entries()) {
        this.#add({ record, index, portion, lane: lanes[index] });
      }
      this.#fill();
    });
  }

  #laneOf(record: SourceRecord<V>): string | undefined {
    if (this.#concurrency === 1) return ONE;
    const { orderBy = laneOfKey } = this.#parts.options;
    return orderBy(record);
  }

  #add(job: Job<V>): void {
    const waiting = job.lane === undefined ? undefined : this.#lanes.get(job.lane);
    if (waiting !== undefined) {
      waiting.push(job);
      return;
    }
    if (job.lane !== undefined) this.#lanes.set(job.lane, []);
    this.#ready.push(job);
  }

  #fill(): void {
    while (this.#running < this.#concurrency) {
      const job = this.#ready.shift();
      if (job === undefined) return;
      this.#running += 1;
      void this.#run(job);
    }
  }

  async #run(job: Job<V>): Promise<void> {
    const failed = this.#failed
      ? { error: new ConnectorError('closed', 'a record before this one could not be delivered') }
      : await attempt(this.#parts, job.record);
    if (failed !== undefined) {
      if (failed.drop === undefined) this.#failed = true;
      job.portion.failures.push({ index: job.index, ...failed });
    }
    this.#running -= 1;
    this.#settle(job.portion);
    this.#nextOf(job.lane);
    this.#fill();
  }

  #settle(portion: Portion): void {
    portion.unsettled -= 1;
    if (portion.unsettled > 0) return;
    portion.failures.sort((a, b) => a.index - b.index);
    const { size, failures } = portion;
    portion.settle({ stored: size - failures.length, failures });
  }

  #nextOf(lane: string | undefined): void {
    if (lane === undefined) return;
    const next = this.#lanes.get(lane)?.shift();
    if (next === undefined) this.#lanes.delete(lane);
    else this.#ready.push(next);
  }
}

/** JSON, in which a bigint is text too. */
function textOf(key: unknown): string {
  return JSON.stringify(key, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
}

function laneOfKey({ topic, key }: SourceRecord): string | undefined {
  if (key === null || key === undefined) return undefined;
  if (typeof key === 'bigint') return `${topic}\n${key}`;
  return `${topic}\n${key instanceof Uint8Array ? latin1.decode(key) : textOf(key)}`;
}
