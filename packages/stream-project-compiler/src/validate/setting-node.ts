import type { Definition } from '../parse/definition.ts';
import { placeOf } from '../parse/node-place.ts';
import type { ParsedProject } from '../parse/parse-project.ts';
import type { TypedNode } from '../parse/typed-node.ts';
import { shownText } from '../resolve/place-in-file.ts';
import type { Setting } from '../resolve/settings.ts';

/** The value that a setting comes from: of the definition itself, of a default, of `runtime`. */
export function settingNode(
  { defaults, runtime }: ParsedProject,
  self: Definition,
  { origin }: Setting<unknown>,
): TypedNode | undefined {
  const section = [self, defaults, runtime].find(
    (one) => one?.file.path === origin.range.file && origin.path.startsWith(`${one.path}.`),
  );
  if (section === undefined) return undefined;
  return placeOf(section.node, origin.path.slice(section.path.length + 1)).node;
}

/** A setting as it may be shown: what a variable was replaced by is not. */
export function shownSetting(
  parsed: ParsedProject,
  self: Definition,
  setting: Setting<string | number>,
): string {
  return shownText(settingNode(parsed, self, setting), String(setting.value));
}
