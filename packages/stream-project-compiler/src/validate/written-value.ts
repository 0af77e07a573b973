import type { Definition, Parsed } from '../parse/definition.ts';
import { textAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import type { ParsedProject } from '../parse/parse-project.ts';
import type { LeafNode } from '../parse/typed-node.ts';
import { shownText } from '../resolve/place-in-file.ts';
import type { Setting } from '../resolve/settings.ts';
import { at, type Place } from './finding.ts';

/** A text of a file. */
export interface WrittenText {
  readonly value: string;
  /** As messages may show it: what a variable was replaced by is left out. */
  readonly shown: string;
  /** Computed when asked for: most texts are right. */
  readonly place: Place;
}

/** The text below a section or a definition; undefined where there is none, or none that is right. */
export function writtenText(section: Parsed<unknown> | undefined, path: string): WrittenText | undefined {
  const node = section === undefined ? undefined : textAt(section.node, path);
  if (section === undefined || node === undefined) return undefined;
  return {
    value: node.value,
    shown: shown(node),
    get place() {
      return at(section, path);
    },
  };
}

/** A value as messages may show it. */
export function shown(node: LeafNode): string {
  return shownText(node, String(node.value));
}

/** A setting as messages may show it. It comes from the definition itself, from a default, or from `runtime`. */
export function shownSetting(
  { defaults, runtime }: Pick<ParsedProject, 'defaults' | 'runtime'>,
  self: Definition,
  { value, origin }: Setting<string | number>,
): string {
  const section = [self, defaults, runtime].find(
    (one) => one?.file.path === origin.range.file && origin.path.startsWith(`${one.path}.`),
  );
  const node =
    section === undefined
      ? undefined
      : placeOf(section.node, origin.path.slice(section.path.length + 1)).node;
  return shownText(node, String(value));
}
