import { type AccessLevel, accessLevels, type Materialization } from '@levada/stream-project-schema';
import type { InferredProject } from '../infer/infer-project.ts';
import type { Definition } from '../parse/definition.ts';
import { isText, listAt, textAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import type { TypedNode } from '../parse/typed-node.ts';
import { type NodeId, type NodeKind, nodeId } from '../resolve/node-id.ts';
import { orderNodes } from '../resolve/order-nodes.ts';
import { shownText } from '../resolve/place-in-file.ts';
import { nameRange } from '../resolve/project-symbols.ts';
import type { ReferenceUse } from '../resolve/reference.ts';
import type { TextRange } from '../text/range.ts';

/** A source, a model or an exposure, with what it is selected and shown by. Texts with variables are as written. */
export interface GraphNode {
  readonly id: NodeId;
  readonly kind: NodeKind;
  readonly name: string;
  /** Of models only; undefined when it cannot be determined. */
  readonly materialized?: Materialization;
  readonly description?: string;
  readonly owner?: string;
  readonly tags: readonly string[];
  readonly group?: string;
  readonly access?: AccessLevel;
  /** Path below the project's folder. */
  readonly file: string;
  /** Of its name. */
  readonly range: TextRange;
}

/** Data that goes from one node to the next, and what says so. Of several ways the first: SQL before `from`. */
export interface GraphEdge {
  readonly from: NodeId;
  readonly to: NodeId;
  readonly how: Exclude<ReferenceUse, 'test'>;
}

/** The nodes of a project, and how data flows. The same project always gives the same order. */
export interface ProjectGraph {
  /** Each after what it reads, except in cycles; otherwise sources, models and exposures in order of the files. */
  readonly nodes: readonly GraphNode[];
  readonly byId: ReadonlyMap<NodeId, GraphNode>;
  /** Each pair once, in order of the nodes that they lead to. */
  readonly edges: readonly GraphEdge[];
  /** The nodes that a node reads. Nodes without any are absent. */
  readonly upstream: ReadonlyMap<NodeId, readonly NodeId[]>;
  /** The nodes that read a node. Nodes without any are absent. */
  readonly downstream: ReadonlyMap<NodeId, readonly NodeId[]>;
}

/** The graph of a project. References to nothing are left out. */
export function projectGraph(project: InferredProject): ProjectGraph {
  return graphOf(graphNodes(project), graphEdges(project));
}

/** The part of a graph that has these nodes, and the edges between them. */
export function restrictGraph(graph: ProjectGraph, nodes: ReadonlySet<NodeId>): ProjectGraph {
  return graphOf(
    graph.nodes.filter(({ id }) => nodes.has(id)),
    graph.edges.filter(({ from, to }) => nodes.has(from) && nodes.has(to)),
  );
}

function graphOf(all: readonly GraphNode[], edges: readonly GraphEdge[]): ProjectGraph {
  const byId = new Map(all.map((node) => [node.id, node]));
  const upstream = neighbours(edges, ({ to, from }) => [to, from]);
  const downstream = neighbours(edges, ({ from, to }) => [from, to]);
  const { order } = orderNodes(
    all.map(({ id }) => id),
    (id) => upstream.get(id) ?? [],
  );
  const nodes = order.flatMap((id) => byId.get(id) ?? []);
  const place = new Map(order.map((id, index) => [id, index]));
  const sorted = edges.toSorted((one, other) => (place.get(one.to) ?? 0) - (place.get(other.to) ?? 0));
  return { nodes, byId, edges: sorted, upstream, downstream };
}

function neighbours(
  edges: readonly GraphEdge[],
  pair: (edge: GraphEdge) => readonly [NodeId, NodeId],
): ReadonlyMap<NodeId, readonly NodeId[]> {
  const found = new Map<NodeId, NodeId[]>();
  for (const edge of edges) {
    const [node, other] = pair(edge);
    const known = found.get(node);
    if (known === undefined) found.set(node, [other]);
    else known.push(other);
  }
  return found;
}

function graphEdges({ resolved }: InferredProject): readonly GraphEdge[] {
  const found = new Map<string, GraphEdge>();
  const add = (from: NodeId | undefined, to: NodeId | undefined, how: ReferenceUse) => {
    if (from === undefined || to === undefined || how === 'test') return;
    const key = `${from}\n${to}`;
    if (!found.has(key)) found.set(key, { from, to, how });
  };
  for (const { id, inputs } of resolved.models.values()) {
    for (const { target, use } of inputs) add(target, id, use);
  }
  for (const { id, consumes, produces } of resolved.exposures.values()) {
    for (const { target, use } of consumes) add(target, id, use);
    for (const { target, use } of produces) add(id, target, use);
  }
  return [...found.values()];
}

/** The nodes of a project's graph: sources, models, exposures, each in order of the files. */
function graphNodes({ resolved, materialized }: InferredProject): readonly GraphNode[] {
  return [
    ...[...resolved.sources].map(([name, definition]) => graphNode(name, definition)),
    ...[...resolved.models].map(([name, { definition }]) => {
      const kind = materialized.get(name)?.kind;
      return { ...graphNode(name, definition), ...(kind === undefined ? {} : { materialized: kind }) };
    }),
    ...[...resolved.exposures].map(([name, { definition }]) => graphNode(name, definition)),
  ];
}

function graphNode(
  name: string,
  definition: Definition<'source'> | Definition<'model'> | Definition<'exposure'>,
): GraphNode {
  const { kind, file } = definition;
  const description = shownAt(definition, 'description');
  const owner = shownAt(definition, 'owner');
  // What decides about access is compared, so here variables are replaced
  const group = textAt(definition.node, 'group')?.value;
  const access = kind === 'model' ? textAt(definition.node, 'access')?.value : undefined;
  return {
    id: nodeId(kind, name),
    kind,
    name,
    ...(description === undefined ? {} : { description }),
    ...(owner === undefined ? {} : { owner }),
    tags: tagsOf(definition),
    ...(group === undefined ? {} : { group }),
    ...(isAccessLevel(access) ? { access } : {}),
    file: file.path,
    range: nameRange(definition),
  };
}

function isAccessLevel(text: string | undefined): text is AccessLevel {
  return text !== undefined && Object.hasOwn(accessLevels, text);
}

function tagsOf({ node }: Definition): readonly string[] {
  return (listAt(node, 'tags')?.items ?? []).flatMap((tag) => shown(tag) ?? []);
}

function shownAt({ node }: Definition, key: string): string | undefined {
  return shown(placeOf(node, key).node);
}

function shown(leaf: TypedNode | undefined): string | undefined {
  return isText(leaf) ? shownText(leaf, leaf.value) : undefined;
}
