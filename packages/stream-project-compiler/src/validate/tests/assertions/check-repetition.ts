import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { quote } from '../../../diagnostics/quote.ts';
import { listAt } from '../../../parse/known-value.ts';
import type { ListNode } from '../../../parse/typed-node.ts';
import { findingAt, rangeBelow, wordsOf } from '../../finding-at.ts';
import { shown } from '../../shown-value.ts';
import { assertionCodes } from './assertion-codes.ts';
import type { PlacedAssertion } from './placed-assertion.ts';

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
    const message = `${wordsOf(test.definition)} has the same "${kind}" twice`;
    const related = [{ message: 'the first one', range: rangeBelow(test.definition, first.path, 'key') }];
    return [
      findingAt(assertionCodes['repeated-assertion'], test.definition, {
        path,
        mark: 'key',
        message,
        related,
      }),
    ];
  });
}

/** The order of keys does not matter. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Reports columns and values that an assertion lists twice. */
export function checkRepeatedEntries(assertion: PlacedAssertion): readonly Diagnostic[] {
  return ['columns', 'values'].flatMap((key) => {
    const list = listAt(assertion.node, key);
    return list === undefined ? [] : repeatedEntries(assertion, key, list);
  });
}

function repeatedEntries(
  { test, kind, path }: PlacedAssertion,
  key: string,
  { items }: ListNode,
): readonly Diagnostic[] {
  const seen = new Map<unknown, number>();
  return items.flatMap((item, index) => {
    if (item.kind !== 'leaf' || !item.known) return [];
    const first = seen.get(item.value);
    if (first === undefined) {
      seen.set(item.value, index);
      return [];
    }
    const message = `"${kind}" of ${wordsOf(test.definition)} lists ${quote(shown(item))} twice`;
    const at = (place: number) => [...path, key, place];
    const related = [{ message: 'the first one', range: rangeBelow(test.definition, at(first)) }];
    return [
      findingAt(assertionCodes['repeated-entry'], test.definition, { path: at(index), message, related }),
    ];
  });
}
