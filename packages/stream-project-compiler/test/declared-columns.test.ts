import { describe, expect, test } from 'vitest';
import { lines, projectWith, validateFiles } from './validate-support/validate-files.ts';

async function sourceFindings(...more: readonly string[]) {
  const text = lines('sources:', '  - name: s', '    topic: s.v1', ...more.map((line) => `    ${line}`));
  return validateFiles({ 'sources/s.yml': text });
}

describe('types of declared columns', () => {
  test.each(['string', 'DECIMAL(10,2)', 'ROW<a INT, b ARRAY<STRING>>', 'TIMESTAMP(3) NOT NULL', 'VARIANT'])(
    '%s is one',
    async (type) => {
      expect((await sourceFindings(`columns: [{name: a, type: "${type}"}]`)).names).toEqual([]);
    },
  );

  test.each([
    ['TEXT', 'unknown type "TEXT" — write STRING'],
    ['Strng', 'unknown type "Strng" — did you mean "STRING"?'],
    ['BOOL', 'unknown type "BOOL" — write BOOLEAN'],
    ['DECIMAL(10,2', 'unexpected end of the text, ")" was expected'],
    ['STRING(10)', 'unexpected "(", a type without a length was expected — write VARCHAR(n)'],
    ['INTERVAL DAY', 'unsupported column type "INTERVAL DAY"'],
    ['NULL', 'unknown type "NULL"'],
    ['my_type', 'unknown type "my_type"'],
    ['ARRAY<TABLE>', 'unknown type "ARRAY<TABLE>"'],
    [
      'ROW<value DOUBLE>',
      'invalid type "ROW<value DOUBLE>": "value" is a reserved word, a name was expected — write `value` in backticks',
    ],
  ])('%s is none', async (type, says) => {
    const found = await sourceFindings(`columns: [{name: a, type: "${type}"}]`);
    expect(found.names).toEqual(['column-type']);
    expect(found.text).toContain(says);
  });

  test('do not show what a variable was replaced by', async () => {
    const found = await validateFiles(
      {
        'sources/s.yml': lines(
          'sources:',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a variable of the project
          '  - {name: s, topic: s.v1, columns: [{name: a, type: "${TYPE}"}]}',
        ),
      },
      { environment: { TYPE: 'hidden' } },
    );
    expect(found.names).toEqual(['column-type']);
    expect(found.text).not.toContain('hidden');
  });
});

describe('event time of a source', () => {
  test.each(['TIMESTAMP(3)', 'TIMESTAMP_LTZ(0)', 'TIMESTAMP(3) WITH LOCAL TIME ZONE'])(
    'may be %s',
    async (type) => {
      const found = await sourceFindings(
        `columns: [{name: ts, type: "${type}"}]`,
        'event_time: {column: ts}',
      );
      expect(found.names).toEqual([]);
    },
  );

  test.each([
    ['TIMESTAMP', 'has type TIMESTAMP(6), expected', 'declare it as TIMESTAMP(3)'],
    ['BIGINT', 'has type BIGINT, expected', 'declare it as TIMESTAMP_LTZ(3)'],
    ['STRING', 'has type STRING, expected', 'declare it as TIMESTAMP(3)'],
    ['DATE', 'has type DATE, expected', 'declare it as TIMESTAMP(3)'],
  ])('rejects an event time that is %s', async (type, ...says) => {
    const found = await sourceFindings(`columns: [{name: ts, type: "${type}"}]`, 'event_time: {column: ts}');
    expect(found.names).toEqual(['event-time-type']);
    for (const text of says) expect(found.text).toContain(text);
  });

  test('rejects a processing time as event time', async () => {
    const found = await sourceFindings('columns: [{name: pt, proctime: true}]', 'event_time: {column: pt}');
    expect(found.names).toEqual(['event-time-column']);
    expect(found.text).toContain('is a processing time');
  });

  test.each([[[]], [['columns: [{name: id}]']], [['columns: [{name: ts, type: TEXT}]']]])(
    'does not judge an event time whose column or type cannot be determined: %j',
    async (more) => {
      const found = await sourceFindings(...more, 'event_time: {column: ts}');
      expect(found.names.filter((name) => name.startsWith('event-time'))).toEqual([]);
    },
  );
});

describe('schemas of a source', () => {
  test.each([
    ['{format: avro, definition: \'{"type": "record", "name": "O", "fields": []}\'}'],
    ["{format: json, definition: 'true'}"],
    ['{format: protobuf, definition: "message Order {}"}'],
    ['{definition: anything}'],
    ['{registry: main, subject: s-value, format: avro}'],
    ['{subject: s-value, format: avro, definition: \'"string"\'}'],
  ])('accepts the schema %s', async (schema) => {
    expect((await sourceFindings(`schema: ${schema}`)).names).toEqual([]);
  });

  test('checks that JSON schemas are JSON', async () => {
    const found = await sourceFindings('schema: {format: json, definition: "{type: object}"}');
    expect(found.names).toEqual(['schema-definition']);
  });
});

describe('columns that a model mentions', () => {
  async function modelFindings(sql: string, ...more: readonly string[]) {
    const model = ['models:', '  - name: m', `    sql: ${sql}`, ...more.map((line) => `    ${line}`)];
    const gateway =
      '  vendor: {gateway: {admin_url: "http://localhost:8888", proxy_bootstrap: "localhost:6969"}}';
    return validateFiles({
      'stream_project.yml': projectWith(gateway),
      'sources/s.yml': lines(
        'sources:',
        '  - {name: s, topic: s.v1, columns: [{name: id, type: STRING}, {name: n, type: INT}]}',
        '  - {name: open, topic: open.v1}',
      ),
      'models/m.yml': lines(...model),
    });
  }

  test.each([
    ['SELECT id, n FROM {{ source("s") }}', 'key: id'],
    ['SELECT * FROM {{ source("s") }}', 'key: n'],
    ['SELECT n AS k FROM {{ source("s") }}', 'key: k'],
    ['SELECT * FROM {{ source("open") }}', 'key: whatever'],
    ['SELECT id FROM {{ source("s") }}', 'columns: [{name: id}]'],
  ])('accepts mentioned columns that exist: %s, %s', async (sql, more) => {
    expect((await modelFindings(sql, more)).names).toEqual([]);
  });

  test.each([
    ['SELECT id FROM {{ source("s") }}', 'key: n', 'key-column'],
    ['SELECT id, n FROM {{ source("s") }}', 'key: id, n', 'key-column'],
    ['SELECT * FROM {{ source("s") }}', 'key: ID', 'key-column'],
    ['SELECT id FROM {{ source("s") }}', 'columns: [{name: n}]', 'column-not-given'],
  ])('reports mentioned columns that do not exist: %s, %s', async (sql, more, name) => {
    expect((await modelFindings(sql, more)).names).toEqual([name]);
  });

  test('reports masked columns that the model does not have', async () => {
    const found = await modelFindings(
      'SELECT id FROM {{ source("s") }}',
      'security: {policies: [{mask: {column: idd, method: "null"}}]}',
    );
    expect(found.names).toContain('column-not-given');
    expect(found.text).toContain('model "m" masks the unknown column "idd" — did you mean "id"?');
  });

  test('does not look for mentioned columns after a mistake in the SQL', async () => {
    const found = await modelFindings('SELECT id, FROM {{ source("s") }}', 'key: n');
    expect(found.names).toEqual(['sql-syntax']);
  });
});

describe('outputs of machine-learning models', () => {
  async function findings(sql: string, ...more: readonly string[]) {
    return validateFiles({
      'stream_project.yml': projectWith().replace('type: rest', 'type: managed'),
      'models/m.yml': lines(
        'sources: [{name: s, topic: s.v1}]',
        'models:',
        '  - name: m',
        `    sql: ${sql}`,
        ...more.map((line) => `    ${line}`),
      ),
    });
  }
  const fraud = 'ml_outputs: {fraud: {columns: [{name: score, type: DOUBLE}]}}';

  test.each([
    [`SELECT ML_PREDICT('fraud', a) AS p FROM {{ source("s") }}`, fraud],
    ['SELECT * FROM ML_PREDICT(TABLE {{ source("s") }}, MODEL fraud, DESCRIPTOR(a))', fraud],
    ['SELECT ML_PREDICT(fraud, a) AS p FROM {{ source("s") }}', fraud],
    [`SELECT ML_EVALUATE('quality', a) AS p FROM {{ source("s") }}`, 'description: checks'],
  ])('go with the calls of %s', async (sql, more) => {
    expect((await findings(sql, more)).names).toEqual([]);
  });

  test('reports each machine-learning model that is not declared once', async () => {
    const sql = `SELECT ML_PREDICT('a', x) AS p, ML_PREDICT('a', y) AS q FROM {{ source("s") }}`;
    expect((await findings(sql)).names).toEqual(['ml-output-undeclared']);
  });

  test('checks that outputs have column types of the engine, and distinct names', async () => {
    const sql = `SELECT ML_PREDICT('a', x) AS p FROM {{ source("s") }}`;
    const found = await findings(
      sql,
      'ml_outputs: {a: {columns: [{name: b, type: TEXT}, {name: b, type: INT}]}}',
    );
    expect(found.names).toEqual(['column-type', 'duplicate-column']);
  });
});
