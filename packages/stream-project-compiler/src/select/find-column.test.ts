import { expect, test } from 'vitest';
import { inferFiles } from '../../test/lineage-support/compile-project.ts';
import { shop } from '../../test/lineage-support/shop.ts';
import { columnGraph } from '../lineage/column-graph.ts';
import { findColumn } from './find-column.ts';

const dotted = {
  'sources/d.yml':
    'sources:\n  - {name: shop.eu, topic: t, columns: [{name: a.b, type: INT}]}\n  - {name: open, topic: o}\n',
  'models/d.yml': 'models:\n  - name: reads\n    sql: SELECT seen FROM {{ source("open") }}\n',
};
const graph = columnGraph(await inferFiles({ ...shop, ...dotted }));

test.each([
  ['orders_clean.email', 'model:orders_clean', 'email'],
  ['source:orders_raw.id', 'source:orders_raw', 'id'],
  ['Sales board.total', 'exposure:Sales board', 'total'],
  ['shop.eu.a.b', 'source:shop.eu', 'a.b'],
  ['open.seen', 'source:open', 'seen'],
])('%s is a column', (text, node, column) => {
  expect(findColumn(graph, text)).toEqual({ found: true, column: { node, column } });
});

test.each([
  ['orders_clean.emial', 'model:orders_clean has no column "emial"', 'did you mean "email"?'],
  [
    'orders_claen.email',
    'there is no source, model or exposure "orders_claen"',
    'did you mean "orders_clean"?',
  ],
  [
    'source:orders_rw.id',
    'there is no source, model or exposure "source:orders_rw"',
    'did you mean "source:orders_raw"?',
  ],
  ['open.other', 'source:open has no column "other"', undefined],
  ['email', '"email" names no column, expected "node.column"', undefined],
])('%s is none', (selector, message, hint) => {
  const problem = { selector, severity: 'error', message, ...(hint === undefined ? {} : { hint }) };
  expect(findColumn(graph, selector)).toEqual({ found: false, problem });
});
