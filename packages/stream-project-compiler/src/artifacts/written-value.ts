import type { Parsed } from '../parse/definition.ts';
import { listAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import { isOnlyReferences } from '../parse/secret-in-clear.ts';
import type { LeafNode, TypedNode } from '../parse/typed-node.ts';

/** A part of a project as it is written: keys and values of the format, variables as `${NAME}`. */
export type Written = Readonly<Record<string, unknown>>;

/** What stands for a secret that is written in the project's own file. */
export const hiddenSecret = '***';

/**
 * A value as it is written, as data for `JSON.stringify`: variables stay, since their values may be confidential, and a secret that
 * is more than a variable is `***`. Wrong values and keys that have no effect are left out; undefined when nothing remains.
 */
export function writtenValue(node: TypedNode): unknown {
  if ('status' in node.row && node.row.status === 'parsed') return undefined;
  if (node.kind === 'leaf') return leafValue(node);
  if (node.kind === 'list') return node.items.flatMap((item) => writtenValue(item) ?? []);
  const entries = [...node.entries.values()].flatMap((entry) => {
    const value = writtenValue(entry.node);
    return value === undefined ? [] : [[entry.key, value] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function leafValue(node: LeafNode): unknown {
  if (!node.known) return undefined;
  const { interpolated, scalar, secret, value } = node;
  if (secret === true && !isOnlyReferences(scalar.value)) return hiddenSecret;
  if (interpolated !== undefined) return String(scalar.value);
  // The mask of that name may be written without quotes
  return value === null ? 'null' : value;
}

/** The part under a key as it is written; nothing where there is none. */
export function writtenPart<K extends string>(
  { node }: Parsed<unknown>,
  key: K,
): { readonly [P in K]?: Written } {
  const { node: part } = placeOf(node, key);
  const value = part === undefined ? undefined : writtenValue(part);
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: Written };
}

/** The list under a path as it is written, without items that are wrong. */
export function writtenList({ node }: Parsed<unknown>, path: string): readonly Written[] {
  const list = listAt(node, path);
  return list === undefined ? [] : (writtenValue(list) as readonly Written[]);
}
