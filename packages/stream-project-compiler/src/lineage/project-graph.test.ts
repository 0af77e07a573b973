import { expect, test } from 'vitest';
import { graphOfFiles } from '../../test/lineage-support/compile-project.ts';
import { shop } from '../../test/lineage-support/shop.ts';
import { type ProjectGraph, restrictGraph } from './project-graph.ts';

function edges({ edges: all }: ProjectGraph): readonly string[] {
  return all.map(({ from, to, how }) => `${from} ${how} ${to}`);
}

test('a node is described by what its file says', async () => {
  const graph = await graphOfFiles(shop);
  expect(graph.byId.get('source:orders_raw')).toEqual({
    id: 'source:orders_raw',
    kind: 'source',
    name: 'orders_raw',
    description: 'Orders as they come in',
    owner: 'team-shop',
    tags: ['pii', 'raw'],
    file: 'sources/orders.yml',
    range: {
      file: 'sources/orders.yml',
      start: { line: 2, column: 11 },
      end: { line: 2, column: 21 },
    },
  });
  expect(graph.byId.get('model:orders_clean')).toMatchObject({
    materialized: 'topic',
    group: 'finance',
    access: 'private',
  });
});

test('edges say by what data flows, in order of the nodes', async () => {
  expect(edges(await graphOfFiles(shop))).toEqual([
    'exposure:checkout produces source:orders_raw',
    'source:orders_raw sql model:orders_clean',
    'model:orders_clean sql model:orders_total',
    'model:orders_total from model:orders_warehouse',
    'model:orders_total consumes exposure:Sales board',
    'source:orders_raw consumes exposure:Sales board',
  ]);
});

test('references to nothing have no edge', async () => {
  const graph = await graphOfFiles({
    'models/m.yml': 'models:\n  - name: m\n    sql: SELECT a FROM {{ ref("gone") }}\n',
  });
  expect(edges(graph)).toEqual([]);
});

test('variables in texts are shown as written', async () => {
  const file = `sources:\n  - name: a\n    topic: a\n    owner: \${OWNER:-me}\n    tags: ["\${TAG:-t}"]\n    description: \${TEXT:-text}\n`;
  const graph = await graphOfFiles({ 'sources/a.yml': file });
  expect(graph.byId.get('source:a')).toMatchObject({
    owner: `\${OWNER:-me}`,
    tags: [`\${TAG:-t}`],
    description: `\${TEXT:-text}`,
  });
});

test('a part of a graph has the edges between its nodes', async () => {
  const graph = await graphOfFiles(shop);
  const part = restrictGraph(
    graph,
    new Set(['source:orders_raw', 'model:orders_clean', 'exposure:checkout']),
  );
  expect(part.nodes.map(({ id }) => id)).toEqual([
    'exposure:checkout',
    'source:orders_raw',
    'model:orders_clean',
  ]);
  expect(edges(part)).toEqual([
    'exposure:checkout produces source:orders_raw',
    'source:orders_raw sql model:orders_clean',
  ]);
  expect(part.downstream.get('model:orders_clean')).toBeUndefined();
});

test('the nodes of a cycle are all there', async () => {
  const graph = await graphOfFiles({
    'models/m.yml':
      'models:\n  - name: a\n    sql: SELECT x FROM {{ ref("b") }}\n  - name: b\n    sql: SELECT x FROM {{ ref("a") }}\n',
  });
  expect(graph.nodes.map(({ id }) => id)).toEqual(['model:a', 'model:b']);
  expect(graph.edges).toHaveLength(2);
});
