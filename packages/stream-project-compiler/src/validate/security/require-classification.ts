import type { NodeColumn } from '../../columns/nodes/node-columns.ts';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { sealedColumns } from '../../lineage/sealed-columns.ts';
import type { Definition } from '../../parse/definition.ts';
import { isTold } from '../../parse/is-told.ts';
import { listAt, textAt } from '../../parse/known-value.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { TypedNode } from '../../parse/typed-node.ts';
import type { ModelSql } from '../../resolve/model-sql.ts';
import type { NodeId } from '../../resolve/node-id.ts';
import { isReplaced } from '../../resolve/place-in-file.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { rangeAt } from '../../text/source-file.ts';
import { type GovernanceRule, governanceRule, isTrue } from '../governance/governance-rule.ts';
import { shown } from '../shown-value.ts';
import { nodeName } from './column-place.ts';
import type { FlowModelRule } from './flow-model-rule.ts';
import type { FlowContext, FlowRule } from './flow-rule.ts';
import { securityCodes } from './security-codes.ts';

/** Every column of a source has a classification, where the rule is on. */
export const requireSourceClassification: FlowRule = (context) => {
  const rule = governanceRule(context, key, isTrue);
  if (rule === undefined) return [];
  return [...context.project.resolved.sources.values()].flatMap((source) =>
    context.memory.check('require-classification', { object: source, needs: [] }, () =>
      bareSourceColumns(source, rule),
    ),
  );
};

/** Every column of a model has one, its own or from what it is made of. */
export const requireModelClassification: FlowModelRule = (context) => {
  const rule = governanceRule(context, key, isTrue);
  return rule === undefined ? undefined : ({ model }) => bareModelColumns(context, model, rule);
};

const key = 'security.require_classification';
const hint = 'add "classification"';

function bareSourceColumns(source: Definition<'source'>, rule: GovernanceRule<true>): readonly Diagnostic[] {
  const { file, path, object, name = '' } = source;
  return columnsOf(source).flatMap((column, index) => {
    const written = textAt(column, 'name');
    const bare = placeOf(column, 'classification').node === undefined && isTold(column, 'classification');
    const processing = placeOf(column, 'proctime').node?.value === true;
    if (written === undefined || !bare || processing) return [];
    return [
      diagnose(securityCodes['rule-require-classification'], {
        message: `column ${quote(shown(written))} of source ${quote(name)} has no classification, rule "${rule.name}" asks for one`,
        range: rangeAt(file, written.span),
        path: `${path}.columns[${index}].classification`,
        object,
        related: rule.related,
        hint,
      }),
    ];
  });
}

/** Columns that are made of one that its source does not list: every other one is reported there. */
function bareModelColumns(
  { project, flow, memory }: FlowContext,
  { id, name, definition, sql }: ResolvedModel,
  rule: GovernanceRule<true>,
): readonly Diagnostic[] {
  const query = sql?.parsed.query;
  if (sql === undefined || query === undefined) return [];
  const sealed = memory.recall(sealedColumns, query, []);
  return [...(project.columns.get(id)?.byName.values() ?? [])].flatMap((column) => {
    if (sealed.has(column.name) || flow.get(id)?.get(column.name)?.declared !== undefined) return [];
    const unlisted = column.origins.find((origin) => isUnlisted(project, origin));
    if (unlisted === undefined) return [];
    const message = `column ${quote(column.written ?? column.name)} of model ${quote(name)} has no classification, because source ${quote(nodeName(unlisted.node))} does not list ${unlistedWords(sql, unlisted.column, column)}, rule "${rule.name}" asks for one`;
    const { path, object } = definition;
    const facts = { path: `${path}.sql`, object, range: column.range(), related: rule.related };
    return [
      diagnose(securityCodes['rule-require-classification'], {
        ...facts,
        message,
        hint: `list it there, or ${hint} here`,
      }),
    ];
  });
}

/** Where its SQL has variables, a name may be what one of them stands for. */
function unlistedWords({ leaf }: ModelSql, unlisted: string, { name, written }: NodeColumn): string {
  if (unlisted === name) return quote(written ?? name);
  return isReplaced(leaf) ? 'what it is made of' : quote(unlisted);
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
    isTold(source.node, 'columns') &&
    columnsOf(source).every((column) => placeOf(column, 'name').node?.known === true)
  );
}

function columnsOf({ node }: Definition<'source'>): readonly TypedNode[] {
  return listAt(node, 'columns')?.items ?? [];
}
