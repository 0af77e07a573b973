import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { ListNode, ObjectNode } from '../../../parse/typed-node.ts';
import type { ResolvedTest } from '../../../resolve/resolved-project.ts';
import { findingAt, wordsOf } from '../../finding-at.ts';
import { assertionCodes } from './assertion-codes.ts';
import type { PlacedAssertion } from './placed-assertion.ts';

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
  const message = `${wordsOf(definition)} has no assertions, so it always passes`;
  return [
    findingAt(assertionCodes['empty-assertion'], definition, { path: ['assertions'], mark: 'key', message }),
  ];
}

/** Reports lists and maps of an assertion that have no entry. */
export function checkEmptiness({ test, kind, node, path }: PlacedAssertion): readonly Diagnostic[] {
  return [...node.entries.values()].flatMap(({ key, node: value }) => {
    const meaning = Object.hasOwn(meanings, key) ? meanings[key] : undefined;
    if (meaning === undefined || !isEmpty(value)) return [];
    const message = `"${kind}" of ${wordsOf(test.definition)} ${meaning}`;
    const hint = `give "${key}" an entry, or remove the assertion`;
    return [
      findingAt(assertionCodes['empty-assertion'], test.definition, {
        path: [...path, key],
        mark: 'key',
        message,
        hint,
      }),
    ];
  });
}

function isEmpty(node: ListNode | ObjectNode | { readonly kind: 'leaf' }): boolean {
  if (node.kind === 'list') return node.known && node.items.length === 0;
  return node.kind === 'object' && node.known && node.entries.size === 0;
}
