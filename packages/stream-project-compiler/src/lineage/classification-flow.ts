import type { Classification } from '@levada/stream-project-schema';
import type { ColumnOrigin, ColumnRef, NodeColumns } from '../columns/node-columns.ts';
import type { InferredProject } from '../infer/infer-project.ts';
import type { Definition } from '../parse/definition.ts';
import { type NodeId, nodeId } from '../resolve/node-id.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import {
  type DeclaredClassification,
  declaredClassifications,
  higherOf,
  rankOf,
} from './declared-classifications.ts';
import { type Mask, type ModelMasks, modelMasks } from './masks.ts';
import { sealedColumns } from './sealed-columns.ts';

/** How sensitive a column is, and why. */
export interface ColumnClass {
  /** What it holds before its masks. Undefined: nothing says. */
  readonly level: Classification | undefined;
  readonly declared: DeclaredClassification | undefined;
  /** The highest that flows in, whatever is declared. */
  readonly inflow: Inflow | undefined;
  /** The highest that flows in as it is, not through an expression. */
  readonly identical: Inflow | undefined;
  /** Masks of the column in this model. */
  readonly masks: readonly Mask[];
  /** Whether everybody who reads it gets masked values. */
  readonly masked: boolean;
}

/** A level, and the column that it comes from. */
export interface Inflow {
  readonly level: Classification;
  readonly from: ColumnRef;
}

/** Columns of sources and models with how sensitive they are. */
export type ClassificationFlow = ReadonlyMap<NodeId, ReadonlyMap<string, ColumnClass>>;

/**
 * Carries classifications along the lineage of columns. A column has what is declared about it, or else the highest level
 * of the columns that it is made of; filters, joins and groupings do not count, nor do counts and hashes.
 *
 * A declaration may always raise. It lowers what comes through an expression, because only its author knows what that takes
 * away; it does not lower what is handed on as it is. A mask for everybody ends the flow behind the model, a mask for some
 * roles does not, because the others and every job read the value itself.
 */
export function classificationFlow(project: InferredProject): ClassificationFlow {
  const { resolved, columns } = project;
  const flow = new Map<NodeId, ReadonlyMap<string, ColumnClass>>();
  for (const [name, source] of resolved.sources) {
    flow.set(nodeId('source', name), sourceClasses(source));
  }
  for (const name of resolved.order) {
    const model = resolved.models.get(name);
    if (model !== undefined) flow.set(model.id, modelClasses(model, columns.get(model.id), flow));
  }
  return flow;
}

/** What readers of a column get: nothing of it when it is masked for everybody. */
export function levelGiven(
  flow: ClassificationFlow,
  { node, column }: ColumnRef,
): Classification | undefined {
  const given = flow.get(node)?.get(column);
  return given === undefined || given.masked ? undefined : given.level;
}

function sourceClasses(source: Definition<'source'>): ReadonlyMap<string, ColumnClass> {
  const classes = [...declaredClassifications(source)].map(([name, declared]): [string, ColumnClass] => [
    name,
    { level: declared.level, declared, inflow: undefined, identical: undefined, masks: [], masked: false },
  ]);
  return new Map(classes);
}

interface ModelFacts {
  readonly declared: ReadonlyMap<string, DeclaredClassification>;
  readonly masks: ModelMasks;
  readonly sealed: ReadonlySet<string>;
}

/** Columns that are declared and not listed count too where there may be more columns than listed. */
function modelClasses(
  { definition, sql }: ResolvedModel,
  columns: NodeColumns | undefined,
  flow: ClassificationFlow,
): ReadonlyMap<string, ColumnClass> {
  const query = sql?.parsed.query;
  const facts: ModelFacts = {
    declared: declaredClassifications(definition),
    masks: modelMasks(definition),
    sealed: query === undefined ? new Set() : sealedColumns(query),
  };
  const unlisted = columns?.incomplete === undefined ? [] : facts.declared.keys();
  const names = new Set([...(columns?.byName.keys() ?? []), ...unlisted]);
  return new Map(
    [...names].map((name) => {
      const origins = facts.sealed.has(name) ? [] : (columns?.byName.get(name)?.origins ?? []);
      return [name, columnClass(name, facts, { origins, flow })];
    }),
  );
}

function columnClass(
  name: string,
  { declared: all, masks: { masks, complete } }: ModelFacts,
  { origins, flow }: { readonly origins: readonly ColumnOrigin[]; readonly flow: ClassificationFlow },
): ColumnClass {
  const declared = all.get(name);
  const own = masks.filter(({ column }) => column === name);
  const inflow = highest(origins, flow);
  const identical = highest(
    origins.filter(({ through }) => through === 'identity'),
    flow,
  );
  const level = declared === undefined ? inflow?.level : higherOf(declared.level, identical?.level);
  const masked = !complete || own.some(({ roles }) => roles === undefined);
  return { level, declared, inflow, identical, masks: own, masked };
}

function highest(origins: readonly ColumnOrigin[], flow: ClassificationFlow): Inflow | undefined {
  let best: Inflow | undefined;
  for (const { node, column } of origins) {
    const level = levelGiven(flow, { node, column });
    if (level === undefined || rankOf(level) <= rankOf(best?.level)) continue;
    best = { level, from: { node, column } };
  }
  return best;
}
