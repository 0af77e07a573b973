import { diagnose } from '../../diagnostics/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Rule } from '../rule.ts';
import { governanceCodes } from './governance-codes.ts';
import { type ListedRule, listedRules } from './listed-rules.ts';
import { namedTopics } from './named-topics.ts';

/** No topic of a model has a name that begins with a forbidden prefix. One finding for each topic, with the longest. */
export const forbiddenPrefix: Rule = (context) => {
  const prefixes = new Map(
    listedRules(context, 'topics.forbidden_prefixes').map((rule) => [rule.value, rule]),
  );
  if (prefixes.size === 0) return [];
  return namedTopics(context).flatMap(({ model: { definition, name }, topicName, shown }) => {
    const rule = prefixOf(topicName.value, prefixes);
    if (rule === undefined) return [];
    return [
      diagnose(governanceCodes['rule-forbidden-prefix'], {
        message: `model ${quote(name)} writes the topic ${quote(shown())}, rule "topics.forbidden_prefixes" forbids names that begin with ${quote(rule.shown)}`,
        path: topicName.origin.path,
        object: definition.object,
        range: topicName.origin.range,
        related: [{ message: 'the rule', range: rule.range }],
        hint: 'give it another name in "advanced.topic.name"',
      }),
    ];
  });
};

/** Looks up every beginning of the name, of which there are few, however many prefixes there are. */
function prefixOf(name: string, prefixes: ReadonlyMap<string, ListedRule>): ListedRule | undefined {
  for (let end = name.length; end > 0; end -= 1) {
    const rule = prefixes.get(name.slice(0, end));
    if (rule !== undefined) return rule;
  }
  return undefined;
}
