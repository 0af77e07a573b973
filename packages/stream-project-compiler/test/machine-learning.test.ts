import { describe, expect, test } from 'vitest';
import { lines, projectWith, validateFiles } from './validate-support/validate-files.ts';

/** A project on a managed cluster, with one model of this SQL that declares what `fraud` answers. */
async function findings(sql: string) {
  return validateFiles({
    'stream_project.yml': projectWith().replace('type: rest', 'type: managed'),
    'models/m.yml': lines(
      'sources:',
      '  - name: s',
      '    topic: s.v1',
      '    columns: [{name: id, type: STRING}, {name: amount, type: INT}, {name: label, type: STRING}]',
      'models:',
      '  - name: m',
      `    sql: ${sql}`,
      '    ml_outputs: {fraud: {columns: [{name: score, type: DOUBLE}]}}',
    ),
  });
}

const s = '{{ source("s") }}';

describe('DESCRIPTOR in a call of a machine-learning model', () => {
  test('names columns of the table that ML_EVALUATE is called with', async () => {
    const sql = `SELECT * FROM ML_EVALUATE(TABLE ${s}, MODEL fraud, DESCRIPTOR(label), DESCRIPTOR(id, amount), 'classification')`;
    expect((await findings(sql)).text).not.toContain('LV41');
  });

  test('reports DESCRIPTOR of a column that the table does not have', async () => {
    const sql = `SELECT * FROM ML_EVALUATE(TABLE ${s}, MODEL fraud, DESCRIPTOR(label), DESCRIPTOR(id, amont), 'classification')`;
    const { text, names } = await findings(sql);
    expect(names).toEqual(['unknown-column']);
    expect(text).toContain('no table in FROM has a column "amont" — did you mean "amount"?');
  });
});

describe('the name of a machine-learning model without quotes', () => {
  test.each(['ML_PREDICT', 'ML_EVALUATE', 'ml_predict'])(
    'does not report the name of a model as an unknown column in %s',
    async (name) => {
      const { text, names } = await findings(`SELECT id, ${name}(fraud, amount) AS p FROM ${s}`);
      expect(names).toEqual(['model-name-quotes']);
      expect(text).toContain(
        `the machine-learning model "fraud" is used without quotes, expected text — write ${name.toUpperCase()}('fraud', ...)`,
      );
    },
  );

  test('reports a name in several calls once, at each of its places', async () => {
    const sql = `SELECT ML_PREDICT(fraud, amount) AS p, ML_PREDICT('fraud', id) AS q FROM ${s} WHERE ML_PREDICT(fraud, id).score > 1`;
    expect((await findings(sql)).names).toEqual(['model-name-quotes', 'model-name-quotes']);
  });

  test('leaves the other arguments columns', async () => {
    const { names } = await findings(`SELECT ML_PREDICT(fraud, amont) AS p FROM ${s}`);
    expect(names).toEqual(['model-name-quotes', 'unknown-column']);
  });

  test("infers the type of an unquoted model's output all the same", async () => {
    const { names } = await findings(`SELECT ML_PREDICT(fraud, amount).score + 'x' AS p FROM ${s}`);
    expect(names).toEqual(['type-mismatch', 'model-name-quotes']);
  });
});
