import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { isReplaced, valuePlaces } from '../../resolve/place-in-file.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { governanceCodes } from './governance-codes.ts';
import { type GovernanceRule, governanceRule, isText } from './governance-rule.ts';
import { type NamePattern, readNamePattern } from './name-pattern.ts';
import { namedTopics } from './named-topics.ts';

/** The pattern for names of topics is one that can be used. */
export const validPattern: Rule = (context) => {
  const rule = governanceRule(context, key, isText);
  const pattern = rule === undefined ? undefined : readNamePattern(rule.value);
  return rule === undefined || pattern?.kind !== 'wrong' ? [] : wrongPattern(context, rule, pattern);
};

/** Names of the topics of models match the pattern from their first character to their last. */
export const namingPattern: Rule = (context) => {
  const rule = governanceRule(context, key, isText);
  const pattern = rule === undefined ? undefined : readNamePattern(rule.value);
  return rule === undefined || pattern?.kind !== 'pattern' ? [] : namesThatDiffer(context, rule, pattern);
};

const key = 'topics.naming_pattern';

function wrongPattern(
  { project }: RuleContext,
  rule: GovernanceRule<string>,
  { problem, span, hint }: NamePattern & { readonly kind: 'wrong' },
): readonly Diagnostic[] {
  const { rules } = project.resolved.parsed;
  const [place] = rule.related;
  if (rules === undefined || place === undefined) return [];
  const places = valuePlaces(rules, rule.node);
  const isShown = span !== undefined && !isReplaced(rule.node);
  const at = isShown ? ` at ${quote(rule.value.slice(span.start, span.end))}` : '';
  return [
    diagnose(governanceCodes['invalid-pattern'], {
      message: `"rules.${rule.name}" is no regular expression that can be used: ${problem}${at}, expected the syntax of RE2`,
      path: `rules.${rule.name}`,
      object: 'rules',
      range: isShown ? places.rangeOf(span) : place.range,
      hint,
    }),
  ];
}

function namesThatDiffer(
  context: RuleContext,
  rule: GovernanceRule<string>,
  { matches, matchesStart }: NamePattern & { readonly kind: 'pattern' },
): readonly Diagnostic[] {
  return namedTopics(context).flatMap(({ model: { definition, name }, topicName, shown }) => {
    if (matches(topicName.value)) return [];
    return [
      diagnose(governanceCodes['rule-naming-pattern'], {
        message: `model ${quote(name)} writes the topic ${quote(shown())}, rule "${rule.name}" asks for names that match ${quote(rule.shown)}`,
        path: topicName.origin.path,
        object: definition.object,
        range: topicName.origin.range,
        related: rule.related,
        hint: matchesStart(topicName.value)
          ? 'the whole name has to match, and only its beginning does'
          : 'set "advanced.topic.name" of the model',
      }),
    ];
  });
}
