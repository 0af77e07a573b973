import type { Definition, Parsed } from '../parse/definition.ts';
import { placeOf } from '../parse/node-place.ts';
import type { TypedNode } from '../parse/typed-node.ts';
import { shownText } from '../resolve/place-in-file.ts';
import type { ManifestFacts } from './manifest.ts';

/** What a definition says of itself. */
export function factsOf(name: string, definition: Definition): ManifestFacts {
  return {
    name,
    file: definition.file.path,
    ...textAt(definition, 'description'),
    ...textAt(definition, 'owner'),
    ...tagsOf(definition),
  };
}

/** The text under a key, with variables as they are written: what they stand for may be nobody's business. */
export function textAt<K extends string>({ node }: Parsed<unknown>, key: K): { readonly [P in K]?: string } {
  const text = textOf(placeOf(node, key).node);
  return (text === undefined ? {} : { [key]: text }) as { readonly [P in K]?: string };
}

/** The number under a key. */
export function numberAt<K extends string>(
  { node }: Parsed<unknown>,
  key: K,
): { readonly [P in K]?: number } {
  const found = placeOf(node, key).node;
  const known = found?.known === true && typeof found.value === 'number';
  return (known ? { [key]: found.value } : {}) as { readonly [P in K]?: number };
}

function tagsOf({ node }: Definition): Pick<ManifestFacts, 'tags'> {
  const list = placeOf(node, 'tags').node;
  const tags = list?.kind === 'list' ? list.items.flatMap((item) => textOf(item) ?? []) : [];
  return tags.length === 0 ? {} : { tags };
}

function textOf(node: TypedNode | undefined): string | undefined {
  if (node?.known !== true || typeof node.value !== 'string') return undefined;
  return shownText(node, node.value);
}
