import { accessLevels, materializations } from '@levada/stream-project-schema';
import type { NodeColumns } from '../columns/nodes/node-columns.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { Position, TextRange } from '../text/range.ts';
import { typeName } from '../types/print-type.ts';
import {
  type ColumnEdge,
  type ColumnGraph,
  columnEdgesInto,
  type InfluenceEdge,
  influenceEdgesInto,
  type LineageOptions,
} from './column-graph.ts';
import type { ColumnLineage } from './column-lineage.ts';
import type { GraphEdge, GraphNode, ProjectGraph } from './project-graph.ts';

/** The shape of {@link lineageJson}; a number after the "/" that grows when a reader could break. */
const lineageSchema = 'levada.lineage/1';

/** A graph for tools. Lines and columns of places count from 1, columns in UTF-16 code units. */
interface LineageJson {
  readonly schema: typeof lineageSchema;
  /** Each after what it reads, except in cycles. */
  readonly nodes: readonly LineageNodeJson[];
  readonly edges: readonly GraphEdge[];
  /** Where columns were asked for. */
  readonly columns?: ColumnsJson;
}

/** One node of {@link LineageJson}: as in the graph, with the file beside the range and not within it. */
interface LineageNodeJson extends Omit<GraphNode, 'range'> {
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
const columnLineageSchema = 'levada.column-lineage/1';

/** The lineage of one column for tools. */
interface ColumnLineageJson extends ColumnLineage {
  readonly schema: typeof columnLineageSchema;
}

/** The lineage of a column as data for `JSON.stringify`. */
export function columnLineageJson(lineage: ColumnLineage): ColumnLineageJson {
  return { schema: columnLineageSchema, ...lineage };
}

/** Columns of a graph for tools. */
interface ColumnsJson {
  /** In order of the graph. */
  readonly nodes: readonly NodeColumnsJson[];
  /** Between columns of the nodes shown. */
  readonly edges: readonly ColumnEdge[];
  /** Columns that decide which rows a node has. */
  readonly influences: readonly InfluenceEdge[];
}

interface NodeColumnsJson {
  readonly node: NodeId;
  /** Types as the engine writes them; absent when they cannot be determined. */
  readonly columns: readonly { readonly name: string; readonly type?: string }[];
  /** Present when there may be more. */
  readonly incomplete?: { readonly reason: string; readonly range: TextRange };
}

/** Columns of the nodes of a graph. */
function columnsJson(graph: ProjectGraph, { nodes }: ColumnGraph): ColumnsJson {
  const shown = graph.nodes.flatMap(({ id }) => (nodes.has(id) ? [id] : []));
  const isShown = ({ from }: { readonly from: { readonly node: NodeId } }) => graph.byId.has(from.node);
  return {
    nodes: shown.flatMap((id) => nodeColumnsJson(id, nodes.get(id))),
    edges: shown.flatMap((id) => columnEdgesInto(nodes, id).filter(isShown)),
    influences: shown.flatMap((id) => influenceEdgesInto(nodes, id).filter(isShown)),
  };
}

function nodeColumnsJson(node: NodeId, given: NodeColumns | undefined): readonly NodeColumnsJson[] {
  if (given === undefined) return [];
  const columns = [...given.byName.values()].map(({ name, type }) => {
    return type === undefined ? { name } : { name, type: typeName(type) };
  });
  return [{ node, columns, ...(given.incomplete === undefined ? {} : { incomplete: given.incomplete }) }];
}

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const position = object({ line: { type: 'number' }, column: { type: 'number' } });
const columnRef = object({ node: text, column: text });
const range = object({ file: text, start: position, end: position });
const gap = { reason: text, range };

const columnEdges = list(
  object({
    from: columnRef,
    to: columnRef,
    through: { enum: ['identity', 'transformation', 'aggregation'] },
  }),
);

const influences = list(
  object({ from: columnRef, to: text, by: { enum: ['filter', 'join', 'group', 'order', 'window'] } }),
);

const node = object(
  {
    id: text,
    kind: { enum: ['source', 'model', 'exposure'] },
    name: text,
    materialized: { enum: Object.keys(materializations) },
    description: text,
    owner: text,
    tags: list(text),
    group: text,
    access: { enum: Object.keys(accessLevels) },
    file: text,
    range: object({ start: position, end: position }),
  },
  ['materialized', 'description', 'owner', 'group', 'access'],
);

/** The shape of a graph as JSON Schema 2020-12, for readers of `levada project lineage --format json`. */
export const lineageJsonSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Lineage of a stream project',
  ...object(
    {
      schema: { const: lineageSchema },
      nodes: list(node),
      edges: list(object({ from: text, to: text, how: { enum: ['sql', 'from', 'consumes', 'produces'] } })),
      columns: object({
        nodes: list(
          object(
            {
              node: text,
              columns: list(object({ name: text, type: text }, ['type'])),
              incomplete: object(gap),
            },
            ['incomplete'],
          ),
        ),
        edges: columnEdges,
        influences,
      }),
    },
    ['columns'],
  ),
};

/** The shape of one column's lineage as JSON Schema 2020-12. */
export const columnLineageJsonSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Lineage of one column of a stream project',
  ...object({
    schema: { const: columnLineageSchema },
    node: text,
    column: text,
    direction: { enum: ['upstream', 'downstream'] },
    steps: columnEdges,
    influences,
    gaps: list(object({ node: text, ...gap })),
    exposures: list(text),
  }),
};

function object(properties: Schema, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', properties, required, additionalProperties: false };
}

function list(items: Schema): Schema {
  return { type: 'array', items };
}
