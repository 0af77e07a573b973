import { ConnectorError } from '@levada/connect-runtime-core';
import type { BrokerNodes } from './broker-nodes.ts';
import type { ProducerIdentity } from './producer-identity.ts';

const CLUSTER_AUTHORIZATION_FAILED = 31;
/** Of transactions, which there are none of; brokers want a number. */
const TRANSACTION_TIMEOUT_MS = 60_000;

/** Who hears about producer ids. */
export interface IdentityListener {
  readonly onIdentity: () => void;
  /** There will be none. */
  readonly onRefused: (error: ConnectorError) => void;
}

/** Gets producer ids from the brokers, one for all partitions as long as none of them needs another. */
export class IdentitySource {
  readonly #brokers: BrokerNodes;
  readonly #listener: IdentityListener;
  #current: ProducerIdentity | undefined;
  #asking = false;

  constructor(brokers: BrokerNodes, listener: IdentityListener) {
    this.#brokers = brokers;
    this.#listener = listener;
  }

  /** An id other than the one that no longer serves; undefined, and asked for, when there is none yet. */
  identity(spent?: ProducerIdentity): ProducerIdentity | undefined {
    if (this.#current !== undefined && this.#current.id !== spent?.id) return this.#current;
    this.#current = undefined;
    if (!this.#asking) void this.#ask();
    return undefined;
  }

  async #ask(): Promise<void> {
    this.#asking = true;
    try {
      this.#current = await this.#next();
      this.#asking = false;
      this.#listener.onIdentity();
    } catch (thrown) {
      this.#asking = false;
      const error = ConnectorError.from(thrown);
      if (error.code !== 'closed') this.#listener.onRefused(error);
    }
  }

  async #next(): Promise<ProducerIdentity> {
    for (let attempt = 1; ; attempt++) {
      const args = { transactionalId: null, transactionTimeout: TRANSACTION_TIMEOUT_MS };
      const { errorCode, producerId, producerEpoch } = await this.#brokers.ask('InitProducerId', args);
      if (errorCode === 0) return { id: BigInt(producerId), epoch: producerEpoch };
      if (errorCode === CLUSTER_AUTHORIZATION_FAILED) {
        const text = 'not authorised to write idempotently (CLUSTER_AUTHORIZATION_FAILED)';
        throw new ConnectorError('topic_unavailable', text);
      }
      await this.#brokers.pause(attempt);
    }
  }
}
