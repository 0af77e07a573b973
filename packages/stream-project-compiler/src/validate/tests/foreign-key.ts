import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { type TextNode, textAt } from '../../parse/known-value.ts';
import { nodeId } from '../../resolve/node-id.ts';
import { comparable } from '../../types/comparable.ts';
import { printType } from '../../types/print-type.ts';
import type { SqlType } from '../../types/sql-type.ts';
import { type ColumnHint, lookUpColumn } from '../column-lookup.ts';
import { at, finding, named } from '../finding.ts';
import type { RuleContext } from '../rule.ts';
import { shown } from '../written-value.ts';
import type { PlacedAssertion } from './assertion.ts';
import { testCodes } from './test-codes.ts';

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
    const message = `"foreign_key" of ${named(definition)} names the key ${quote(shown(key))}, which model ${quote(shown(model))} does not have`;
    return [
      finding(testCodes['assertion-column'], at(definition, [...path, 'ref_key']), {
        message,
        hint: hint(columns, key.value),
      }),
    ];
  }
  const column = textAt(node, 'column');
  const own =
    column === undefined || test.target === undefined
      ? undefined
      : lookUpColumn(project.columns.get(test.target), column.value);
  if (column === undefined || own?.is !== 'column') return [];
  const types = [own.type, found?.type] as const;
  if (mayBeEqual(...types)) return [];
  const message = `"foreign_key" of ${named(definition)} compares ${typed(column, own.type)} with ${typed(key, found?.type)}, which can never be equal`;
  return [finding(testCodes['foreign-key-type'], at(definition, [...path, 'ref_key']), { message })];
}

function typed(node: TextNode, type: SqlType | undefined): string {
  return `${quote(shown(node))} (${printType(type, { notNull: false })})`;
}

/** What is not known may fit. */
function mayBeEqual(one: SqlType | undefined, other: SqlType | undefined): boolean {
  return one === undefined || other === undefined || comparable(one, other);
}
