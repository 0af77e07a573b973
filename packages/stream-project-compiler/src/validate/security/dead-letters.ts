import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { isSensitive } from '../../lineage/declared-classifications.ts';
import { listAt, textAt } from '../../parse/known-value.ts';
import { at, finding, named } from '../finding.ts';
import { boundedFindings, shownName } from './column-words.ts';
import type { FlowRule } from './flow-rule.ts';
import { securityCodes } from './security-codes.ts';

/** Records that fail a continuous test are copied as they are, so that a sensitive column is in one more topic. */
export const deadLettersUnmasked: FlowRule = (context) =>
  [...context.project.resolved.tests.values()].flatMap(({ definition, target }): readonly Diagnostic[] => {
    const classes = target === undefined ? undefined : context.flow.get(target);
    if (target === undefined || classes === undefined || definition.value?.type !== 'continuous') return [];
    const bare = [...classes].filter(([, { level, masked }]) => isSensitive(level) && !masked);
    if (bare.length === 0) return [];
    const actions = listAt(definition.node, 'on_failure.actions')?.items ?? [];
    return actions.flatMap((action, index) => {
      if (textAt(action, 'dlq.topic') === undefined) return [];
      const place = at(definition, `on_failure.actions[${index}].dlq.topic`);
      const code = securityCodes['dead-letters-unmasked'];
      return boundedFindings(
        bare,
        ([column, { level }]) => {
          const message = `"dlq" of ${named(definition)} copies the ${level} column ${quote(shownName(context, { node: target, column }))} in clear`;
          const hint =
            'mask the column in a model, and test that model, or protect the topic as the one under test';
          return finding(code, place, { message, hint });
        },
        (_, count) =>
          finding(code, place, {
            message: `"dlq" of ${named(definition)} copies ${count} more sensitive columns in clear`,
          }),
      );
    });
  });
