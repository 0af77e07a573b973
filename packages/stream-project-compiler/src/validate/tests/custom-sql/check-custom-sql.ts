import { formatPath } from '@levada/stream-project-schema';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { sqlMistakes } from '../../../resolve/check-sql.ts';
import type { RuleContext } from '../../rule.ts';
import type { PlacedAssertion } from '../assertions/placed-assertion.ts';
import { checkAnswer } from './check-answer.ts';
import { checkSqlColumns } from './check-sql-columns.ts';
import { checkTables } from './check-tables.ts';
import { readCustomSql } from './custom-sql.ts';
import type { SqlNames } from './sql-names.ts';

/**
 * Checks the query of a `custom_sql`. It reads the model or source under test as `{{ model }}`, and others with
 * `{{ ref("name") }}` and `{{ source("name") }}`.
 */
export function checkCustomSql(
  context: RuleContext,
  assertion: PlacedAssertion,
  names: SqlNames,
): readonly Diagnostic[] {
  const sql = context.memory.recall(readCustomSql, assertion, []);
  if (sql === undefined) return [];
  const { definition } = assertion.test;
  const path = formatPath([...assertion.path, 'sql']);
  const mistakes = sqlMistakes(definition, path, sql);
  const unknown = names.check(assertion, sql);
  const { query } = sql.parsed;
  if (mistakes.length > 0 || query === undefined) return [...mistakes, ...unknown];
  const columns = checkSqlColumns({ ...context, assertion, sql }, query);
  const answer = checkAnswer(assertion, query);
  // What is unknown may be meant for what is under test
  if (unknown.length > 0) return [...unknown, ...columns, ...answer];
  return [...checkTables(assertion, sql, query), ...columns, ...answer];
}
