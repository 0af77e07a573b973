import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lines, validateFiles } from './validate-support/validate-files.ts';

const levels = [undefined, 'internal', 'sensitive', 'highly_sensitive'] as const;
const columns = ['a', 'b', 'c'] as const;

/** One column of a model: which column of which earlier node it hands on, and what is done about it. */
const aColumn = fc.record({
  from: fc.nat(),
  column: fc.constantFrom(...columns),
  masked: fc.boolean(),
  raised: fc.boolean(),
});

const aProject = fc.record({
  source: fc.tuple(...columns.map(() => fc.constantFrom(...levels))),
  models: fc.array(fc.tuple(aColumn, aColumn, aColumn), { minLength: 1, maxLength: 6 }),
});

type Drawn = typeof aProject extends fc.Arbitrary<infer T> ? T : never;
type DrawnColumn = Drawn['models'][number][number];

/** Which node a column of a model reads: the source is 0. */
function nodeOf({ from }: DrawnColumn, model: number): number {
  return from % (model + 1);
}

function tableOf(node: number): string {
  return node === 0 ? '{{ source("raw") }}' : `{{ ref("m${node - 1}") }}`;
}

function modelText(drawn: Drawn['models'][number], model: number): string {
  const nodes = [...new Set(drawn.map((column) => nodeOf(column, model)))];
  const items = drawn.map((one, index) => `n${nodeOf(one, model)}.${one.column} AS ${columns[index]}`);
  const tables = nodes.map((node) => `${tableOf(node)} AS n${node}`).join(' CROSS JOIN ');
  const policies = drawn.flatMap((one, index) =>
    one.masked ? [`{mask: {column: ${columns[index]}, method: hash}}`] : [],
  );
  const raised = drawn.flatMap((one, index) => (one.raised ? [`${columns[index]}: sensitive`] : []));
  return lines(
    `  - name: m${model}`,
    `    sql: SELECT ${items.join(', ')} FROM ${tables}`,
    `    security: {classification: {${raised.join(', ')}}, policies: [${policies.join(', ')}]}`,
  );
}

/** A sink for every model. */
function filesOf({ source, models }: Drawn): Readonly<Record<string, string>> {
  const written = columns.map((name, index) => {
    const level = source[index];
    return `      - {name: ${name}, type: STRING${level === undefined ? '' : `, classification: ${level}`}}`;
  });
  const sinks = models.map((_, index) =>
    lines(`  - name: s${index}`, `    from: m${index}`, '    sink: {connector: http-sink, config: {a: b}}'),
  );
  return {
    'sources/s.yml': lines('sources:', '  - name: raw', '    topic: raw.v1', '    columns:', ...written),
    'models/m.yml': `models:\n${models.map(modelText).join('')}${sinks.join('')}`,
  };
}

/** The level of what readers get, straight from its meaning. */
function given({ source, models }: Drawn, node: number, index: number): number {
  if (node === 0) return levels.indexOf(source[index]);
  const column = models[node - 1]?.[index];
  if (column === undefined || column.masked) return 0;
  const origin = given({ source, models }, nodeOf(column, node - 1), columns.indexOf(column.column));
  return Math.max(origin, column.raised ? levels.indexOf('sensitive') : 0);
}

test('exactly the columns that lead to something sensitive without a mask are reported at sinks', async () => {
  await fc.assert(
    fc.asyncProperty(aProject, async (drawn) => {
      const { diagnostics } = await validateFiles(filesOf(drawn));
      const reported = diagnostics
        .filter(({ code }) => code === 'LV3301')
        .map(
          ({ object, message }) =>
            `${object} ${message.split(' column ')[0]} ${/column "(\w+)"/.exec(message)?.[1]}`,
        );
      const expected = drawn.models.flatMap((_, model) =>
        columns.flatMap((name, index) => {
          const level = given(drawn, model + 1, index);
          return level < 2 ? [] : [`model:s${model} the ${levels[level]} ${name}`];
        }),
      );
      expect(reported.sort()).toEqual(expected.sort());
    }),
    { numRuns: 60 },
  );
});
