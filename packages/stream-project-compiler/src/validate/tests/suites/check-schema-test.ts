import type { AssertionKind } from '@levada/stream-project-schema';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { textAt } from '../../../parse/known-value.ts';
import { findingAt, wordsOf } from '../../finding-at.ts';
import type { PlacedAssertion } from '../assertions/placed-assertion.ts';
import { suiteCodes } from './suite-codes.ts';

/** Assertions of which declarations tell nothing beyond the names of columns. */
const needData: ReadonlySet<AssertionKind> = new Set([
  'custom_sql',
  'distribution',
  'freshness',
  'max_lag',
  'throughput',
]);

/** Reports assertions that only records can answer, in a test that reads none. */
export function checkSchemaTest({ test, kind, path }: PlacedAssertion): readonly Diagnostic[] {
  const { definition } = test;
  if (textAt(definition.node, 'type')?.value !== 'schema' || !needData.has(kind)) return [];
  const message = `"${kind}" takes records, and ${wordsOf(definition)} is of type "schema", which reads none`;
  const hint = 'move it to a test of type "sample" or "continuous"';
  return [findingAt(suiteCodes['schema-test-needs-data'], definition, { path, mark: 'key', message, hint })];
}
