import type { LeafNode } from '../parse/typed-node.ts';
import { shownText } from '../resolve/place-in-file.ts';

/** A value as messages may show it: what a variable was replaced by is not. */
export function shown(node: LeafNode): string {
  return shownText(node, String(node.value));
}
