import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { ColumnClass } from '../../lineage/classification-flow.ts';
import { classificationPath } from '../../lineage/classification-path.ts';
import { isSensitive } from '../../lineage/declared-classifications.ts';
import { placeOf } from '../../parse/node-place.ts';
import { nameRange } from '../../resolve/project-symbols.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { type GovernanceRule, governanceRule, isTrue } from '../governance/governance-rule.ts';
import { boundedFindings } from './bounded-findings.ts';
import { columnRange, shownName } from './column-place.ts';
import type { FlowModelRule } from './flow-model-rule.ts';
import type { FlowContext } from './flow-rule.ts';
import { maskToAdd } from './mask-to-add.ts';
import { securityCodes } from './security-codes.ts';
import { pathPlaces, shownPath } from './shown-path.ts';

/** Sensitive columns of topics for others are masked, where the rule is on. */
export const requiresMasking: FlowModelRule = (context) => {
  const rule = governanceRule(context, 'security.sensitive_columns_require_masking', isTrue);
  if (rule === undefined) return undefined;
  return ({ model, isSink, isRead }) => {
    if (isSink) return [];
    if (isRead && placeOf(model.definition.node, 'access').node?.value !== 'public') return [];
    const bare = [...(context.flow.get(model.id) ?? [])].flatMap(([column, given]): Unmasked[] =>
      isBare(given) ? [{ model, column, given, rule }] : [],
    );
    return boundedFindings(
      bare,
      (one) => unmasked(context, one),
      (one, count) => othersUnmasked(context, one, count),
    );
  };
};

/** A mask for some roles is one: who reads such a topic has a role or not. */
function isBare({ level, masked, masks }: ColumnClass): boolean {
  return isSensitive(level) && !masked && masks.length === 0;
}

interface Unmasked {
  readonly model: ResolvedModel;
  readonly column: string;
  readonly given: ColumnClass;
  readonly rule: GovernanceRule<true>;
}

function unmasked(context: FlowContext, { model, column, given, rule }: Unmasked): Diagnostic {
  const shown = shownName(context, { node: model.id, column });
  const path = classificationPath(context.flow, { node: model.id, column });
  const way = given.route?.from === undefined ? '' : `, path: ${shownPath(context, path)}`;
  return diagnose(securityCodes['rule-sensitive-requires-masking'], {
    message: `column ${quote(shown)} of model ${quote(model.name)} is ${given.level ?? 'sensitive'} and not masked, rule "${rule.name}" asks for a mask${way}`,
    ...placeOfColumn(context, model, column),
    related: [...pathPlaces(context, path), ...rule.related],
    hint: `add ${maskToAdd(shown, 'hash')} to "security.policies"`,
  });
}

function othersUnmasked(context: FlowContext, { model, column, rule }: Unmasked, count: number): Diagnostic {
  return diagnose(securityCodes['rule-sensitive-requires-masking'], {
    message: `${count} more columns of model ${quote(model.name)} are sensitive and not masked, rule "${rule.name}" asks for masks`,
    ...placeOfColumn(context, model, column),
    related: rule.related,
  });
}

function placeOfColumn(context: FlowContext, model: ResolvedModel, column: string) {
  const { id, definition, sql } = model;
  return {
    range: columnRange(context, { node: id, column }) ?? nameRange(definition),
    path: `${definition.path}.${sql === undefined ? 'name' : 'sql'}`,
    object: definition.object,
  };
}
