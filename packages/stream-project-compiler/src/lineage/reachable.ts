import type { NodeId } from '../resolve/node-id.ts';

/**
 * The nodes that can be reached from some of them in at most so many steps, the start included. Breadth first, so each node
 * is looked at once.
 */
export function reachable(
  start: Iterable<NodeId>,
  next: ReadonlyMap<NodeId, readonly NodeId[]>,
  steps: number = Number.POSITIVE_INFINITY,
): ReadonlySet<NodeId> {
  const found = new Set(start);
  let edge = [...found];
  for (let step = 0; step < steps && edge.length > 0; step += 1) {
    const further: NodeId[] = [];
    for (const node of edge) {
      for (const other of next.get(node) ?? []) {
        if (found.has(other)) continue;
        found.add(other);
        further.push(other);
      }
    }
    edge = further;
  }
  return found;
}
