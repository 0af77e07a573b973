import { field } from '@levada/stream-project-schema';
import { expect, test } from 'vitest';
import { keysWithoutEffect } from '../parse/parse-codes.ts';
import { catalogue, codeTables, entryOf, findCode } from './catalogue.ts';

test('gives every row of every stage a name and a code of its own', () => {
  const rows = codeTables.flatMap((table) => Object.entries<{ readonly code: string }>(table));
  expect(new Set(rows.map(([name]) => name)).size).toBe(rows.length);
  expect(Object.keys(catalogue)).toEqual(rows.map(([, { code }]) => code));
});

test('finds a code by its number and by its name', () => {
  expect([findCode('LV1301'), findCode(catalogue.LV1301.name)]).toEqual(['LV1301', 'LV1301']);
  expect(findCode('toString')).toBeUndefined();
  expect(entryOf('LV1301').name).toBe('unknown-key');
});

test('lists in LV1303 every key of the format that has no effect', () => {
  expect(keysWithoutEffect.filter((key) => field(key) === undefined)).toEqual([]);
  expect(keysWithoutEffect.filter((key) => !catalogue.LV1303.doc.includes(`\`${key}\``))).toEqual([]);
});
