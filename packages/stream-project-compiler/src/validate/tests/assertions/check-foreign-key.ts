import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { quote } from '../../../diagnostics/quote.ts';
import { type TextNode, textAt } from '../../../parse/known-value.ts';
import { nodeId } from '../../../resolve/node-id.ts';
import { comparable } from '../../../types/comparable.ts';
import { printType } from '../../../types/print-type.ts';
import type { SqlType } from '../../../types/sql-type.ts';
import type { ColumnHint } from '../../column-hints.ts';
import { findingAt, wordsOf } from '../../finding-at.ts';
import { lookUpColumn } from '../../look-up-column.ts';
import type { RuleContext } from '../../rule.ts';
import { shown } from '../../shown-value.ts';
import { assertionCodes } from './assertion-codes.ts';
import type { PlacedAssertion } from './placed-assertion.ts';

/** Reports a key that the other model does not have, or that can never equal the column. */
export function checkForeignKey(
  { project }: RuleContext,
  assertion: PlacedAssertion,
  hint: ColumnHint,
): readonly Diagnostic[] {
  const { test, node, path } = assertion;
  const { definition } = test;
  const model = textAt(node, 'ref_model');
  const key = textAt(node, 'ref_key');
  if (model === undefined || key === undefined) return [];
  const columns = project.columns.get(nodeId('model', model.value));
  const found = lookUpColumn(columns, key.value);
  if (found?.is === 'nothing') {
    const message = `"foreign_key" of ${wordsOf(definition)} names the key ${quote(shown(key))}, which model ${quote(shown(model))} does not have`;
    const facts = { path: [...path, 'ref_key'], message, hint: hint(columns, key.value) };
    return [findingAt(assertionCodes['assertion-column'], definition, facts)];
  }
  const column = textAt(node, 'column');
  const own =
    column === undefined || test.target === undefined
      ? undefined
      : lookUpColumn(project.columns.get(test.target), column.value);
  if (column === undefined || own?.is !== 'column') return [];
  const types = [own.type, found?.type] as const;
  if (mayBeEqual(...types)) return [];
  const message = `"foreign_key" of ${wordsOf(definition)} compares ${typed(column, own.type)} with ${typed(key, found?.type)}, which can never be equal`;
  return [findingAt(assertionCodes['foreign-key-type'], definition, { path: [...path, 'ref_key'], message })];
}

function typed(node: TextNode, type: SqlType | undefined): string {
  return `${quote(shown(node))} (${printType(type, { notNull: false })})`;
}

/** What is not known may fit. */
function mayBeEqual(one: SqlType | undefined, other: SqlType | undefined): boolean {
  return one === undefined || other === undefined || comparable(one, other);
}
