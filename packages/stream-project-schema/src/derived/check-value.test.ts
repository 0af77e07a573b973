import { describe, expect, test } from 'vitest';
import { isLeaf } from '../fields/field.ts';
import { expectation, valueProblem } from './check-value.ts';
import { field } from './field-at.ts';

function check(path: string, value: unknown) {
  const row = field(path);
  if (row === undefined || !isLeaf(row)) throw new Error(`${path} is no leaf`);
  return valueProblem(row, value);
}

describe('takes', () => {
  test.each([
    ['models[].description', ''],
    ['models[].version', 0],
    ['models[].access', 'private'],
    ['models[].sink.connector', 'jdbc-sink'],
    ['models[].sink.connector', 'com.example.Sink'],
    ['models[].security.policies[].mask.method', 'null'],
    ['models[].security.policies[].mask.method', null],
    ['models[].advanced.topic.config.x', false],
    ['tests[].assertions[].accepted_values.values[]', null],
    ['exposures[].sla.max_error_rate', 0.5],
    ['rules.models.require_owner', true],
    ['models[].advanced.engine.state_ttl_ms', Number.MAX_SAFE_INTEGER],
  ])('%s: %j', (path, value) => {
    expect(check(path, value)).toBeUndefined();
  });
});

describe('refuses', () => {
  test.each([
    ['models[].name', 7, 'wrong-type', 'text'],
    ['models[].name', null, 'wrong-type', 'text'],
    ['models[].sql', '', 'invalid-value', 'SQL'],
    [
      'sources[].topic',
      'a b',
      'invalid-value',
      'a topic name of at most 249 characters: letters, digits, "_", "-" and "."',
    ],
    ['models[].version', '1', 'wrong-type', 'an integer of at least 0'],
    ['models[].version', 1.5, 'wrong-type', 'an integer of at least 0'],
    ['models[].version', -1, 'invalid-value', 'an integer of at least 0'],
    ['models[].version', 2 ** 53, 'invalid-value', 'an integer of at least 0'],
    ['models[].version', Number.NaN, 'invalid-value', 'an integer of at least 0'],
    ['defaults.topic.partitions', 1e9, 'invalid-value', 'an integer from 1 to 100000'],
    ['exposures[].sla.max_error_rate', 7, 'invalid-value', 'a number from 0 to 1'],
    ['tests[].assertions[].range.min', Number.POSITIVE_INFINITY, 'invalid-value', 'a number'],
    ['models[].access', 'secret', 'bad-enum', 'one of "private", "protected", "public"'],
    ['models[].access', null, 'wrong-type', 'one of "private", "protected", "public"'],
    ['models[].access', 'constructor', 'bad-enum', 'one of "private", "protected", "public"'],
    ['rules.models.require_owner', 'yes', 'wrong-type', 'true or false'],
    ['models[].advanced.topic.config.x', null, 'wrong-type', 'text, a number, true or false'],
    ['models[].advanced.topic.config.x', [], 'wrong-type', 'text, a number, true or false'],
  ])('%s: %j', (path, value, kind, expected) => {
    expect(check(path, value)).toEqual({ kind, expected });
  });
});

test('text of an unusual form is worth advice only', () => {
  expect(check('project.version', '1.0')).toEqual({
    kind: 'advice',
    expected: 'a semantic version such as "1.0.0"',
  });
});

test.each([
  ['models', 'a list'],
  ['models[].deprecation', 'a map'],
  ['runtime', 'an object'],
  ['models[].from', 'text or a list'],
  ['models[].from[]', 'an object with one of the keys "ref", "source"'],
  ['tests[].assertions[].custom_sql.expect', 'a value'],
  [
    'models[].sink.connector',
    'one of "warehouse-sink", "query-engine-sink", "object-store-sink", "bucket-sink", "jdbc-sink", "search-sink", "http-sink", or a class name with its package',
  ],
])('%s expects %s', (path, expected) => {
  const row = field(path);
  expect(row && expectation(row)).toBe(expected);
});
