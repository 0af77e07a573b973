import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { graphOfFiles } from '../../test/lineage-support/compile-project.ts';
import { shop } from '../../test/lineage-support/shop.ts';
import { selectNodes } from './select-nodes.ts';

const graph = await graphOfFiles(shop);
const all = [
  'exposure:checkout',
  'source:orders_raw',
  'model:orders_clean',
  'model:orders_total',
  'model:orders_warehouse',
  'exposure:Sales board',
];

const [checkout, raw, clean, total, warehouse, board] = all;

describe('a selector selects', () => {
  test.each([
    ['a node by its name', 'orders_total', [total]],
    ['an exposure whose name has a space', 'Sales board', [board]],
    ['all that a node reads', '+orders_total', [checkout, raw, clean, total]],
    ['all that reads a node', 'orders_total+', [total, warehouse, board]],
    ['both ways', '+orders_clean+', all],
    ['so many steps up', '1+orders_total', [clean, total]],
    ['so many steps down', 'orders_clean+1', [clean, total]],
    ['no step at all', '0+orders_clean+0', [clean]],
    ['by tag', 'tag:pii', [raw, clean]],
    ['by owner', 'owner:team-shop', [raw, warehouse]],
    ['by group', 'group:finance', [clean, total]],
    ['by access', 'access:private', [clean]],
    ['by folder', 'path:models/clean', [clean, total]],
    ['by folder with a slash', 'path:./models/', [checkout, clean, total, warehouse, board]],
    ['by file', 'path:models/out.yml', [checkout, warehouse, board]],
    ['by a pattern of paths', 'path:models/c*', [clean, total]],
    ['sources', 'kind:source', [raw]],
    ['what becomes a job', 'kind:engine', [total]],
    ['what becomes a topic', 'kind:topic', [clean]],
    ['sinks', 'kind:sink', [warehouse]],
    ['models', 'kind:model', [clean, total, warehouse]],
    ['a source by its name', 'source:orders_raw', [raw]],
    ['a model by its name', 'model:orders_clean', [clean]],
    ['an exposure by its name', 'exposure:checkout', [checkout]],
    ['names by a pattern', 'orders_*', [raw, clean, total, warehouse]],
    ['names by a pattern with its end', '*_c*n', [clean]],
    ['neighbours of what a method finds', 'tag:pii+1', [raw, clean, total, board]],
    ['what is in all of its parts', 'tag:pii,kind:topic', [clean]],
    ['what is in all of its parts, with neighbours', '+orders_total, owner:team-data', [clean, total]],
  ])('%s: %s', (_what, selector, nodes) => {
    expect(selectNodes(graph, [selector])).toEqual({ nodes: new Set(nodes), problems: [] });
  });
});

test('selects everything without a selector', () => {
  expect([...selectNodes(graph, []).nodes]).toEqual(all);
});

test('a node is selected when any selector holds for it, in order of the graph', () => {
  expect([...selectNodes(graph, ['kind:sink', 'source:*']).nodes]).toEqual([raw, warehouse]);
});

test('leaves out excluded nodes', () => {
  expect([...selectNodes(graph, ['orders_clean+'], { exclude: ['kind:exposure'] }).nodes]).toEqual([
    clean,
    total,
    warehouse,
  ]);
  expect([...selectNodes(graph, [], { exclude: ['kind:model'] }).nodes]).toEqual([checkout, raw, board]);
});

describe('a selector that finds nothing is reported', () => {
  test.each([
    [
      'orders_claen',
      'error',
      'nothing matches "orders_claen", expected a source, model or exposure by its name',
      'did you mean "orders_clean"?',
    ],
    [
      'model:orders_raw',
      'error',
      'nothing matches "model:orders_raw", expected a model by its name',
      undefined,
    ],
    [
      'tga:pii',
      'error',
      'unknown selector method "tga:", expected a name or one of source:, model:, exposure:, tag:, owner:, group:, path:, kind:, access:',
      'did you mean "tag:"?',
    ],
    [
      'kind:job',
      'error',
      'nothing matches "kind:job", expected nodes of a kind: source, model, exposure, or what a model becomes',
      'write one of "source", "model", "exposure", "engine", "topic", "virtual_topic", "sink"',
    ],
    [
      'kind:virtual_topic',
      'warning',
      'nothing matches "kind:virtual_topic", expected nodes of a kind: source, model, exposure, or what a model becomes',
      'write one of "source", "model", "exposure", "engine", "topic", "virtual_topic", "sink"',
    ],
    ['tag:pi', 'warning', 'nothing matches "tag:pi", expected nodes with a tag', 'did you mean "pii"?'],
    ['x*', 'warning', 'nothing matches "x*", expected a source, model or exposure by its name', undefined],
    [
      'orders_raw,',
      'error',
      'a part of the selector is empty, expected a source, model or exposure by its name',
      undefined,
    ],
    [
      'tag:pii,kind:sink',
      'warning',
      'the selector "tag:pii,kind:sink" matches nothing: no node is in all of its parts',
      undefined,
    ],
  ])('reports a selector that finds nothing: %s', (selector, severity, message, hint) => {
    const { nodes, problems } = selectNodes(graph, [selector]);
    expect([...nodes]).toEqual([]);
    expect(problems).toEqual([{ selector, severity, message, ...(hint === undefined ? {} : { hint }) }]);
  });

  test('reports a selector once, even if it is given twice', () => {
    expect(selectNodes(graph, ['x', 'x']).problems).toHaveLength(1);
  });

  test('reports an exclusion that finds nothing', () => {
    const { nodes, problems } = selectNodes(graph, [], { exclude: ['oders_raw'] });
    expect([...nodes]).toEqual(all);
    expect(problems).toMatchObject([{ selector: 'oders_raw', hint: 'did you mean "orders_raw"?' }]);
  });
});

test('whatever is written, it selects something or says why not', () => {
  const piece = fc.constantFrom(
    '+',
    '2',
    ',',
    ':',
    '*',
    ' ',
    'tag',
    'kind',
    'path',
    'orders_clean',
    'pii',
    'sink',
    '/',
    'é',
  );
  const selector = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(selector, (text) => {
      const { nodes, problems } = selectNodes(graph, [text]);
      expect(nodes.size > 0).toBe(problems.length === 0);
    }),
    { numRuns: 300 },
  );
});
