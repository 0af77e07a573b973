import { type Clock, ConnectorError, type Logger, type RawConfig } from '@levada/connect-runtime-core';
import type {
  CompactedLogOptions,
  LogProducer,
  LogProducerOptions,
  TransactionalProducer,
  TransactionalProducerOptions,
} from '@levada/connect-runtime-core/platform';
import { parseClientConfig } from './client/client-config.ts';
import { producerSettings } from './client/producer-settings.ts';
import { ignoredClientKeys, ignoredKeys, ignoredKeyText, keysOf } from './client/worker-clients.ts';
import { linkSettings } from './cluster/link-settings.ts';
import type { KafkaEventLog } from './model/kafka-events.ts';
import { KafkaProducer } from './produce/kafka-producer.ts';
import type { ProducerTransaction } from './produce/transaction.ts';

export interface ProducerParts {
  readonly config: RawConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly log: KafkaEventLog;
  /** Called with the reason why a producer reaches no broker; undefined once it does. */
  readonly onHealth: (producer: string, error: ConnectorError | undefined) => void;
  /** Called when a broker throttles this producer, with the milliseconds to wait. */
  readonly onThrottled: (producer: string, ms: number) => void;
  readonly onClosed: (producer: string) => void;
}

/** Keys of the producer of the compacted logs: a write to a store fails in the end, instead of waiting forever. */
const storeKeys = { 'delivery.timeout.ms': '120000', 'linger.ms': '0' };
/** Time for answers of a previous term, in milliseconds. */
const TERM_CLOSE_TIMEOUT_MS = 1_000;

/** A producer of compacted logs, and its term. */
interface StoreProducer {
  readonly term: number;
  readonly opened: Promise<LogProducer>;
}

/** Creates producers, and closes the remaining ones. */
export class Producers {
  readonly #parts: ProducerParts;
  readonly #producers = new Set<LogProducer>();
  readonly #namedKeys = new Set<string>();
  readonly #stores = new Map<CompactedLogOptions['writeTerm'], StoreProducer>();

  constructor(parts: ProducerParts) {
    this.#parts = parts;
    // Reported when the platform was opened; the runtime passes the worker's keys as overrides
    for (const { key } of ignoredKeys(parts.config)) this.#namedKeys.add(key.replace(/^producer\./, ''));
  }

  /** Opens a producer for the caller. `overrides` take precedence over the worker's keys. Rejects with `config_invalid`. */
  async open({ clientId, overrides = {}, ...rest }: LogProducerOptions): Promise<LogProducer> {
    this.#nameIgnored(clientId, overrides);
    const keys = { ...producerKeysOf(this.#parts.config), ...overrides };
    return (await this.#open(clientId, keys, rest)).tracked;
  }

  /**
   * Opens a transactional producer. Resolves when earlier producers with the id are fenced. Retries until the signal aborts.
   * Rejects with `config_invalid`.
   */
  async openTransactional(
    { clientId, overrides = {}, transactionalId, ...rest }: TransactionalProducerOptions,
    signal: AbortSignal,
  ): Promise<TransactionalProducer> {
    this.#nameIgnored(clientId, overrides);
    const keys = { ...producerKeysOf(this.#parts.config), ...overrides };
    const { producer, tracked } = await this.#open(clientId, keys, { ...rest, transactionalId });
    const transaction = producer.transaction as ProducerTransaction;
    try {
      await transaction.init(signal);
    } catch (thrown) {
      await tracked.close({ timeoutMs: 0 });
      throw thrown;
    }
    const end = async (outcome: 'commit' | 'abort'): Promise<void> => {
      await producer.flush();
      await transaction.end(outcome);
    };
    return {
      transactionTimeoutMs: producerSettings(clientId, keys).transactionTimeoutMs,
      send: (records) => tracked.send(records),
      get pendingBytes() {
        return tracked.pendingBytes;
      },
      get unsentBytes() {
        return tracked.unsentBytes;
      },
      get throttledUntil() {
        return tracked.throttledUntil;
      },
      flush: () => tracked.flush(),
      close: (options) => tracked.close(options),
      commit: () => end('commit'),
      abort: () => end('abort'),
    };
  }

  /**
   * The producer of all compacted logs with this term, created at its first use in each term. Unsent records of an earlier term
   * are dropped. Rejects with `fenced` outside of a term.
   */
  async openForStores(writeTerm: CompactedLogOptions['writeTerm']): Promise<LogProducer> {
    const term = writeTerm === undefined ? 0 : writeTerm();
    if (term === undefined)
      throw new ConnectorError('fenced', 'it is uncertain that this worker is still a member of its group');
    const known = this.#stores.get(writeTerm);
    if (known?.term === term) return await known.opened;
    // A producer of an earlier term that does not close has no records that may still be sent
    known?.opened.then((former) => former.close({ timeoutMs: TERM_CLOSE_TIMEOUT_MS })).catch(() => undefined);
    const made = { term, opened: this.#openForTerm(writeTerm, term) };
    this.#stores.set(writeTerm, made);
    try {
      return await made.opened;
    } catch (thrown) {
      // A file that cannot be read now may exist later
      if (this.#stores.get(writeTerm) === made) this.#stores.delete(writeTerm);
      throw thrown;
    }
  }

  async #openForTerm(writeTerm: CompactedLogOptions['writeTerm'], term: number): Promise<LogProducer> {
    const keys = { ...producerKeysOf(this.#parts.config), ...storeKeys };
    const how =
      writeTerm === undefined
        ? { existingTopicsOnly: true }
        : { existingTopicsOnly: true, mayProduce: () => writeTerm() === term };
    return (await this.#open(writeTerm === undefined ? 'stores' : 'owned-stores', keys, how)).tracked;
  }

  /** Closes all of them within the time. */
  async close(timeoutMs: number): Promise<void> {
    await Promise.all([...this.#producers].map((producer) => producer.close({ timeoutMs })));
  }

  async #open(
    name: string,
    keys: Readonly<Record<string, string>>,
    {
      transactionalId: id,
      ...how
    }: Pick<LogProducerOptions, 'mayProduce' | 'existingTopicsOnly'> & { readonly transactionalId?: string },
  ): Promise<{ readonly producer: KafkaProducer; readonly tracked: LogProducer }> {
    const { clock, logger, onHealth, onThrottled, onClosed } = this.#parts;
    const settings = producerSettings(name, keys);
    const config = parseClientConfig(keys);
    const link = await linkSettings(config, settings.clientId, clock);
    const part = `producer ${settings.clientId}`;
    const producer = new KafkaProducer({
      bootstrap: config.brokers,
      link,
      settings,
      clock,
      logger: logger.child({ producer: settings.clientId }),
      onHealth: (error) => onHealth(part, error),
      onThrottled: (ms) => onThrottled(part, ms),
      ...how,
      transaction: id === undefined ? undefined : { id, timeoutMs: settings.transactionTimeoutMs },
    });
    const tracked: LogProducer = {
      send: (records) => producer.send(records),
      get pendingBytes() {
        return producer.pendingBytes;
      },
      get unsentBytes() {
        return producer.unsentBytes;
      },
      get throttledUntil() {
        return producer.throttledUntil;
      },
      flush: () => producer.flush(),
      close: async (options) => {
        await producer.close(options);
        this.#producers.delete(tracked);
        onClosed(part);
      },
    };
    this.#producers.add(tracked);
    return { producer, tracked };
  }

  #nameIgnored(clientId: string, overrides: RawConfig): void {
    const ignored = ignoredClientKeys('producer', overrides).filter(({ key }) => !this.#namedKeys.has(key));
    if (ignored.length === 0) return;
    for (const { key } of ignored) this.#namedKeys.add(key);
    const keys = ignored.map(ignoredKeyText);
    const message = `producer keys without effect: ${keys.join(', ')}`;
    this.#parts.log('kafka_keys_ignored', { keys, producer: clientId }, message);
  }
}

/** The worker's own `client.id` identifies the worker, not each of its producers. */
function producerKeysOf(worker: RawConfig): Readonly<Record<string, string>> {
  const { 'client.id': _, ...others } = worker;
  return keysOf('producer', others);
}
