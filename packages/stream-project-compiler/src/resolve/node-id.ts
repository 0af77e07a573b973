/** The nodes of a project's graph. Tests are not part of it: nothing reads them. */
export type NodeKind = 'source' | 'model' | 'exposure';

/** A node of the graph: `source:payments`, `model:orders`, `exposure:checkout`. */
export type NodeId = `${NodeKind}:${string}`;

/** The id of a node. Each kind has its own names. */
export function nodeId(kind: NodeKind, name: string): NodeId {
  return `${kind}:${name}`;
}
