import type { NodeColumn } from '../../columns/nodes/node-columns.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { ColumnClass } from '../../lineage/classification-flow.ts';
import { classificationPath } from '../../lineage/classification-path.ts';
import { type DeclaredClassification, rankOf } from '../../lineage/declared-classifications.ts';
import { irreversibleColumns } from '../../lineage/irreversible-columns.ts';
import type { Definition } from '../../parse/definition.ts';
import { isDeclared } from '../../parse/is-declared.ts';
import { listAt, textAt } from '../../parse/known-value.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { TypedNode } from '../../parse/typed-node.ts';
import type { ModelSql } from '../../resolve/model-sql.ts';
import type { NodeId } from '../../resolve/node-id.ts';
import { isReplaced } from '../../resolve/place-in-file.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { at, finding, named } from '../finding.ts';
import { type GovernanceRule, governanceRule, isTrue } from '../governance/governance-rule.ts';
import { shown } from '../written-value.ts';
import { nodeName, pathPlaces, shownPath } from './column-words.ts';
import type { FlowContext, FlowModelRule, FlowRule } from './flow-rule.ts';
import { securityCodes } from './security-codes.ts';

/** What models declare about a column that they hand on, and twice about one. At a sink the column itself is reported. */
export const declaredLevels: FlowModelRule =
  (context) =>
  ({ model, isSink }) =>
    [...(context.flow.get(model.id) ?? [])].flatMap(([column, found]) => [
      ...declaredTwice(model, found.declared),
      ...(isSink ? [] : lowered(context, { model, column, found })),
    ]);

function declaredTwice(
  { definition }: ResolvedModel,
  declared: DeclaredClassification | undefined,
): readonly Diagnostic[] {
  const other = declared?.other;
  if (declared === undefined || other === undefined) return [];
  const place = { path: other.path, object: definition.object, range: other.range() };
  return [
    finding(securityCodes['classification-twice'], place, {
      message: `${named(definition)}: column ${quote(declared.shown)} is classified ${other.level ?? ''} here and ${declared.level ?? ''} elsewhere; the higher one applies`,
      related: [{ message: `${declared.level ?? ''} here`, range: declared.range() }],
      hint: 'remove one of them',
    }),
  ];
}

interface Found {
  readonly model: ResolvedModel;
  readonly column: string;
  readonly found: ColumnClass;
}

function lowered(context: FlowContext, { model, column, found }: Found): readonly Diagnostic[] {
  const { declared, identical, masks, masked } = found;
  if (declared?.level === undefined || identical === undefined || masked || masks.length > 0) return [];
  if (rankOf(declared.level) >= rankOf(identical.level)) return [];
  const path = classificationPath(context.flow, { node: model.id, column });
  const place = { path: declared.path, object: model.definition.object, range: declared.range() };
  return [
    finding(securityCodes['classification-lowered'], place, {
      message: `${named(model.definition)}: column ${quote(declared.shown)} is declared ${declared.level}, but contains unchanged ${identical.level} data, path: ${shownPath(context, path)}`,
      related: pathPlaces(context, path),
      hint: `write ${identical.level}, or mask the column`,
    }),
  ];
}

/** Every column of a source has a classification, where the rule is on. */
export const requireSourceClassification: FlowRule = (context) => {
  const rule = governanceRule(context.project.resolved.parsed, key, isTrue);
  if (rule === undefined) return [];
  return [...context.project.resolved.sources.values()].flatMap((source) =>
    context.memory.check('require-classification', { object: source, needs: [] }, () =>
      bareSourceColumns(source, rule),
    ),
  );
};

/** Every column of a model has one, its own or from what it is made of. */
export const requireModelClassification: FlowModelRule = (context) => {
  const rule = governanceRule(context.project.resolved.parsed, key, isTrue);
  return rule === undefined ? undefined : ({ model }) => bareModelColumns(context, model, rule);
};

const key = 'security.require_classification';
const hint = 'add "classification"';

function bareSourceColumns(source: Definition<'source'>, rule: GovernanceRule<true>): readonly Diagnostic[] {
  return columnsOf(source).flatMap((column, index) => {
    const written = textAt(column, 'name');
    const bare = placeOf(column, 'classification').node === undefined && isDeclared(column, 'classification');
    const processing = placeOf(column, 'proctime').node?.value === true;
    if (written === undefined || !bare || processing) return [];
    const place = {
      ...at(source, ['columns', index, 'classification']),
      range: at(source, ['columns', index, 'name']).range,
    };
    return [
      finding(securityCodes['rule-require-classification'], place, {
        message: `column ${quote(shown(written))} of ${named(source)} has no classification, but rule "${rule.name}" requires one`,
        related: rule.related,
        hint,
      }),
    ];
  });
}

/** Columns that are made of one that its source does not list: every other one is reported there. */
function bareModelColumns(
  { project, flow, memory }: FlowContext,
  { id, definition, sql }: ResolvedModel,
  rule: GovernanceRule<true>,
): readonly Diagnostic[] {
  const query = sql?.parsed.query;
  if (sql === undefined || query === undefined) return [];
  const irreversible = memory.recall(irreversibleColumns, query, []);
  return [...(project.columns.get(id)?.byName.values() ?? [])].flatMap((column) => {
    if (irreversible.has(column.name) || flow.get(id)?.get(column.name)?.declared !== undefined) return [];
    const unlisted = column.origins.find((origin) => isUnlisted(project, origin));
    if (unlisted === undefined) return [];
    const message = `column ${quote(column.written ?? column.name)} of ${named(definition)} has no classification, because source ${quote(nodeName(unlisted.node))} does not list ${unlistedWords(sql, unlisted.column, column)}, but rule "${rule.name}" requires one`;
    const place = { ...at(definition, 'sql'), range: column.range() };
    return [
      finding(securityCodes['rule-require-classification'], place, {
        message,
        related: rule.related,
        hint: `list it there, or ${hint} here`,
      }),
    ];
  });
}

/** Where its SQL has variables, a name may be what one of them stands for. */
function unlistedWords({ leaf }: ModelSql, unlisted: string, { name, written }: NodeColumn): string {
  if (unlisted === name) return quote(written ?? name);
  return isReplaced(leaf) ? 'the column it is derived from' : quote(unlisted);
}

function isUnlisted(
  { columns, resolved }: FlowContext['project'],
  { node, column }: { readonly node: NodeId; readonly column: string },
): boolean {
  const source = node.startsWith('source:') ? resolved.sources.get(nodeName(node)) : undefined;
  return source !== undefined && columns.get(node)?.byName.has(column) === false && hasNames(source);
}

/** Whether every column that a source lists has a name that can be read: any other may be the one. */
function hasNames(source: Definition<'source'>): boolean {
  return (
    isDeclared(source.node, 'columns') &&
    columnsOf(source).every((column) => placeOf(column, 'name').node?.known === true)
  );
}

function columnsOf({ node }: Definition<'source'>): readonly TypedNode[] {
  return listAt(node, 'columns')?.items ?? [];
}
