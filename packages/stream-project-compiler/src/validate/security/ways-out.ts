import type { ColumnClass } from '../../lineage/classification-flow.ts';
import { modelMasks } from '../../lineage/masks.ts';
import { isTold } from '../../parse/is-told.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { NodeId } from '../../resolve/node-id.ts';
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
  return [
    ...sinks.map((sink) => ({ ...sinkWay(sink), reads: nodesRead(sink.inputs) })),
    ...[...resolved.exposures.values()].map((exposure) => ({
      ...exposureWay(exposure),
      reads: nodesRead(exposure.consumes).filter(({ node }) => !sinkIds.has(node)),
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

function nodesRead(references: readonly Reference[]): readonly NodeRead[] {
  const found = new Map<NodeId, NodeRead>();
  for (const reference of references) {
    const node = reference.target;
    if (node !== undefined && !found.has(node)) found.set(node, { node, reference });
  }
  return [...found.values()];
}
