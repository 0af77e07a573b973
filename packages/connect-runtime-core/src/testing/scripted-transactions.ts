import { ConnectorError } from '../diagnostics/connector-error.ts';
import type {
  LogProducer,
  LogRecord,
  LogTransactions,
  SendResult,
  TransactionalProducer,
  TransactionalProducerOptions,
} from '../platform/log-platform.ts';
import type { Clock } from '../time/clock.ts';

/** Kafka's default of `transaction.timeout.ms`. */
const TIMEOUT_MS = 60_000;

/** Who has each transactional id: outlives platforms, as a coordinator of transactions does. */
export type TransactionOwners = Map<string, number>;

/**
 * Transactions over the producers of a scripted log: what is sent is kept until the commit, and stored then. What is open for too long is
 * aborted, and its producer fenced, as a coordinator does.
 */
export function scriptedTransactions(
  { owners, clock }: { readonly owners: TransactionOwners; readonly clock: Clock },
  open: (options: TransactionalProducerOptions) => Promise<LogProducer>,
): LogTransactions {
  const takeOver = (id: string): number => {
    const epoch = (owners.get(id) ?? 0) + 1;
    owners.set(id, epoch);
    return epoch;
  };
  return {
    producer: async (options) => {
      const epoch = takeOver(options.transactionalId);
      const isOwner = (): boolean => owners.get(options.transactionalId) === epoch;
      return new ScriptedTransactionalProducer(await open(options), { isOwner, clock });
    },
    fence: async (ids, signal) => {
      for (const id of ids) takeOver(id);
      // As with a broker, other things happen meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    },
  };
}

class ScriptedTransactionalProducer implements TransactionalProducer {
  readonly transactionTimeoutMs = TIMEOUT_MS;
  readonly #producer: LogProducer;
  readonly #isOwner: () => boolean;
  readonly #clock: Clock;
  #open: LogRecord[] = [];
  #openSince: number | undefined;

  constructor(
    producer: LogProducer,
    { isOwner, clock }: { readonly isOwner: () => boolean; readonly clock: Clock },
  ) {
    this.#producer = producer;
    this.#isOwner = isOwner;
    this.#clock = clock;
  }

  get pendingBytes(): number {
    return this.#producer.pendingBytes;
  }

  async send(records: readonly LogRecord[]): Promise<SendResult> {
    this.#check();
    this.#openSince ??= this.#clock.monotonic();
    this.#open.push(...records);
    return { stored: records.length, failures: [] };
  }

  flush(): Promise<void> {
    return this.#producer.flush();
  }

  close(options?: { readonly timeoutMs?: number }): Promise<void> {
    return this.#producer.close(options);
  }

  async commit(): Promise<void> {
    this.#check();
    const records = this.#open;
    this.#end();
    if (records.length === 0) return;
    const { failures } = await this.#producer.send(records);
    const [failure] = failures;
    if (failure !== undefined) throw failure.error;
  }

  async abort(): Promise<void> {
    this.#check();
    this.#end();
  }

  #end(): void {
    this.#open = [];
    this.#openSince = undefined;
  }

  #check(): void {
    const openMs = this.#clock.monotonic() - (this.#openSince ?? this.#clock.monotonic());
    if (openMs > TIMEOUT_MS) throw new ConnectorError('fenced', 'the transaction was open for too long');
    if (!this.#isOwner()) throw new ConnectorError('fenced', 'another producer has the transactional id');
  }
}
