import type { Definition } from '../../parse/definition.ts';
import { placeOf } from '../../parse/node-place.ts';
import { nameRange } from '../../resolve/project-symbols.ts';
import type { TextRange } from '../../text/range.ts';
import { rangeAt } from '../../text/source-file.ts';

/** Where a definition lacks a key: at the key when it is there and empty, else at the name of the definition. */
export function lackPlace(
  definition: Definition,
  key: string,
): { readonly path: string; readonly object: string; readonly range: TextRange } {
  const { keySpan } = placeOf(definition.node, key);
  return {
    path: `${definition.path}.${key}`,
    object: definition.object,
    range: keySpan === undefined ? nameRange(definition) : rangeAt(definition.file, keySpan),
  };
}
