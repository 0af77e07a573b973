import { expect, test } from 'vitest';
import { allFields } from '../src/derived/visit-fields.ts';
import { type Field, field } from '../src/index.ts';
import { seedFields } from './seed-fields.ts';

function wordsOf(row: Field): readonly string[] {
  return row.type === 'enum' ? Object.keys(row.values) : [];
}

function defaultOf(row: Field): string | undefined {
  return 'default' in row && row.type !== 'boolean' && row.default !== undefined
    ? String(row.default)
    : undefined;
}

/** Keys of the format document that the engine takes nowhere: its window functions drop late rows. They say that they have no effect. */
const withoutEffect = /\.allowed_lateness_ms$/;

test.each(seedFields)('the field $path of the format document has its row', (seed) => {
  const row = field(seed.path);
  if (row === undefined) throw new Error(`no row at ${seed.path}`);
  expect({
    path: seed.path,
    type: row.type,
    required: row.required === true,
    words: wordsOf(row),
    default: defaultOf(row),
    status: row.status,
  }).toEqual(withoutEffect.test(seed.path) ? { ...seed, status: 'parsed' } : seed);
});

test('a row that is no field of the format document says that it is an extension', () => {
  const known = new Set(seedFields.map(({ path }) => path.replaceAll(/<\w+>/g, '<>')));
  const others = allFields()
    .map((row) => ({ ...row, path: row.path.replaceAll(/<\w+>/g, '<>') }))
    .filter(({ path }) => path.includes('.') && !path.endsWith('[]') && !path.endsWith('<>'))
    .filter(({ path, field: row }) => !known.has(path) && row.status !== 'extension')
    .map(({ path }) => path);
  // Groups that the document names by the paths of what they hold, and shapes it leaves open.
  expect(others).toEqual([
    'runtime.platform',
    'runtime.schema_registry',
    'runtime.engine',
    'runtime.connect',
    'runtime.vendor',
    'defaults.topic',
    'defaults.models',
    'defaults.tests',
    'rules.topics',
    'rules.models',
    'rules.sources',
    'rules.security',
    'sources[].advanced',
    'sources[].advanced.event_time',
    'tests[].assertions[].distribution.buckets[].min',
    'tests[].assertions[].distribution.buckets[].max',
    'tests[].assertions[].distribution.buckets[].expected_ratio',
    'tests[].assertions[].distribution.buckets[].min_ratio',
    'tests[].assertions[].distribution.buckets[].max_ratio',
    'tests[].assertions[].distribution.buckets[].tolerance',
  ]);
});

test('secrets of the format document are secret, and nothing that a user must see is', () => {
  const secret = allFields()
    .filter(({ field: row }) => row.secret === true)
    .map(({ path }) => path);
  expect(secret).toEqual([
    'runtime.platform.sasl_password',
    'runtime.schema_registry.password',
    'runtime.engine.clusters.<cluster>.api_key',
    'runtime.vendor.gateway.password',
    'models[].security.policies[].mask.secret',
    'tests[].on_failure.actions[].alert.url',
    'tests[].on_failure.actions[].alert.webhook',
    'tests[].on_failure.actions[].alert.routing_key',
  ]);
});

test('every row has documentation that ends as a sentence', () => {
  const silent = allFields().filter(({ field: row }) => !/^[^ ].*\.$/.test(row.doc));
  expect(silent.map(({ path }) => path)).toEqual([]);
});
