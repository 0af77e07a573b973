import { setTimeout as wait } from 'node:timers/promises';
import { type ReachableBroker, readTopic, withAdmin } from '@levada/kafka-testkit';
import type { Engine } from '@levada/test-peers/engine';

const LIMIT_MS = 240_000;
const POLL_MS = 200;

/** The records of a topic. */
async function recordsOf(broker: ReachableBroker, topic: string) {
  const count = await withAdmin(broker, async (admin) => {
    const ends = await admin.fetchTopicOffsets(topic);
    return ends.reduce((sum, { low, high }) => sum + Number(high) - Number(low), 0);
  });
  return count === 0 ? [] : readTopic(broker, topic, { count, withinMs: LIMIT_MS });
}

/** The last value of each key of a topic, deleted ones left out, in order of their texts. */
export async function lastState(broker: ReachableBroker, topic: string): Promise<readonly unknown[]> {
  const last = new Map<string, string | undefined>();
  for (const { key, value } of await recordsOf(broker, topic)) last.set(String(key), value?.toString());
  return [...last.values()]
    .flatMap((text) => text ?? [])
    .sort()
    .map((text) => JSON.parse(text) as unknown);
}

/** Every value of a topic, in order of their texts. */
export async function allValues(broker: ReachableBroker, topic: string): Promise<readonly unknown[]> {
  const records = await recordsOf(broker, topic);
  return records
    .map(({ value }) => String(value))
    .sort()
    .map((text) => JSON.parse(text) as unknown);
}

/** Waits until `count` jobs have ended. The cluster's overview lags by a few seconds, so one request serves all jobs. */
export async function untilFinished({ cluster }: Engine, count: number): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const answer = (await (await fetch(`${cluster}/jobs/overview`)).json()) as {
      readonly jobs: readonly { readonly name: string; readonly state: string }[];
    };
    const running = answer.jobs.filter(({ state }) => state !== 'FINISHED' && state !== 'FAILED');
    if (running.length === 0 && answer.jobs.length === count) return;
    if (performance.now() > deadline) throw new Error(`jobs have not ended: ${JSON.stringify(running)}`);
    await wait(POLL_MS);
  }
}
