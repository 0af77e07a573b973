import { formatPath, parsePath } from '@levada/stream-project-schema';
import { type Query, type TableReference, tableReferences } from '@levada/stream-sql';
import { diagnose } from '../../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { quote } from '../../../diagnostics/quote.ts';
import { nodeId } from '../../../resolve/node-id.ts';
import { isReplaced } from '../../../resolve/place-in-file.ts';
import { resolveCodes } from '../../../resolve/resolve-codes.ts';
import { findingAt, wordsOf } from '../../finding-at.ts';
import { assertionCodes } from '../assertions/assertion-codes.ts';
import type { PlacedAssertion } from '../assertions/placed-assertion.ts';
import { targetWords } from '../assertions/target-words.ts';
import { type CustomSql, isModelUnderTest } from './custom-sql.ts';

/** Reports tables without a macro, and a query that does not look at what is under test. */
export function checkTables(assertion: PlacedAssertion, sql: CustomSql, query: Query): readonly Diagnostic[] {
  const tables = tableReferences(query);
  const plain = tables.filter(({ kind, name }) => kind === 'table' && !isModelUnderTest(name));
  if (plain.length > 0) return plain.map((table) => plainTable(assertion, sql, table));
  const { definition, target } = assertion.test;
  if (target === undefined || tables.some((table) => isUnderTest(table, target))) return [];
  const message = `"custom_sql" of ${wordsOf(definition)} does not read ${targetWords(target)}, which is under test`;
  const hint = 'write {{ model }} for it';
  return [
    findingAt(assertionCodes['custom-sql-target'], definition, {
      path: [...assertion.path, 'sql'],
      message,
      hint,
    }),
  ];
}

function isUnderTest({ kind, name }: TableReference, target: string): boolean {
  if (kind === 'table') return isModelUnderTest(name);
  return nodeId(kind === 'ref' ? 'model' : 'source', name) === target;
}

/** Tables named without a macro are in no graph: nobody knows what they are. */
function plainTable(
  { test: { definition }, path }: PlacedAssertion,
  { leaf, rangeOf, writtenAt }: CustomSql,
  { name, places: [place = { start: 0, end: 0 }] }: TableReference,
): Diagnostic {
  const shown = isReplaced(leaf) ? writtenAt(place) : name;
  return diagnose(resolveCodes['plain-table'], {
    message: `the table ${quote(shown)} is named without a macro, expected {{ model }}, {{ ref("name") }} or {{ source("name") }}`,
    path: formatPath([...parsePath(definition.path), ...path, 'sql']),
    object: definition.object,
    range: rangeOf(place),
    hint: definition.value?.model === name ? 'write {{ model }}' : undefined,
  });
}
