import type { AssertionKind } from '@levada/stream-project-schema';
import type { NodeColumns } from '../../columns/nodes/node-columns.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ResolvedTest } from '../../resolve/resolved-project.ts';
import { assertionsOf, type PlacedAssertion } from '../../test-jobs/assertion.ts';
import { type SqlNames, sqlNames } from '../../test-jobs/custom-sql.ts';
import { type ColumnHint, columnHints } from '../column-lookup.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { checkColumns, checkForeignKey } from './assertion-columns.ts';
import {
  checkAcceptedTypes,
  checkAcceptedValues,
  checkEmptiness,
  checkRepeatedAssertions,
  checkRepeatedEntries,
  checkTestEmptiness,
} from './assertion-values.ts';
import { checkBuckets, checkRange, checkThroughput } from './bounds.ts';
import { checkCustomSql } from './check-custom-sql.ts';
import { checkLag, checkWindow } from './test-time.ts';

/** What assertions are checked with. */
interface Checking extends RuleContext {
  readonly hint: ColumnHint;
  readonly names: SqlNames;
}

type Check = (
  assertion: PlacedAssertion,
  columns: NodeColumns | undefined,
  checking: Checking,
) => readonly Diagnostic[];

/** What each kind is checked for beyond its row of the format and its columns. */
const checks: Readonly<Partial<Record<AssertionKind, Check>>> = {
  accepted_types: checkAcceptedTypes,
  accepted_values: checkAcceptedValues,
  custom_sql: (assertion, _, checking) => checkCustomSql(checking, assertion, checking.names),
  distribution: checkBuckets,
  foreign_key: (assertion, _, checking) => checkForeignKey(checking, assertion, checking.hint),
  freshness: (assertion, _, context) => checkLag(context, assertion),
  max_lag: (assertion, _, context) => checkLag(context, assertion),
  range: checkRange,
  throughput: checkThroughput,
  unique_key: (assertion, _, context) => checkWindow(context, assertion),
};

/** Kinds that look at other nodes than the one under test: what these say may change while it does not. */
const lookingFurther: ReadonlySet<AssertionKind> = new Set(['custom_sql', 'foreign_key']);

/** What the assertions of each test say. */
export const checkAssertions: Rule = (context) => {
  const { project, memory } = context;
  const { columns, eventTimes } = project;
  const checking = {
    ...context,
    hint: columnHints(),
    names: sqlNames(project.resolved),
  };
  return [...project.resolved.tests.values()].flatMap((test) => {
    const { target } = test;
    const needs = target === undefined ? [] : [columns.get(target), eventTimes.has(target)];
    const assertions = memory.recall(assertionsOf, test, []);
    const check = () => checkTest(test, assertions, checking);
    if (assertions.some(({ kind }) => lookingFurther.has(kind))) return check();
    return memory.check('assertions', { object: test, needs }, check);
  });
};

function checkTest(
  test: ResolvedTest,
  assertions: readonly PlacedAssertion[],
  checking: Checking,
): readonly Diagnostic[] {
  const columns = test.target === undefined ? undefined : checking.project.columns.get(test.target);
  return [
    ...checkTestEmptiness(test),
    ...checkRepeatedAssertions(assertions),
    ...assertions.flatMap((assertion) => [
      ...checkEmptiness(assertion),
      ...checkRepeatedEntries(assertion),
      ...checkColumns(assertion, columns, checking.hint),
      ...(checks[assertion.kind]?.(assertion, columns, checking) ?? []),
    ]),
  ];
}
