import { readFileSync } from 'node:fs';
import { type ReachableBroker, readTopic } from '@levada/kafka-testkit';

const READ_LIMIT_MS = 120_000;

const textOf = (guide: string) =>
  readFileSync(new URL(`../../../../docs/guides/${guide}.md`, import.meta.url), 'utf8');

/** The rows that a guide shows of a topic: those of each of its blocks, in order. */
export function guideRows<T>(topic: string, guide = 'stream-projects'): readonly (readonly T[])[] {
  const blocks = textOf(guide).matchAll(/^```jsonl (\S+)\n([\s\S]*?)^```$/gm);
  return [...blocks]
    .filter(([, name]) => name === topic)
    .map(([, , text = '']) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as T),
    );
}

/** A record of JSON. */
export interface JsonRecord {
  readonly key: unknown;
  readonly value: unknown;
}

/** Reads a topic from its beginning until there are as many records. */
export async function readJson(
  broker: ReachableBroker,
  topic: string,
  count: number,
): Promise<readonly JsonRecord[]> {
  const parsed = (text: Buffer | null) => (text === null ? null : (JSON.parse(String(text)) as unknown));
  const records = await readTopic(broker, topic, { count, withinMs: READ_LIMIT_MS });
  return records.map(({ key, value }) => ({ key: parsed(key), value: parsed(value) }));
}

/** Values without their order, which partitions do not keep. */
export function valuesOf(records: readonly JsonRecord[]): ReadonlySet<unknown> {
  return new Set(records.map(({ value }) => value));
}
