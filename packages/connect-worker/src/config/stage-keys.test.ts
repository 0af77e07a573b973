import { configDef } from '@levada/connect-runtime-core';
import { nonEmpty } from '@levada/connect-runtime-core/config';
import type { PredicatePlugin, TransformationPlugin } from '@levada/connect-runtime-core/contract';
import { builtInConverters } from '@levada/connect-runtime-core/host';
import { describe, expect, it } from 'vitest';
import { PluginRegistry } from './plugin-registry.ts';
import { stageKeys } from './stage-keys.ts';
import { stageIssues, transformationStages } from './transformation-stages.ts';

const config = configDef([
  { name: 'low', type: 'string', default: 'x', importance: 'low', documentation: 'Low.' },
  { name: 'needed', type: 'string', importance: 'medium', documentation: 'Needed.', validator: nonEmpty },
  { name: 'token', type: 'password', default: null, importance: 'high', documentation: 'Secret.' },
]);
const transformation = (className: string): TransformationPlugin => ({
  className,
  config,
  create: (raw) => {
    const { needed } = config.parse(raw);
    return { apply: (record) => ({ ...record, topic: needed }) };
  },
});
const predicate: PredicatePlugin = {
  className: 'example.IsEmpty',
  config: configDef([]),
  create: () => ({ test: ({ value }) => value === '' }),
};
const registry = new PluginRegistry([], builtInConverters, {
  transformations: [
    transformation('example.Rename$Key'),
    transformation('example.Rename$Value'),
    transformation('example.Route'),
  ],
  predicates: [predicate],
});

const complete = {
  transforms: 'a, b',
  'transforms.a.type': 'example.Rename$Value',
  'transforms.a.needed': 'one',
  'transforms.a.token': 'hidden',
  'transforms.b.type': 'Route',
  'transforms.b.needed': 'two',
  'transforms.b.predicate': 'p',
  'transforms.b.negate': 'TRUE',
  predicates: 'p',
  'predicates.p.type': 'IsEmpty',
};

function errors(raw: Record<string, string>): Readonly<Record<string, readonly string[]>> {
  const values = stageKeys(registry, raw).validate(raw);
  return Object.fromEntries(
    values.flatMap(({ name, errors: found }) => (found.length > 0 ? [[name, found]] : [])),
  );
}

describe('stageKeys', () => {
  it('lists the keys of each alias in the order and groups of Kafka Connect', () => {
    const rows = stageKeys(registry, complete).describe();
    expect(rows.map(({ name, order }) => [name, order])).toEqual([
      ['transforms.a.type', 0],
      ['transforms.a.needed', 1],
      ['transforms.a.token', 2],
      ['transforms.a.negate', 3],
      ['transforms.a.predicate', 4],
      ['transforms.a.low', 5],
      ['transforms.b.type', 0],
      ['transforms.b.needed', 1],
      ['transforms.b.token', 2],
      ['transforms.b.negate', 3],
      ['transforms.b.predicate', 4],
      ['transforms.b.low', 5],
      ['predicates.p.type', 0],
    ]);
    expect(rows[0]).toMatchObject({
      type: 'CLASS',
      required: true,
      importance: 'HIGH',
      group: 'Transforms: a',
      width: 'LONG',
      display_name: 'Transformation type for a',
    });
    expect(rows.at(-1)).toMatchObject({ group: 'Predicates: p', display_name: 'Predicate type for p' });
    expect(errors(complete)).toEqual({});
  });

  it('looks at no more aliases than a list may have', () => {
    const aliases = Array.from({ length: 1000 }, (_, i) => `a${i}`);
    expect(stageKeys(registry, { transforms: aliases.join(',') }).keys).toHaveLength(100);
  });

  it('knows which keys are secrets', () => {
    expect(stageKeys(registry, complete).find('transforms.a.token')).toMatchObject({ type: 'password' });
    const value = stageKeys(registry, complete)
      .validate(complete)
      .find(({ name }) => name === 'transforms.a.token');
    expect(value).toMatchObject({ value: '[hidden]' });
  });

  it('names a key without its alias where a validator speaks, and with it elsewhere', () => {
    expect(errors({ transforms: 'a', 'transforms.a.type': 'Route', 'transforms.a.needed': '' })).toEqual({
      'transforms.a.needed': ['Invalid value  for configuration needed: String must be non-empty'],
    });
    expect(errors({ transforms: 'a', 'transforms.a.type': 'Route' })).toEqual({
      'transforms.a.needed': [
        'Missing required configuration "transforms.a.needed" which has no default value.',
      ],
    });
  });

  it.each([
    [{}, 'Missing required configuration "transforms.a.type" which has no default value.'],
    [
      { 'transforms.a.type': 'NoSuch' },
      'Invalid value NoSuch for configuration transforms.a.type: Class NoSuch could not be found.',
    ],
    [
      { 'transforms.a.type': 'example.Rename' },
      'This class is abstract and cannot be created. Did you mean example.Rename$Value, example.Rename$Key?',
    ],
    [
      { 'transforms.a.type': 'org.apache.kafka.connect.json.JsonConverter' },
      'Class class org.apache.kafka.connect.json.JsonConverter does not implement the Transformation interface',
    ],
    [
      { 'transforms.a.type': 'Route', 'transforms.a.needed': 'x', 'transforms.a.negate': 'true' },
      "Config 'transforms.a.negate' was provided but there is no config 'transforms.a.predicate' defining a predicate to be negated.",
    ],
  ])('says of %j what Kafka Connect says', (keys, message) => {
    expect(errors({ transforms: 'a', ...keys })).toEqual({ 'transforms.a.type': [message] });
  });
});

describe('transformationStages', () => {
  it('makes each transformation with its condition', () => {
    const stages = transformationStages(registry, complete);
    expect(stages).toMatchObject([
      { className: 'example.Rename$Value', negate: false },
      { className: 'example.Route', negate: true, predicate: expect.anything() },
    ]);
    expect(stages?.[0]?.predicate).toBeUndefined();
  });

  it('makes nothing without transformations', () => {
    expect(transformationStages(registry, { transforms: '' })).toBeUndefined();
  });

  it('refuses a predicate that is not declared', () => {
    expect(stageIssues(registry, { ...complete, predicates: '' })).toEqual([
      {
        key: 'transforms.b.predicate',
        message:
          'Invalid value p for configuration transforms.b.predicate: it is not one of the aliases in predicates',
      },
    ]);
  });
});
