import { describe, expect, test } from 'vitest';
import { inferFiles } from '../../test/lineage-support/compile-project.ts';
import { schemaMisfits } from '../../test/lineage-support/schema-misfits.ts';
import { shop } from '../../test/lineage-support/shop.ts';
import type { NodeId } from '../resolve/node-id.ts';
import { type ColumnEdge, columnGraph, type InfluenceEdge } from './column-graph.ts';
import { type ColumnLineageQuery, columnLineage } from './column-lineage.ts';
import { formatColumnLineage } from './format-lineage.ts';
import { columnLineageJson, columnLineageJsonSchema } from './lineage-json.ts';

const graph = columnGraph(await inferFiles(shop));

function lineageOf(node: NodeId, column: string, direction: ColumnLineageQuery['direction']) {
  const { steps, influences, gaps, exposures } = columnLineage(graph, { node, column, direction });
  return { steps: steps.map(stepText), rows: influences.map(rowText), gaps, exposures };
}

function stepText({ from, to, through }: ColumnEdge): string {
  return `${from.node}.${from.column} ${through} ${to.node}.${to.column}`;
}

function rowText({ from, to, by }: InfluenceEdge): string {
  return `${from.node}.${from.column} ${by} ${to}`;
}

test('upstream are the columns that a value is made of, and what decides about rows on the way', () => {
  expect(lineageOf('model:orders_warehouse', 'total', 'upstream')).toEqual({
    steps: [
      'model:orders_total.total identity model:orders_warehouse.total',
      'model:orders_clean.amount aggregation model:orders_total.total',
      'source:orders_raw.amount identity model:orders_clean.amount',
    ],
    rows: [
      'model:orders_clean.email group model:orders_total',
      'source:orders_raw.amount filter model:orders_clean',
    ],
    gaps: [],
    exposures: [],
  });
});

test('downstream are the columns that are made of one, what it decides about, and the exposures that see it', () => {
  expect(lineageOf('source:orders_raw', 'email', 'downstream')).toEqual({
    steps: [
      'source:orders_raw.email identity model:orders_clean.email',
      'source:orders_raw.email identity exposure:Sales board.email',
      'model:orders_clean.email identity model:orders_total.email',
      'model:orders_total.email identity model:orders_warehouse.email',
      'model:orders_total.email identity exposure:Sales board.email',
    ],
    rows: ['model:orders_clean.email group model:orders_total'],
    gaps: [],
    exposures: ['exposure:Sales board'],
  });
});

test('an exposure has one column of a name, made of all of that name that it consumes', () => {
  expect(lineageOf('exposure:Sales board', 'email', 'upstream').steps.slice(0, 2)).toEqual([
    'model:orders_total.email identity exposure:Sales board.email',
    'source:orders_raw.email identity exposure:Sales board.email',
  ]);
});

test('a column that nothing is made of leads nowhere', () => {
  expect(lineageOf('exposure:Sales board', 'email', 'downstream').steps).toEqual([]);
  expect(lineageOf('source:orders_raw', 'email', 'upstream').steps).toEqual([]);
  expect(lineageOf('model:gone', 'x', 'upstream').steps).toEqual([]);
});

describe('when columns cannot be determined', () => {
  const files = {
    'sources/s.yml': 'sources:\n  - {name: raw, topic: raw.v1}\n',
    'models/m.yml':
      'models:\n  - name: a\n    sql: SELECT id FROM {{ source("raw") }}\n  - name: b\n    sql: SELECT * FROM {{ source("raw") }}\n',
  };

  test('upstream names the node that does not list the column, and why', async () => {
    const some = columnGraph(await inferFiles(files));
    const { steps, gaps } = columnLineage(some, { node: 'model:a', column: 'id', direction: 'upstream' });
    expect(steps.map(stepText)).toEqual(['source:raw.id identity model:a.id']);
    expect(gaps).toMatchObject([
      { node: 'source:raw', reason: 'source "raw" lists no columns', range: { file: 'sources/s.yml' } },
    ]);
  });

  test('downstream names the readers that may have the column', async () => {
    const some = columnGraph(await inferFiles(files));
    const { steps, gaps } = columnLineage(some, {
      node: 'source:raw',
      column: 'id',
      direction: 'downstream',
    });
    expect(steps.map(stepText)).toEqual(['source:raw.id identity model:a.id']);
    expect(gaps.map(({ node }) => node)).toEqual(['model:b']);
  });

  test('a sink that reads several models has the columns of all of them', async () => {
    const several = {
      ...shop,
      'models/several.yml':
        'models:\n  - name: several\n    from: [{ref: orders_clean}, {ref: orders_total}]\n    sink: {connector: jdbc-sink, config: {a: b}}\n',
    };
    const some = columnGraph(await inferFiles(several));
    expect([...(some.nodes.get('model:several')?.byName.keys() ?? [])]).toEqual([
      'id',
      'email',
      'amount',
      'total',
    ]);
  });
});

test('a chain of 5,000 models is followed from end to end', async () => {
  const links = Array.from(
    { length: 5000 },
    (_, index) => `  - name: m${index + 1}\n    sql: SELECT id FROM {{ ref("m${index}") }}\n`,
  );
  const first = '  - name: m0\n    sql: SELECT id FROM {{ source("orders_raw") }}\n';
  const chain = columnGraph(
    await inferFiles({ ...shop, 'models/chain.yml': `models:\n${first}${links.join('')}` }),
  );
  const up = columnLineage(chain, { node: 'model:m5000', column: 'id', direction: 'upstream' });
  const down = columnLineage(chain, { node: 'model:m0', column: 'id', direction: 'downstream' });
  expect(up.steps).toHaveLength(5001);
  expect(down.steps).toHaveLength(5000);
});

test('text has a line for each step, then what else is known', () => {
  const query = { node: 'model:orders_clean', column: 'email', direction: 'downstream' } as const;
  expect(formatColumnLineage(columnLineage(graph, query))).toBe(
    [
      'model:orders_clean.email, downstream:',
      '  model:orders_clean.email -> model:orders_total.email',
      '  model:orders_total.email -> model:orders_warehouse.email',
      '  model:orders_total.email -> exposure:Sales board.email',
      'which rows:',
      '  model:orders_clean.email (group of model:orders_total)',
      'seen by:',
      '  exposure:Sales board',
      '',
    ].join('\n'),
  );
  const up = { node: 'model:orders_total', column: 'total', direction: 'upstream' } as const;
  expect(formatColumnLineage(columnLineage(graph, up))).toContain(
    '\n  model:orders_total.total <- model:orders_clean.amount (aggregation)\n',
  );
  const none = { node: 'source:orders_raw', column: 'id', direction: 'upstream' } as const;
  expect(formatColumnLineage(columnLineage(graph, none))).toBe(
    'source:orders_raw.id is made of no other column\n',
  );
});

test('JSON is of the published shape', () => {
  const query = { node: 'source:orders_raw', column: 'email', direction: 'downstream' } as const;
  const json: unknown = JSON.parse(JSON.stringify(columnLineageJson(columnLineage(graph, query))));
  expect(json).toMatchObject({ schema: 'levada.column-lineage/1', ...query });
  expect(schemaMisfits(json, columnLineageJsonSchema)).toEqual([]);
});
