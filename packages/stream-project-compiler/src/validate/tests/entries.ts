import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { listAt } from '../../parse/known-value.ts';
import type { ListNode, ObjectNode } from '../../parse/typed-node.ts';
import type { ResolvedTest } from '../../resolve/resolved-project.ts';
import { at, finding, named, rangeBelow } from '../finding.ts';
import { repeatsOf } from '../repeats.ts';
import { shown } from '../written-value.ts';
import type { PlacedAssertion } from './assertion.ts';
import { testCodes } from './test-codes.ts';

/** Lists and maps of assertions, and what it means that one has no entry. */
const meanings: Readonly<Record<string, string>> = {
  columns: 'looks at no column',
  values: 'accepts no value, so every record fails',
  types: 'looks at no column',
  buckets: 'looks at no range of values',
};

/** Reports a test without assertions. */
export function checkTestEmptiness({ definition }: ResolvedTest): readonly Diagnostic[] {
  const node = definition.node.entries.get('assertions')?.node;
  if (node === undefined || !isEmpty(node)) return [];
  const message = `${named(definition)} has no assertions, so it always passes`;
  return [finding(testCodes['empty-assertion'], at(definition, ['assertions'], 'key'), { message })];
}

/** Reports lists and maps of an assertion that have no entry. */
export function checkEmptiness({ test, kind, node, path }: PlacedAssertion): readonly Diagnostic[] {
  return [...node.entries.values()].flatMap(({ key, node: value }) => {
    const meaning = Object.hasOwn(meanings, key) ? meanings[key] : undefined;
    if (meaning === undefined || !isEmpty(value)) return [];
    const message = `"${kind}" of ${named(test.definition)} ${meaning}`;
    const hint = `give "${key}" an entry, or remove the assertion`;
    return [
      finding(testCodes['empty-assertion'], at(test.definition, [...path, key], 'key'), { message, hint }),
    ];
  });
}

function isEmpty(node: ListNode | ObjectNode | { readonly kind: 'leaf' }): boolean {
  if (node.kind === 'list') return node.known && node.items.length === 0;
  return node.kind === 'object' && node.known && node.entries.size === 0;
}

/** Reports assertions of one test that say the same. */
export function checkRepeatedAssertions(assertions: readonly PlacedAssertion[]): readonly Diagnostic[] {
  const seen = new Map<string, PlacedAssertion>();
  return assertions.flatMap((assertion) => {
    const { test, kind, node, path } = assertion;
    const said = `${kind} ${JSON.stringify(sorted(node.value))}`;
    const first = seen.get(said);
    if (!node.known || first === undefined) {
      seen.set(said, assertion);
      return [];
    }
    const message = `${named(test.definition)} has the same "${kind}" twice`;
    const related = [{ message: 'the first one', range: rangeBelow(test.definition, first.path, 'key') }];
    return [finding(testCodes['repeated-assertion'], at(test.definition, path, 'key'), { message, related })];
  });
}

/** The order of keys does not matter. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Reports columns and values that an assertion lists twice. */
export function checkRepeatedEntries({ test, kind, node, path }: PlacedAssertion): readonly Diagnostic[] {
  const { definition } = test;
  return ['columns', 'values'].flatMap((key) => {
    const leaves = (listAt(node, key)?.items ?? []).flatMap((item, index) =>
      item.kind === 'leaf' && item.known ? [{ item, path: [...path, key, index] }] : [],
    );
    return repeatsOf(leaves, ({ item }) => item.value).map(({ item: repeat, first }) =>
      finding(testCodes['repeated-entry'], at(definition, repeat.path), {
        message: `"${kind}" of ${named(definition)} lists ${quote(shown(repeat.item))} twice`,
        related: [{ message: 'the first one', range: rangeBelow(definition, first.path) }],
      }),
    );
  });
}
