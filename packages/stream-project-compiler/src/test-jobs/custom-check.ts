import { formatPath, parsePath } from '@levada/stream-project-schema';
import { type Macro, type Query, queryKind } from '@levada/stream-sql';
import { isAppend } from '../changelog/changes.ts';
import type { RelationColumn } from '../columns/relations/relation.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import type { FoundErratum } from '../errata/found-errata.ts';
import { changesOf, errataFindings, errataRewrites, type FoundInChanges } from '../infer/model-changes.ts';
import type { JobTable } from '../jobs/create-table.ts';
import { createJobNames, inputTables, readTables } from '../jobs/input-tables.ts';
import { queryTables } from '../jobs/macro-uses.ts';
import { topicsOf } from '../jobs/model-job.ts';
import { typeRefusal } from '../jobs/output-columns.ts';
import { type ReadResult, readColumns } from '../jobs/read-columns.ts';
import { isRefusal, openRefusal, type Refusal } from '../jobs/refusal.ts';
import { queryText } from '../jobs/text/query-text.ts';
import { identifier, identifiers, literal } from '../jobs/text/sql-words.ts';
import type { TableColumn } from '../jobs/topic-table.ts';
import type { ModelSql } from '../resolve/model-sql.ts';
import type { NodeId } from '../resolve/node-id.ts';
import { isReplaced } from '../resolve/place-in-file.ts';
import type { EngineDialect } from '../types/functions/engine-dialect.ts';
import { type SqlType, text } from '../types/sql-type.ts';
import { familyOf } from '../types/type-families.ts';
import type { PlacedAssertion } from './assertion.ts';
import type { CheckContext } from './check.ts';
import { type CustomSql, isModelUnderTest, readCustomSql } from './custom-sql.ts';
import { jsonArray, shownValue, typedLiteral } from './literals.ts';
import { shownColumn, shownSql } from './violation-tables.ts';

/** The query of a `custom_sql` as part of a job. */
export interface CustomCheck {
  readonly tables: readonly (readonly [NodeId, JobTable])[];
  readonly views: readonly string[];
  /** Columns of its rows, and their values as SQL, as violations show them. */
  readonly columns: readonly TableColumn[];
  readonly values: readonly string[];
  /** After FROM. */
  readonly from: string;
  readonly where: string | undefined;
  readonly expected: string;
  /** What distinguishes the rows, as SQL, where they are replaced or withdrawn later; undefined where they are only appended. */
  readonly key: string | undefined;
  readonly read: ReadResult['columns'];
  /** Defects of the engine in its query. */
  readonly findings: readonly Diagnostic[];
}

interface CustomFacts extends CheckContext {
  /** Columns of a node that violations do not show. */
  readonly hidden: (node: NodeId) => ReadonlySet<string>;
  readonly dialect: EngineDialect;
  /** Position of the assertion in its test, from 1. */
  readonly number: number;
}

/** Makes the query of a `custom_sql` part of a job, or says why it cannot run all the time. */
export function customCheck(assertion: PlacedAssertion, facts: CustomFacts): CustomCheck | Refusal {
  const { target, nameOf, group, facts: job, dialect, hidden } = facts;
  const found = readCustomSql(assertion);
  const sql = found === undefined ? undefined : asModelSql(found, target.node);
  const query = sql?.parsed.query;
  if (sql === undefined || query === undefined) return { refused: 'its query cannot be read' };
  const { uses } = queryTables(query);
  const topics = topicsOf(uses, job);
  if (isRefusal(topics)) return topics;
  const { definition, name } = assertion.test;
  const read = readColumns({ name, definition }, sql, { dialect, topics, assumed: job.assumed });
  const { relation, inferred, refusal } = read;
  if (refusal !== undefined) return refusal;
  if (inferred === undefined || relation.open !== undefined) {
    return relation.open === undefined ? { refused: 'its query cannot be read' } : openRefusal(relation.open);
  }
  const columns = knownColumns(relation.columns);
  if (isRefusal(columns)) return columns;
  const answer = answerOf(assertion, columns);
  if (isRefusal(answer)) return answer;
  const isHidden = relation.columns.map(({ origins }) =>
    origins.some(({ node, column, through }) => through !== 'aggregation' && hidden(node).has(column)),
  );
  const key = keyOf(columns, { isHidden, inferred, assertion, facts });
  if (isRefusal(key)) return key;
  const given = { ...createJobNames([], `${group}.queries`), nameOf };
  const inputs = inputTables(
    { uses, topics, within: new Set(), tables: readTables(topics, read, undefined) },
    given,
  );
  if (isRefusal(inputs)) return inputs;
  const written = queryText(sql, [...inputs.replacements, ...errataRewrites(key.errata)]);
  if (written === undefined) return { refused: 'the value of a variable in its query has a macro' };
  const names = identifiers(columns.map((column) => column.name));
  return {
    tables: [...inputs.tables],
    views: inputs.views,
    columns: columns.map((column, index) => shownColumn(column, isHidden[index] === true)),
    values: columns.map((column, index) => shownSql(column, isHidden[index] === true)),
    from: `(\n${written.text.trimEnd()}\n) AS \`answer\` (${names})`,
    ...answer,
    key: key.sql,
    read: read.columns,
    findings: errataFindings(key.errata, { ...inferred.place, path: sqlPath(assertion) }),
  };
}

function sqlPath({ test, path }: PlacedAssertion): string {
  return formatPath([...parsePath(test.definition.path), ...path, 'sql']);
}

/** The query with `{{ model }}` as the macro of what is under test. */
function asModelSql(sql: CustomSql, target: NodeId): ModelSql | undefined {
  const { query, diagnostics } = sql.parsed;
  if (query === undefined || diagnostics.length > 0) return undefined;
  const named = withMacro(query, target) as Query;
  return { ...sql, parsed: { ...sql.parsed, query: named }, kind: queryKind(named), plainTables: [] };
}

/** A copy of a part of a query, in which tables that are the one under test are macros. The depth of queries is bounded. */
function withMacro(part: unknown, target: NodeId): unknown {
  if (Array.isArray(part)) return part.map((one) => withMacro(one, target));
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part);
  const { kind, path, start, end } = part as Partial<Record<string, unknown>>;
  const [table] = kind === 'table-name' ? (path as readonly { readonly name: string }[]) : [];
  if (table === undefined || !isModelUnderTest(table.name)) {
    return Object.fromEntries(entries.map(([key, value]) => [key, withMacro(value, target)]));
  }
  const span = { start: Number(start), end: Number(end) };
  const macro: Macro = {
    kind: 'macro',
    macro: target.startsWith('model:') ? 'ref' : 'source',
    name: target.slice(target.indexOf(':') + 1),
    nameStart: span.start,
    nameEnd: span.end,
    ...span,
  };
  return macro;
}

function knownColumns(columns: readonly RelationColumn[]): readonly TableColumn[] | Refusal {
  const found: TableColumn[] = [];
  for (const { name, written, type } of columns) {
    if (type === undefined || type.name === 'NULL' || type.name === 'INTERVAL') {
      return typeRefusal(quote(written ?? name), type);
    }
    found.push({ name, type });
  }
  return found;
}

/** The condition of an answer that is not the expected one: without one, that there is a row. */
function answerOf(
  { node, test }: PlacedAssertion,
  columns: readonly TableColumn[],
): Pick<CustomCheck, 'where' | 'expected'> | Refusal {
  const expected = node.entries.get('expect')?.node;
  if (expected === undefined) return { where: undefined, expected: 'no row' };
  const [column, another] = columns;
  if (expected.kind !== 'leaf')
    return { refused: '"expect" is not one value', hint: 'write one value, or none' };
  if (column === undefined || another !== undefined) {
    return { refused: `"expect" is one value, and the query gives ${columns.length} columns` };
  }
  const name = identifier(column.name);
  if (expected.value === null && !isReplaced(expected))
    return { where: `${name} IS NOT NULL`, expected: 'null' };
  const value = typedLiteral(expected, column.type, test.definition.file);
  if (value === undefined)
    return { refused: '"expect" cannot be compared with the column that the query gives' };
  return { where: `${name} IS DISTINCT FROM ${value}`, expected: shownValue(expected) };
}

/** Names the row that a later one replaces. */
function keyOf(
  columns: readonly TableColumn[],
  {
    isHidden,
    inferred,
    assertion,
    facts: { facts, number },
  }: {
    readonly isHidden: readonly boolean[];
    readonly inferred: NonNullable<ReadResult['inferred']>;
    readonly assertion: PlacedAssertion;
    readonly facts: CustomFacts;
  },
): { readonly sql: string | undefined; readonly errata: readonly FoundErratum[] } | Refusal {
  const found: FoundInChanges = { refusals: [], varying: [], errata: [] };
  const inferenceOf = (id: NodeId) => facts.project.nodes.get(id);
  const changes = changesOf(inferred, { inferenceOf, job: undefined }, found);
  const { errata } = found;
  const [refusal] = found.refusals;
  if (refusal !== undefined && 'name' in refusal) return { refused: refusal.message };
  if (refusal !== undefined) return { refused: `${refusal.operator} takes rows that are only appended` };
  if (isAppend(changes)) return { sql: undefined, errata };
  const [key] = changes.keys.toSorted((one, other) => one.length - other.length);
  if (key === undefined) {
    return {
      refused: `its rows change (${changes.cause?.what ?? 'they are updated'}) and have no key by which an earlier one is found`,
      hint: 'use GROUP BY, or a query whose rows are only appended',
    };
  }
  const parts = key.flatMap((position) => {
    const column = columns[position];
    return column === undefined ? [] : [{ ...column, hides: isHidden[position] === true }];
  });
  const odd = parts.find(({ type }) => !isKeyType(type));
  if (odd !== undefined)
    return { refused: `its rows change, and their key ${quote(odd.name)} is not one value` };
  const id = literal(`${assertion.test.name}/${number}`);
  const values = parts.map(({ name, type, hides }) => {
    const sql = identifier(name);
    return hides ? { sql: `SHA256(CAST(${sql} AS STRING))`, type: text('VARCHAR') } : { sql, type };
  });
  return { sql: parts.length === 0 ? id : `${id} || ${jsonArray(values)}`, errata };
}

const keyFamilies: ReadonlySet<string> = new Set(['text', 'number', 'boolean', 'date', 'time', 'timestamp']);

function isKeyType(type: SqlType): boolean {
  return keyFamilies.has(familyOf(type));
}
