import type { FieldPath } from '@levada/stream-project-schema';
import type { Definition } from '../../parse/definition.ts';
import { type TextNode, textAt } from '../../parse/known-value.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { ObjectNode } from '../../parse/typed-node.ts';

/** An entry of a list of columns. */
export interface DeclaredColumn {
  readonly node: ObjectNode;
  readonly name: TextNode;
  /** Below the definition. */
  readonly path: FieldPath;
}

/** Entries of a list of columns that have a name. */
export function declaredColumns(definition: Definition, list: FieldPath): readonly DeclaredColumn[] {
  const { node } = placeOf(definition.node, list);
  if (node?.kind !== 'list') return [];
  return node.items.flatMap((item, index) => {
    const name = item.kind === 'object' ? textAt(item, 'name') : undefined;
    return item.kind !== 'object' || name === undefined ? [] : [{ node: item, name, path: [...list, index] }];
  });
}
