import type { Rule } from '../../rule.ts';
import { assertionsOf } from '../assertions/placed-assertion.ts';
import { checkActions } from './check-actions.ts';
import { checkSampleSize } from './check-sample-size.ts';
import { checkSchemaTest } from './check-schema-test.ts';
import { checkTarget } from './check-target.ts';
import { type TopicUses, topicUses } from './topic-uses.ts';

/** What each test says as a whole: its type, its target and its actions. */
export const checkSuites: Rule = (context) => {
  let uses: TopicUses | undefined;
  const topics = () => {
    uses ??= topicUses(context);
    return uses;
  };
  return [...context.project.resolved.tests.values()].flatMap((test) => [
    ...checkSampleSize(test),
    ...checkTarget(context, test),
    ...context.memory.recall(assertionsOf, test, []).flatMap(checkSchemaTest),
    ...checkActions(test, topics),
  ]);
};
