import type { Definition, Parsed } from '../parse/definition.ts';
import { isText, listAt, numberAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import type { TypedNode } from '../parse/typed-node.ts';
import { shownText } from '../resolve/place-in-file.ts';
import type { ManifestFacts } from './manifest.ts';

/** What a definition says of itself. */
export function factsOf(name: string, definition: Definition): ManifestFacts {
  return {
    name,
    file: definition.file.path,
    ...textFact(definition, 'description'),
    ...textFact(definition, 'owner'),
    ...tagsOf(definition),
  };
}

/** The text under a key, with variables as they are written: what they stand for may be nobody's business. */
export function textFact<K extends string>(
  { node }: Parsed<unknown>,
  key: K,
): { readonly [P in K]?: string } {
  const text = textOf(placeOf(node, key).node);
  return (text === undefined ? {} : { [key]: text }) as { readonly [P in K]?: string };
}

/** The number under a key. */
export function numberFact<K extends string>(
  { node }: Parsed<unknown>,
  key: K,
): { readonly [P in K]?: number } {
  const found = numberAt(node, key);
  return (found === undefined ? {} : { [key]: found.value }) as { readonly [P in K]?: number };
}

function tagsOf({ node }: Definition): Pick<ManifestFacts, 'tags'> {
  const tags = (listAt(node, 'tags')?.items ?? []).flatMap((item) => textOf(item) ?? []);
  return tags.length === 0 ? {} : { tags };
}

function textOf(node: TypedNode | undefined): string | undefined {
  return isText(node) ? shownText(node, node.value) : undefined;
}
