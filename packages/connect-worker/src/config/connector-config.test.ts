import type { RawConfig } from '@levada/connect-runtime-core';
import { isWorkerKey } from '@levada/connect-runtime-core/host';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { sourceConnectorConfig } from './connector-config.ts';
import { overridePrefixes } from './override-policy.ts';
import { secretKeysConfig } from './secret-keys.ts';
import { taskIsolationConfig } from './task-isolation.ts';

const given: RawConfig = { name: 'prices', 'connector.class': 'Some' };

function errorsOf(key: string, value: string | null): readonly string[] {
  const values = sourceConnectorConfig.validate({ ...given, [key]: value });
  return values.find((each) => each.name === key)?.errors ?? [];
}

describe('sourceConnectorConfig', () => {
  it('has no key that a source in a library refuses as unknown', () => {
    const keys = [...sourceConnectorConfig.keys, ...secretKeysConfig.keys, ...taskIsolationConfig.keys].map(
      ({ name }) => name,
    );
    const prefixed = [...overridePrefixes, 'topic.creation.default.', 'value.converter.'].map(
      (each) => `${each}x`,
    );
    expect([...keys, ...prefixed].filter((name) => !isWorkerKey(name))).toEqual([]);
    expect(isWorkerKey('tasks.maxx')).toBe(false);
  });

  it('has the keys of Kafka Connect 3.9 with its types, defaults, importance, group, order, width and display name', () => {
    const rows = sourceConnectorConfig
      .describe()
      .map((row) =>
        [
          row.name,
          row.type,
          row.required ? 'required' : row.default_value,
          row.importance,
          row.group,
          row.order,
          row.width,
          row.display_name,
        ].join(' | '),
      );
    expect(rows).toEqual([
      'name | STRING | required | HIGH | Common | 1 | MEDIUM | Connector name',
      'connector.class | STRING | required | HIGH | Common | 2 | LONG | Connector class',
      'tasks.max | INT | 1 | HIGH | Common | 3 | SHORT | Tasks max',
      'tasks.max.enforce | BOOLEAN | true | LOW | Common | 4 | SHORT | Enforce tasks max',
      'key.converter | CLASS |  | LOW | Common | 5 | SHORT | Key converter class',
      'value.converter | CLASS |  | LOW | Common | 6 | SHORT | Value converter class',
      'header.converter | CLASS |  | LOW | Common | 7 | SHORT | Header converter class',
      'transforms | LIST |  | LOW | Transforms | 8 | LONG | Transforms',
      'predicates | LIST |  | LOW | Predicates | 9 | LONG | Predicates',
      'config.action.reload | STRING | restart | LOW | Common | 10 | MEDIUM | Reload Action',
      'errors.retry.timeout | LONG | 0 | MEDIUM | Error Handling | 1 | MEDIUM | Retry Timeout for Errors',
      'errors.retry.delay.max.ms | LONG | 60000 | MEDIUM | Error Handling | 2 | MEDIUM | Maximum Delay Between Retries for Errors',
      'errors.tolerance | STRING | none | MEDIUM | Error Handling | 3 | SHORT | Error Tolerance',
      'errors.log.enable | BOOLEAN | false | MEDIUM | Error Handling | 4 | SHORT | Log Errors',
      'errors.log.include.messages | BOOLEAN | false | MEDIUM | Error Handling | 5 | SHORT | Log Error Details',
      'topic.creation.groups | LIST |  | LOW | Topic Creation | 1 | LONG | Topic Creation Groups',
      'exactly.once.support | STRING | requested | MEDIUM | Exactly Once Support | 2 | SHORT | Exactly once support',
      'transaction.boundary | STRING | poll | MEDIUM | Exactly Once Support | 3 | SHORT | Transaction Boundary',
      'transaction.boundary.interval.ms | LONG |  | LOW | Exactly Once Support | 4 | SHORT | Transaction boundary interval',
      'offsets.storage.topic | STRING |  | LOW | offsets.topic | 1 | LONG | Offsets topic',
    ]);
  });

  it('takes a connector that sets nothing but name and class', () => {
    const parsed = sourceConnectorConfig.parse(given);
    expect(parsed['tasks.max']).toBe(1);
    expect(parsed['value.converter']).toBeNull();
    expectTypeOf(parsed['value.converter']).toEqualTypeOf<string | null>();
  });

  it.each([
    ['name', '', 'Invalid value  for configuration name: String may not be empty'],
    [
      'name',
      'a\nb\u0085',
      'Invalid value a\nb\u0085 for configuration name: String may not contain control sequences but had the following ASCII chars: 10, 133',
    ],
    ['tasks.max', '0', 'Invalid value 0 for configuration tasks.max: Value must be at least 1'],
    [
      'config.action.reload',
      'now',
      'Invalid value now for configuration config.action.reload: String must be one of: none, restart',
    ],
    [
      'topic.creation.groups',
      'a, a',
      'Invalid value [a, a] for configuration topic.creation.groups: Duplicate alias provided.',
    ],
    [
      'exactly.once.support',
      'maybe',
      'Invalid value maybe for configuration exactly.once.support: String must be one of (case insensitive): REQUIRED, REQUESTED',
    ],
    [
      'offsets.storage.topic',
      '',
      'Invalid value  for configuration offsets.storage.topic: String must be non-empty',
    ],
    [
      'transaction.boundary.interval.ms',
      '-1',
      'Invalid value -1 for configuration transaction.boundary.interval.ms: Value must be at least 0',
    ],
  ])("answers %s=%j in Kafka Connect's words", (key, value, message) => {
    expect(errorsOf(key, value)).toEqual([message]);
  });

  it.each([
    ['transforms', 'a,a', 'Invalid value [a, a] for configuration transforms: Duplicate alias provided.'],
    ['predicates', 'p,p', 'Invalid value [p, p] for configuration predicates: Duplicate alias provided.'],
    [
      'transforms',
      'a,'.repeat(100),
      `Invalid value [${'a, '.repeat(100)}] for configuration transforms: List may have at most 100 entries`,
    ],
  ])('refuses %s=%j, which is not offered, instead of ignoring it', (key, value, message) => {
    expect(errorsOf(key, value)).toEqual([message]);
  });

  it.each([
    ['transforms', ''],
    ['predicates', ' '],
    ['transforms', 'a,b'],
    ['errors.retry.timeout', '-2'],
    ['errors.retry.delay.max.ms', '-1'],
    ['errors.tolerance', 'all'],
    ['errors.log.include.messages', 'TRUE'],
    ['transaction.boundary', 'INTERVAL'],
    ['transaction.boundary.interval.ms', '1000'],
    ['exactly.once.support', 'requested'],
    ['offsets.storage.topic', 'mine'],
  ])('takes %s=%j, which Kafka Connect takes too and whose absence changes no record', (key, value) => {
    expect(errorsOf(key, value)).toEqual([]);
  });

  it('reports a null in both of the ways that Kafka Connect does', () => {
    expect(errorsOf('tasks.max', null)).toEqual([
      'Invalid value null for configuration tasks.max: Value must be non-null',
      'Null value can not be supplied as the configuration value.',
    ]);
    expect(errorsOf('name', null)).toEqual(['Null value can not be supplied as the configuration value.']);
  });
});
