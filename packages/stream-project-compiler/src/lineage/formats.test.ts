import { describe, expect, test } from 'vitest';
import { graphOfFiles } from '../../test/lineage-support/compile-project.ts';
import { shop } from '../../test/lineage-support/shop.ts';
import { dotText, formatLineageDot, formatLineageText } from './format-lineage.ts';
import { formatLineageMermaid, mermaidText } from './format-lineage-mermaid.ts';
import { formatLineageJson } from './lineage-json.ts';
import { restrictGraph } from './project-graph.ts';

const graph = await graphOfFiles(shop);

test('text has one line for each node, with its inputs', () => {
  expect(formatLineageText(graph)).toBe(
    [
      'exposure:checkout       exposure',
      'source:orders_raw       source    <- exposure:checkout',
      'model:orders_clean      topic     <- source:orders_raw',
      'model:orders_total      engine    <- model:orders_clean',
      'model:orders_warehouse  sink      <- model:orders_total',
      'exposure:Sales board    exposure  <- model:orders_total, source:orders_raw',
      '',
    ].join('\n'),
  );
});

test('text of nothing is empty', () => {
  expect(formatLineageText(restrictGraph(graph, new Set()))).toBe('');
});

test('Mermaid has a shape for each kind', () => {
  expect(formatLineageMermaid(graph)).toBe(
    [
      'flowchart LR',
      '  exposure_checkout(["checkout<br/>exposure"])',
      '  source_orders_raw[("orders_raw<br/>source")]',
      '  model_orders_clean["orders_clean<br/>topic"]',
      '  model_orders_total["orders_total<br/>engine"]',
      '  model_orders_warehouse[["orders_warehouse<br/>sink"]]',
      '  exposure_Sales_board(["Sales board<br/>exposure"])',
      '  exposure_checkout --> source_orders_raw',
      '  source_orders_raw --> model_orders_clean',
      '  model_orders_clean --> model_orders_total',
      '  model_orders_total --> model_orders_warehouse',
      '  model_orders_total --> exposure_Sales_board',
      '  source_orders_raw --> exposure_Sales_board',
      '',
    ].join('\n'),
  );
});

test('DOT has quoted ids', () => {
  expect(formatLineageDot(graph)).toBe(
    [
      'digraph lineage {',
      '  rankdir=LR;',
      '  "exposure:checkout" [label="checkout\\nexposure", shape=ellipse];',
      '  "source:orders_raw" [label="orders_raw\\nsource", shape=cylinder];',
      '  "model:orders_clean" [label="orders_clean\\ntopic", shape=box];',
      '  "model:orders_total" [label="orders_total\\nengine", shape=box];',
      '  "model:orders_warehouse" [label="orders_warehouse\\nsink", shape=box3d];',
      '  "exposure:Sales board" [label="Sales board\\nexposure", shape=ellipse];',
      '  "exposure:checkout" -> "source:orders_raw";',
      '  "source:orders_raw" -> "model:orders_clean";',
      '  "model:orders_clean" -> "model:orders_total";',
      '  "model:orders_total" -> "model:orders_warehouse";',
      '  "model:orders_total" -> "exposure:Sales board";',
      '  "source:orders_raw" -> "exposure:Sales board";',
      '}',
      '',
    ].join('\n'),
  );
});

test('JSON has nodes with their places, and edges', () => {
  const json: unknown = JSON.parse(formatLineageJson(graph));
  expect(json).toMatchObject({ schema: 'levada.lineage/1' });
  expect(json).toHaveProperty('nodes[2]', {
    id: 'model:orders_clean',
    kind: 'model',
    name: 'orders_clean',
    owner: 'team-data',
    tags: ['pii'],
    group: 'finance',
    access: 'private',
    materialized: 'topic',
    file: 'models/clean/orders.yml',
    range: { start: { line: 2, column: 11 }, end: { line: 2, column: 23 } },
  });
  expect(json).toHaveProperty('edges[3]', {
    from: 'model:orders_total',
    to: 'model:orders_warehouse',
    how: 'from',
  });
});

describe('names of users', () => {
  test('cannot leave a label of Mermaid', () => {
    expect(mermaidText('`a"] --> b; <script>&#')).toBe('#96;a#34;#93; --#62; b#59; #60;script#62;#38;#35;');
  });

  test('cannot leave a label of DOT', () => {
    expect(dotText('a"\\N\n')).toBe('a\\"\\\\N\\\\n');
  });

  test('gives look-alike user names ids of their own in Mermaid', async () => {
    const alike = await graphOfFiles({
      'exposures/e.yml':
        'exposures:\n  - {name: a b, type: api}\n  - {name: a-b, type: api}\n  - {name: end, type: api}\n',
    });
    expect(formatLineageMermaid(alike)).toBe(
      [
        'flowchart LR',
        '  exposure_a_b(["a b<br/>exposure"])',
        '  exposure_a_b_n1(["a-b<br/>exposure"])',
        '  exposure_end(["end<br/>exposure"])',
        '',
      ].join('\n'),
    );
  });
});
