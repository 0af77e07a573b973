import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { type ColumnClass, levelGiven } from '../../lineage/classification-flow.ts';
import { classificationPath } from '../../lineage/classification-path.ts';
import { isSensitive } from '../../lineage/declared-classifications.ts';
import { type ModelMasks, modelMasks } from '../../lineage/masks.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { NodeId } from '../../resolve/node-id.ts';
import type { Reference } from '../../resolve/reference.ts';
import type { ResolvedExposure } from '../../resolve/resolved-project.ts';
import { nodeName } from './column-place.ts';
import type { FlowContext, FlowRule } from './flow-rule.ts';
import { pathPlaces, shownPath } from './shown-path.ts';

/** Where data leaves the project. */
interface Way {
  readonly object: string;
  readonly name: string;
  readonly kind: 'sink' | 'exposure';
  readonly reads: readonly Reference[];
  /** Whether it gets masked values of a column, though others get the value. */
  readonly isMasked: (column: string, given: ColumnClass) => boolean;
}

/** No `sensitive` or `highly_sensitive` column reaches a sink or an exposure without a mask on the way. */
export const sensitiveUnmasked: FlowRule = (context) => {
  const { resolved, materialized } = context.project;
  const isSink = (id: NodeId) => materialized.get(nodeName(id))?.kind === 'sink' && id.startsWith('model:');
  const sinks = [...resolved.models.values()].filter(({ id }) => isSink(id));
  const exposures = [...resolved.exposures.values()];
  return [
    ...sinks.map(
      ({ name, inputs, definition }): Way => ({
        object: definition.object,
        name,
        kind: 'sink',
        reads: inputs,
        isMasked: maskedBy(modelMasks(definition)),
      }),
    ),
    ...exposures.map(
      (exposure): Way => ({
        object: exposure.definition.object,
        name: exposure.name,
        kind: 'exposure',
        // What is behind a sink was reported there.
        reads: exposure.consumes.filter(({ target }) => target === undefined || !isSink(target)),
        isMasked: maskedForRoles(exposure),
      }),
    ),
  ].flatMap((way) => arrivals(context, way));
};

function maskedBy({ masks, complete }: ModelMasks): Way['isMasked'] {
  return (column) => !complete || masks.some((mask) => mask.column === column && mask.roles === undefined);
}

/** Of an exposure that does not say its roles nobody knows whether a mask for some is for it. */
function maskedForRoles({ definition }: ResolvedExposure): Way['isMasked'] {
  const roles = placeOf(definition.node, 'access.roles').node;
  if (roles?.kind !== 'list' || roles.items.length === 0) return () => false;
  if (!roles.items.every(({ known }) => known)) return () => true;
  const own = roles.items.map(({ value }) => value);
  return (_column, { masks }) => {
    const covered = new Set<unknown>(masks.flatMap((mask) => mask.roles ?? []));
    return own.every((role) => covered.has(role));
  };
}

function arrivals(context: FlowContext, way: Way): readonly Diagnostic[] {
  const seen = new Set<NodeId>();
  return way.reads.flatMap((reference) => {
    const { target } = reference;
    if (target === undefined || seen.has(target)) return [];
    seen.add(target);
    return [...(context.flow.get(target) ?? [])].flatMap(([column, given]) => {
      const level = levelGiven(context.flow, { node: target, column });
      if (!isSensitive(level) || way.isMasked(column, given)) return [];
      return [arrival(context, { way, reference, node: target, column, given })];
    });
  });
}

interface Arrival {
  readonly way: Way;
  readonly reference: Reference;
  readonly node: NodeId;
  readonly column: string;
  readonly given: ColumnClass;
}

function arrival(context: FlowContext, { way, reference, node, column, given }: Arrival): Diagnostic {
  const path = classificationPath(context.flow, { node, column });
  const what = `the ${given.level ?? 'sensitive'} column ${quote(column)}`;
  return diagnose('sensitive-column-unmasked', {
    message: `${what} reaches ${way.kind} ${quote(way.name)} unmasked, path: ${shownPath(path, way.name)}`,
    range: reference.range(),
    path: reference.path,
    object: way.object,
    related: pathPlaces(context, path),
    hint: adviceFor({ way, node, column, given }),
  });
}

function adviceFor({ way, node, column, given }: Omit<Arrival, 'reference'>): string {
  const model = node.startsWith('model:') ? nodeName(node) : undefined;
  if (given.masks.length > 0 && model !== undefined) {
    const whose =
      way.kind === 'sink' ? 'a connector has no role' : 'not all roles of the exposure are among them';
    return `its mask in model ${quote(model)} is for some roles only, and ${whose}: remove "for_roles"`;
  }
  const place = model ?? (way.kind === 'sink' ? way.name : undefined);
  if (place === undefined) return 'mask it in a model, and let the exposure consume that model';
  return `add "mask: {column: ${column}, method: hash}" to "security.policies" of model ${quote(place)}`;
}
