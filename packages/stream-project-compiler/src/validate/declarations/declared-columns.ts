import type { FieldPath } from '@levada/stream-project-schema';
import type { CatalogueEntry, Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { type TextNode, textAt } from '../../parse/known-value.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { ObjectNode } from '../../parse/typed-node.ts';
import { isTime } from '../../types/type-families.ts';
import { declaredType } from '../../types/type-of-data-type.ts';
import { at, finding, named, rangeBelow } from '../finding.ts';
import { repeatsOf } from '../repeats.ts';
import { shown } from '../written-value.ts';
import { declarationCodes } from './declaration-codes.ts';

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

/** Reports names that a list of columns repeats. */
export function checkColumnNames(
  definition: Definition,
  columns: readonly DeclaredColumn[],
  entry: CatalogueEntry,
): readonly Diagnostic[] {
  const what = entry === declarationCodes['duplicate-column'] ? 'column' : 'description of column';
  return repeatsOf(columns, ({ name }) => name.value).map(({ item, first }) =>
    finding(entry, at(definition, [...item.path, 'name']), {
      message: `${named(definition)}: duplicate ${what} ${quote(shown(item.name))}`,
      related: [{ message: 'first defined here', range: rangeBelow(definition, [...first.path, 'name']) }],
    }),
  );
}

/** Whether the engine computes a column as the time of processing. */
export function isProcessingTime({ node }: DeclaredColumn): boolean {
  return node.entries.get('proctime')?.node.value === true;
}

/** Reports a type that a time of processing cannot have. */
export function checkProcessingTime(
  definition: Definition<'source'>,
  column: DeclaredColumn,
): readonly Diagnostic[] {
  const written = isProcessingTime(column) ? textAt(column.node, 'type') : undefined;
  const type = written === undefined ? undefined : declaredType(written.value);
  if (written === undefined || type === undefined || isTime(type)) return [];
  const message = `column ${quote(shown(column.name))} of ${named(definition)} is a processing time and cannot have the type ${quote(shown(written))}`;
  const hint = 'remove "type" or "proctime"';
  return [
    finding(declarationCodes['processing-time-type'], at(definition, [...column.path, 'type']), {
      message,
      hint,
    }),
  ];
}
