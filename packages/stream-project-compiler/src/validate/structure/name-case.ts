import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { nameRange } from '../../resolve/project-symbols.ts';
import type { Rule } from '../rule.ts';
import { structureCodes } from './structure-codes.ts';

/** No two names of one kind differ in the case of letters only: the files that are made of them would be one. */
export const nameCase: Rule = ({ project }) => {
  const { sources, models, tests, exposures } = project.resolved;
  return [[...sources.values()], ...[models, tests, exposures].map(definitionsOf)].flatMap(alike);
};

function definitionsOf(
  named: ReadonlyMap<string, { readonly definition: Definition }>,
): readonly Definition[] {
  return [...named.values()].map(({ definition }) => definition);
}

function alike(definitions: readonly Definition[]): readonly Diagnostic[] {
  const seen = new Map<string, Definition>();
  return definitions.flatMap((definition) => {
    const { kind, name = '' } = definition;
    const key = name.toLowerCase();
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, definition);
      return [];
    }
    return [
      diagnose(structureCodes['name-case'], {
        message: `${kind} ${quote(name)} and ${kind} ${quote(first.name ?? '')} differ in the case of letters only, expected names that tell them apart`,
        path: `${definition.path}.name`,
        object: definition.object,
        range: nameRange(definition),
        related: [{ message: 'the other one', range: nameRange(first) }],
      }),
    ];
  });
}
