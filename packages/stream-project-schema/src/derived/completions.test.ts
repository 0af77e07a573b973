import { expect, test } from 'vitest';
import { completions } from './completions.ts';

const labels = (place: Parameters<typeof completions>[0]) => completions(place).map(({ label }) => label);

test('offers the keys of an object that it does not have yet, in order, without planned ones', () => {
  expect(labels({ path: 'models[].advanced.engine', present: ['parallelism'] })).toEqual([
    'checkpoint_interval_ms',
    'state_backend',
    'state_ttl_ms',
    'start',
    'start_timestamp_ms',
    'delivery',
    'ends_job',
  ]);
});

test('says of a key what it means, what shape it has, and how far it takes effect', () => {
  expect(completions({ path: ['models', 0] })[0]).toEqual({
    kind: 'key',
    label: 'name',
    doc: 'Unique name; SQL reads it with `{{ ref("name") }}`.',
    shape: 'scalar',
    required: true,
  });
  const engine = completions({ path: 'models[].advanced.engine' });
  expect(engine.find(({ label }) => label === 'state_backend')).toMatchObject({ status: 'parsed' });
  const model = completions({ path: 'models[]' });
  expect(model.find(({ label }) => label === 'columns')).toMatchObject({ shape: 'list' });
  expect(model.find(({ label }) => label === 'deprecation')).toMatchObject({ shape: 'map' });
});

test('offers the words of a closed list, and marks the default', () => {
  expect(completions({ path: 'sources[].event_time.watermark.strategy' })).toEqual([
    {
      kind: 'value',
      label: 'bounded_out_of_orderness',
      doc: 'Events may come late, by at most `max_out_of_orderness_ms`.',
      isDefault: true,
    },
    {
      kind: 'value',
      label: 'monotonously_increasing',
      doc: 'Events come in order; the watermark is the event time itself.',
    },
  ]);
});

test('offers true and false, defaults, and words that are only suggested', () => {
  expect(labels({ path: 'rules.models.require_tests' })).toEqual(['true', 'false']);
  expect(labels({ path: 'sources[].event_time.watermark.max_out_of_orderness_ms' })).toEqual(['5000']);
  expect(labels({ path: 'runtime.vendor.gateway.username' })).toEqual(['admin']);
  expect(labels({ path: 'exposures[].contracts.compatibility' })).toContain('BACKWARD');
});

test('an object that takes one key takes no second', () => {
  expect(labels({ path: 'exposures[].consumes[]' })).toEqual(['ref', 'source']);
  expect(labels({ path: 'exposures[].consumes[]', present: ['ref'] })).toEqual([]);
});

test('a fragment offers its four keys', () => {
  expect(labels({ path: '', form: 'fragment' })).toEqual(['sources', 'models', 'tests', 'exposures']);
});

test.each([
  'nothing',
  'models[].sql',
  'models',
  'runtime.engine.clusters',
  'models[].sink.config.x',
  'models[].version',
])('offers nothing at %s', (path) => {
  expect(completions({ path })).toEqual([]);
});
