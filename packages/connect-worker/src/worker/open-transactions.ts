import { ConnectorError } from '@levada/connect-runtime-core';
import type {
  LogPlatform,
  LogProducerOptions,
  TransactionalProducer,
} from '@levada/connect-runtime-core/platform';
import type { TaskFencing } from '../thread/task-handle.ts';

interface TransactionsOfTask {
  readonly platform: LogPlatform;
  readonly fencing: TaskFencing;
  readonly transactionalId: string;
}

/** In the order that leaves no gap: fence earlier tasks, claim the transactional id, then check that this task is still current. */
export async function openTaskTransactions(
  { platform, fencing, transactionalId }: TransactionsOfTask,
  options: LogProducerOptions,
  signal: AbortSignal,
): Promise<TransactionalProducer> {
  const { transactions } = platform;
  if (transactions === undefined) throw new ConnectorError('internal', 'the log has no transactions');
  await fencing.fence(signal);
  signal.throwIfAborted();
  const producer = await transactions.producer({ ...options, transactionalId }, signal);
  try {
    await fencing.checkCurrent(signal);
    return producer;
  } catch (thrown) {
    await producer.close({ timeoutMs: 0 });
    throw thrown;
  }
}
