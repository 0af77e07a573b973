import type { FieldPath } from '@levada/stream-project-schema';
import { stepsOf } from './node-place.ts';
import type { TypedNode } from './typed-node.ts';

/**
 * Whether a file determines what is below a node, even if that is nothing: `isDeclared(model.node, 'advanced.topic.name')`. It
 * does not when a key of the path is misspelt or a value on it is wrong. Both have been reported already, and a check that relied
 * on what remains would only report consequences of them.
 */
export function isDeclared(from: TypedNode, path: FieldPath | string): boolean {
  let node = from;
  for (const step of stepsOf(path)) {
    if (!holdsSomething(node)) return false;
    if (node.kind === 'list' && typeof step === 'number') {
      const item = node.items[step];
      if (item === undefined) return true;
      node = item;
    } else if (node.kind === 'object') {
      const entry = node.entries.get(String(step));
      if (entry === undefined) return node.misspelt?.has(String(step)) !== true;
      node = entry.node;
    } else return false;
  }
  return holdsSomething(node);
}

/** A value that should be an object and is not has no keys and is not known. */
function holdsSomething(node: TypedNode): boolean {
  if (node.known) return true;
  if (node.kind === 'object') return node.entries.size > 0 || node.hasUnknownKeys === true;
  return node.kind === 'list' && node.items.length > 0;
}
