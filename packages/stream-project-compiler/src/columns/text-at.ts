import { placeOf } from '../parse/node-place.ts';
import type { LeafNode, TypedNode } from '../parse/typed-node.ts';

/** A text that is there and right. */
export function textAt(
  from: TypedNode,
  path: string,
): { readonly value: string; readonly node: LeafNode } | undefined {
  const { node } = placeOf(from, path);
  if (node?.kind !== 'leaf' || !node.known || typeof node.value !== 'string' || node.value === '') {
    return undefined;
  }
  return { value: node.value, node };
}
