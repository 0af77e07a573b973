import { formatPath } from '@levada/stream-project-schema';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { sqlMistakes } from '../../../resolve/check-sql.ts';
import type { PlacedAssertion } from '../assertions/placed-assertion.ts';
import { checkAnswer } from './check-answer.ts';
import { checkTables } from './check-tables.ts';
import { readCustomSql } from './custom-sql.ts';
import type { SqlNames } from './sql-names.ts';

/**
 * Checks the query of a `custom_sql`. It reads the model or source under test as `{{ model }}`, and others with
 * `{{ ref("name") }}` and `{{ source("name") }}`.
 */
export function checkCustomSql(assertion: PlacedAssertion, names: SqlNames): readonly Diagnostic[] {
  const sql = readCustomSql(assertion);
  if (sql === undefined) return [];
  const { definition } = assertion.test;
  const path = formatPath([...assertion.path, 'sql']);
  const mistakes = sqlMistakes(definition, path, sql);
  const unknown = names.check(assertion, sql);
  const { query } = sql.parsed;
  if (mistakes.length > 0 || query === undefined) return [...mistakes, ...unknown];
  return [...unknown, ...checkTables(assertion, sql, query), ...checkAnswer(assertion, query)];
}
