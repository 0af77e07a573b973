import type { FieldPath } from '@levada/stream-project-schema';
import { stepsOf } from './node-place.ts';
import type { TypedNode } from './typed-node.ts';

/**
 * Whether a file tells what stands below a node, be it nothing: `isTold(model.node, 'advanced.topic.name')`. It does not where a
 * key on the way is misspelt, or something on it is wrong. Both were reported, and whoever takes what seems to be there for what
 * is meant reports a consequence.
 */
export function isTold(from: TypedNode, path: FieldPath | string): boolean {
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

/** What is meant for an object and is none has no keys and is not known. */
function holdsSomething(node: TypedNode): boolean {
  if (node.known) return true;
  if (node.kind === 'object') return node.entries.size > 0 || node.hasUnknownKeys === true;
  return node.kind === 'list' && node.items.length > 0;
}
