import { diagnose } from '../../diagnostics/diagnose.ts';
import type { CatalogueEntry } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import type { Rule } from '../rule.ts';
import { governanceCodes } from './governance-codes.ts';
import { governanceRule, isTrue } from './governance-rule.ts';
import { lackPlace } from './lack-place.ts';

/** Every source has a schema, and a freshness. An object without any key counts as absent. */
export const requireSourceParts: readonly Rule[] = [
  requireSourcePart(governanceCodes['rule-require-schema'], 'schema'),
  requireSourcePart(governanceCodes['rule-require-freshness'], 'freshness'),
];

function requireSourcePart(entry: CatalogueEntry, key: 'schema' | 'freshness'): Rule {
  return (context) => {
    const rule = governanceRule(context, `sources.require_${key}`, isTrue);
    if (rule === undefined) return [];
    return [...context.project.resolved.sources.values()].flatMap((source) => {
      if (hasPart(source, key)) return [];
      return [
        diagnose(entry, {
          ...lackPlace(source, key),
          message: `source ${quote(source.name ?? '')} has no ${key}, rule "${rule.name}" asks for one`,
          related: rule.related,
          hint: `describe "${key}"`,
        }),
      ];
    });
  };
}

/** What is no object, or misspelt, was reported. */
function hasPart({ node }: Definition<'source'>, key: string): boolean {
  if (node.misspelt?.has(key) === true) return true;
  const part = node.entries.get(key)?.node;
  return part !== undefined && (part.kind !== 'object' || part.entries.size > 0);
}
