import type { Classification } from '@levada/stream-project-schema';
import type { ColumnOrigin, ColumnRef, NodeColumns } from '../columns/nodes/node-columns.ts';
import type { InferredProject } from '../infer/infer-project.ts';
import { type Mask, type ModelMasks, modelMasks } from '../infer/masks.ts';
import type { Definition } from '../parse/definition.ts';
import { type NodeId, nodeId } from '../resolve/node-id.ts';
import { createObjectMemory, type ObjectMemory } from '../resolve/object-memory.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import { type ClassificationRoute, routeTo } from './classification-path.ts';
import {
  type DeclaredClassification,
  declaredClassifications,
  higherOf,
  rankOf,
} from './declared-classifications.ts';
import { irreversibleColumns } from './irreversible-columns.ts';

/** How sensitive a column is, and why. */
export interface ColumnClass {
  /** The classification before masks; undefined when none is declared. */
  readonly level: Classification | undefined;
  /** Where the level comes from; undefined without one. */
  readonly route: ClassificationRoute | undefined;
  readonly declared: DeclaredClassification | undefined;
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

/** How sensitive columns of sources and models are. Those about which nothing is known are absent. */
export type ClassificationFlow = ReadonlyMap<NodeId, ReadonlyMap<string, ColumnClass>>;

/**
 * Carries classifications along the lineage of columns. A column has what is declared about it, or else the highest level
 * of the columns that it is made of; filters, joins and groupings do not count, nor do counts and hashes.
 *
 * A declaration may always raise. It lowers what comes through an expression, because only its author knows what that takes
 * away; it does not lower what is passed through unchanged. A mask for everybody ends the flow after the model, a mask for some
 * roles does not, because the others and every job read the value itself.
 */
export function classificationFlow(
  project: InferredProject,
  memory: ObjectMemory = createObjectMemory(),
): ClassificationFlow {
  // Rules and tests ask for the same one
  return memory.recall(computeFlow, project, [memory]);
}

function computeFlow(project: InferredProject, memory: ObjectMemory): ClassificationFlow {
  const { resolved, columns } = project;
  const flow = new Map<NodeId, ColumnClasses>();
  const given = memory.recall(givenClasses, memory, []);
  const add = (node: NodeId, classes: ColumnClasses) => {
    flow.set(node, classes);
    const before = given.get(node);
    if (before?.last === classes) return;
    const isSame = before !== undefined && givesSame(before.classes, classes);
    given.set(node, { classes: isSame ? before.classes : classes, last: classes });
  };
  for (const [name, source] of resolved.sources) {
    add(nodeId('source', name), memory.recall(sourceClasses, source, [name]));
  }
  for (const name of resolved.order) {
    const model = resolved.models.get(name);
    if (model === undefined) continue;
    const upstream = model.inputs.map(({ target }) =>
      target === undefined || !flow.has(target) ? undefined : given.get(target)?.classes,
    );
    add(model.id, memory.recall(modelClasses, model, [columns.get(model.id), ...upstream]));
  }
  for (const node of given.size > flow.size ? given.keys() : []) if (!flow.has(node)) given.delete(node);
  return flow;
}

/** The classes that readers of a node see. */
interface GivenClasses {
  /** Those of the first of all calls that gave the same. */
  readonly classes: ColumnClasses;
  readonly last: ColumnClasses;
}

/** By node, for as long as the memory is kept. */
function givenClasses(_memory: ObjectMemory): Map<NodeId, GivenClasses> {
  return new Map();
}

/** Whether the classes of a node are equal for its readers. Where its columns are declared may differ. */
function givesSame(one: ColumnClasses, other: ColumnClasses): boolean {
  if (one === other) return true;
  if (one.size !== other.size) return false;
  return [...one].every(([column, { level, masked, route }]) => {
    const now = other.get(column);
    if (now === undefined || now.level !== level || now.masked !== masked) return false;
    return JSON.stringify(now.route) === JSON.stringify(route);
  });
}

/** The classification that readers of a column see: none when it is masked for everybody. */
export function levelGiven(
  flow: ClassificationFlow,
  { node, column }: ColumnRef,
): Classification | undefined {
  const given = flow.get(node)?.get(column);
  return given === undefined || given.masked ? undefined : given.level;
}

function sourceClasses(source: Definition<'source'>, name: string): ColumnClasses {
  const node = nodeId('source', name);
  const classes = [...declaredClassifications(source)].map(([column, declared]): [string, ColumnClass] => {
    const { level } = declared;
    const route = level === undefined ? undefined : routeTo({ node, column }, undefined, undefined);
    return [column, { level, route, declared, identical: undefined, masks: [], masked: false }];
  });
  return new Map(classes);
}

interface ModelFacts {
  readonly id: NodeId;
  readonly declared: ReadonlyMap<string, DeclaredClassification>;
  readonly masks: ModelMasks;
  /** Columns that let nothing of what they are made of through. */
  readonly irreversible: () => ReadonlySet<string>;
  readonly flow: ClassificationFlow;
}

type ColumnClasses = ReadonlyMap<string, ColumnClass>;

/**
 * Columns that are declared and not listed count too where there may be more columns than listed. `upstream` is what flows in
 * from each input.
 */
function modelClasses(
  { id, definition, sql, inputs }: ResolvedModel,
  columns: NodeColumns | undefined,
  ...upstream: readonly (ColumnClasses | undefined)[]
): ColumnClasses {
  const flow = new Map<NodeId, ColumnClasses>();
  for (const [index, { target }] of inputs.entries()) {
    const given = upstream[index];
    if (target !== undefined && given !== undefined) flow.set(target, given);
  }
  let irreversible: ReadonlySet<string> | undefined;
  const query = sql?.parsed.query;
  const facts: ModelFacts = {
    id,
    declared: declaredClassifications(definition),
    masks: modelMasks(definition),
    irreversible: () => {
      irreversible ??= query === undefined ? new Set() : irreversibleColumns(query);
      return irreversible;
    },
    flow,
  };
  const classes = new Map<string, ColumnClass>();
  const add = (name: string, origins: readonly ColumnOrigin[]) => {
    const found = columnClass(name, origins, facts);
    if (found !== undefined) classes.set(name, found);
  };
  for (const { name, origins } of columns?.byName.values() ?? []) add(name, origins);
  if (columns !== undefined && columns.incomplete === undefined) return classes;
  for (const name of facts.declared.keys()) {
    if (columns?.byName.has(name) !== true) add(name, []);
  }
  return classes;
}

function columnClass(
  name: string,
  origins: readonly ColumnOrigin[],
  facts: ModelFacts,
): ColumnClass | undefined {
  const declared = facts.declared.get(name);
  const own = facts.masks.byColumn.get(name) ?? [];
  const { any, identical } = inflowOf(name, origins, facts);
  if (declared === undefined && any === undefined && own.length === 0) return undefined;
  const flows = declared === undefined ? any : identical;
  const level = higherOf(declared?.level, flows?.level);
  const from = rankOf(flows?.level) > rankOf(declared?.level) ? flows?.from : undefined;
  const masked = !facts.masks.complete || own.some(({ roles }) => roles === undefined);
  const route = level === undefined ? undefined : routeFrom({ node: facts.id, column: name }, from, facts);
  return { level, route, declared, identical, masks: own, masked };
}

function routeFrom(
  column: ColumnRef,
  from: ColumnRef | undefined,
  { flow }: ModelFacts,
): ClassificationRoute {
  const before = from === undefined ? undefined : flow.get(from.node)?.get(from.column)?.route;
  return routeTo(column, from, before);
}

interface Inflows {
  readonly any: Inflow | undefined;
  readonly identical: Inflow | undefined;
}

/** The highest level that flows in, and the highest of what is handed on as it is. */
function inflowOf(
  name: string,
  origins: readonly ColumnOrigin[],
  { flow, irreversible }: ModelFacts,
): Inflows {
  let any: Inflow | undefined;
  let identical: Inflow | undefined;
  for (const { node, column, through } of origins) {
    const level = levelGiven(flow, { node, column });
    if (level === undefined || (through !== 'identity' && irreversible().has(name))) continue;
    const inflow = { level, from: { node, column } };
    if (rankOf(level) > rankOf(any?.level)) any = inflow;
    if (through === 'identity' && rankOf(level) > rankOf(identical?.level)) identical = inflow;
  }
  return { any, identical };
}
