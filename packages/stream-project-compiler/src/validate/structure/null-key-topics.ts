import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { ProjectJobs } from '../../jobs/project-jobs.ts';
import { nullKeyRows } from '../../jobs/write/null-keys.ts';
import { at, finding, named } from '../finding.ts';
import { governanceCodes } from '../governance/governance-codes.ts';
import { topicPattern } from '../governance/topic-names.ts';
import type { RuleContext } from '../rule.ts';
import { structureCodes } from './structure-codes.ts';
import { writtenTopics } from './topics.ts';

/** The topics for rows with null keys follow the rules for those of models. Only jobs say which there are. */
export function checkNullKeyTopics(
  context: Pick<RuleContext, 'project' | 'memory'>,
  { plans }: Pick<ProjectJobs, 'plans'>,
): readonly Diagnostic[] {
  const pattern = topicPattern(context.project.resolved.parsed);
  return [...plans.values()].flatMap((plan) => {
    const topic = nullKeyRows(plan)?.topic;
    if (topic === undefined) return [];
    const { definition } = plan.model;
    const place = at(definition, 'key');
    const subject = `${named(definition)} writes its rows without a key to topic ${quote(topic)}`;
    const leave = 'leave such rows out with WHERE ... IS NOT NULL';
    const other = writtenTopics(context).find(({ name }) => name === topic);
    const found: Diagnostic[] = [];
    if (other !== undefined)
      found.push(
        finding(structureCodes['topic-collision'], place, {
          message: `${subject}, which is already written by ${named(other.model.definition)}`,
          related: [{ message: 'first written here', range: other.text.place.range }],
          hint: `set another "advanced.topic.name" of either model, or ${leave}`,
        }),
      );
    if (pattern !== undefined && !pattern.matches(topic))
      found.push(
        finding(governanceCodes['rule-naming-pattern'], place, {
          message: `${subject}, but rule "${pattern.rule.name}" requires names that match ${quote(pattern.rule.shown)}`,
          related: pattern.rule.related,
          hint: `allow names that end in ".null-keys", or ${leave}`,
        }),
      );
    return found;
  });
}
