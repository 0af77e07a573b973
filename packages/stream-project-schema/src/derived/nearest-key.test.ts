import { expect, test } from 'vitest';
import { parsePath } from '../fields/field-path.ts';
import { field } from './field-at.ts';
import { nearestKey, removedKeys } from './nearest-key.ts';
import { allFields } from './visit-fields.ts';

test.each([
  ['models[0]', 'descripton', 'description'],
  ['models[0]', 'Description', 'description'],
  ['models[0].advanced.topic', 'replicationFactor', 'replication_factor'],
  ['sources[0]', 'colums', 'columns'],
  ['tests[0].assertions[0]', 'notnull', 'not_null'],
  ['models[0].from[0]', 'reff', 'ref'],
  ['runtime.engine.clusters.local', 'rest-url', 'rest_url'],
  ['', 'source', 'sources'],
  ['runtime.engine.clusters.local', 'url', 'rest_url'],
  ['runtime.platform', 'password', 'sasl_password'],
  ['sources[0].freshness', 'max_lag', 'max_lag_seconds'],
  ['models[0].deprecation.v1', 'sunset', 'sunset_date'],
  ['tests[0].assertions[0].foreign_key', 'model', 'ref_model'],
] as const)('in "%s", "%s" is spelt "%s"', (path, key, meant) => {
  expect(nearestKey({ path: parsePath(path), key })).toEqual({
    kind: 'spelling',
    key: meant,
    hint: `did you mean "${meant}"?`,
  });
});

test.each([
  ['models[2]', 'topic', 'models[].advanced.topic', 'advanced.topic'],
  ['models[2]', 'gateway', 'models[].advanced.gateway', 'advanced.gateway'],
  ['models[2]', 'connector', 'models[].sink', 'sink'],
  ['models[2]', 'cluster', 'models[].advanced.engine_cluster', 'advanced.engine_cluster'],
  ['models[2].advanced', 'connector', 'models[].advanced.sink', 'sink'],
  ['exposures[0]', 'depends_on', 'exposures[].consumes', 'consumes'],
  ['', 'governance', 'rules', 'rules'],
  ['runtime', 'gateway', 'runtime.vendor.gateway', 'vendor.gateway'],
] as const)('in "%s", "%s" moved to %s', (path, key, to, near) => {
  expect(nearestKey({ path: parsePath(path), key })).toEqual({
    kind: 'moved',
    to,
    ...(near === to ? {} : { below: near }),
    hint: `it belongs in "${near}"`,
  });
});

test('a key that shares its words with several equally is none of them', () => {
  expect(nearestKey({ path: parsePath('runtime.platform'), key: 'sasl' })).toBeUndefined();
});

test.each([
  ['models[0]', 'partitions', 'models[].advanced.topic.partitions'],
  ['models[0]', 'query', 'models[].sql'],
  ['tests[0].on_failure.actions[0].dlq', 'model', 'tests[].on_failure.actions[].dlq.topic'],
  ['sources[0].event_time', 'field', 'sources[].event_time.column'],
  ['defaults.topic', 'replicas', 'defaults.topic.replication_factor'],
  ['models[0]', 'state_ttl_ms', 'models[].advanced.engine.state_ttl_ms'],
  ['project', 'models', 'models'],
  ['project', 'bootstrap_servers', 'runtime.platform.bootstrap_servers'],
  ['runtime', 'sasl_password', 'runtime.platform.sasl_password'],
  ['sources[0]', 'proctime', 'sources[].columns[].proctime'],
  ['', 'naming_pattern', 'rules.topics.naming_pattern'],
] as const)('in "%s", "%s" is known from %s', (path, key, to) => {
  expect(nearestKey({ path: parsePath(path), key })).toMatchObject({ kind: 'moved', to });
});

test('keys that the format does without say why', () => {
  const removed = nearestKey({ path: ['models', 0], key: 'materialized' });
  expect(removed).toEqual({
    kind: 'removed',
    hint: 'what a model becomes is inferred from its SQL and configuration',
  });
});

test('sections of the project file have no place in another', () => {
  expect(nearestKey({ path: [], key: 'rules', form: 'fragment' })).toEqual({
    kind: 'moved',
    to: 'rules',
    hint: '"rules" belongs in stream_project.yml',
  });
  expect(nearestKey({ path: [], key: 'model', form: 'fragment' })).toMatchObject({ key: 'models' });
});

test.each(['zzz', 'constructor', '__proto__', '', 'x'.repeat(100_000)])(
  'nothing is close to "%.20s"',
  (key) => {
    expect(nearestKey({ path: ['models', 0], key })).toBeUndefined();
  },
);

test('planned keys are no correction', () => {
  const suggestion = nearestKey({ path: parsePath('models[0].advanced.engine'), key: 'checkpoint_timeout' });
  expect(suggestion).not.toMatchObject({ key: 'checkpoint_timeout_ms' });
});

const moves = allFields().flatMap(({ path, field: row }) =>
  (row.movedFrom ?? []).map((from) => ({ from, path })),
);

test('every place that keys moved from is an unknown key of an object that exists, and named once', () => {
  const places = [...moves.map(({ from }) => from), ...Object.keys(removedKeys)];
  const parentOf = (place: string) => place.slice(0, Math.max(place.lastIndexOf('.'), 0));
  expect(places.filter((place) => field(parentOf(place)) === undefined)).toEqual([]);
  expect(places.filter((place) => field(place) !== undefined && field(place)?.type !== 'any')).toEqual([]);
  const sinkTwice = moves
    .filter(({ path }) => path.startsWith('models[].advanced.sink.'))
    .map(({ from }) => from);
  const once = places.filter((place) => !sinkTwice.includes(place));
  expect(new Set(once).size).toBe(once.length);
});

test.each(moves)('suggests a place that exists for $from', ({ from }) => {
  const dot = from.lastIndexOf('.');
  const suggestion = nearestKey({
    path: parsePath(from.slice(0, Math.max(dot, 0))),
    key: from.slice(dot + 1),
  });
  const to = suggestion?.kind === 'moved' ? suggestion.to : 'nowhere';
  expect(field(to)).toMatchObject({ doc: expect.any(String) });
});
