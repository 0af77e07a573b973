import { ConnectorError } from '@levada/connect-runtime-core';
import { brokerError, errorCodes, errorText } from '../model/broker-errors.ts';
import type { KafkaCalls } from '../wire/kafka-calls.ts';
import type { Cluster } from './cluster.ts';

type TransactionCall = 'InitProducerId' | 'AddPartitionsToTxn' | 'EndTxn';

/** Kafka's coordinator type of transactions; 0 is that of groups. */
const TRANSACTIONS = 1;

const fencing: ReadonlySet<number> = new Set([
  errorCodes.INVALID_PRODUCER_EPOCH,
  errorCodes.PRODUCER_FENCED,
  errorCodes.INVALID_PRODUCER_ID_MAPPING,
]);
/** Errors that end by waiting or by another coordinator. */
const passing: ReadonlySet<number> = new Set([
  errorCodes.COORDINATOR_LOAD_IN_PROGRESS,
  errorCodes.COORDINATOR_NOT_AVAILABLE,
  errorCodes.NOT_COORDINATOR,
  errorCodes.CONCURRENT_TRANSACTIONS,
  errorCodes.UNKNOWN_TOPIC_OR_PARTITION,
  errorCodes.LEADER_NOT_AVAILABLE,
  errorCodes.REQUEST_TIMED_OUT,
  errorCodes.UNKNOWN_SERVER_ERROR,
]);

/**
 * The coordinator of one transactional id (KIP-98). Nothing is retried here; after a failure the coordinator is looked up again.
 * Requests reject with a ConnectorError. It is retriable if the coordinator is unreachable, moves, loads or still ends a
 * transaction, and has the code `fenced` if a newer producer has the id.
 */
export class TransactionCoordinator {
  readonly #cluster: Cluster;
  readonly #id: string;
  #node: number | undefined;

  constructor(cluster: Cluster, transactionalId: string) {
    this.#cluster = cluster;
    this.#id = transactionalId;
  }

  /** Takes over the id: earlier holders are fenced and their open transaction is ended, which may take several attempts. */
  async init(timeoutMs: number): Promise<{ readonly id: bigint; readonly epoch: number }> {
    const answer = await this.#call('InitProducerId', {
      transactionalId: this.#id,
      transactionTimeoutMs: timeoutMs,
    });
    this.#check(answer.errorCode, 'cannot take over');
    return { id: answer.producerId, epoch: answer.producerEpoch };
  }

  /** Adds partitions to the open transaction, and starts one if necessary. */
  async add(
    producer: { readonly id: bigint; readonly epoch: number },
    topics: readonly { readonly name: string; readonly partitions: readonly number[] }[],
  ): Promise<void> {
    // Later versions are for brokers only
    const answer = await this.#call('AddPartitionsToTxn', {
      v3AndBelowTransactionalId: this.#id,
      v3AndBelowProducerId: producer.id,
      v3AndBelowProducerEpoch: producer.epoch,
      v3AndBelowTopics: topics,
    });
    const codes = answer.resultsByTopicV3AndBelow.flatMap(({ resultsByPartition }) =>
      resultsByPartition.map(({ partitionErrorCode }) => partitionErrorCode),
    );
    // Partitions skipped because of another one have no reason of interest
    const reasons = codes.filter(
      (code) => code !== errorCodes.NONE && code !== errorCodes.OPERATION_NOT_ATTEMPTED,
    );
    this.#check(reasons[0] ?? codes.find((code) => code !== errorCodes.NONE) ?? 0, 'cannot add to');
  }

  /** Ends the open transaction. Can be repeated safely after a lost answer. */
  async end(
    producer: { readonly id: bigint; readonly epoch: number },
    outcome: 'commit' | 'abort',
  ): Promise<void> {
    const answer = await this.#call('EndTxn', {
      transactionalId: this.#id,
      producerId: producer.id,
      producerEpoch: producer.epoch,
      committed: outcome === 'commit',
    });
    this.#check(answer.errorCode, `cannot ${outcome}`);
  }

  async #call<Name extends TransactionCall>(
    name: Name,
    args: KafkaCalls[Name]['args'],
  ): Promise<KafkaCalls[Name]['answer']> {
    try {
      this.#node ??= await this.#find();
      return await this.#cluster.call(this.#node, name, args);
    } catch (thrown) {
      this.#node = undefined;
      throw thrown;
    }
  }

  async #find(): Promise<number> {
    await this.#cluster.metadata([]);
    const { errorCode, nodeId } = await this.#cluster.ask('FindCoordinator', {
      key: this.#id,
      keyType: TRANSACTIONS,
    });
    this.#check(errorCode, 'cannot find the coordinator of');
    return nodeId;
  }

  #check(errorCode: number, what: string): void {
    if (errorCode === errorCodes.NONE) return;
    const subject = `${what} the transactions of "${this.#id}"`;
    if (fencing.has(errorCode)) {
      const why =
        'a newer producer has taken the id over, or a transaction took longer than transaction.timeout.ms';
      throw new ConnectorError('fenced', `${subject}: ${why} (${errorText(errorCode)})`);
    }
    if (passing.has(errorCode)) this.#node = undefined;
    throw brokerError({ errorCode, what: subject, retriable: passing.has(errorCode) });
  }
}
