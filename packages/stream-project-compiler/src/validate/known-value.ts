import type { LeafNode, ListNode, ObjectNode, TypedNode } from '../parse/typed-node.ts';
import { shownText } from '../resolve/place-in-file.ts';

/** A value that is text. */
export type TextNode = LeafNode & { readonly value: string };

/** A value that is a number. */
export type NumberNode = LeafNode & { readonly value: number };

/** Whether a value is text, and right. */
export function isText(node: TypedNode | undefined): node is TextNode {
  return node?.kind === 'leaf' && node.known && typeof node.value === 'string';
}

/** The text below a key; undefined where there is none, or none that is right. */
export function textAt(node: ObjectNode, key: string): TextNode | undefined {
  const found = node.entries.get(key)?.node;
  return isText(found) ? found : undefined;
}

/** The number below a key. */
export function numberAt(node: ObjectNode, key: string): NumberNode | undefined {
  const found = node.entries.get(key)?.node;
  return isNumber(found) ? found : undefined;
}

function isNumber(node: TypedNode | undefined): node is NumberNode {
  return node?.kind === 'leaf' && node.known && typeof node.value === 'number';
}

/** The list below a key. */
export function listAt(node: ObjectNode, key: string): ListNode | undefined {
  const found = node.entries.get(key)?.node;
  return found?.kind === 'list' ? found : undefined;
}

/** The object below a key. */
export function objectAt(node: ObjectNode, key: string): ObjectNode | undefined {
  const found = node.entries.get(key)?.node;
  return found?.kind === 'object' ? found : undefined;
}

/** A value as messages may show it: what a variable was replaced by is not. */
export function shown(node: LeafNode): string {
  return shownText(node, String(node.value));
}
