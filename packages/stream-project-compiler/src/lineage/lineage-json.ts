import type { AccessLevel, Materialization } from '@levada/stream-project-schema';
import type { NodeId, NodeKind } from '../resolve/node-id.ts';
import type { Position } from '../text/range.ts';
import type { GraphEdge, GraphNode, ProjectGraph } from './project-graph.ts';

/** The shape of {@link lineageJson}; a number after the "/" that grows when a reader could break. */
export const lineageJsonSchema = 'levada.lineage/1';

/** A graph for tools. Lines and columns count from 1, columns in UTF-16 code units. */
export interface LineageJson {
  readonly schema: typeof lineageJsonSchema;
  /** Each behind what it reads, save in cycles. */
  readonly nodes: readonly LineageNodeJson[];
  readonly edges: readonly GraphEdge[];
}

/** One node of {@link LineageJson}. */
export interface LineageNodeJson {
  readonly id: NodeId;
  readonly kind: NodeKind;
  readonly name: string;
  readonly materialized?: Materialization;
  readonly description?: string;
  readonly owner?: string;
  readonly tags: readonly string[];
  readonly group?: string;
  readonly access?: AccessLevel;
  readonly file: string;
  readonly range: { readonly start: Position; readonly end: Position };
}

/** A graph as data for `JSON.stringify`. */
export function lineageJson(graph: ProjectGraph): LineageJson {
  return {
    schema: lineageJsonSchema,
    nodes: graph.nodes.map(nodeJson),
    edges: graph.edges.map(({ from, to, how }) => ({ from, to, how })),
  };
}

/** A graph as JSON text with a line end. */
export function formatLineageJson(graph: ProjectGraph): string {
  return `${JSON.stringify(lineageJson(graph), undefined, 2)}\n`;
}

function nodeJson({ range, ...node }: GraphNode): LineageNodeJson {
  return { ...node, range: { start: range.start, end: range.end } };
}
