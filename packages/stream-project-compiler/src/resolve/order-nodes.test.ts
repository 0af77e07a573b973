import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderNodes } from './order-nodes.ts';

function ordered(nodes: readonly string[], reads: Readonly<Record<string, readonly string[]>>) {
  return orderNodes(nodes, (node) => reads[node] ?? []);
}

test('keeps nodes in the given order where no edge says otherwise', () => {
  expect(ordered(['c', 'a', 'b'], {})).toEqual({ order: ['c', 'a', 'b'], cycles: [] });
});

test('puts a node after everything that it reads, directly or not', () => {
  expect(ordered(['a', 'b', 'c'], { a: ['c'], c: ['b'] }).order).toEqual(['b', 'c', 'a']);
});

test('a node that reads itself is a cycle', () => {
  expect(ordered(['a', 'b'], { b: ['b', 'a'] })).toEqual({ order: ['a', 'b'], cycles: [['b']] });
});

test('every set of nodes that lead back to themselves is one cycle, in the order given', () => {
  const reads = { a: ['b'], b: ['a', 'd'], c: ['d'], d: ['e'], e: ['c'], f: ['a'] };
  const { order, cycles } = ordered(['f', 'a', 'b', 'c', 'd', 'e'], reads);
  expect(cycles).toEqual([
    ['a', 'b'],
    ['c', 'd', 'e'],
  ]);
  expect(order).toEqual(['c', 'd', 'e', 'a', 'b', 'f']);
});

test('a chain may be as long as the project', () => {
  const nodes = Array.from({ length: 50_000 }, (_, index) => index);
  const { order } = orderNodes(nodes, (node) => (node + 1 < nodes.length ? [node + 1] : []));
  expect(order).toEqual(nodes.toReversed());
});

test('lists each node once, after all that it reads unless they are in one cycle', () => {
  const graph = fc.array(fc.array(fc.nat(11), { maxLength: 3 }), { minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(graph, (reads) => {
      const nodes = [...reads.keys()];
      const { order, cycles } = orderNodes(nodes, (node) => reads[node] ?? []);
      expect([...order].sort((one, other) => one - other)).toEqual(nodes);
      const cycleOf = new Map(cycles.flatMap((members) => members.map((node) => [node, members])));
      for (const [node, upstream] of reads.entries()) {
        for (const other of upstream) {
          const together = reaches(reads, other, node);
          expect(cycleOf.get(node)?.includes(other) ?? false).toBe(together);
          expect(together || order.indexOf(other) < order.indexOf(node)).toBe(true);
        }
      }
    }),
    { numRuns: 300 },
  );
});

/** By the definition, without any of what is tested. */
function reaches(reads: readonly (readonly number[])[], from: number, to: number): boolean {
  const seen = new Set([from]);
  for (const node of seen) for (const next of reads[node] ?? []) seen.add(next);
  return seen.has(to);
}
