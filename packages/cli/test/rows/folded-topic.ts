import type { ReadRecord } from '@levada/kafka-testkit';
import type { TopicRows } from './job-text.ts';
import type { Row } from './rows-case.ts';

/**
 * The last state that a topic describes: all rows of appends, the last one of each key of upserts, and of changes the rows that were
 * added and not removed. Rejects removals of what was never there.
 */
export function foldTopic(records: readonly ReadRecord[], rows: TopicRows): readonly Row[] {
  if (rows === 'upsert') return foldUpserts(records);
  if (rows === 'changes') return foldChanges(records);
  return records.map(({ value }) => parse(value) as Row);
}

function foldUpserts(records: readonly ReadRecord[]): readonly Row[] {
  const last = new Map<string, { readonly partition: number; readonly row: Row }>();
  /** Some topics have rows without a key, too, which stay. */
  const appended: Row[] = [];
  for (const { key, value, partition } of records) {
    if (key === null) {
      appended.push(parse(value) as Row);
      continue;
    }
    const name = String(key);
    const before = last.get(name);
    if (before !== undefined && before.partition !== partition)
      throw new Error(`key ${name} is in partitions ${before.partition} and ${partition}`);
    if (value === null) last.delete(name);
    else last.set(name, { partition, row: parse(value) as Row });
  }
  return [...appended, ...[...last.values()].map(({ row }) => row)];
}

/** Changes of one row may be in several partitions, which a reader sees in any order, so counts are compared only at the end. */
function foldChanges(records: readonly ReadRecord[]): readonly Row[] {
  const counts = new Map<string, number>();
  const add = (row: unknown, count: number) => {
    if (row === null || row === undefined) return;
    const text = canonical(row);
    counts.set(text, (counts.get(text) ?? 0) + count);
  };
  for (const { value } of records) {
    const { before, after } = parse(value) as { readonly before?: unknown; readonly after?: unknown };
    add(before, -1);
    add(after, 1);
  }
  return [...counts].flatMap(([text, count]) => {
    if (count < 0) throw new Error(`${text} was removed ${-count} times more than it was added`);
    return Array.from({ length: count }, () => JSON.parse(text) as Row);
  });
}

function parse(text: Buffer | null): unknown {
  return text === null ? null : (JSON.parse(String(text)) as unknown);
}

/** Rows as texts in an order that does not depend on that of records. */
export function sortedRows(rows: readonly Row[]): readonly string[] {
  return rows.map(canonical).toSorted();
}

/** JSON with the keys of each object in order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
