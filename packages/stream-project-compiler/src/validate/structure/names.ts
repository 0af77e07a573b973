import { nearestName } from '@levada/stream-project-schema';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { listAt, textAt } from '../../parse/known-value.ts';
import { isReplaced } from '../../resolve/place-in-file.ts';
import { at, finding, named, type Place } from '../finding.ts';
import { repeatsOf } from '../repeats.ts';
import type { ModelRule, Rule } from '../rule.ts';
import { structureCodes } from './structure-codes.ts';

/** No two names of one kind differ in the case of letters only: the files that are made of them would be one. */
export const nameCase: Rule = ({ project }) => {
  const { sources, models, tests, exposures } = project.resolved;
  const lists: readonly (readonly Definition[])[] = [
    [...sources.values()],
    ...[models, tests, exposures].map((map) => [...map.values()].map(({ definition }) => definition)),
  ];
  return lists.flatMap(alike);
};

function alike(definitions: readonly Definition[]): readonly Diagnostic[] {
  return repeatsOf(definitions, ({ name = '' }) => name.toLowerCase()).map(({ item, first }) =>
    finding(structureCodes['name-case'], at(item, 'name'), {
      message: `the names of ${named(item)} and ${named(first)} differ only in case`,
      related: [{ message: 'other definition', range: at(first, 'name').range }],
    }),
  );
}

/** No job of a continuous test has the name of a model's job, which is that of the model. */
export const jobCollision: Rule = ({ project }) => {
  const { models, tests } = project.resolved;
  return [...tests.values()].flatMap(({ name, definition }) => {
    const model = models.get(`test_${name}`);
    if (model?.sql === undefined || definition.node.entries.get('type')?.node.value !== 'continuous')
      return [];
    return [
      finding(structureCodes['job-collision'], at(definition, 'name'), {
        message: `continuous test ${quote(name)} and model ${quote(model.name)} have the same job name ${quote(model.name)}`,
        related: [{ message: 'model defined here', range: at(model.definition, 'name').range }],
        hint: 'rename one of them',
      }),
    ];
  });
};

/** Any kind of policy is accepted, but one that is nearly a known one is most likely a typing error. */
export const misspeltPolicy: ModelRule =
  () =>
  ({ model: { definition } }) => {
    const path = ['security', 'policies'];
    return (listAt(definition.node, path)?.items ?? []).flatMap((item, index) =>
      item.kind === 'object'
        ? [...item.entries.keys()].flatMap((key) =>
            misspelt('policy', key, {
              known: ['mask'],
              place: () => at(definition, [...path, index, key], 'key'),
            }),
          )
        : [],
    );
  };

/** Any kind of alert is accepted, too. */
export const misspeltAlert: Rule = ({ project }) =>
  [...project.resolved.tests.values()].flatMap(({ definition }) => {
    const path = ['on_failure', 'actions'];
    return (listAt(definition.node, path)?.items ?? []).flatMap((item, index) => {
      const type = textAt(item, 'alert.type');
      if (type === undefined || isReplaced(type)) return [];
      const known = type.row.type === 'text' ? (type.row.suggestions ?? []) : [];
      const place = () => at(definition, [...path, index, 'alert', 'type']);
      return misspelt('alert', type.value, { known, place });
    });
  });

function misspelt(
  what: string,
  word: string,
  { known, place }: { readonly known: readonly string[]; readonly place: () => Place },
): readonly Diagnostic[] {
  const near = known.includes(word) ? undefined : nearestName(word, known);
  if (near === undefined) return [];
  return [
    finding(structureCodes['near-word'], place(), {
      message: `unknown ${what} kind ${quote(word)}`,
      hint: `did you mean "${near}"?`,
    }),
  ];
}
