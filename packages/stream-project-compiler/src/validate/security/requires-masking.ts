import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { ColumnClass } from '../../lineage/classification-flow.ts';
import { classificationPath } from '../../lineage/classification-path.ts';
import { isSensitive } from '../../lineage/declared-classifications.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { at, finding, named, type Place } from '../finding.ts';
import { type GovernanceRule, governanceRule, isTrue } from '../governance/governance-rule.ts';
import { boundedFindings, columnRange, maskToAdd, pathPlaces, shownName, shownPath } from './column-words.ts';
import type { FlowContext, FlowModelRule } from './flow-rule.ts';
import { securityCodes } from './security-codes.ts';

/** Sensitive columns of topics for others are masked, where the rule is on. */
export const requiresMasking: FlowModelRule = (context) => {
  const rule = governanceRule(
    context.project.resolved.parsed,
    'security.sensitive_columns_require_masking',
    isTrue,
  );
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
  return finding(securityCodes['rule-sensitive-requires-masking'], placeOfColumn(context, model, column), {
    message: `column ${quote(shown)} of ${named(model.definition)} is ${given.level ?? 'sensitive'} and not masked, but rule "${rule.name}" requires a mask${way}`,
    related: [...pathPlaces(context, path), ...rule.related],
    hint: `add ${maskToAdd(shown, 'hash')} to "security.policies"`,
  });
}

function othersUnmasked(context: FlowContext, { model, column, rule }: Unmasked, count: number): Diagnostic {
  return finding(securityCodes['rule-sensitive-requires-masking'], placeOfColumn(context, model, column), {
    message: `${count} more columns of ${named(model.definition)} are sensitive and not masked, but rule "${rule.name}" requires masks`,
    related: rule.related,
  });
}

function placeOfColumn(context: FlowContext, model: ResolvedModel, column: string): Place {
  const { id, definition, sql } = model;
  const range = columnRange(context, { node: id, column }) ?? at(definition, 'name').range;
  return { ...at(definition, sql === undefined ? 'name' : 'sql'), range };
}
