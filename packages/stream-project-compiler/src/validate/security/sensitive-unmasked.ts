import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { type ColumnClass, levelGiven } from '../../lineage/classification-flow.ts';
import { classificationPath } from '../../lineage/classification-path.ts';
import { isSensitive } from '../../lineage/declared-classifications.ts';
import type { NodeId } from '../../resolve/node-id.ts';
import { type GovernanceRule, governanceRule, isTrue } from '../governance/governance-rule.ts';
import { boundedFindings } from './bounded-findings.ts';
import { nodeName, shownName } from './column-place.ts';
import type { FlowContext, FlowRule } from './flow-rule.ts';
import { maskToAdd } from './mask-to-add.ts';
import { securityCodes } from './security-codes.ts';
import { pathPlaces, shownPath } from './shown-path.ts';
import { type NodeRead, type WayOut, waysOut } from './ways-out.ts';

/**
 * No `sensitive` or `highly_sensitive` column reaches a sink or an exposure without a mask on the way: a warning, and an error
 * where `sensitive_columns_require_masking` asks for masks.
 */
export const sensitiveUnmasked: FlowRule = (flowContext) => {
  const { flow, memory } = flowContext;
  const isAny = [...flow.values()].some((classes) => memory.recall(hasSensitive, classes, []));
  if (!isAny) return [];
  const rule = governanceRule(flowContext, 'security.sensitive_columns_require_masking', isTrue);
  const context: WayOutContext = { ...flowContext, rule };
  const sensitiveOf = sensitiveColumns(context);
  return waysOut(context).flatMap((way) => {
    const arrived = way.reads.flatMap((read) => {
      const bare = sensitiveOf(read.node).filter(([column, given]) => !way.isMasked(column, given));
      return boundedFindings(
        bare,
        ([column, given]) => arrivalFinding(context, { way, read, column, given }),
        (_one, count) => otherArrivals(context, { way, read }, count),
      );
    });
    return [...arrived, ...(way.kind === 'sink' ? ownDeclarations(context, way, sensitiveOf) : [])];
  });
};

interface WayOutContext extends FlowContext {
  /** The rule that makes an error of it. */
  readonly rule: GovernanceRule<true> | undefined;
}

function unmaskedFinding({ rule }: WayOutContext, facts: Parameters<typeof diagnose>[1]): Diagnostic {
  if (rule === undefined) return diagnose(securityCodes['sensitive-column-unmasked'], facts);
  const related = [...(facts.related ?? []), ...rule.related];
  return diagnose(securityCodes['rule-sensitive-requires-masking'], { ...facts, related });
}

function hasSensitive(classes: ReadonlyMap<string, ColumnClass>): boolean {
  return [...classes.values()].some(({ level }) => isSensitive(level));
}

type SensitiveColumns = (node: NodeId) => readonly (readonly [string, ColumnClass])[];

/** What readers of a node get that is sensitive. Many may read one node. */
function sensitiveColumns({ flow }: FlowContext): SensitiveColumns {
  const found = new Map<NodeId, ReturnType<SensitiveColumns>>();
  return (node) => {
    const known = found.get(node);
    if (known !== undefined) return known;
    const columns = [...(flow.get(node) ?? [])].filter(([column]) =>
      isSensitive(levelGiven(flow, { node, column })),
    );
    found.set(node, columns);
    return columns;
  };
}

/** A column that reaches a way out. */
interface Arrival {
  readonly way: WayOut;
  readonly read: NodeRead;
  readonly column: string;
  readonly given: ColumnClass;
}

function arrivalFinding(context: WayOutContext, arrival: Arrival): Diagnostic {
  const { way, read, column, given } = arrival;
  const shown = shownName(context, { node: read.node, column });
  const path = classificationPath(context.flow, { node: read.node, column });
  const what = `the ${given.level ?? 'sensitive'} column ${quote(shown)}`;
  return unmaskedFinding(context, {
    message: `${what} reaches ${way.kind} ${quote(way.name)} unmasked, path: ${shownPath(context, path, way.name)}`,
    range: read.reference.range(),
    path: read.reference.path,
    object: way.object,
    related: pathPlaces(context, path),
    hint: adviceFor(arrival, shown),
  });
}

function otherArrivals(
  context: WayOutContext,
  { way, read }: Pick<Arrival, 'way' | 'read'>,
  count: number,
): Diagnostic {
  return unmaskedFinding(context, {
    message: `${count} more sensitive columns reach ${way.kind} ${quote(way.name)} unmasked`,
    range: read.reference.range(),
    path: read.reference.path,
    object: way.object,
    hint: 'mask them as well',
  });
}

function adviceFor({ way, read: { node }, given }: Arrival, shown: string): string {
  const model = node.startsWith('model:') ? nodeName(node) : undefined;
  if (given.masks.length > 0 && model !== undefined) {
    const whose =
      way.kind === 'sink' ? 'a connector has no role' : 'not all roles of the exposure are among them';
    return `its mask in model ${quote(model)} is for some roles only, and ${whose}: remove "for_roles"`;
  }
  const place = model ?? (way.kind === 'sink' ? way.name : undefined);
  if (place === undefined) return 'mask it in a model, and let the exposure consume that model';
  return `add ${maskToAdd(shown, 'hash')} to "security.policies" of model ${quote(place)}`;
}

/** What a sink itself declares sensitive, though nothing before it does. */
function ownDeclarations(
  context: WayOutContext,
  way: WayOut,
  sensitiveOf: SensitiveColumns,
): readonly Diagnostic[] {
  const reported = new Set(way.reads.flatMap(({ node }) => sensitiveOf(node).map(([column]) => column)));
  return [...(context.flow.get(way.id) ?? [])].flatMap(([column, own]) => {
    const { level, declared } = own;
    const bare = isSensitive(level) && declared !== undefined && !way.isMasked(column, own);
    if (!bare || reported.has(column)) return [];
    const shown = shownName(context, { node: way.id, column });
    return [
      unmaskedFinding(context, {
        message: `sink ${quote(way.name)} declares the column ${quote(shown)} ${level ?? 'sensitive'} and writes it unmasked`,
        range: declared.range(),
        path: declared.path,
        object: way.object,
        hint: `mask it in the model that the sink reads, or add ${maskToAdd(shown, 'redact')} to "security.policies"`,
      }),
    ];
  });
}
