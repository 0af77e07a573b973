import { expect, test } from 'vitest';
import { sourceFile } from '../text/source-file.ts';
import { parseFile } from './parse-file.ts';

function counted(text: string): number {
  return parseFile(sourceFile('m.yml', text), { form: 'fragment', variables: new Map() }).sqlCount;
}

test('words and symbols of models and of queries of tests count', () => {
  expect(counted('models: [{name: a, sql: "SELECT a_1, b FROM t"}]')).toBe(6);
  expect(
    counted(
      'tests: [{name: t, model: a, type: sample, assertions: [{custom_sql: {sql: "SELECT -1"}}, {custom_sql: {sql: SELECT b}}]}]',
    ),
  ).toBe(5);
});

test('a text counts at every place that an alias puts it', () => {
  expect(counted('models: [{name: a, sql: &s "SELECT 1"}, {name: b, sql: *s}]')).toBe(4);
});

test('texts that are no SQL do not count', () => {
  expect(counted('models: [{name: a, description: many words, sql: ""}]')).toBe(0);
});
