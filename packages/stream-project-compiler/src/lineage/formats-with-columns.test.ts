import { expect, test } from 'vitest';
import { inferFiles } from '../../test/lineage-support/compile-project.ts';
import { schemaMisfits } from '../../test/lineage-support/schema-misfits.ts';
import { shop } from '../../test/lineage-support/shop.ts';
import { columnGraph } from './column-graph.ts';
import { formatLineageText } from './format-lineage.ts';
import { formatLineageMermaid } from './format-lineage-mermaid.ts';
import { formatLineageJson, lineageJson, lineageJsonSchema } from './lineage-json.ts';
import { projectGraph, restrictGraph } from './project-graph.ts';

const project = await inferFiles(shop);
const graph = projectGraph(project);
const columns = columnGraph(project);
const part = restrictGraph(
  graph,
  new Set(['model:orders_clean', 'model:orders_total', 'exposure:Sales board']),
);

test('text says of each column what it is made of', () => {
  expect(formatLineageText(part, { columns })).toBe(
    [
      'model:orders_clean    topic',
      '    id      <- source:orders_raw.id',
      '    email   <- source:orders_raw.email',
      '    amount  <- source:orders_raw.amount',
      '    which rows: source:orders_raw.amount (filter)',
      'model:orders_total    engine    <- model:orders_clean',
      '    email  <- model:orders_clean.email',
      '    total  <- model:orders_clean.amount (aggregation)',
      '    which rows: model:orders_clean.email (group)',
      'exposure:Sales board  exposure  <- model:orders_total',
      '',
    ].join('\n'),
  );
});

test('prints why columns cannot be determined', async () => {
  const open = await inferFiles({ 'sources/s.yml': 'sources:\n  - {name: raw, topic: raw.v1}\n' });
  expect(formatLineageText(projectGraph(open), { columns: columnGraph(open) })).toBe(
    'source:raw  source\n    perhaps more: source "raw" lists no columns\n',
  );
});

test('Mermaid draws a frame around the columns of each node', () => {
  expect(formatLineageMermaid(part, { columns })).toBe(
    [
      'flowchart LR',
      '  subgraph model_orders_clean["orders_clean<br/>topic"]',
      '    c0_0["id"]',
      '    c0_1["email"]',
      '    c0_2["amount"]',
      '  end',
      '  subgraph model_orders_total["orders_total<br/>engine"]',
      '    c1_0["email"]',
      '    c1_1["total"]',
      '  end',
      '  exposure_Sales_board(["Sales board<br/>exposure"])',
      '  model_orders_total --> exposure_Sales_board',
      '  c0_1 --> c1_0',
      '  c0_2 -->|aggregation| c1_1',
      '  c0_1 -.->|group| model_orders_total',
      '',
    ].join('\n'),
  );
});

test('JSON has columns with their types, and edges between the nodes shown', () => {
  const json = lineageJson(part, { columns });
  expect(json.columns).toEqual({
    nodes: [
      {
        node: 'model:orders_clean',
        columns: [
          { name: 'id', type: 'BIGINT' },
          { name: 'email', type: 'STRING' },
          { name: 'amount', type: 'DECIMAL(10, 2)' },
        ],
      },
      {
        node: 'model:orders_total',
        columns: [
          { name: 'email', type: 'STRING' },
          { name: 'total', type: 'DECIMAL(38, 2)' },
        ],
      },
      {
        node: 'exposure:Sales board',
        columns: [
          { name: 'email', type: 'STRING' },
          { name: 'total', type: 'DECIMAL(38, 2)' },
          { name: 'id', type: 'BIGINT' },
          { name: 'amount', type: 'DECIMAL(10, 2)' },
        ],
      },
    ],
    edges: [
      {
        from: { node: 'model:orders_clean', column: 'email' },
        to: { node: 'model:orders_total', column: 'email' },
        through: 'identity',
      },
      {
        from: { node: 'model:orders_clean', column: 'amount' },
        to: { node: 'model:orders_total', column: 'total' },
        through: 'aggregation',
      },
      {
        from: { node: 'model:orders_total', column: 'email' },
        to: { node: 'exposure:Sales board', column: 'email' },
        through: 'identity',
      },
      {
        from: { node: 'model:orders_total', column: 'total' },
        to: { node: 'exposure:Sales board', column: 'total' },
        through: 'identity',
      },
    ],
    influences: [
      {
        from: { node: 'model:orders_clean', column: 'email' },
        to: 'model:orders_total',
        by: 'group',
      },
    ],
  });
});

test('JSON is of the published shape, with columns and without', async () => {
  const open = await inferFiles({ ...shop, 'sources/s.yml': 'sources:\n  - {name: raw, topic: raw.v1}\n' });
  const whole = projectGraph(open);
  for (const text of [formatLineageJson(whole), formatLineageJson(whole, { columns: columnGraph(open) })]) {
    expect(schemaMisfits(JSON.parse(text), lineageJsonSchema)).toEqual([]);
  }
});
