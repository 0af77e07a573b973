import { describe, expect, test } from 'vitest';
import { lines, validateFiles } from './validate-support/validate-files.ts';

const shop = lines(
  'sources:',
  '  - name: payments',
  '    topic: payments.v1',
  '    columns:',
  '      - {name: id, type: STRING}',
  '      - {name: amount, type: "DECIMAL(10, 2)"}',
  '      - {name: paid, type: BOOLEAN}',
  '      - {name: day, type: DATE}',
  '      - {name: ts, type: TIMESTAMP(3)}',
  '      - {name: tags, type: ARRAY<STRING>}',
  '      - {name: address, type: "ROW<city STRING, nr INT>"}',
  '    event_time: {column: ts}',
  '  - {name: raw, topic: raw.v1}',
  '  - {name: loose, topic: loose.v1, columns: [{name: other}]}',
  'models:',
  '  - name: big',
  '    sql: SELECT id, amount, ts FROM {{ source("payments") }} WHERE amount > 10',
  '  - name: copy',
  '    sql: SELECT * FROM {{ source("raw") }}',
);

async function findings(target: string, ...assertions: readonly string[]) {
  const text = lines(
    'tests:',
    '  - name: t',
    `    model: ${target}`,
    '    type: continuous',
    '    assertions:',
    ...assertions.map((line) => `      ${line}`),
  );
  return validateFiles({ 'models/shop.yml': shop, 'tests/t.yml': text });
}

describe('columns of an assertion', () => {
  test.each([
    'not_null: {columns: [amount, tags]}',
    'accepted_values: {column: id, values: [a, "1", null]}',
    'accepted_values: {column: amount, values: [1, 2.5]}',
    'accepted_values: {column: paid, values: [true, "false"]}',
    'accepted_values: {column: day, values: ["2027-01-31"]}',
    'accepted_types: {types: {id: number, amount: "DECIMAL(10, 2)", day: datetime, tags: Text}}',
    'range: {column: amount, min: 1, max: 1}',
    'range: {column: address.nr, min: 1}',
    'unique_key: {key: id, window: 1 HOUR, tolerance: 0}',
    'unique_key: {key: "id, day"}',
    'max_lag: {column: ts, max_seconds: 60}',
    'freshness: {column: ts, max_age_minutes: 5}',
    'throughput: {min_per_second: 5, max_per_second: 5}',
    'distribution: {column: amount, buckets: [{max: 1, min_ratio: 0.5}, {min: 1, max_ratio: 0.5}]}',
    'foreign_key: {column: id, ref_model: big, ref_key: id}',
    'foreign_key: {column: day, ref_model: big, ref_key: id}',
    'foreign_key: {column: id, ref_model: copy, ref_key: whatever}',
    'positive: {column: amount, allow_zero: true}',
  ])('%s is right', async (assertion) => {
    const found = await findings('payments', `- ${assertion}`);
    expect(found.text).toBe('');
  });

  test.each([
    ['not_null: {columns: [Amount]}', 'assertion-column'],
    ['accepted_types: {types: {amuont: INT}}', 'assertion-column'],
    ['unique_key: {key: "id, date"}', 'assertion-column'],
    ['range: {column: address.no, min: 1}', 'assertion-column'],
    ['range: {column: id.x, min: 1}', 'assertion-column'],
    ['foreign_key: {column: id, ref_model: big, ref_key: key}', 'assertion-column'],
    ['range: {column: ts, min: 1}', 'assertion-type'],
    ['positive: {column: address.city}', 'assertion-type'],
    ['max_lag: {column: day, max_seconds: 5}', 'assertion-type'],
    ['freshness: {column: amount, max_age_minutes: 5}', 'assertion-type'],
    ['distribution: {column: paid, buckets: [{min: 1, max_ratio: 1}]}', 'assertion-type'],
    ['accepted_values: {column: tags, values: [a]}', 'assertion-type'],
    ['accepted_values: {column: amount, values: [1, "2"]}', 'accepted-value-type'],
    ['accepted_values: {column: paid, values: [1]}', 'accepted-value-type'],
    ['accepted_values: {column: day, values: [20270131]}', 'accepted-value-type'],
    ['accepted_types: {types: {id: JSON}}', 'accepted-type'],
    ['foreign_key: {column: amount, ref_model: big, ref_key: id}', 'foreign-key-type'],
  ])('%s is %s', async (assertion, name) => {
    const found = await findings('payments', `- ${assertion}`);
    expect(found.names).toEqual([name]);
  });

  test('reports no contradictions when not all columns can be determined', async () => {
    const found = await findings('copy', '- not_null: {columns: [id]}', '- positive: {column: amount}');
    expect(found.names).toEqual([]);
  });

  test.each([
    'accepted_values: {column: other, values: [a, 1, true]}',
    'positive: {column: other}',
    'not_null: {columns: [more]}',
  ])('accepts columns of any type where none is declared: %s', async (assertion) => {
    const found = await findings('loose', `- ${assertion}`);
    expect(found.names).toEqual([]);
  });

  test('say nothing where the target does not exist', async () => {
    const found = await findings('pig', '- not_null: {columns: [id]}');
    expect(found.names).toEqual(['test-target-not-found']);
  });

  test('suggests no column for a name that comes from a variable', async () => {
    const found = await validateFiles(
      {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a variable of the project
        'sources/s.yml': 'sources: [{name: s, topic: s.v1, columns: [{name: "${COLUMN}", type: INT}]}]\n',
        'tests/t.yml': lines(
          'tests:',
          '  - name: t',
          '    model: s',
          '    type: sample',
          '    assertions: [{not_null: {columns: [hidden_valeu]}}]',
        ),
      },
      { environment: { COLUMN: 'hidden_value' } },
    );
    expect(found.names).toEqual(['assertion-column']);
    expect(found.text).not.toContain('hidden_value');
  });

  test('show the variable that names one, and not what it was replaced by', async () => {
    const found = await validateFiles(
      {
        'models/shop.yml': shop,
        'tests/t.yml': lines(
          'tests:',
          '  - name: t',
          '    model: big',
          '    type: sample',
          '    assertions:',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a variable of the project
          '      - not_null: {columns: ["${COLUMN}"]}',
        ),
      },
      { environment: { COLUMN: 'hidden-value' } },
    );
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a variable of the project
    expect(found.text).toContain('column "${COLUMN}" does not exist');
    expect(found.text).not.toContain('hidden-value');
  });
});

describe('a distribution', () => {
  test.each([
    ['[{min: 5, max: 5, max_ratio: 1}]', 'contradictory-bounds'],
    ['[{min: 1, min_ratio: 0.5, max_ratio: 0.4}]', 'contradictory-bounds'],
    ['[{min: 1, expected_ratio: 0.5, max_ratio: 0.4}]', 'contradictory-bounds'],
    ['[{max: 1, min_ratio: 0.6}, {min: 1, expected_ratio: 0.6, tolerance: 0.1}]', 'contradictory-bounds'],
    ['[{max: 1, max_ratio: 0.6, tolerance: 0.1}]', 'bucket-without-effect'],
    ['[{max: 9, max_ratio: 0.6}, {min: 1, max: 2, max_ratio: 0.1}]', 'overlapping-buckets'],
    ['[{max_ratio: 0.6}, {min: 1, max_ratio: 0.1}]', 'overlapping-buckets'],
    ['[]', 'empty-assertion'],
  ])('reports a distribution of %s as %s', async (buckets, name) => {
    const found = await findings('big', `- distribution: {column: amount, buckets: ${buckets}}`);
    expect(found.names).toEqual([name]);
  });

  test('accepts shares that add up to the whole within their tolerance, in any order', async () => {
    const buckets =
      '[{min: 2, expected_ratio: 0.5, tolerance: 0.1}, {max: 2, expected_ratio: 0.6, tolerance: 0.1}]';
    const found = await findings('big', `- distribution: {column: amount, buckets: ${buckets}}`);
    expect(found.names).toEqual([]);
  });

  test('does not judge a distribution whose bucket has a key that may be meant for its share', async () => {
    const found = await findings(
      'big',
      '- distribution: {column: amount, buckets: [{min: 1, max_rate: 0.5}]}',
    );
    expect(found.names).toEqual(['unknown-key']);
  });
});

describe('a custom query', () => {
  const sql = (...text: readonly string[]) => [
    '- custom_sql:',
    '    sql: |',
    ...text.map((line) => `      ${line}`),
    '    expect: 0',
  ];

  test('lets a custom query read the model under test as {{ model }}, by its macro, and others', async () => {
    const one = await findings(
      'big',
      ...sql('SELECT COUNT(*) FROM {{model}} AS m', 'WHERE m.id IS NULL -- {{ model }}'),
    );
    const other = await findings(
      'big',
      ...sql('SELECT COUNT(*) FROM {{ ref("big") }} b JOIN {{ source("payments") }} p ON b.id = p.id'),
    );
    expect([one.text, other.text]).toEqual(['', '']);
  });

  test('shows where a column of a custom query is wrong, in a block after macros', async () => {
    const found = await findings('big', ...sql('SELECT COUNT(*) FROM {{  model  }}', 'WHERE amuont < 0'));
    expect(found.text).toContain(
      lines(
        'tests/t.yml:9:19  error  LV4101  no table in FROM has a column "amuont" — did you mean "amount"?',
        '  9 |             WHERE amuont < 0',
        '    |                   ^^^^^^',
      ),
    );
  });

  test('says what the engine does not take, and stays silent about the rest', async () => {
    const found = await findings('big', ...sql('SELECT COUNT(*) FROM {{ model }}', 'WHERE amount != 0'));
    expect(found.text).toContain(
      'tests/t.yml:9:26  error  LV1207  operator "!=", which the engine does not have — write <>',
    );
    expect(found.names).toEqual(['sql-dialect']);
  });

  test.each([
    ['SELECT COUNT(*) FROM {{ ref("bigg") }}', ['unknown-model']],
    ['SELECT COUNT(*) FROM {{ ref("payments") }}', ['unknown-model']],
    ['SELECT COUNT(*) FROM {{ this }}', ['sql-template']],
    ['SELECT COUNT(*) FROM big', ['plain-table']],
    ['SELECT 1', ['custom-sql-target']],
    ['INSERT INTO x SELECT id FROM {{ model }}', ['sql-statement']],
    ["SELECT '{{ model }}' FROM `{{ model }}`", ['plain-table']],
  ])('%s is reported', async (text, names) => {
    const found = await findings('big', ...sql(text));
    expect(found.names).toEqual(names);
  });
});

describe('assertions of one test', () => {
  test('accepts several assertions of one kind when they differ', async () => {
    const found = await findings('big', '- not_null: {columns: [id]}', '- not_null: {columns: [amount]}');
    expect(found.names).toEqual([]);
  });
});
