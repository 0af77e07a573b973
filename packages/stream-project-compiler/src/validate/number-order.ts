import type { FieldPath } from '@levada/stream-project-schema';
import type { CatalogueEntry, Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Definition } from '../parse/definition.ts';
import { type NumberNode, numberAt } from '../parse/known-value.ts';
import type { ObjectNode } from '../parse/typed-node.ts';
import { at, finding, rangeBelow } from './finding.ts';
import { shown } from './written-value.ts';

/** Two numbers of one object of which the first must not be above the second. */
export interface OrderedNumbers {
  readonly definition: Definition;
  readonly node: ObjectNode;
  /** Of the object, below the definition. */
  readonly path: FieldPath;
  readonly low: string;
  readonly high: string;
  /** What it means when they are not in order: `so no value is within`. */
  readonly because: string;
  readonly entry: CatalogueEntry;
  /** Equal numbers are wrong too. */
  readonly strict?: true;
}

/** Reports two numbers that are not in order. Silent where one of them is absent or wrong. */
export function checkOrder(numbers: OrderedNumbers): readonly Diagnostic[] {
  const low = numberAt(numbers.node, numbers.low);
  const high = numberAt(numbers.node, numbers.high);
  if (low === undefined || high === undefined) return [];
  const right = numbers.strict === true ? low.value < high.value : low.value <= high.value;
  return right ? [] : [outOfOrder(numbers, low, high)];
}

function outOfOrder(
  { definition, path, low, high, because, entry }: OrderedNumbers,
  lower: NumberNode,
  higher: NumberNode,
): Diagnostic {
  const relation = lower.value === higher.value ? 'equals' : 'is greater than';
  return finding(entry, at(definition, [...path, low]), {
    message: `"${low}" (${shown(lower)}) ${relation} "${high}" (${shown(higher)}), ${because}`,
    related: [{ message: `"${high}"`, range: rangeBelow(definition, [...path, high]) }],
  });
}
