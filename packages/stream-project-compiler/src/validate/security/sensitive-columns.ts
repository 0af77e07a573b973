import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { modelMasks } from '../../infer/masks.ts';
import { type ColumnClass, levelGiven } from '../../lineage/classification-flow.ts';
import { classificationPath } from '../../lineage/classification-path.ts';
import { isSensitive } from '../../lineage/declared-classifications.ts';
import { isDeclared } from '../../parse/is-declared.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { NodeId } from '../../resolve/node-id.ts';
import type { Reference } from '../../resolve/reference.ts';
import type { ResolvedExposure, ResolvedModel } from '../../resolve/resolved-project.ts';
import { finding, type Place, type Words } from '../finding.ts';
import { type GovernanceRule, governanceRule, isTrue } from '../governance/governance-rule.ts';
import type { RuleContext } from '../rule.ts';
import { boundedFindings, maskToAdd, nodeName, pathPlaces, shownName, shownPath } from './column-words.ts';
import type { FlowContext, FlowRule } from './flow-rule.ts';
import { securityCodes } from './security-codes.ts';

/**
 * No `sensitive` or `highly_sensitive` column reaches a sink or an exposure without a mask on the way: a warning, and an error
 * where `sensitive_columns_require_masking` asks for masks.
 */
export const sensitiveUnmasked: FlowRule = (flowContext) => {
  const { flow, memory } = flowContext;
  const isAny = [...flow.values()].some((classes) => memory.recall(hasSensitive, classes, []));
  if (!isAny) return [];
  const rule = governanceRule(
    flowContext.project.resolved.parsed,
    'security.sensitive_columns_require_masking',
    isTrue,
  );
  const context: ExitContext = { ...flowContext, rule };
  const sensitiveOf = sensitiveColumns(context);
  return exitsOf(context).flatMap((exit) => {
    const arrived = exit.reads.flatMap((read) => {
      const bare = sensitiveOf(read.node).filter(([column, given]) => !exit.isMasked(column, given));
      return boundedFindings(
        bare,
        ([column, given]) => arrivalFinding(context, { exit, read, column, given }),
        (_one, count) => otherArrivals(context, { exit, read }, count),
      );
    });
    return [...arrived, ...(exit.kind === 'sink' ? ownDeclarations(context, exit, sensitiveOf) : [])];
  });
};

interface ExitContext extends FlowContext {
  /** The rule that makes an error of it. */
  readonly rule: GovernanceRule<true> | undefined;
}

function unmaskedFinding({ rule }: ExitContext, place: Place, words: Words): Diagnostic {
  if (rule === undefined) return finding(securityCodes['sensitive-column-unmasked'], place, words);
  const related = [...(words.related ?? []), ...rule.related];
  return finding(securityCodes['rule-sensitive-requires-masking'], place, { ...words, related });
}

function atRead({ exit: { object }, read: { reference } }: Pick<Arrival, 'exit' | 'read'>): Place {
  return { path: reference.path, object, range: reference.range() };
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

/** A column that leaves the project. */
interface Arrival {
  readonly exit: Exit;
  readonly read: NodeRead;
  readonly column: string;
  readonly given: ColumnClass;
}

function arrivalFinding(context: ExitContext, arrival: Arrival): Diagnostic {
  const { exit, read, column, given } = arrival;
  const shown = shownName(context, { node: read.node, column });
  const path = classificationPath(context.flow, { node: read.node, column });
  const what = `the ${given.level ?? 'sensitive'} column ${quote(shown)}`;
  return unmaskedFinding(context, atRead(arrival), {
    message: `${what} reaches ${exit.kind} ${quote(exit.name)} unmasked, path: ${shownPath(context, path, exit.name)}`,
    related: pathPlaces(context, path),
    hint: adviceFor(arrival, shown),
  });
}

function otherArrivals(
  context: ExitContext,
  { exit, read }: Pick<Arrival, 'exit' | 'read'>,
  count: number,
): Diagnostic {
  return unmaskedFinding(context, atRead({ exit, read }), {
    message: `${count} more sensitive columns reach ${exit.kind} ${quote(exit.name)} unmasked`,
    hint: 'mask them as well',
  });
}

function adviceFor({ exit, read: { node }, given }: Arrival, shown: string): string {
  const model = node.startsWith('model:') ? nodeName(node) : undefined;
  if (given.masks.length > 0 && model !== undefined) {
    const whose =
      exit.kind === 'sink' ? 'a connector has no role' : 'not all roles of the exposure are among them';
    return `its mask in model ${quote(model)} is for some roles only, and ${whose}: remove "for_roles"`;
  }
  const place = model ?? (exit.kind === 'sink' ? exit.name : undefined);
  if (place === undefined) return 'mask it in a model, and let the exposure consume that model';
  return `add ${maskToAdd(shown, 'hash')} to "security.policies" of model ${quote(place)}`;
}

/** What a sink itself declares sensitive, though nothing before it does. */
function ownDeclarations(
  context: ExitContext,
  exit: Exit,
  sensitiveOf: SensitiveColumns,
): readonly Diagnostic[] {
  const reported = new Set(exit.reads.flatMap(({ node }) => sensitiveOf(node).map(([column]) => column)));
  return [...(context.flow.get(exit.id) ?? [])].flatMap(([column, own]) => {
    const { level, declared } = own;
    const bare = isSensitive(level) && declared !== undefined && !exit.isMasked(column, own);
    if (!bare || reported.has(column)) return [];
    const shown = shownName(context, { node: exit.id, column });
    const place = { path: declared.path, object: exit.object, range: declared.range() };
    return [
      unmaskedFinding(context, place, {
        message: `sink ${quote(exit.name)} declares the column ${quote(shown)} ${level ?? 'sensitive'} and writes it unmasked`,
        hint: `mask it in the model that the sink reads, or add ${maskToAdd(shown, 'redact')} to "security.policies"`,
      }),
    ];
  });
}

/** Where data leaves the project: a sink, or an exposure that consumes something. */
interface Exit {
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
interface NodeRead {
  readonly node: NodeId;
  readonly reference: Reference;
}

/** Every sink and every exposure. What an exposure reads of a sink left the project there, and is not listed. */
function exitsOf(context: RuleContext): readonly Exit[] {
  const { resolved, materialized } = context.project;
  const sinks = [...resolved.models.values()].filter(({ name }) => materialized.get(name)?.kind === 'sink');
  const sinkIds = new Set<NodeId>(sinks.map(({ id }) => id));
  return [
    ...sinks.map((sink) => ({ ...sinkExit(sink), reads: nodesRead(sink.inputs) })),
    ...[...resolved.exposures.values()].map((exposure) => ({
      ...exposureExit(exposure),
      reads: nodesRead(exposure.consumes).filter(({ node }) => !sinkIds.has(node)),
    })),
  ];
}

function sinkExit({ id, name, definition }: ResolvedModel): Omit<Exit, 'reads'> {
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

/** For an exposure without roles it is not known whether a mask for some roles applies. */
function exposureExit({ id, name, definition }: ResolvedExposure): Omit<Exit, 'reads'> {
  const facts = { kind: 'exposure', id, name, object: definition.object } as const;
  const roles = placeOf(definition.node, 'access.roles').node;
  if (!isDeclared(definition.node, 'access.roles')) return { ...facts, isMasked: () => true };
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
