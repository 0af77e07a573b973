import type { ColumnGraph } from './column-graph.ts';

/** What to show of a graph beside its nodes and edges. */
export interface LineageOptions {
  /** Columns, and what they are made of. Default: none. */
  readonly columns?: ColumnGraph;
}
