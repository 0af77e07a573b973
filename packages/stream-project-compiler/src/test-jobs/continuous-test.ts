import type { AssertionKind } from '@levada/stream-project-schema';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { DialectOf } from '../infer/engine-dialect.ts';
import { columnType, type JobTable, readSettings } from '../jobs/create-table.ts';
import { clusterTarget, type EngineTarget } from '../jobs/engine-target.ts';
import { type GiveName, tableNames } from '../jobs/input-tables.ts';
import type { Job } from '../jobs/job.ts';
import { queryTables } from '../jobs/macro-uses.ts';
import { inputOf, type JobFacts, tableStatements } from '../jobs/model-job.ts';
import { isRefusal, type Refusal } from '../jobs/refusal.ts';
import { statementSet } from '../jobs/text/insert-statement.ts';
import { identifier, setStatement } from '../jobs/text/sql-words.ts';
import type { TableColumn, TopicTable } from '../jobs/topic-table.ts';
import { listAt, textAt } from '../parse/known-value.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { ResolvedTest } from '../resolve/resolved-project.ts';
import { text } from '../types/sql-type.ts';
import { assertionsOf, type PlacedAssertion } from './assertion.ts';
import type { Check, CheckContext, Violations, WriteCheck } from './check.ts';
import { type CustomCheck, customCheck } from './custom-check.ts';
import { readCustomSql } from './custom-sql.ts';
import { keyChecks } from './key-checks.ts';
import { rowChecks } from './row-checks.ts';
import { type Target, targetTable } from './target-table.ts';
import type { CheckedAssertion, TestJob, TestOutput } from './test-job.ts';
import {
  plainValues,
  shownColumn,
  shownSql,
  violationSelect,
  violationTable,
  windowColumns,
} from './violation-tables.ts';
import { windowChecks } from './window-checks.ts';

/** What jobs of tests are made of beside their test. */
export interface TestFacts {
  readonly facts: JobFacts;
  readonly dialectOf: DialectOf;
  readonly violationsTopic: string;
  /** Columns of a node that violations do not show. */
  readonly hidden: (node: NodeId) => ReadonlySet<string>;
}

/** What came out for a continuous test. */
export interface ContinuousTest {
  /** Undefined where no assertion needs statements. */
  readonly job: TestJob | undefined;
  readonly checked: readonly CheckedAssertion[];
  /** Defects of the engine in its queries. */
  readonly findings: readonly Diagnostic[];
  /** Assertions that cannot run continuously. */
  readonly impossible: readonly { readonly assertion: PlacedAssertion; readonly refusal: Refusal }[];
}

/** How each kind is checked; queries of the user are written apart. */
const writers: Readonly<Record<Exclude<AssertionKind, 'custom_sql'>, WriteCheck>> = {
  ...rowChecks,
  ...windowChecks,
  ...keyChecks,
};

/** Everything that is known of a test before its statements are written. */
interface TestPlan {
  readonly test: ResolvedTest;
  /** Names its job in the engine, and its consumer group. */
  readonly group: string;
  readonly target: Target;
  readonly nameOf: GiveName;
  readonly checks: readonly PlannedCheck[];
  readonly engine: EngineTarget;
}

type PlannedCheck = { readonly assertion: PlacedAssertion } & (
  | { readonly check: Check }
  | { readonly custom: CustomCheck }
);

/** Writes the job of a continuous test over the records of a topic, or says why there is none. */
export function continuousTest(
  test: ResolvedTest,
  topic: TopicTable,
  { facts, dialectOf, hidden, violationsTopic }: TestFacts,
): ContinuousTest | Refusal {
  const { resolved } = facts.project;
  const assertions = assertionsOf(test);
  const nameOf = tableNames(takenNames(assertions));
  const group = `${resolved.parsed.project?.value?.name ?? ''}.tests.${test.name}`;
  const handsOn = deadLetterTopics(test).length > 0;
  const target = targetTable(topic, { ...facts, assertions, handsOn, nameOf, group });
  if (isRefusal(target)) return target;
  const cluster = test.settings.engineCluster;
  const context: CheckContext = { facts, target, nameOf, group };
  const checks: PlannedCheck[] = [];
  const impossible: { assertion: PlacedAssertion; refusal: Refusal }[] = [];
  for (const [index, assertion] of assertions.entries()) {
    const { kind } = assertion;
    if (kind === 'custom_sql') {
      const custom = customCheck(assertion, {
        ...context,
        hidden,
        dialect: dialectOf(cluster),
        number: index + 1,
      });
      if (isRefusal(custom)) impossible.push({ assertion, refusal: custom });
      else checks.push({ assertion, custom });
      continue;
    }
    const check = writers[kind](assertion, context);
    if (isRefusal(check)) impossible.push({ assertion, refusal: check });
    else checks.push({ assertion, check });
  }
  const findings = checks.flatMap((one) => ('custom' in one ? one.custom.findings : []));
  const checked = checks.map((one) => ({
    assertion: one.assertion,
    alwaysHolds: 'check' in one && one.check.violations.length === 0,
  }));
  if (checked.every(({ alwaysHolds }) => alwaysHolds))
    return { job: undefined, checked, findings, impossible };
  const engine = clusterTarget(resolved.parsed, cluster, facts.project.engineVersion);
  const job = testJob({ test, group, target, nameOf, checks, engine }, { facts, hidden, violationsTopic });
  return isRefusal(job) ? job : { job: { ...job, checked }, checked, findings, impossible };
}

/** Names of tables that queries of the test use in some other way. */
function takenNames(assertions: readonly PlacedAssertion[]): ReadonlySet<string> {
  const queries = assertions.flatMap((one) =>
    one.kind === 'custom_sql' ? (readCustomSql(one)?.parsed.query ?? []) : [],
  );
  return new Set(queries.flatMap((query) => [...queryTables(query).taken]));
}

/** Whether a column is part of a record's value. */
function isOfValue({ computed, metadata }: TableColumn): boolean {
  return computed === undefined && metadata === undefined;
}

/** Topics to which a test hands on records that fail, each once. */
export function deadLetterTopics({ definition }: ResolvedTest): readonly string[] {
  const actions = listAt(definition.node, 'on_failure.actions')?.items ?? [];
  return [...new Set(actions.flatMap((action) => textAt(action, 'dlq.topic')?.value ?? []))];
}

/** How bad a violation is: an error where the test says nothing. */
export function severityOf({ definition }: ResolvedTest): string {
  return definition.value?.on_failure?.severity ?? 'error';
}

function testJob(
  plan: TestPlan,
  { facts, violationsTopic, hidden }: Omit<TestFacts, 'dialectOf'>,
): Omit<TestJob, 'checked'> | Refusal {
  const { test, target, checks, engine } = plan;
  const found = checks.flatMap((one) =>
    'check' in one ? one.check.violations.map((violations) => ({ ...one, violations })) : [],
  );
  const written = [
    ...recordInserts(plan, { found, topic: violationsTopic, hidden: hidden(target.node) }),
    ...customInserts(plan, violationsTopic),
    ...deadLetterInserts(plan, found),
  ];
  const readsTarget = found.length > 0;
  const more = checks.flatMap((one) =>
    'check' in one
      ? (one.check.reads ?? []).flatMap((node, index): (readonly [NodeId, JobTable])[] => {
          const table = one.check.tables?.[index];
          return table === undefined ? [] : [[node, table]];
        })
      : one.custom.tables,
  );
  const read = [...(readsTarget ? [[target.node, target.table] as const] : []), ...more];
  const tables = tableStatements(
    [...read.map(([, table]) => table), ...written.map(({ table }) => table)],
    facts.platform,
  );
  if (typeof tables !== 'function') return tables;
  const sources = readSettings(read.map(([, table]) => table));
  const views = [
    ...(readsTarget && target.view !== undefined ? [target.view] : []),
    ...checks.flatMap((one) => ('check' in one ? (one.check.views ?? []) : one.custom.views)),
  ];
  return {
    test: test.name,
    cluster: test.settings.engineCluster,
    version: engine.version,
    statements: [
      ...settings(plan),
      ...sources,
      ...tables(),
      ...views,
      statementSet(written.map(({ insert }) => insert)),
    ],
    reads: read.map(([node, table]) => inputOf(node, table)),
    writes: outputsOf(written, violationsTopic),
    assumed: assumedOf(plan, readsTarget),
  };
}

/** Settings of the session. A topic without new records does not hold back what is joined with it. */
function settings({ group, checks, engine }: TestPlan): readonly string[] {
  const joins = checks.some(({ assertion }) => assertion.kind === 'foreign_key');
  return [
    setStatement('pipeline.name', group),
    setStatement('table.local-time-zone', 'UTC'),
    ...(joins ? [setStatement('table.exec.source.idle-timeout', '1 min')] : []),
    ...(checks.some((one) => 'custom' in one && one.custom.key !== undefined) ? withdrawing(engine) : []),
  ];
}

/**
 * Violations are withdrawn by their key, which has one row of the query each. By default the engine keeps all rows of a key and
 * withdraws the one that is equal, which none is, for each has its own time.
 */
function withdrawing({ asksOnConflict }: EngineTarget): readonly string[] {
  return [
    setStatement('table.exec.sink.upsert-materialize', 'NONE'),
    ...(asksOnConflict ? [setStatement('table.exec.sink.require-on-conflict', 'false')] : []),
  ];
}

/** A table that is written, and the statement that does. */
interface Written {
  readonly table: JobTable;
  readonly insert: string;
}

type FoundViolations = { readonly assertion: PlacedAssertion; readonly violations: Violations };

/** Violations by records, and those by windows. */
function recordInserts(
  { test, target, nameOf }: TestPlan,
  {
    found,
    topic,
    hidden,
  }: {
    readonly found: readonly FoundViolations[];
    readonly topic: string;
    readonly hidden: ReadonlySet<string>;
  },
): readonly Written[] {
  const shown = target.columns.map((column) => shownColumn(column, hidden.has(column.name)));
  const values = target.columns.map((column) => shownSql(column, hidden.has(column.name)));
  const shapes = [
    { rows: 'records', name: 'violations', columns: shown, values },
    {
      rows: 'windows',
      name: 'violations_in_windows',
      columns: windowColumns,
      values: plainValues(windowColumns),
    },
  ] as const;
  return shapes.flatMap(({ rows, name, columns, values: row }) => {
    const some = found.filter(({ violations }) => violations.rows === rows);
    if (some.length === 0) return [];
    const table = violationTable({ name: nameOf(name, 'table'), topic, columns, changes: false });
    const selects = some.map(({ assertion, violations }) =>
      violationSelect({ ...factsOf(test, assertion), ...violations, values: row }),
    );
    return [{ table, insert: `INSERT INTO ${identifier(table.name)}\n${selects.join('\nUNION ALL\n')}` }];
  });
}

function factsOf(test: ResolvedTest, { kind }: PlacedAssertion) {
  return { test: test.name, assertion: kind, severity: severityOf(test) };
}

/** Answers of queries that are not the expected ones. */
function customInserts({ test, nameOf, checks }: TestPlan, topic: string): readonly Written[] {
  return checks.flatMap((one, index) => {
    if (!('custom' in one)) return [];
    const { columns, values, from, where, expected, key } = one.custom;
    const name = nameOf(`violations_of_query_${index + 1}`, 'table');
    const table = violationTable({ name, topic, columns, changes: key !== undefined });
    const select = violationSelect({
      ...factsOf(test, one.assertion),
      column: undefined,
      expected,
      values,
      from,
      where,
      key,
    });
    return [{ table, insert: `INSERT INTO ${identifier(name)}\n${select}` }];
  });
}

/** Records that fail, as they are: once for all assertions that look at one record, and once for each that looks for others too. */
function deadLetterInserts(
  { test, target, nameOf }: TestPlan,
  found: readonly FoundViolations[],
): readonly Written[] {
  const failed = found.flatMap(({ violations }) => (violations.rows === 'records' ? violations : []));
  if (failed.length === 0) return [];
  const { copy, key, columns } = target;
  const keyColumn: readonly TableColumn[] = key === undefined ? [] : [{ name: key, type: text('VARBINARY') }];
  const values =
    copy === undefined
      ? columns.filter(isOfValue)
      : target.table.columns.filter(({ name }) => name === copy.value);
  const all = [...keyColumn, ...values];
  const [alone, others] = [
    failed.filter(({ from }) => from === target.from),
    failed.filter(({ from }) => from !== target.from),
  ];
  const names = plainValues(all).join(', ');
  const conditions = alone.map(({ where = 'TRUE' }) => where);
  const wheres = conditions.length === 1 ? conditions : [conditions.map((one) => `(${one})`).join('\n  OR ')];
  const selects = [
    ...(alone.length === 0 ? [] : [`SELECT ${names}\nFROM ${target.from}\nWHERE ${wheres[0]}`]),
    ...others.map(({ from, where }) =>
      [`SELECT ${names}`, `FROM ${from}`, ...(where === undefined ? [] : [`WHERE ${where}`])].join('\n'),
    ),
  ];
  return deadLetterTopics(test).map((topic) => {
    const table: JobTable = {
      name: nameOf('failed_records', 'table'),
      topic,
      at: 'platform',
      rows: 'append',
      format: copy === undefined ? 'json' : 'raw',
      columns: all.map(({ name, type }) => ({ name, type })),
      key: key === undefined ? [] : [key],
      ...(key === undefined ? {} : { keyApart: true as const }),
      eventTime: undefined,
      group: undefined,
    };
    return { table, insert: `INSERT INTO ${identifier(table.name)}\n${selects.join('\nUNION ALL\n')}` };
  });
}

function outputsOf(written: readonly Written[], violationsTopic: string): readonly TestOutput[] {
  const byTopic = Map.groupBy(written, ({ table }) => table.topic);
  return [...byTopic].map(([topic, list]) => ({
    topic,
    tables: list.map(({ table }) => table.name),
    holds: topic === violationsTopic ? 'violations' : 'failed-records',
  }));
}

/** Columns of which the project does not say the type, each once. */
function assumedOf({ target, checks }: TestPlan, readsTarget: boolean): Job['assumed'] {
  const own = readsTarget ? target.assumed.map(({ name, type }) => [target.node, name, type] as const) : [];
  const others = checks.flatMap((one) =>
    'custom' in one
      ? [...one.custom.read].flatMap(([node, list]) =>
          list.flatMap(({ name, type, assumed }) => (assumed ? [[node, name, type] as const] : [])),
        )
      : [],
  );
  const all = [...own, ...others].map(([node, column, type]) => ({ node, column, type: columnType(type) }));
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}
