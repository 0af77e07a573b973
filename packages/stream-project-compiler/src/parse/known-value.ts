import type { FieldPath } from '@levada/stream-project-schema';
import { placeOf } from './node-place.ts';
import type { LeafNode, ListNode, ObjectNode, TypedNode } from './typed-node.ts';

/** A value that is text. */
export type TextNode = LeafNode & { readonly value: string };

/** A value that is a number. */
export type NumberNode = LeafNode & { readonly value: number };

/** Whether a value is text, and right. */
export function isText(node: TypedNode | undefined): node is TextNode {
  return node?.kind === 'leaf' && node.known && typeof node.value === 'string';
}

/** Whether a value is a number, and right. */
export function isNumber(node: TypedNode | undefined): node is NumberNode {
  return node?.kind === 'leaf' && node.known && typeof node.value === 'number';
}

/** The text below a node: `textAt(model.node, 'advanced.topic.name')`. Undefined where there is none, or none that is right. */
export function textAt(from: TypedNode, path: FieldPath | string): TextNode | undefined {
  const { node } = placeOf(from, path);
  return isText(node) ? node : undefined;
}

/** The number below a node. */
export function numberAt(from: TypedNode, path: FieldPath | string): NumberNode | undefined {
  const { node } = placeOf(from, path);
  return isNumber(node) ? node : undefined;
}

/** The list below a node. */
export function listAt(from: TypedNode, path: FieldPath | string): ListNode | undefined {
  const { node } = placeOf(from, path);
  return node?.kind === 'list' ? node : undefined;
}

/** The object below a node. */
export function objectAt(from: TypedNode, path: FieldPath | string): ObjectNode | undefined {
  const { node } = placeOf(from, path);
  return node?.kind === 'object' ? node : undefined;
}
