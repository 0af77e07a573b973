import { namesSecret } from '@levada/stream-project-schema';
import type { Place } from './read-context.ts';
import type { EntryNode } from './typed-node.ts';
import type { YamlEntry } from './yaml-tree.ts';

/** The place of a key's value. */
export function keyPlace(parent: Place, { key, keySpan }: YamlEntry): Place {
  const { secretKeys } = parent;
  const secret = parent.secret || (secretKeys && namesSecret(key));
  return { parent, step: key, object: parent.object, head: keySpan, secret, secretKeys };
}

/** Keys are the user's: nothing is inherited, and "__proto__" is a key like any other. */
export function plainObject(entries: readonly EntryNode[]): Readonly<Record<string, unknown>> {
  const made: Record<string, unknown> = Object.create(null);
  for (const { key, node } of entries) made[key] = node.value;
  return made;
}
