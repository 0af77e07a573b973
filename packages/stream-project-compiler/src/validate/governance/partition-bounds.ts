import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { governanceCodes } from './governance-codes.ts';
import { governanceRule, isNumber } from './governance-rule.ts';

/** The fewest partitions are not more than the most. */
export const partitionBounds: Rule = (context) => {
  const least = governanceRule(context, 'topics.min_partitions', isNumber);
  const most = governanceRule(context, 'topics.max_partitions', isNumber);
  const [place] = most?.related ?? [];
  if (least === undefined || most === undefined || place === undefined || least.value <= most.value)
    return [];
  return [
    diagnose(governanceCodes['rule-bounds'], {
      message: `"rules.topics.max_partitions" is ${most.shown}, and "rules.topics.min_partitions" is ${least.shown}, expected bounds that a number can keep`,
      path: 'rules.topics.max_partitions',
      object: 'rules',
      range: place.range,
      related: least.related.map(({ range }) => ({ message: 'the fewest', range })),
      hint: 'swap the two',
    }),
  ];
};

/** Whether no number of partitions keeps both bounds. */
export function contradictsItself(context: RuleContext): boolean {
  return partitionBounds(context).length > 0;
}
