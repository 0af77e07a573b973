import { type AssertionKind, assertionFields } from '@levada/stream-project-schema';
import { quote } from '../diagnostics/quote.ts';
import { listAt } from '../parse/known-value.ts';
import type { ObjectNode } from '../parse/typed-node.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { ResolvedTest } from '../resolve/resolved-project.ts';

/** One assertion of a test. */
export interface PlacedAssertion {
  readonly test: ResolvedTest;
  readonly kind: AssertionKind;
  /** The value of the kind; keys that are required may be missing, which was reported. */
  readonly node: ObjectNode;
  /** Below the test: `['assertions', 0, 'range']`. */
  readonly path: readonly (string | number)[];
}

/** The assertions of a test, without those whose kind is not known. */
export function assertionsOf(test: ResolvedTest): readonly PlacedAssertion[] {
  const items = listAt(test.definition.node, 'assertions')?.items ?? [];
  return items.flatMap((item, index) => {
    if (item.kind !== 'object' || item.entries.size !== 1) return [];
    return [...item.entries.values()].flatMap(({ key, node }) => {
      if (!isKind(key) || node.kind !== 'object') return [];
      return [{ test, kind: key, node, path: ['assertions', index, key] }];
    });
  });
}

function isKind(key: string): key is AssertionKind {
  return Object.hasOwn(assertionFields, key);
}

/** A node in words: `model "orders"` of `model:orders`. */
export function targetWords(id: NodeId): string {
  const colon = id.indexOf(':');
  return `${id.slice(0, colon)} ${quote(id.slice(colon + 1))}`;
}
