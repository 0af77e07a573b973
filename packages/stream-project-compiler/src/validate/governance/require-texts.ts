import type { DiagnosticName } from '../../diagnostics/catalogue.ts';
import { diagnose } from '../../diagnostics/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Rule } from '../rule.ts';
import { governanceRule, isTrue } from './governance-rule.ts';
import { lackPlace } from './lack-place.ts';

/** Every model, whatever it becomes, has a description, and an owner. */
export const requireTexts: readonly Rule[] = [
  requireText('rule-require-description', 'description'),
  requireText('rule-require-owner', 'owner'),
];

function requireText(code: DiagnosticName, key: 'description' | 'owner'): Rule {
  return (context) => {
    const rule = governanceRule(context, `models.require_${key}`, isTrue);
    if (rule === undefined) return [];
    return [...context.project.resolved.models.values()].flatMap(({ definition, name }) => {
      const node = definition.node.entries.get(key)?.node;
      // What is no text, or misspelt, was reported
      if (definition.node.misspelt?.has(key) === true) return [];
      if (node !== undefined && (!node.known || String(node.value).trim() !== '')) return [];
      return [
        diagnose(code, {
          ...lackPlace(definition, key),
          message: `model ${quote(name)} has no ${key}, rule "${rule.name}" asks for one`,
          related: rule.related,
          hint: `write "${key}"`,
        }),
      ];
    });
  };
}
