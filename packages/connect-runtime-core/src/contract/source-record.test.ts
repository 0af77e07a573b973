import { expect, it } from 'vitest';
import { stringSchema } from './schema.ts';
import { sourceRecord } from './source-record.ts';

it('fills what is not given with null, and with no headers', () => {
  expect(sourceRecord({ topic: 't', value: 'v' })).toEqual({
    sourcePartition: null,
    sourceOffset: null,
    topic: 't',
    partition: null,
    keySchema: null,
    key: null,
    valueSchema: null,
    value: 'v',
    timestamp: null,
    headers: [],
  });
});

it('keeps what is given, zero and empty text included', () => {
  const given = {
    topic: 't',
    value: '',
    valueSchema: stringSchema,
    key: '',
    partition: 0,
    timestamp: 0,
    sourcePartition: { file: 'a' },
    sourceOffset: { position: 0 },
  };
  expect(sourceRecord(given)).toMatchObject(given);
});
