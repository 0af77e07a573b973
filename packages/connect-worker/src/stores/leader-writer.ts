import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import { encodeText, within } from '@levada/connect-runtime-core/host';
import type {
  LogRecord,
  LogTransactions,
  TransactionalProducer,
  TransactionalProducerOptions,
} from '@levada/connect-runtime-core/platform';

/** A key and its value; null deletes the key. */
export type StoreRecord = readonly [key: string, value: string | null];

export interface LeaderWriterOptions {
  readonly transactions: LogTransactions;
  readonly producer: Pick<
    TransactionalProducerOptions,
    'clientId' | 'transactionalId' | 'overrides' | 'mayProduce'
  >;
  readonly topic: string;
  readonly clock: Clock;
  /** This worker leads, and could not take over the right to write; the next write tries again. */
  readonly onClaimFailure: (error: ConnectorError) => void;
}

/** Longest that one write may take: as long as Kafka Connect waits for its config topic. */
const WRITE_MS = 30_000;
/** Longest that a failed write is taken back before that is left to the next claim, or to the transaction time-out. */
const ABORT_MS = 5_000;

/** Records that are stored together, and who waits for that. */
interface Write {
  readonly records: readonly StoreRecord[];
  readonly outcome: PromiseWithResolvers<void>;
}

/** One time as the leader. */
interface Term {
  readonly ending: AbortController;
  producer: Promise<TransactionalProducer> | undefined;
}

/**
 * The leader's writes to the config topic, each a transaction. All leaders of a group use one transactional id, so that a former one, which
 * may not know yet that it was replaced, cannot write any more once its successor has taken the id over. Corresponds to the fencable writer
 * of Kafka Connect's `KafkaConfigBackingStore` (KIP-618).
 */
export class LeaderWriter {
  readonly #options: LeaderWriterOptions;
  #term: Term | undefined;
  #waiting: Write[] = [];
  #writing = false;

  constructor(options: LeaderWriterOptions) {
    this.#options = options;
  }

  /** Takes the right to write over, which fences earlier leaders, or gives it up. */
  lead(leads: boolean): void {
    if (leads === (this.#term !== undefined)) return;
    if (!leads) {
      this.#end();
      return;
    }
    const term: Term = { ending: new AbortController(), producer: undefined };
    this.#term = term;
    this.#claim(term).catch((thrown: unknown) => {
      if (!term.ending.signal.aborted) this.#options.onClaimFailure(ConnectorError.from(thrown));
    });
  }

  /**
   * Stores all of the records, or none, after those that were handed over before. Rejects with `log_unavailable` when this worker was fenced:
   * if it still leads, the next write takes the right over again.
   */
  write(records: readonly StoreRecord[]): Promise<void> {
    const outcome = Promise.withResolvers<void>();
    this.#waiting.push({ records, outcome });
    if (!this.#writing) void this.#writeAll();
    return outcome.promise;
  }

  #end(): void {
    const term = this.#term;
    this.#term = undefined;
    term?.ending.abort();
    close(term?.producer);
  }

  /** What was handed over while a transaction was under way shares the next one. Never rejects. */
  async #writeAll(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const writes = this.#waiting;
      this.#waiting = [];
      try {
        await this.#writeOnce(writes.flatMap(({ records }) => records));
        for (const { outcome } of writes) outcome.resolve();
      } catch (thrown) {
        const error = ConnectorError.from(thrown);
        // One of them may be to blame.
        if (writes.length > 1 && error.code === 'record_too_large') await this.#writeApart(writes);
        else for (const { outcome } of writes) outcome.reject(refusal(error));
      }
    }
    this.#writing = false;
  }

  async #writeApart(writes: readonly Write[]): Promise<void> {
    for (const { records, outcome } of writes) {
      await this.#writeOnce(records).then(outcome.resolve, (thrown: unknown) =>
        outcome.reject(refusal(ConnectorError.from(thrown))),
      );
    }
  }

  async #writeOnce(records: readonly StoreRecord[]): Promise<void> {
    const term = this.#term;
    if (term === undefined) throw new ConnectorError('fenced', 'this worker does not lead its group');
    const bound = { clock: this.#options.clock, ms: WRITE_MS };
    const producer = await within(bound, 'claiming the config topic', this.#claim(term));
    try {
      await within(bound, 'writing to the config topic', this.#commit(producer, records));
    } catch (thrown) {
      await this.#giveUp(term, producer, ConnectorError.from(thrown));
      throw thrown;
    }
  }

  async #commit(producer: TransactionalProducer, records: readonly StoreRecord[]): Promise<void> {
    const { topic, clock } = this.#options;
    const timestamp = clock.now();
    const sent = records.map(
      ([key, value]): LogRecord => ({
        topic,
        partition: null,
        key: encodeText(key),
        value: value === null ? null : encodeText(value),
        timestamp,
        headers: [],
      }),
    );
    const { failures } = await producer.send(sent);
    const [failure] = failures;
    if (failure !== undefined) throw failure.error;
    await producer.commit();
  }

  /** Nothing that failed may become visible later, and readers must not wait for it. */
  async #giveUp(term: Term, producer: TransactionalProducer, error: ConnectorError): Promise<void> {
    term.producer = undefined;
    if (error.code !== 'fenced') {
      const bound = { clock: this.#options.clock, ms: ABORT_MS };
      // The failure of the write is the one to know; the broker ends a transaction that is left open.
      await within(bound, 'aborting a write', producer.abort()).catch(() => undefined);
    }
    await producer.close({ timeoutMs: 0 });
  }

  #claim(term: Term): Promise<TransactionalProducer> {
    const { transactions, producer } = this.#options;
    if (term.producer !== undefined) return term.producer;
    const overrides = { ...producer.overrides, ...writerKeys };
    const claiming = transactions.producer(
      { ...producer, overrides, existingTopicsOnly: true },
      term.ending.signal,
    );
    term.producer = claiming;
    claiming.then(
      () => {
        if (term.ending.signal.aborted) close(claiming);
      },
      () => {
        if (term.producer === claiming) term.producer = undefined;
      },
    );
    return claiming;
  }
}

/** A write that is not stored in time fails, and readers need not wait longer for what a killed leader left open. */
const writerKeys = {
  'delivery.timeout.ms': String(WRITE_MS),
  'transaction.timeout.ms': String(WRITE_MS),
  'linger.ms': '0',
};

function close(producer: Promise<TransactionalProducer> | undefined): void {
  producer?.then(
    (opened) => opened.close({ timeoutMs: 0 }),
    () => undefined,
  );
}

/** Kafka Connect's text for a leader that was fenced. Nothing of the write is stored. */
function refusal(error: ConnectorError): ConnectorError {
  if (error.code !== 'fenced') return error;
  const text =
    'Failed to write to config topic; this may be due to a transient error and the request can be safely retried';
  return new ConnectorError('log_unavailable', text, { cause: error });
}
