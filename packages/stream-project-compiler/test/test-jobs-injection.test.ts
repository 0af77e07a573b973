import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interpolate } from '../src/parse/interpolate.ts';
import { projectFile } from './resolve-support/compile-files.ts';
import { testJobs } from './test-jobs/compiled-tests.ts';
import { type SqlToken, sqlTokens } from './test-jobs/sql-tokens.ts';

/** Text with much of what ends names, literals, comments and statements, or begins a variable. */
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: variables
const pieces = [
  '`',
  "'",
  "''",
  '"',
  ';',
  '--',
  '/*',
  '*/',
  '\\',
  "\\'",
  '$',
  '${',
  '$${',
  '${HOME}',
  '{{',
  '\n',
  ');',
  'é😀',
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: variables
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary' })), { maxLength: 6 })
  .map((parts) => parts.join('').replaceAll(/[\r\0]|\p{Cs}/gu, ''));

const columnName = hostile
  .map((text) => text.replaceAll('\n', '').trim())
  .filter((text) => text !== '' && !text.includes('.') && !text.includes(','));

interface Asked {
  readonly values: readonly string[];
  readonly column: string;
  readonly expected: string;
}

/** Text as it is in a project file, where "${" would begin a variable. */
function escaped(text: string): string {
  return text.replaceAll('${', () => '$${');
}

/** The statements of a test with these values in its assertions, as they are after variables were replaced. */
async function statementsWith({ values, column, expected }: Asked): Promise<readonly string[]> {
  const project = {
    sources: [{ name: 's', topic: 's.v1', columns: [{ name: escaped(column), type: 'STRING' }] }],
    tests: [
      {
        name: 't',
        model: 's',
        type: 'continuous',
        assertions: [
          { accepted_values: { column: escaped(column), values: values.map(escaped) } },
          { not_null: { columns: [escaped(column)] } },
          {
            custom_sql: {
              sql: 'SELECT UPPER(CAST(1 AS STRING)) AS answer FROM {{ model }}',
              expect: escaped(expected),
            },
          },
        ],
        on_failure: { actions: [{ dlq: { topic: 'failed.v1' } }] },
      },
    ],
  };
  const files = { 'stream_project.yml': projectFile, 'tests/t.json.yml': JSON.stringify(project) };
  const { jobs, errors } = await testJobs(files);
  expect(errors).toEqual([]);
  return (jobs.get('t')?.statements ?? []).map((sql) => {
    const found = interpolate(sql, new Map([['HOME', 'replaced']]));
    expect(found?.variables ?? []).toEqual([]);
    return found?.text ?? sql;
  });
}

/** What the statements say: quoted text is named after what it is in the test, everything else is as it is. */
function meaning(statements: readonly string[], { values, column, expected }: Asked): readonly string[] {
  const shown = `one of ${values.join(', ')}`;
  const words = new Map([
    ...values.map((value, index): [string, string] => [value, `value ${index}`]),
    [shown, 'shown'],
  ]);
  const word = ({ kind, value }: SqlToken) => {
    if (kind === 'name' && value === column) return '`column`';
    if (kind !== 'text') return `${kind} ${value}`;
    if (words.has(value)) return `text ${words.get(value)}`;
    if (value === column) return 'text column';
    return value === expected ? 'text expected' : `text ${value}`;
  };
  return statements.flatMap((sql) => [...sqlTokens(sql).map(word), 'end']);
}

describe('texts in assertions', () => {
  it('are literals and names that say the same, and never anything else', async () => {
    const plain = { values: ['v0', 'v1', 'v2'], column: 'plain_column', expected: 'plain expected' };
    const benign = meaning(await statementsWith(plain), plain);
    expect(benign.filter((token) => token === 'text value 1')).toHaveLength(2);
    const asked = fc.record({
      values: fc.uniqueArray(hostile, { minLength: 3, maxLength: 3 }),
      column: columnName,
      expected: hostile,
    });
    await fc.assert(
      fc.asyncProperty(asked, async (one) => {
        const all = [...one.values, one.column, one.expected, `one of ${one.values.join(', ')}`];
        const own = new Set([
          's',
          't',
          's.v1',
          'failed.v1',
          '',
          ...benign.map((token) => token.replace(/^\w+ /, '')),
        ]);
        fc.pre(new Set(all).size === all.length && all.every((text) => !own.has(text)));
        expect(meaning(await statementsWith(one), one)).toEqual(benign);
      }),
      { numRuns: 150 },
    );
  }, 120_000);
});
