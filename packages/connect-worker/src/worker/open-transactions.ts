import { ConnectorError } from '@levada/connect-runtime-core';
import type {
  LogPlatform,
  LogProducerOptions,
  TransactionalProducer,
} from '@levada/connect-runtime-core/platform';
import { taskTransactionalId } from '../config/exactly-once.ts';

/** Whose transactions are opened, and who has a say in it. */
export interface TransactionsOfTask {
  readonly platform: LogPlatform;
  readonly groupId: string;
  readonly connectorName: string;
  readonly taskId: number;
  /** Sees to it that no earlier task of the connector writes transactions any more. */
  readonly fence: (signal: AbortSignal) => Promise<void>;
  /** Reads the config topic to its end. Rejects when the task is not to run any more. */
  readonly checkCurrent: (signal: AbortSignal) => Promise<void>;
}

/** In the order that leaves no gap: earlier tasks are fenced, then this one has the id, then it is looked whether it still should. */
export async function openTaskTransactions(
  { platform, groupId, connectorName, taskId, fence, checkCurrent }: TransactionsOfTask,
  options: LogProducerOptions,
  signal: AbortSignal,
): Promise<TransactionalProducer> {
  const { transactions } = platform;
  if (transactions === undefined) throw new ConnectorError('internal', 'the log has no transactions');
  await fence(signal);
  signal.throwIfAborted();
  const transactionalId = taskTransactionalId(groupId, connectorName, taskId);
  const producer = await transactions.producer({ ...options, transactionalId }, signal);
  try {
    await checkCurrent(signal);
    return producer;
  } catch (thrown) {
    await producer.close({ timeoutMs: 0 });
    throw thrown;
  }
}
