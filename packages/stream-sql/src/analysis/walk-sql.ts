import type { SqlNode } from '../tree/sql-node.ts';

/** Called for each node; `skip` leaves out its descendants. */
export type VisitSqlNode = (node: SqlNode) => 'skip' | undefined;

/** Children of a node, in the order of the text. */
export function childNodes(node: SqlNode): SqlNode[] {
  const children: SqlNode[] = [];
  // Trees have millions of nodes: `Object.values` would take twice the time
  for (const key in node) {
    const value: unknown = node[key as keyof SqlNode];
    if (typeof value !== 'object') continue;
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) children.push(item);
    } else if (isNode(value)) children.push(value);
  }
  // Most are in order already, and `sort` takes longer than the rest of this function
  return isOrdered(children) ? children : children.sort(byPlace);
}

function isOrdered(nodes: readonly SqlNode[]): boolean {
  let before: SqlNode | undefined;
  for (const node of nodes) {
    if (before !== undefined && byPlace(before, node) > 0) return false;
    before = node;
  }
  return true;
}

function byPlace(one: SqlNode, other: SqlNode): number {
  return one.start - other.start || one.end - other.end;
}

/** Visits a node and all descendants in the order of the text. Trees of any depth are safe: it does not recurse. */
export function walkSql(root: SqlNode, visit: VisitSqlNode): void {
  const waiting: SqlNode[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (visit(node) === 'skip') continue;
    const children = childNodes(node);
    for (let child = children.pop(); child !== undefined; child = children.pop()) waiting.push(child);
  }
}

/** Every object of a tree that has a kind is a node. */
function isNode(value: unknown): value is SqlNode {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
