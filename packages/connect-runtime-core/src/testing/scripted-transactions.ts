import { ConnectorError } from '../diagnostics/connector-error.ts';
import type {
  LogProducer,
  LogRecord,
  LogTransactions,
  SendResult,
  TransactionalProducer,
  TransactionalProducerOptions,
} from '../platform/log-platform.ts';

/** Kafka's default of `transaction.timeout.ms`. */
const TIMEOUT_MS = 60_000;

/** Who has each transactional id: outlives platforms, as a coordinator of transactions does. */
export type TransactionOwners = Map<string, number>;

/** Transactions over the producers of a scripted log: what is sent is kept until the commit, and stored then. */
export function scriptedTransactions(
  owners: TransactionOwners,
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
      return new ScriptedTransactionalProducer(await open(options), isOwner);
    },
    fence: async (ids) => {
      for (const id of ids) takeOver(id);
    },
  };
}

class ScriptedTransactionalProducer implements TransactionalProducer {
  readonly transactionTimeoutMs = TIMEOUT_MS;
  readonly #producer: LogProducer;
  readonly #isOwner: () => boolean;
  #open: LogRecord[] = [];

  constructor(producer: LogProducer, isOwner: () => boolean) {
    this.#producer = producer;
    this.#isOwner = isOwner;
  }

  get pendingBytes(): number {
    return this.#producer.pendingBytes;
  }

  async send(records: readonly LogRecord[]): Promise<SendResult> {
    this.#check();
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
    this.#open = [];
    if (records.length === 0) return;
    const { failures } = await this.#producer.send(records);
    const [failure] = failures;
    if (failure !== undefined) throw failure.error;
  }

  async abort(): Promise<void> {
    this.#check();
    this.#open = [];
  }

  #check(): void {
    if (!this.#isOwner()) throw new ConnectorError('fenced', 'another producer has the transactional id');
  }
}
