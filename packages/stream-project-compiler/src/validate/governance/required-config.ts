import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { isTold } from '../../parse/is-told.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { rangeAt } from '../../text/source-file.ts';
import type { Rule } from '../rule.ts';
import { governanceCodes } from './governance-codes.ts';
import { type ListedRule, listedRules } from './listed-rules.ts';
import { topicModels } from './topic-models.ts';

/** Every topic of a model sets the configuration keys that the rule lists. One finding for each topic. */
export const requiredConfig: Rule = (context) => {
  const required = listedRules(context, 'topics.required_config');
  if (required.length === 0) return [];
  return topicModels(context).flatMap((model) => lacking(model, required));
};

function lacking(model: ResolvedModel, required: readonly ListedRule[]): readonly Diagnostic[] {
  const { definition, name } = model;
  const { node, span } = placeOf(definition.node, ['advanced', 'topic', 'config']);
  // What is no map, or misspelt, was reported
  if (!isTold(definition.node, 'advanced.topic.config') || (node !== undefined && node.kind !== 'object'))
    return [];
  const missing = required.filter(({ value }) => node?.entries.has(value) !== true);
  const [first] = missing;
  if (first === undefined) return [];
  const keys = missing.map(({ shown }) => quote(shown)).join(', ');
  return [
    diagnose(governanceCodes['rule-required-config'], {
      message: `the topic of model ${quote(name)} does not set ${keys}, rule "topics.required_config" asks for it`,
      path: `${definition.path}.advanced.topic.config`,
      object: definition.object,
      range: rangeAt(definition.file, span),
      related: missing.slice(0, MAX_RELATED).map(({ range }) => ({ message: 'the rule', range })),
      hint: `add ${quote(first.shown)} to "advanced.topic.config"`,
    }),
  ];
}

const MAX_RELATED = 20;
