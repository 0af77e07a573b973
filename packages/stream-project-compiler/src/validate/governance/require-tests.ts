import { diagnose } from '../../diagnostics/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import { isTold } from '../../parse/is-told.ts';
import { nameRange } from '../../resolve/project-symbols.ts';
import type { Rule } from '../rule.ts';
import { governanceCodes } from './governance-codes.ts';
import { governanceRule, isTrue } from './governance-rule.ts';

/** Every model is the target of a test, of any type. Silent while a test may be missing: a file cannot be read, or a test does not say its model. */
export const requireTests: Rule = (context) => {
  const rule = governanceRule(context, 'models.require_tests', isTrue);
  const { parsed, models } = context.project.resolved;
  if (rule === undefined || !parsed.complete || !parsed.tests.every(({ node }) => isTold(node, 'model')))
    return [];
  const tested = new Set(parsed.tests.map(({ node }) => node.entries.get('model')?.node.value));
  return [...models.values()].flatMap(({ definition, name }) => {
    if (tested.has(name)) return [];
    return [
      diagnose(governanceCodes['rule-require-tests'], {
        message: `model ${quote(name)} has no test, rule "${rule.name}" asks for at least one`,
        path: definition.path,
        object: definition.object,
        range: nameRange(definition),
        related: rule.related,
        hint: `write a test with "model: ${name}"`,
      }),
    ];
  });
};
