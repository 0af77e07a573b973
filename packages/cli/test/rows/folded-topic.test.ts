import type { ReadRecord } from '@levada/kafka-testkit';
import { expect, it } from 'vitest';
import { foldTopic, sortedRows } from './folded-topic.ts';

function record(key: string | null, value: unknown, partition = 0): ReadRecord {
  const bytes = (text: string | null) => (text === null ? null : Buffer.from(text));
  const text = value === null ? null : JSON.stringify(value);
  return { partition, offset: 0, key: bytes(key), value: bytes(text), timestamp: 0, headers: [] };
}

it('keeps each row that was appended, the same one twice', () => {
  const records = [record(null, { a: 1 }), record('k', { a: 1 }), record('k', { a: 2 })];
  expect(sortedRows(foldTopic(records, 'append'))).toEqual(['{"a":1}', '{"a":1}', '{"a":2}']);
});

it('keeps the latest row of each key, none of a key that was deleted', () => {
  const records = [record('x', { a: 1 }), record('y', { a: 2 }), record('x', { a: 3 }), record('y', null)];
  expect(foldTopic(records, 'upsert')).toEqual([{ a: 3 }]);
});

it('refuses a key that is in two partitions, where no one knows its latest row', () => {
  const records = [record('x', { a: 1 }, 0), record('x', { a: 2 }, 1)];
  expect(() => foldTopic(records, 'upsert')).toThrow('key x is in partitions 0 and 1');
});

it('removes the rows that changes remove, in whatever order partitions are read', () => {
  const records = [
    record(null, { before: { a: 1 }, after: null, op: 'd' }),
    record(null, { before: null, after: { a: 1 }, op: 'c' }),
    record(null, { before: null, after: { a: 1 }, op: 'c' }),
  ];
  expect(foldTopic(records, 'changes')).toEqual([{ a: 1 }]);
});

it('refuses changes that remove a row that was never added', () => {
  const records = [record(null, { before: { a: 1 }, after: null, op: 'd' })];
  expect(() => foldTopic(records, 'changes')).toThrow('{"a":1} was removed 1 times more than it was added');
});
