import { diagnose } from '../../diagnostics/diagnose.ts';
import type { CatalogueEntry } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Rule } from '../rule.ts';
import { governanceCodes } from './governance-codes.ts';
import { governanceRule, isTrue } from './governance-rule.ts';
import { lackPlace } from './lack-place.ts';

/** Every model, whatever it becomes, has a description, and an owner. */
export const requireTexts: readonly Rule[] = [
  requireText(governanceCodes['rule-require-description'], 'description'),
  requireText(governanceCodes['rule-require-owner'], 'owner'),
];

function requireText(entry: CatalogueEntry, key: 'description' | 'owner'): Rule {
  return (context) => {
    const rule = governanceRule(context, `models.require_${key}`, isTrue);
    if (rule === undefined) return [];
    return [...context.project.resolved.models.values()].flatMap(({ definition, name }) => {
      const node = definition.node.entries.get(key)?.node;
      // What is no text, or misspelt, was reported
      if (definition.node.misspelt?.has(key) === true) return [];
      if (node !== undefined && (!node.known || String(node.value).trim() !== '')) return [];
      return [
        diagnose(entry, {
          ...lackPlace(definition, key),
          message: `model ${quote(name)} has no ${key}, rule "${rule.name}" asks for one`,
          related: rule.related,
          hint: `write "${key}"`,
        }),
      ];
    });
  };
}
