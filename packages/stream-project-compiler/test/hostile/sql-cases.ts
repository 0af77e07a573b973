import { casesOf, type HostileCase, type Text, textOf } from './hostile-case.ts';
import { withFile, withSql } from './sound-project.ts';

const from = 'FROM {{ source("orders") }}';
const times = (text: string, count: number) => () => text.repeat(count);

/** Cases of reliability 3.9 that lie in the SQL of a model. */
const models = casesOf<Text>(
  'sql',
  {
    'two statements': ['sql-statement', `SELECT id ${from}; SELECT id ${from}`],
    'a statement that drops': ['sql-statement', `SELECT id ${from}; DROP TABLE orders`],
    SET: ['sql-statement', "SET 'table.local-time-zone' = 'UTC'"],
    CREATE: ['sql-statement', `CREATE TABLE x AS SELECT id ${from}`],
    DROP: ['sql-statement', 'DROP TABLE orders'],
    EXECUTE: ['sql-statement', `EXECUTE STATEMENT SET BEGIN INSERT INTO x SELECT id ${from}; END`],
    'ADD JAR': ['sql-statement', "ADD JAR '/tmp/x.jar'"],
    INSERT: ['sql-statement', `INSERT INTO x SELECT id ${from}`],
    DELETE: ['sql-statement', 'DELETE FROM orders'],
    UPDATE: ['sql-statement', 'UPDATE orders SET id = 1'],
    nothing: ['invalid-value', ''],
    blanks: ['sql-syntax', '   '],
    'a comment': ['sql-syntax', '-- nothing'],
    'a comment that holds a query': ['sql-syntax', `/* SELECT id ${from} */`],
    'no table': ['sql-no-from', 'SELECT 1'],
    'FROM in a comment': ['sql-no-from', `SELECT 1 -- ${from}`],
    'FROM in a string': ['sql-no-from', `SELECT '${from}'`],
    'a source that is not there': ['unknown-source', 'SELECT id FROM {{ source("order") }}'],
    'a model that is not there': ['unknown-model', 'SELECT id FROM {{ ref("pay") }}'],
    'a source as a model': ['unknown-model', 'SELECT id FROM {{ ref("orders") }}'],
    itself: ['cycle', 'SELECT id FROM {{ ref("hostile") }}'],
    'a macro without quotes': ['sql-template', 'SELECT id FROM {{ ref(paid) }}'],
    'a macro with two arguments': ['sql-template', "SELECT id FROM {{ ref('a', 'b') }}"],
    'a macro without argument': ['sql-template', 'SELECT id FROM {{ ref() }}'],
    'a macro of another tool': ['sql-template', 'SELECT id FROM {{ config.x }}'],
    'a macro with a filter': ['sql-template', "SELECT id FROM {{ ref('paid') | upper }}"],
    'a loop': ['sql-template', `{% for x in y %} SELECT id ${from} {% endfor %}`],
    'a comment of a template that does not end': [
      'sql-unterminated',
      `SELECT id ${from} {# {{ ref("paid") }}`,
    ],
    'a macro that does not end': ['sql-unterminated', 'SELECT id FROM {{ source("orders")'],
    'a macro with a quote in its name': ['sql-template', 'SELECT id FROM {{ source("a\'b") }}'],
    'a macro with a path': ['unknown-source', 'SELECT id FROM {{ source("../orders") }}'],
    'a macro over two lines': ['sql-unterminated', 'SELECT id FROM {{ source("or\nders") }}'],
    'a macro in a macro': ['sql-unterminated', 'SELECT id FROM {{ source({{ ref("a") }}) }}'],
    'code in a macro': ['sql-template', 'SELECT id FROM {{ process.exit(0) }}'],
    'a string that does not end': ['sql-unterminated', `SELECT 'id ${from}`],
    'a name that does not end': ['sql-unterminated', `SELECT \`id ${from}`],
    'a comment that does not end': ['sql-unterminated', `SELECT id /* ${from}`],
    'a parenthesis that does not end': ['sql-syntax', `SELECT (id ${from}`],
    'a parenthesis too many': ['sql-syntax', `SELECT id) ${from}`],
    'nothing selected': ['sql-syntax', `SELECT ${from}`],
    'nothing after WHERE': ['sql-syntax', `SELECT id ${from} WHERE`],
    'a comma too many': ['sql-syntax', `SELECT id, ${from}`],
    'double quotes': ['sql-double-quotes', `SELECT "id" ${from}`],
    '!=': ['sql-dialect', `SELECT id ${from} WHERE id != 1`],
    '::': ['sql-dialect', `SELECT id::STRING ${from}`],
    'a type of another engine': ['sql-type', `SELECT CAST(id AS TEXT) ${from}`],
    'a reserved word as a name': ['sql-reserved-word', `SELECT id AS value ${from}`],
    'a query that repeats itself': [
      'sql-recursive',
      `WITH RECURSIVE t AS (SELECT id ${from}) SELECT * FROM t`,
    ],
    '90,000 opened parentheses': ['sql-too-deep', () => `SELECT ${'('.repeat(90_000)}`],
    '80,000 parentheses': [
      'sql-too-deep',
      () => `SELECT ${'('.repeat(40_000)}1${')'.repeat(40_000)} ${from}`,
    ],
    '200,000 parentheses': [
      'sql-too-long',
      () => `SELECT ${'('.repeat(100_000)}1${')'.repeat(100_000)} ${from}`,
    ],
    '40,000 opened CASE': ['sql-too-deep', () => `SELECT ${'CASE WHEN '.repeat(20_000)} ${from}`],
    '90,000 signs': ['sql-too-deep', () => `SELECT ${'- '.repeat(90_000)}1 ${from}`],
    '90,000 NOT': ['sql-too-deep', () => `SELECT id ${from} WHERE ${'NOT '.repeat(90_000)} TRUE`],
    '40,000 sums': ['sql-too-deep', () => `SELECT 1${' + 1'.repeat(40_000)} ${from}`],
    'queries in queries': ['sql-too-deep', () => `SELECT * FROM ${'(SELECT * FROM '.repeat(5000)}`],
    'types in types': ['sql-too-deep', () => `SELECT CAST(id AS ${'ARRAY<'.repeat(5000)} ${from}`],
    'a megabyte of opened macros': ['sql-unterminated', times('{{', 500_000)],
    'a megabyte of macros': ['sql-syntax', times('{{ ref("paid") }}', 60_000)],
    'a megabyte of opened blocks': ['sql-unterminated', times('{%', 500_000)],
    'a megabyte of comments': ['sql-syntax', times('-- ', 350_000)],
    'a megabyte of opened comments': ['sql-unterminated', times('/* ', 350_000)],
    'a megabyte of quotes': ['sql-syntax', times("'", 1_000_000)],
    'a megabyte of backticks': ['sql-syntax', times('`', 1_000_000)],
    '90,000 commas': ['sql-syntax', () => `SELECT ${','.repeat(90_000)}`],
    'a megabyte of stars': ['project-too-large', () => `SELECT ${'* '.repeat(1_100_000)} ${from}`],
    'half a megabyte of commas': ['sql-too-long', () => `SELECT ${','.repeat(500_000)}`],
    '90,000 semicolons': ['sql-statement', () => `SELECT id ${from}${';'.repeat(90_000)} x`],
    'half a megabyte of semicolons': ['sql-too-long', () => `SELECT id ${from}${';'.repeat(500_000)} x`],
    'a megabyte of digits': ['sql-syntax', () => `SELECT ${'9'.repeat(1_000_000)}.. ${from}`],
    NUL: ['sql-character', `SELECT id\0 ${from}`],
    'a letter of another script': ['sql-statement', `SEL\u0415CT id ${from}`],
    'a letter without width': ['sql-character', `SELECT i\u200Bd ${from}`],
    'writing from right to left': ['sql-character', `SELECT id \u202E ${from}`],
    'a quote of word processors': ['sql-character', `SELECT \u2019id\u2019 ${from}`],
    'a surrogate alone': ['sql-character', `SELECT \uD800 ${from}`],
    'what shells know': ['sql-syntax', '$(touch pwned)'],
    JavaScript: ['sql-statement', 'export default () => process.exit(0)'],
  },
  (sql) => withSql(textOf(sql)),
);

const tests = casesOf(
  'sql of a test',
  {
    'two statements': ['sql-statement', 'SELECT COUNT(*) FROM {{ ref("paid") }}; DROP TABLE x'],
    'a statement that writes': ['sql-statement', 'INSERT INTO x SELECT * FROM {{ ref("paid") }}'],
    DELETE: ['sql-statement', 'DELETE FROM paid'],
    'a model that is not there': ['unknown-model', 'SELECT COUNT(*) FROM {{ ref("pay") }}'],
    'a loop': ['sql-template', '{% for x in y %}'],
    'a comment that does not end': ['sql-unterminated', 'SELECT 1 /* FROM {{ ref("paid") }}'],
    '90,000 parentheses': ['sql-too-deep', `SELECT ${'('.repeat(90_000)}`],
  },
  (sql) =>
    withFile(
      `tests:\n  - name: hostile\n    model: paid\n    type: sample\n    assertions:\n      - custom_sql: {sql: ${JSON.stringify(sql)}}\n`,
    ),
);

/** Chains and circles of models, longer than any stack. */
const graphs = casesOf<() => string>(
  'graph',
  {
    'a circle of two': ['cycle', () => circle(2)],
    'a circle of 5,000': ['cycle', () => circle(5000)],
    'a chain of 5,000 that begins nowhere': ['unknown-model', () => chain(5000, '{{ ref("nothing") }}')],
    'a chain of 2,000 diamonds that begins nowhere': ['unknown-model', () => diamonds(2000)],
    '300 models that all read each other': ['cycle', () => complete(300)],
    '5,000 models of one name': ['duplicate-name', () => model('same', ['paid']).repeat(5000)],
    '3,000 models that read what is not there': ['unknown-model', () => strangers(3000)],
  },
  (models) => withFile(`models:\n${models()}`),
);

function model(name: string, reads: readonly string[]): string {
  const tables = reads.map((one) => `{{ ref('${one}') }}`).join(', ');
  return `  - {name: ${name}, sql: "SELECT 1 AS id FROM ${tables}"}\n`;
}

function circle(length: number): string {
  return Array.from({ length }, (_, at) => model(`m${at}`, [`m${(at + 1) % length}`])).join('');
}

function chain(length: number, start: string): string {
  const first = `  - {name: m0, sql: '${`SELECT 1 AS id FROM ${start}`}'}\n`;
  return first + Array.from({ length }, (_, at) => model(`m${at + 1}`, [`m${at}`])).join('');
}

function diamonds(length: number): string {
  const parts = Array.from({ length }, (_, at) =>
    [
      model(`l${at}`, [`m${at}`]),
      model(`r${at}`, [`m${at}`]),
      model(`m${at + 1}`, [`l${at}`, `r${at}`]),
    ].join(''),
  );
  return model('m0', ['nothing']) + parts.join('');
}

function complete(length: number): string {
  const names = Array.from({ length }, (_, at) => `m${at}`);
  return names.map((name) => model(name, names)).join('');
}

function strangers(length: number): string {
  return Array.from({ length }, (_, at) => model(`m${at}`, [`stranger_${at}`])).join('');
}

/** Cases of reliability 3.9, and of graphs in 3.7. */
export const sqlCases: readonly HostileCase[] = [...models, ...tests, ...graphs];
