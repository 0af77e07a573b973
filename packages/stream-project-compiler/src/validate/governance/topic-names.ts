import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { isReplaced, valuePlaces } from '../../resolve/place-in-file.ts';
import type { Setting } from '../../resolve/settings.ts';
import { at, atSetting, finding, named } from '../finding.ts';
import type { CheckedModel, ModelRule, Rule } from '../rule.ts';
import { shownSetting } from '../written-value.ts';
import { governanceCodes } from './governance-codes.ts';
import { governanceRule, isString, type ListedRule, listedRules } from './governance-rule.ts';
import { readNamePattern } from './name-pattern.ts';
import { writesTopic } from './topic-settings.ts';

/** The name of the topic that a model writes; undefined where it writes none, or the name is not known. */
function topicNameOf(checked: CheckedModel): Setting<string> | undefined {
  const { topicName } = checked.model.settings;
  return writesTopic(checked) && topicName?.unsure !== true ? topicName : undefined;
}

const patternKey = 'topics.naming_pattern';

/** The pattern for names of topics is one that can be used. */
export const validPattern: Rule = ({ project }): readonly Diagnostic[] => {
  const { rules } = project.resolved.parsed;
  const rule = governanceRule({ rules }, patternKey, isString);
  const pattern = rule === undefined ? undefined : readNamePattern(rule.value);
  if (rules === undefined || rule === undefined || pattern?.kind !== 'wrong') return [];
  const { problem, span, hint } = pattern;
  const place = at(rules, patternKey);
  const isShown = span !== undefined && !isReplaced(rule.node);
  const piece = isShown ? ` at ${quote(rule.value.slice(span.start, span.end))}` : '';
  const range = isShown ? valuePlaces(rules, rule.node).rangeOf(span) : place.range;
  return [
    finding(
      governanceCodes['invalid-pattern'],
      { ...place, range },
      {
        message: `"rules.${rule.name}" is not a valid regular expression: ${problem}${piece}, expected RE2 syntax`,
        hint,
      },
    ),
  ];
};

/** The pattern for names of topics, which they match from their first character to their last; undefined without one that can be used. */
export function topicPattern(context: Parameters<typeof governanceRule>[0]) {
  const rule = governanceRule(context, patternKey, isString);
  const pattern = rule === undefined ? undefined : readNamePattern(rule.value);
  return rule === undefined || pattern?.kind !== 'pattern' ? undefined : { ...pattern, rule };
}

/** Names of the topics of models match the pattern. */
export const namingPattern: ModelRule = (context) => {
  const pattern = topicPattern(context);
  if (pattern === undefined) return undefined;
  const { rule } = pattern;
  return (checked) => {
    const { definition } = checked.model;
    const topicName = topicNameOf(checked);
    if (topicName === undefined || pattern.matches(topicName.value)) return [];
    const shown = shownSetting(context, definition, topicName);
    return [
      finding(governanceCodes['rule-naming-pattern'], atSetting(definition, topicName), {
        message: `${named(definition)} writes topic ${quote(shown)}, but rule "${rule.name}" requires names that match ${quote(rule.shown)}`,
        related: rule.related,
        hint: pattern.matchesStart(topicName.value)
          ? 'the pattern must match the whole name, and matches only its beginning'
          : 'set "advanced.topic.name" of the model',
      }),
    ];
  };
};

/** No topic of a model has a name that begins with a forbidden prefix. One finding for each topic, with the longest. */
export const forbiddenPrefix: ModelRule = (context) => {
  const name = 'topics.forbidden_prefixes';
  const prefixes = new Map(listedRules(context, name).map((rule) => [rule.value, rule]));
  if (prefixes.size === 0) return undefined;
  return (checked) => {
    const { definition } = checked.model;
    const topicName = topicNameOf(checked);
    const rule = topicName === undefined ? undefined : prefixOf(topicName.value, prefixes);
    if (topicName === undefined || rule === undefined) return [];
    const shown = shownSetting(context, definition, topicName);
    return [
      finding(governanceCodes['rule-forbidden-prefix'], atSetting(definition, topicName), {
        message: `${named(definition)} writes topic ${quote(shown)}, but rule "${name}" forbids names that begin with ${quote(rule.shown)}`,
        related: [rule.related],
        hint: 'set another "advanced.topic.name"',
      }),
    ];
  };
};

/** Looks up every beginning of the name, of which there are few, however many prefixes there are. */
function prefixOf(name: string, prefixes: ReadonlyMap<string, ListedRule>): ListedRule | undefined {
  for (let end = name.length; end > 0; end -= 1) {
    const rule = prefixes.get(name.slice(0, end));
    if (rule !== undefined) return rule;
  }
  return undefined;
}
