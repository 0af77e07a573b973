import { setTimeout as wait } from 'node:timers/promises';
import { countTopic, createTopic, type ReachableBroker, readTopic, writeTopic } from '@levada/kafka-testkit';

const POLL_MS = 200;
const READ_LIMIT_MS = 60_000;

/** The rows of a compacted topic by the text of their keys. */
export type TopicRows = ReadonlyMap<string, unknown>;

/** The latest row of each key in a topic. */
async function rowsOf(broker: ReachableBroker, topic: string): Promise<TopicRows> {
  const rows = new Map<string, unknown>();
  const count = await countTopic(broker, topic);
  if (count === 0) return rows;
  for (const { key, value } of await readTopic(broker, topic, { count, withinMs: READ_LIMIT_MS })) {
    if (value === null) rows.delete(String(key));
    else rows.set(String(key), JSON.parse(String(value)));
  }
  return rows;
}

/** Reads a topic until it holds what is waited for. */
export async function untilRows(
  broker: ReachableBroker,
  topic: string,
  isDone: (rows: TopicRows) => boolean,
): Promise<TopicRows> {
  const deadline = performance.now() + READ_LIMIT_MS;
  for (;;) {
    const rows = await rowsOf(broker, topic);
    if (isDone(rows)) return rows;
    if (performance.now() > deadline)
      throw new Error(`"${topic}" has ${JSON.stringify([...rows])} after ${READ_LIMIT_MS} ms`);
    await wait(POLL_MS);
  }
}

/** Writes rows by their key; without a value the row is deleted. */
export async function writeRows(
  broker: ReachableBroker,
  topic: string,
  rows: readonly (readonly [key: object, value?: object])[],
): Promise<void> {
  const records = rows.map(([key, value]) => ({
    key: JSON.stringify(key),
    value: value === undefined ? null : JSON.stringify({ ...key, ...value }),
  }));
  await writeTopic(broker, topic, records);
}

export async function createTopics(broker: ReachableBroker, names: readonly string[]): Promise<void> {
  for (const name of names) await createTopic(broker, name);
}
