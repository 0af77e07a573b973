import { createTopic, type ReachableBroker, writeTopic } from '@levada/kafka-testkit';
import type { SourceRow } from './rows-case.ts';

/** Makes the topic of a source with its first rows. */
export async function writeSource(
  broker: ReachableBroker,
  topic: string,
  partitions: number,
  rows: readonly SourceRow[],
): Promise<void> {
  await createTopic(broker, topic, { partitions });
  await writeRows(broker, topic, rows);
}

/** Writes rows to their partitions. */
export async function writeRows(
  broker: ReachableBroker,
  topic: string,
  rows: readonly SourceRow[],
): Promise<void> {
  const records = rows.map(({ row, partition, key }) => ({
    partition,
    value: row === null ? null : JSON.stringify(row),
    ...(key === undefined ? {} : { key }),
  }));
  if (records.length > 0) await writeTopic(broker, topic, records);
}
