import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NodeColumns } from '../src/columns/nodes/node-columns.ts';
import { sqlProject, type TestTable } from './column-support/sql-project.ts';
import { jsonRows } from './rows.ts';

interface LineageCase {
  readonly title: string;
  readonly sql: string;
  /** What each column is made of, as `source:o.id identity`. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** What decides about rows, as `filter source:o.id`. */
  readonly influences: readonly string[];
}

const cases = jsonRows<LineageCase>('column-lineage/cases.jsonl');

const tables: Readonly<Record<string, TestTable>> = {
  'source:o': {
    columns: [
      ['id', 'STRING'],
      ['k', 'STRING'],
      ['q', 'INT'],
      ['tags', 'ARRAY<STRING>'],
      ['items', 'ARRAY<ROW<sku STRING, n INT>>'],
      ['addr', 'ROW<street STRING, geo ROW<lat DOUBLE>>'],
      ['ts', 'TIMESTAMP(3)'],
    ],
    watermark: ['ts', 5000],
  },
  'source:p': {
    columns: [
      ['oid', 'STRING'],
      ['v', 'INT'],
      ['pts', 'TIMESTAMP(3)'],
    ],
    watermark: ['pts', 1000],
  },
  'source:unlisted': {},
};

function originsOf(columns: NodeColumns | undefined): Record<string, readonly string[]> {
  return Object.fromEntries(
    (columns?.columns ?? []).map(({ name, origins }) => [
      name,
      origins.map(({ node, column, through }) => `${node}.${column} ${through}`),
    ]),
  );
}

function influencesOf(columns: NodeColumns | undefined): readonly string[] {
  return (columns?.influences ?? []).map(({ by, node, column }) => `${by} ${node}.${column}`);
}

describe('column lineage is reported through', () => {
  test.each(cases)('$title', async ({ sql, columns: wanted, influences }) => {
    const { columns, text } = await sqlProject(sql, tables);
    expect(text).toBe('');
    expect(columns?.incomplete).toBeUndefined();
    expect(originsOf(columns)).toEqual(wanted);
    expect(influencesOf(columns)).toEqual(influences);
  });
});

describe('when columns cannot be determined', () => {
  test('the model says why, and where that is written', async () => {
    const { columns } = await sqlProject('SELECT *, id AS again FROM {{ source("unlisted") }}', tables);
    expect(columns?.columns.map(({ name }) => name)).toEqual(['again']);
    expect(columns?.incomplete).toMatchObject({
      reason: 'source "unlisted" lists no columns',
      range: { file: 'models/m.yml' },
    });
  });

  test('gives models downstream the same reason, and keeps the names that they use', async () => {
    const { columns, inferred } = await sqlProject('SELECT x, y AS z FROM {{ ref("open") }}', {
      'ref:open': {},
    });
    expect(inferred.columns.get('model:open')?.incomplete?.reason).toBe('source "of_open" lists no columns');
    expect(columns?.incomplete).toBeUndefined();
    expect(originsOf(columns)).toEqual({ x: ['model:open.x identity'], z: ['model:open.y identity'] });
  });

  test('a name without a table comes from the one that may have it', async () => {
    const sql = 'SELECT extra FROM {{ source("o") }} JOIN {{ source("unlisted") }} AS u ON id = u.a';
    const { columns, text } = await sqlProject(sql, tables);
    expect(text).toBe('');
    expect(originsOf(columns)).toEqual({ extra: ['source:unlisted.extra identity'] });
  });
});

describe('a column of a source by another name', () => {
  const names = ['id', 'k', 'q', 'ts', 'oid', 'v'];

  /** The name as a whole word of SQL; names of the result and of functions stay. */
  function renamed(text: string, from: string, to: string): string {
    return text.replaceAll(new RegExp(`(?<![\\w.'])((?:\\w+\\.)?)${from}(?![\\w'])`, 'g'), `$1${to}`);
  }

  const plain = cases.filter(
    ({ sql }) => !/\bAS (id|k|q|ts|oid|v)\b|unlisted|\*,|split_words|USING/.test(sql),
  );

  test('changes exactly its own lineage', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...plain), fc.constantFrom(...names), async ({ sql }, from) => {
        const to = `${from}_other`;
        const others = Object.fromEntries(
          Object.entries(tables).map(([table, { columns = [], watermark }]) => [
            table,
            {
              columns: columns.map(([name, type]) => [name === from ? to : name, type] as const),
              watermark: watermark?.[0] === from ? ([to, watermark[1]] as const) : (watermark ?? null),
            },
          ]),
        );
        const before = await sqlProject(sql, tables);
        const after = await sqlProject(renamed(sql, from, to), others);
        const rename = (text: string) => text.replaceAll(new RegExp(`\\.${from}\\b`, 'g'), `.${to}`);
        const wanted = Object.values(originsOf(before.columns)).map((origins) => origins.map(rename));
        expect(after.text).toBe('');
        expect(Object.values(originsOf(after.columns))).toEqual(wanted);
        expect(influencesOf(after.columns)).toEqual(influencesOf(before.columns).map(rename));
      }),
      { numRuns: 60 },
    );
  });
});
