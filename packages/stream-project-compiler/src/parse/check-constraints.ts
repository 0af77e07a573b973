import { type Constraint, namesSecret } from '@levada/stream-project-schema';
import type { Span } from '@levada/stream-sql';
import { type Place, type ReadContext, reportAt, wordsFor } from './read-context.ts';
import type { ReadKeys } from './read-object.ts';
import type { EntryNode } from './typed-node.ts';
import type { YamlEntry } from './yaml-tree.ts';

/** Reports when a condition between the keys of one object does not hold. What is there counts, right or wrong. */
export function checkConstraints(
  context: ReadContext,
  constraint: Constraint,
  keys: ReadKeys,
  place: Place,
): void {
  const find = (path: string) => findEntry(keys, path);
  const isThere = (path: string) => keys.spelt.has(path) || find(path) !== undefined;
  if (constraint.kind === 'needs') {
    const { has = [], lacks = [], needs } = constraint;
    if (!has.every(isThere) || lacks.some(isThere) || needs.some(isThere)) return;
    // One of several was meant, and its unknown name was reported.
    if (needs.length > 1 && needs.some((key) => keys.renamed.has(key))) return;
    reportLack(context, constraint, place, find(has[0] ?? '')?.keySpan);
    return;
  }
  const [one, other] = constraint.keys.map(find);
  if (one === undefined || other === undefined) return;
  const below = placeBelow(place, constraint.keys[1]);
  reportAt(context, 'conflicting-keys', {
    place: below,
    span: other.keySpan,
    message: `${wordsFor(place)}: ${constraint.message}`,
    related: [{ message: 'the other key', span: one.keySpan }],
  });
}

function reportLack(
  context: ReadContext,
  { needs, message }: Constraint & { readonly kind: 'needs' },
  place: Place,
  cause: Span | undefined,
): void {
  const below = placeBelow(place, needs[0]);
  const related = cause === undefined ? [] : [{ message: 'required by this key', span: cause }];
  const text = `${wordsFor(place)} is missing "${needs.join('" or "')}": ${message}`;
  reportAt(context, 'missing-key', { place: below, span: place.head, message: text, related });
}

function placeBelow(place: Place, path: string): Place {
  let below = place;
  for (const step of path.split('.')) below = { ...place, parent: below, step };
  return below;
}

function findEntry(keys: ReadKeys, path: string): EntryNode | undefined {
  const [first = '', ...rest] = path.split('.');
  let found = keys.entries.get(first);
  for (const step of rest) {
    found = found?.node.kind === 'object' ? found.node.entries.get(step) : undefined;
  }
  return found;
}

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
