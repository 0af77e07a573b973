import type { CatalogueEntry } from '../../diagnostics/diagnostic.ts';
import type { Definition } from '../../parse/definition.ts';
import { isDeclared } from '../../parse/is-declared.ts';
import { placeOf } from '../../parse/node-place.ts';
import { at, atReference, finding, named, type Place } from '../finding.ts';
import type { ModelRule, Rule } from '../rule.ts';
import { governanceCodes } from './governance-codes.ts';
import { governanceRule, isNumber, isTrue } from './governance-rule.ts';

/** Where a definition lacks a key: at the key when it is there and empty, else at the name of the definition. */
function atMissing(definition: Definition, key: string): Place {
  const isThere = placeOf(definition.node, key).node !== undefined;
  const place = at(definition, key, 'key');
  return isThere ? place : { ...place, range: at(definition, 'name').range };
}

/** Every model, whatever it becomes, has a description, and an owner. */
export const requireTexts: readonly ModelRule[] = [
  requireText(governanceCodes['rule-require-description'], 'description'),
  requireText(governanceCodes['rule-require-owner'], 'owner'),
];

function requireText(entry: CatalogueEntry, key: 'description' | 'owner'): ModelRule {
  return (context) => {
    const rule = governanceRule(context, `models.require_${key}`, isTrue);
    if (rule === undefined) return undefined;
    return ({ model: { definition } }) => {
      const { entries, misspelt } = definition.node;
      const node = entries.get(key)?.node;
      // What is no text, or misspelt, was reported
      if (misspelt?.has(key) === true) return [];
      if (node !== undefined && (!node.known || String(node.value).trim() !== '')) return [];
      return [
        finding(entry, atMissing(definition, key), {
          message: `${named(definition)} has no ${key}, but rule "${rule.name}" requires one`,
          related: rule.related,
          hint: `add "${key}"`,
        }),
      ];
    };
  };
}

/** Every source has a schema, and a freshness. An object without any key counts as absent. */
export const requireSourceParts: readonly Rule[] = [
  requireSourcePart(governanceCodes['rule-require-schema'], 'schema'),
  requireSourcePart(governanceCodes['rule-require-freshness'], 'freshness'),
];

function requireSourcePart(entry: CatalogueEntry, key: 'schema' | 'freshness'): Rule {
  return ({ project: { resolved } }) => {
    const rule = governanceRule(resolved.parsed, `sources.require_${key}`, isTrue);
    if (rule === undefined) return [];
    return [...resolved.sources.values()].flatMap((source) => {
      if (hasPart(source, key)) return [];
      return [
        finding(entry, atMissing(source, key), {
          message: `${named(source)} has no ${key}, but rule "${rule.name}" requires one`,
          related: rule.related,
          hint: `add "${key}"`,
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

/** Every model is the target of a test, of any type. Silent while a test may be missing: a file cannot be read, or a test does not say its model. */
export const requireTests: Rule = ({ project: { resolved } }) => {
  const { parsed, models } = resolved;
  const rule = governanceRule(parsed, 'models.require_tests', isTrue);
  if (rule === undefined || !parsed.complete || !parsed.tests.every(({ node }) => isDeclared(node, 'model')))
    return [];
  const tested = new Set(parsed.tests.map(({ node }) => node.entries.get('model')?.node.value));
  return [...models.values()].flatMap(({ definition, name }) => {
    if (tested.has(name)) return [];
    const place = { ...at(definition, 'name'), path: definition.path };
    return [
      finding(governanceCodes['rule-require-tests'], place, {
        message: `${named(definition)} has no test, but rule "${rule.name}" requires at least one`,
        related: rule.related,
        hint: `add a test with "model: ${name}"`,
      }),
    ];
  });
};

/** A model reads at most so many sources, models and topics, each counted once, of its SQL and of `from`. */
export const maxDependencies: ModelRule = (context) => {
  const rule = governanceRule(context, 'models.max_dependencies', isNumber);
  if (rule === undefined) return undefined;
  return ({ model: { definition, inputs } }) => {
    const distinct = new Map(inputs.map((input) => [input.target ?? `${input.kind} ${input.name}`, input]));
    // The first one beyond the limit shows where to cut
    const beyond = [...distinct.values()][rule.value];
    if (beyond === undefined) return [];
    return [
      finding(governanceCodes['rule-max-dependencies'], atReference(definition, beyond), {
        message: `${named(definition)} reads ${distinct.size} sources and models, but rule "${rule.name}" allows at most ${rule.shown}`,
        related: rule.related,
        hint: 'split the model',
      }),
    ];
  };
};
