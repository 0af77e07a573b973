import { topicNames } from '../../artifacts/topic-names.ts';
import type { InferredProject } from '../../infer/infer-project.ts';
import type { ColumnClass } from '../../lineage/classification-flow.ts';
import { modelMasks } from '../../lineage/masks.ts';
import { isTold } from '../../parse/is-told.ts';
import { placeOf } from '../../parse/node-place.ts';
import { type NodeId, nodeId } from '../../resolve/node-id.ts';
import type { Reference } from '../../resolve/reference.ts';
import type { ResolvedExposure, ResolvedModel } from '../../resolve/resolved-project.ts';
import type { RuleContext } from '../rule.ts';

/** Where data leaves the project: a sink, or an exposure that consumes something. */
export interface WayOut {
  readonly kind: 'sink' | 'exposure';
  readonly id: NodeId;
  readonly name: string;
  /** As in diagnostics. */
  readonly object: string;
  /** What it reads: each node once. */
  readonly reads: readonly NodeRead[];
  /** Whether it gets masked values of a column, though others get the value. */
  readonly isMasked: (column: string, given: ColumnClass) => boolean;
}

/** A node, and the name that says so. */
export interface NodeRead {
  readonly node: NodeId;
  readonly reference: Reference;
}

/** Every sink and every exposure. What an exposure reads of a sink left the project there, and is not listed. */
export function waysOut(context: RuleContext): readonly WayOut[] {
  const { resolved, materialized } = context.project;
  const sinks = [...resolved.models.values()].filter(({ name }) => materialized.get(name)?.kind === 'sink');
  const sinkIds = new Set<NodeId>(sinks.map(({ id }) => id));
  const nodeOf = nodeReader(context);
  return [
    ...sinks.map((sink) => ({ ...sinkWay(sink), reads: nodesRead(sink.inputs, nodeOf) })),
    ...[...resolved.exposures.values()].map((exposure) => ({
      ...exposureWay(exposure),
      reads: nodesRead(exposure.consumes, nodeOf).filter(({ node }) => !sinkIds.has(node)),
    })),
  ];
}

function sinkWay({ id, name, definition }: ResolvedModel): Omit<WayOut, 'reads'> {
  const { byColumn, complete } = modelMasks(definition);
  return {
    kind: 'sink',
    id,
    name,
    object: definition.object,
    isMasked: (column) =>
      !complete || byColumn.get(column)?.some(({ roles }) => roles === undefined) === true,
  };
}

/** Of an exposure that does not say its roles nobody knows whether a mask for some is for it. */
function exposureWay({ id, name, definition }: ResolvedExposure): Omit<WayOut, 'reads'> {
  const facts = { kind: 'exposure', id, name, object: definition.object } as const;
  const roles = placeOf(definition.node, 'access.roles').node;
  if (!isTold(definition.node, 'access.roles')) return { ...facts, isMasked: () => true };
  if (roles?.kind !== 'list' || roles.items.length === 0) return { ...facts, isMasked: () => false };
  if (!roles.items.every(({ known }) => known)) return { ...facts, isMasked: () => true };
  const own = roles.items.map(({ value }) => value);
  return {
    ...facts,
    isMasked: (_column, { masks }) => {
      const covered = new Set<unknown>(masks.flatMap((mask) => mask.roles ?? []));
      return own.every((role) => covered.has(role));
    },
  };
}

type NodeReader = (reference: Reference) => NodeId | undefined;

/** A topic that is named itself is that of whatever node has it. */
function nodeReader({ project }: RuleContext): NodeReader {
  let byTopic: ReadonlyMap<string | undefined, NodeId> | undefined;
  return ({ target, kind, name }) => {
    if (target !== undefined || kind !== 'either') return target;
    byTopic ??= nodesByTopic(project);
    return byTopic.get(name);
  };
}

function nodesByTopic(project: InferredProject): ReadonlyMap<string | undefined, NodeId> {
  const topics = topicNames(project);
  const { sources, models } = project.resolved;
  const nodes = [
    ...[...models.keys()].map((name) => nodeId('model', name)),
    ...[...sources.keys()].map((name) => nodeId('source', name)),
  ];
  return new Map(nodes.map((node) => [topics.of(node), node]));
}

function nodesRead(references: readonly Reference[], nodeOf: NodeReader): readonly NodeRead[] {
  const found = new Map<NodeId, NodeRead>();
  for (const reference of references) {
    const node = nodeOf(reference);
    if (node !== undefined && !found.has(node)) found.set(node, { node, reference });
  }
  return [...found.values()];
}
