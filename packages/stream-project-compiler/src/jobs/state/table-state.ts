import { type Call, type Table, type TableArgument, walkSql } from '@levada/stream-sql';
import { isWindow } from '../../changelog/from-rows.ts';
import type { RelationColumn } from '../../columns/relations/relation.ts';
import { type Demand, expressionColumn, typeOfColumn } from './column-uses.ts';
import type { FromFacts } from './join-state.ts';
import { nodeText } from './node-text.ts';
import {
  allRows,
  columnForm,
  type Flow,
  type FormedColumn,
  inputForm,
  type StatePlace,
  shown,
  shownInputs,
} from './state-parts.ts';
import { windowFacts } from './window-state.ts';

/** The rows of one table of a FROM, after its MATCH_RECOGNIZE. */
export function tableFlow(table: Table, at: number, facts: FromFacts): Flow {
  const { matchRecognize } = table;
  if (matchRecognize === undefined) return sourceFlow(table, at, facts);
  const { context } = facts.place;
  const rows = allRows(sourceFlow(table, at, facts));
  const columns = matchColumns(table, facts);
  const keys = matchRecognize.partitionBy.map((part) => expressionColumn(part, facts.at, context));
  const { start: _, end: __, ...match } = matchRecognize;
  return context.parts.add(
    'pattern',
    {
      kind: 'match',
      inputs: shownInputs(rows),
      keys: shown(keys),
      order: matchRecognize.orderBy.map((item) => nodeText(item, context.text)),
      pattern: nodeText({ ...matchRecognize, measures: [], orderBy: [], partitionBy: [] }, context.text),
      columns: shown(columns),
      keeps: matchRecognize.within === undefined ? 'forever' : 'interval',
    },
    [inputForm(rows), columnForm(columns), nodeText({ ...match, start: 0, end: 0 }, context.form)],
  );
}

/** The columns of its rows that a pattern reads. */
function matchColumns({ matchRecognize }: Table, { place: { context } }: FromFacts): readonly FormedColumn[] {
  const found = new Map<string, FormedColumn>();
  if (matchRecognize === undefined) return [];
  walkSql(matchRecognize, (node) => {
    const column = node.kind === 'column' ? context.columns.columns.get(node)?.column : undefined;
    if (node.kind !== 'column' || column === undefined) return undefined;
    const [first, second] = node.path;
    const name = second?.name ?? first?.name ?? '';
    found.set(name, { name, form: name, type: typeOfColumn(column) });
    return undefined;
  });
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function sourceFlow({ source, asOf }: Table, at: number, facts: FromFacts): Flow {
  const { place, uses } = facts;
  const columns = facts.at.scope.tables[at]?.relation.columns ?? [];
  switch (source.kind) {
    case 'macro':
    case 'table-name':
      return namedFlow(source, { columns, at, asOf: asOf !== undefined }, facts);
    case 'derived-table':
      return place.flowOf(source.query, uses.demandAt(at, columns), place);
    case 'unnest':
      return { inputs: [{ from: 'UNNEST', id: nodeText(source, place.context.form) }] };
    case 'table-function':
      return isWindow({ source })
        ? windowFlow(source.call, { columns, at }, facts)
        : functionFlow(source.call, facts);
  }
}

interface TablePlace {
  readonly columns: readonly RelationColumn[];
  readonly at: number;
  readonly asOf?: boolean;
}

function namedFlow(
  table: Parameters<StatePlace['context']['tableFlow']>[0],
  { columns, at, asOf = false }: TablePlace,
  { place, uses }: FromFacts,
): Flow {
  const common = table.kind === 'macro' ? undefined : commonFlow(table, uses.demandAt(at, columns), place);
  return common ?? place.context.tableFlow(table, () => uses.between(at, at + 1, 0), asOf);
}

/** The rows of a common table; undefined for a table of the project. */
export function commonFlow(
  table: Parameters<StatePlace['context']['tableFlow']>[0],
  demand: Demand,
  { common }: StatePlace,
): Flow | undefined {
  const [name, another] = table.kind === 'macro' ? [] : table.path;
  if (name === undefined || another !== undefined) return undefined;
  for (let level = common; level !== undefined; level = level.outer) {
    const found = level.tables.get(name.name);
    if (found !== undefined) return found(demand);
  }
  return undefined;
}

function windowFlow(call: Call, table: TablePlace, facts: FromFacts): Flow {
  const { place } = facts;
  const read = argumentOf(call);
  const rows = read === undefined ? { inputs: [] } : argumentFlow(read, call, table, facts);
  const parts = (read?.partitionBy ?? []).map((part) => expressionColumn(part, facts.at, place.context));
  return { ...allRows(rows), window: windowFacts(call, parts, place.context) };
}

function argumentOf(call: Call): TableArgument | undefined {
  for (const { value } of call.arguments) {
    if (value.kind === 'table-argument') return value;
    const query = value.kind === 'subquery' ? value.query : value.kind === 'query' ? value : undefined;
    if (query !== undefined)
      return {
        kind: 'table-argument',
        table: query,
        partitionBy: [],
        orderBy: [],
        start: query.start,
        end: query.end,
      };
  }
  return undefined;
}

/** Windows add columns after those of their table, and read its time. */
function argumentFlow(
  { table, partitionBy }: TableArgument,
  call: Call,
  at: TablePlace,
  facts: FromFacts,
): Flow {
  const { place, uses } = facts;
  const demand = new Map(uses.demandAt(at.at, at.columns));
  for (const node of [call, ...partitionBy])
    walkSql(node, (one) => {
      if (one.kind === 'query') return 'skip';
      const column = one.kind === 'column' ? place.context.columns.columns.get(one)?.column : undefined;
      const index = column === undefined ? -1 : at.columns.findIndex(({ name }) => name === column.name);
      if (index >= 0) demand.set(index, 'kept');
      return undefined;
    });
  if (table.kind === 'query') return place.flowOf(table, demand, place);
  const columns = at.columns.flatMap((column, index): readonly FormedColumn[] =>
    demand.has(index) && column.edge === undefined
      ? [{ name: column.name, form: column.name, type: typeOfColumn(column) }]
      : [],
  );
  return commonFlow(table, demand, place) ?? place.context.tableFlow(table, () => columns, false);
}

/** A function of which only the engine knows what it keeps. Predictions of models keep nothing. */
function functionFlow(call: Call, facts: FromFacts): Flow {
  const { place } = facts;
  const { context } = place;
  const read = argumentOf(call);
  const input =
    read === undefined
      ? { inputs: [] }
      : read.table.kind === 'query'
        ? place.flowOf(read.table, 'all', place)
        : (commonFlow(read.table, 'all', place) ?? context.tableFlow(read.table, () => [], false));
  const rows = allRows(input);
  if (/^ML_/i.test(call.name.at(-1)?.name ?? '')) return rows;
  const keys = (read?.partitionBy ?? []).map((part) => expressionColumn(part, facts.at, context));
  return context.parts.add(
    'function',
    {
      kind: 'function',
      inputs: shownInputs(rows),
      call: nodeText(call, context.text),
      keys: shown(keys),
      keeps: 'forever',
    },
    [inputForm(rows), nodeText(call, context.form)],
  );
}
