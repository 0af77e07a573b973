import type { SqlNode } from '../tree/sql-node.ts';

/** Called for each node; `skip` leaves out its descendants. */
export type VisitSqlNode = (node: SqlNode) => 'skip' | undefined;

/** Children of a node, in the order of the text. */
export function childNodes(node: SqlNode): SqlNode[] {
  const children: SqlNode[] = [];
  addChildren(node, children);
  return children;
}

/** Visits a node and all descendants in the order of the text. Trees of any depth are safe: it does not recurse. */
export function walkSql(root: SqlNode, visit: VisitSqlNode): void {
  const waiting: SqlNode[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (visit(node) === 'skip') continue;
    const first = waiting.length;
    // A list for each node would be a tenth of what checking a project allocates
    addChildren(node, waiting);
    reverse(waiting, first);
  }
}

/** Adds the children of a node to a list, in the order of the text. */
function addChildren(node: SqlNode, list: SqlNode[]): void {
  const first = list.length;
  // Trees have millions of nodes: `Object.values` would take twice the time
  for (const key in node) {
    const value: unknown = node[key as keyof SqlNode];
    if (typeof value !== 'object') continue;
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) list.push(item);
    } else if (isNode(value)) list.push(value);
  }
  // Most are in order already, and `sort` takes longer than the rest of this function
  if (isOrdered(list, first)) return;
  for (const child of list.splice(first).sort(byPlace)) list.push(child);
}

function isOrdered(nodes: readonly SqlNode[], first: number): boolean {
  let before = nodes[first];
  for (let at = first + 1; at < nodes.length; at += 1) {
    const node = nodes[at];
    if (before !== undefined && node !== undefined && byPlace(before, node) > 0) return false;
    before = node;
  }
  return true;
}

function byPlace(one: SqlNode, other: SqlNode): number {
  return one.start - other.start || one.end - other.end;
}

/** Reverses the part of a list that begins at an index. */
function reverse(nodes: SqlNode[], first: number): void {
  for (let low = first, high = nodes.length - 1; low < high; low += 1, high -= 1) {
    [nodes[low], nodes[high]] = [nodes[high] as SqlNode, nodes[low] as SqlNode];
  }
}

/** Every object of a tree that has a kind is a node. */
function isNode(value: unknown): value is SqlNode {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
