import type { NodeColumns } from '../../../columns/nodes/node-columns.ts';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { quote } from '../../../diagnostics/quote.ts';
import { printType } from '../../../types/print-type.ts';
import type { SqlType } from '../../../types/sql-type.ts';
import type { ColumnHint } from '../../column-hints.ts';
import { findingAt, wordsOf } from '../../finding-at.ts';
import { lookUpColumn } from '../../look-up-column.ts';
import { assertionCodes } from './assertion-codes.ts';
import { assertionColumns, type NamedColumn } from './assertion-columns.ts';
import type { PlacedAssertion } from './placed-assertion.ts';
import { targetWords } from './target-words.ts';
import type { TypeNeed } from './type-needs.ts';

/** Reports columns that the target of a test does not have, and those that hold something else than the assertion needs. */
export function checkColumns(
  assertion: PlacedAssertion,
  columns: NodeColumns | undefined,
  hint: ColumnHint,
): readonly Diagnostic[] {
  const row = assertionColumns[assertion.kind];
  return row.columns(assertion).flatMap((column) => {
    const found = lookUpColumn(columns, column.name);
    if (found?.is === 'nothing') return [unknown(assertion, column, hint(columns, column.name))];
    const type = found?.type;
    if (type === undefined || row.needs === undefined || row.needs.holds(type)) return [];
    return [wrongType(assertion, column, { needs: row.needs, type })];
  });
}

function unknown(
  { test: { definition, target }, kind }: PlacedAssertion,
  { shown, path, mark }: NamedColumn,
  hint: string | undefined,
): Diagnostic {
  const message = `"${kind}" of ${wordsOf(definition)} names the column ${quote(shown)}, which ${target === undefined ? 'its target' : targetWords(target)} does not have`;
  return findingAt(assertionCodes['assertion-column'], definition, { path, mark, message, hint });
}

function wrongType(
  { test: { definition }, kind }: PlacedAssertion,
  { shown, path, mark }: NamedColumn,
  { needs, type }: { readonly needs: TypeNeed; readonly type: SqlType },
): Diagnostic {
  const held = printType(type, { notNull: false });
  const message = `"${kind}" of ${wordsOf(definition)} is about the column ${quote(shown)}, which is ${held}, expected ${needs.expected}`;
  return findingAt(assertionCodes['assertion-type'], definition, { path, mark, message });
}
