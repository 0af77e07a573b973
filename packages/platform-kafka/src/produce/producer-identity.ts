import { ConnectorError } from '@levada/connect-runtime-core';
import { errorCodes } from '../model/broker-errors.ts';
import type { BrokerNodes } from './broker-nodes.ts';

/** The identity of an idempotent producer (KIP-98). */
export interface ProducerIdentity {
  readonly id: bigint;
  readonly epoch: number;
}

const LAST_EPOCH = 32_766;

/** The identity with the next epoch; undefined if a new id is required. */
export function nextEpoch(identity: ProducerIdentity): ProducerIdentity | undefined {
  return identity.epoch < LAST_EPOCH ? { id: identity.id, epoch: identity.epoch + 1 } : undefined;
}

/** Brokers require a number, even without transactions. */
const TRANSACTION_TIMEOUT_MS = 60_000;

export interface IdentityListener {
  readonly onIdentity: () => void;
  /** Called if the brokers refuse an identity. */
  readonly onRefused: (error: ConnectorError) => void;
}

/** Gets producer ids from the brokers: one for all partitions until one of them needs another. */
export class IdentitySource {
  readonly #brokers: BrokerNodes;
  readonly #listener: IdentityListener;
  #current: ProducerIdentity | undefined;
  #asking = false;

  constructor(brokers: BrokerNodes, listener: IdentityListener) {
    this.#brokers = brokers;
    this.#listener = listener;
  }

  /** An identity with an id other than the retired one. Undefined, and requested, if there is none yet. */
  identity(retired?: ProducerIdentity): ProducerIdentity | undefined {
    if (this.#current !== undefined && this.#current.id !== retired?.id) return this.#current;
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
      const args = { transactionalId: null, transactionTimeoutMs: TRANSACTION_TIMEOUT_MS };
      const { errorCode, producerId, producerEpoch } = await this.#brokers.ask('InitProducerId', args);
      if (errorCode === errorCodes.NONE) return { id: producerId, epoch: producerEpoch };
      if (errorCode === errorCodes.CLUSTER_AUTHORIZATION_FAILED) {
        const text = 'not authorised to write idempotently (CLUSTER_AUTHORIZATION_FAILED)';
        throw new ConnectorError('topic_unavailable', text);
      }
      await this.#brokers.pause(attempt);
    }
  }
}
