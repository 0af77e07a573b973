import { describe, expect, test } from 'vitest';
import { model, modelsSay, select, sink } from './validate-support/models-say.ts';
import { lines } from './validate-support/validate-files.ts';

describe('deprecations', () => {
  function old(rest: string): string {
    return model('old', `${select}, ${rest}`);
  }
  const reader = model('reader', `sql: 'SELECT id FROM {{ ref("old") }}'`);

  test.each([
    ['2026-11-20', ['deprecated-reference']],
    ['2026-11-21', ['sunset-passed', 'sunset-reference']],
    ['2026-11-22', ['sunset-passed', 'sunset-reference']],
  ])('on %s', async (today, expected) => {
    const rest = 'deprecation: {v1: {sunset_date: "2026-11-21"}}';
    expect((await modelsSay([old(rest), reader], {}, { today })).names).toEqual(expected);
  });

  test.each([
    ['version: 1, deprecation: {v1: {}}', ['deprecated-reference']],
    ['version: 1, deprecation: {"1": {}}', ['deprecated-reference']],
    ['version: 2, deprecation: {v1: {}}', []],
    ['version: 2, deprecation: {v1: {}, v2: {}}', ['deprecated-reference']],
    ['version: 1, deprecation: {v2: {}}', ['unknown-version']],
    ['version: 1, deprecation: {old: {}}', ['unknown-version']],
    ['deprecation: {old: {}}', ['deprecated-reference']],
    ['deprecation: {v1: {}, v2: {}}', ['unknown-version']],
  ])('judges a reference to a model with %s', async (rest, expected) => {
    expect((await modelsSay([old(rest), reader])).names).toEqual(expected);
  });

  test('"from", exposures and foreign keys refer, a test of the model itself does not', async () => {
    const { diagnostics } = await modelsSay(
      [old('deprecation: {v1: {message: "use new"}}'), sink('out', 'a: b', 'old'), model('new')],
      {
        'exposures/e.yml': lines('exposures:', '  - {name: app, type: application, consumes: [{ref: old}]}'),
        'tests/t.yml': lines(
          'tests:',
          '  - {name: one, model: old, type: sample, assertions: [{not_null: {columns: [id]}}]}',
          '  - name: two',
          '    model: new',
          '    type: sample',
          '    assertions: [{foreign_key: {column: id, ref_model: old, ref_key: id}}]',
        ),
      },
    );
    const found = diagnostics.filter(({ message }) => message.includes('refers to model "old"'));
    expect(found.map(({ object, path }) => `${object} ${path}`)).toEqual([
      'exposure:app exposures[0].consumes[0].ref',
      'model:out models[1].from',
      'test:two tests[1].assertions[0].foreign_key.ref_model',
    ]);
  });
});
