import type { CatalogueEntry, Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { findingAt, rangeBelow, wordsOf } from '../finding-at.ts';
import { shown } from '../shown-value.ts';
import { declarationCodes } from './declaration-codes.ts';
import type { DeclaredColumn } from './declared-columns.ts';

/** Reports names that stand twice in a list of columns. */
export function checkColumnNames(
  definition: Definition,
  columns: readonly DeclaredColumn[],
  entry: CatalogueEntry,
): readonly Diagnostic[] {
  const seen = new Map<string, DeclaredColumn>();
  return columns.flatMap((column) => {
    const first = seen.get(column.name.value);
    if (first === undefined) {
      seen.set(column.name.value, column);
      return [];
    }
    const verb = entry === declarationCodes['duplicate-column'] ? 'declares' : 'describes';
    return [
      findingAt(entry, definition, {
        path: [...column.path, 'name'],
        message: `${wordsOf(definition)} ${verb} the column ${quote(shown(column.name))} twice`,
        related: [{ message: 'the first one', range: rangeBelow(definition, [...first.path, 'name']) }],
      }),
    ];
  });
}
