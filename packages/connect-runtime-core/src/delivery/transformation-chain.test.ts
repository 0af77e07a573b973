import { describe, expect, it } from 'vitest';
import { sourceRecord } from '../contract/source-record.ts';
import { RecordFailure } from './record-failure.ts';
import { sentOf, type TransformationStage, transformAll } from './transformation-chain.ts';

const renaming = (from: string, to: string): TransformationStage => ({
  className: 'example.Rename',
  transformation: { apply: (record) => ({ ...record, topic: record.topic.replace(from, to) }) },
  negate: false,
});
const dropping: TransformationStage = {
  className: 'example.Drop',
  transformation: { apply: () => null },
  predicate: { test: ({ value }) => value === 'unwanted' },
  negate: false,
};
const failing: TransformationStage = {
  className: 'example.Fail',
  transformation: {
    apply: () => {
      throw new Error('not like this');
    },
  },
  predicate: { test: ({ value }) => value === 'bad' },
  negate: false,
};
const records = ['good', 'unwanted', 'bad'].map((value) => sourceRecord({ topic: 'a', value }));

describe('transformAll', () => {
  it('hands each record through all stages in their order', () => {
    const [first] = transformAll([renaming('a', 'b'), renaming('b', 'c')], records);
    expect(first).toMatchObject({ topic: 'c', value: 'good' });
  });

  it('leaves out what a predicate does not hold for, or with negate what it holds for', () => {
    expect(transformAll([dropping], records).map((one) => one === null)).toEqual([false, true, false]);
    const negated = { ...dropping, negate: true };
    expect(transformAll([negated], records).map((one) => one === null)).toEqual([true, false, true]);
  });

  it('puts a failure in the place of a record, with the class that failed, and ends its chain', () => {
    const transformed = transformAll([failing, dropping, renaming('a', 'b')], records);
    expect(transformed[2]).toBeInstanceOf(RecordFailure);
    expect(transformed[2]).toMatchObject({
      stage: 'TRANSFORMATION',
      className: 'example.Fail',
      error: { code: 'conversion_failed', message: 'not like this' },
    });
    expect(sentOf(transformed)).toEqual([{ ...records[0], topic: 'b' }]);
  });
});
