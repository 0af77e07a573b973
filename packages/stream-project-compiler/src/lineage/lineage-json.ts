import type { Position } from '../text/range.ts';
import { type ColumnsJson, columnsJson } from './column-json.ts';
import type { ColumnLineage } from './column-lineage.ts';
import type { LineageOptions } from './lineage-options.ts';
import type { GraphEdge, GraphNode, ProjectGraph } from './project-graph.ts';

/** The shape of {@link lineageJson}; a number after the "/" that grows when a reader could break. */
export const lineageSchema = 'levada.lineage/1';

/** A graph for tools. Lines and columns of places count from 1, columns in UTF-16 code units. */
export interface LineageJson {
  readonly schema: typeof lineageSchema;
  /** Each behind what it reads, save in cycles. */
  readonly nodes: readonly LineageNodeJson[];
  readonly edges: readonly GraphEdge[];
  /** Where columns were asked for. */
  readonly columns?: ColumnsJson;
}

/** One node of {@link LineageJson}: as in the graph, with the file beside the range and not within it. */
export interface LineageNodeJson extends Omit<GraphNode, 'range'> {
  readonly range: { readonly start: Position; readonly end: Position };
}

/** A graph as data for `JSON.stringify`. */
export function lineageJson(graph: ProjectGraph, { columns }: LineageOptions = {}): LineageJson {
  return {
    schema: lineageSchema,
    nodes: graph.nodes.map(nodeJson),
    edges: graph.edges.map(({ from, to, how }) => ({ from, to, how })),
    ...(columns === undefined ? {} : { columns: columnsJson(graph, columns) }),
  };
}

/** A graph as JSON text with a line end. */
export function formatLineageJson(graph: ProjectGraph, options: LineageOptions = {}): string {
  return `${JSON.stringify(lineageJson(graph, options), undefined, 2)}\n`;
}

function nodeJson({ range, ...node }: GraphNode): LineageNodeJson {
  return { ...node, range: { start: range.start, end: range.end } };
}

/** The shape of {@link columnLineageJson}. */
export const columnLineageSchema = 'levada.column-lineage/1';

/** The lineage of one column for tools. */
export interface ColumnLineageJson extends ColumnLineage {
  readonly schema: typeof columnLineageSchema;
}

/** The lineage of a column as data for `JSON.stringify`. */
export function columnLineageJson(lineage: ColumnLineage): ColumnLineageJson {
  return { schema: columnLineageSchema, ...lineage };
}
