/** What brokers know an idempotent producer by (KIP-98). */
export interface ProducerIdentity {
  readonly id: bigint;
  readonly epoch: number;
}

const LAST_EPOCH = 32_766;

/** The identity with the next epoch; undefined when a new id is needed. */
export function nextEpoch(identity: ProducerIdentity): ProducerIdentity | undefined {
  return identity.epoch < LAST_EPOCH ? { id: identity.id, epoch: identity.epoch + 1 } : undefined;
}
