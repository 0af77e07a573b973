import { diagnose } from '../../diagnostics/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Rule } from '../rule.ts';
import { governanceCodes } from './governance-codes.ts';
import { governanceRule, isNumber } from './governance-rule.ts';

/** A model reads at most so many sources, models and topics, each counted once, of its SQL and of `from`. */
export const maxDependencies: Rule = (context) => {
  const rule = governanceRule(context, 'models.max_dependencies', isNumber);
  if (rule === undefined) return [];
  return [...context.project.resolved.models.values()].flatMap(({ definition, name, inputs }) => {
    const distinct = new Map(inputs.map((input) => [input.target ?? `${input.kind} ${input.name}`, input]));
    // The first one beyond the limit shows where to cut
    const beyond = [...distinct.values()][rule.value];
    if (beyond === undefined) return [];
    return [
      diagnose(governanceCodes['rule-max-dependencies'], {
        message: `model ${quote(name)} reads ${distinct.size} sources and models, rule "${rule.name}" allows at most ${rule.shown}`,
        path: beyond.path,
        object: definition.object,
        range: beyond.range(),
        related: rule.related,
        hint: 'split the model',
      }),
    ];
  });
};
