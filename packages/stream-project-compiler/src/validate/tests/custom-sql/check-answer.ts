import { outputColumns, type Query } from '@levada/stream-sql';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { findingAt, wordsOf } from '../../finding-at.ts';
import { assertionCodes } from '../assertions/assertion-codes.ts';
import type { PlacedAssertion } from '../assertions/placed-assertion.ts';

/** Reports a query of several columns whose answer is compared with one value. */
export function checkAnswer(
  { test: { definition }, node, path }: PlacedAssertion,
  query: Query,
): readonly Diagnostic[] {
  const expected = node.entries.get('expect')?.node;
  const columns = outputColumns(query);
  if (expected?.kind !== 'leaf' || columns.length < 2 || columns.some(({ kind }) => kind === 'star'))
    return [];
  const message = `"custom_sql" of ${wordsOf(definition)} answers ${columns.length} columns, and "expect" is one value`;
  const hint = 'select the one column that "expect" is about';
  return [
    findingAt(assertionCodes['custom-sql-columns'], definition, { path: [...path, 'expect'], message, hint }),
  ];
}
