import type { Column, Query, QueryBody, Select, SetOperation } from '@levada/stream-sql';
import { walkSql } from '@levada/stream-sql';
import type { QueryContext } from '../../columns/query-context.ts';
import type { ExpressionPlace } from '../../columns/scope/expression-use.ts';
import { columnTexts, type Demand, outputColumn, outputsOf } from './column-uses.ts';
import { nodeText, type TextFacts } from './node-text.ts';
import { selectFlow } from './select-state.ts';
import {
  allRows,
  columnForm,
  type Flow,
  type FormedColumn,
  inputForm,
  type StateContext,
  StateParts,
  type StatePlace,
  shown,
  shownInputs,
} from './state-parts.ts';
import { commonFlow } from './table-state.ts';

interface QueryFacts {
  readonly query: Query;
  readonly context: QueryContext;
  /** A literal as the file has it, where variables are part of the SQL. */
  readonly written: (span: { readonly start: number; readonly end: number }) => string;
}

/** The parts of a query, in the order in which rows pass them. What is read of topics is added by `tableFlow`. */
export function queryState(
  { query, context, written }: QueryFacts,
  tableFlow: (parts: StateParts) => StateContext['tableFlow'],
): { readonly parts: StateParts; readonly rows: Flow } {
  const selects = new Map<Select, ExpressionPlace>();
  const joins = new Map<object, Extract<QueryContext['parts'][number], { readonly kind: 'join' }>>();
  for (const part of context.parts) {
    if (part.kind === 'select') selects.set(part.select, part.place);
    else if (part.kind === 'join') joins.set(part.join, part);
  }
  const literal: TextFacts['literal'] = (node) => {
    if (!context.mayHint) return written(node);
    return node.type === 'string' ? `'${node.value}'` : node.value;
  };
  const texts = columnTexts(context.columns);
  const parts = new StateParts();
  const state: StateContext = {
    // Mistakes were reported when the query was inferred
    columns: { ...context, report: () => undefined },
    selects,
    joins,
    parts,
    text: { column: texts.text, literal, isShort: true },
    form: { column: texts.form, literal, isShort: false },
    tableFlow: tableFlow(parts),
  };
  const rows = allRows(queryFlow(query, 'all', { context: state, common: undefined, flowOf: queryFlow }));
  return { parts, rows };
}

function queryFlow(query: Query, demand: Demand, place: StatePlace): Flow {
  const tables = new Map<string, (demand: Demand) => Flow>();
  const within: StatePlace = { ...place, common: { tables, outer: place.common } };
  for (const { name, query: inner } of query.with) {
    const known = new Map<string, Flow>();
    tables.set(name.name, (asked) => {
      const key = asked === 'all' ? asked : JSON.stringify([...asked].sort(([one], [other]) => one - other));
      const flow = known.get(key) ?? queryFlow(inner, asked, within);
      known.set(key, flow);
      return flow;
    });
  }
  return sorted(query, demand, within);
}

function bodyFlow(body: QueryBody, demand: Demand, orderBy: Query['orderBy'], place: StatePlace): Flow {
  switch (body.kind) {
    case 'select':
      return selectFlow(body, { demand, orderBy }, place);
    case 'query':
      return queryFlow(body, demand, place);
    case 'values':
      return { inputs: [{ from: 'values', id: 'values' }] };
    case 'explicit-table':
      return commonFlow(body.table, demand, place) ?? place.context.tableFlow(body.table, () => [], false);
    case 'set-operation':
      return setFlow(body, demand, place);
  }
}

/** What a body gives, as far as it is known. */
function columnsOf(body: QueryBody, demand: Demand, place: StatePlace): readonly FormedColumn[] {
  if (body.kind === 'query') return columnsOf(body.body, demand, place);
  if (body.kind === 'set-operation') {
    const [first] = body.operands;
    return first === undefined ? [] : columnsOf(first, demand, place);
  }
  const { context } = place;
  const at = body.kind === 'select' ? context.selects.get(body) : undefined;
  if (body.kind !== 'select' || at === undefined) return [];
  return outputsOf(body, at).flatMap((output, index) =>
    demand === 'all' || demand.has(index) ? outputColumn(output, at, context) : [],
  );
}

function setFlow(node: SetOperation, demand: Demand, place: StatePlace): Flow {
  const { operator, quantifier, operands } = node;
  const isUnion = operator === 'UNION' && quantifier === 'ALL';
  const flows = operands.map((body) => allRows(bodyFlow(body, isUnion ? demand : 'all', [], place)));
  const rows: Flow = { inputs: flows.flatMap(({ inputs }) => inputs) };
  if (isUnion) return rows;
  const columns = operands.map((body) => columnsOf(body, 'all', place));
  return place.context.parts.add(
    operator,
    {
      kind: 'set',
      inputs: shownInputs(rows),
      operation: quantifier === 'ALL' ? `${operator} ALL` : operator,
      columns: shown(columns[0] ?? []),
      keeps: 'idle',
    },
    [operator, quantifier === 'ALL', inputForm(rows), columns.map(columnForm)],
  );
}

/** Rows in an order are kept until it is sure that none comes before them; the first of an order, or any, for as long as they are first. */
function sorted(query: Query, demand: Demand, place: StatePlace): Flow {
  const { body, orderBy, limit } = query;
  if (orderBy.length === 0 && limit === undefined) return bodyFlow(body, demand, [], place);
  const { context } = place;
  const asked = withOrder(query, demand, place);
  const rows = allRows(bodyFlow(body, asked, orderBy, place));
  const columns = columnsOf(body, asked, place);
  const bounds = [limit?.count, limit?.offset].map((one) => one && nodeText(one, context.text));
  const [count, offset] = bounds;
  const wanted =
    limit === undefined ? undefined : `${count ?? 'all'}${offset === undefined ? '' : ` after ${offset}`}`;
  return context.parts.add(
    orderBy.length === 0 ? 'LIMIT' : 'ORDER BY',
    {
      kind: 'sort',
      inputs: shownInputs(rows),
      order: orderBy.map((item) => nodeText(item, context.text)),
      ...(wanted === undefined ? {} : { rows: wanted }),
      columns: shown(columns),
      keeps: limit === undefined ? 'interval' : 'idle',
    },
    [inputForm(rows), columnForm(columns), orderBy.map((item) => nodeText(item, context.form)), bounds],
  );
}

/** Columns of the result that ORDER BY names are read, too. */
function withOrder({ body, orderBy }: Query, demand: Demand, { context }: StatePlace): Demand {
  if (demand === 'all') return demand;
  const at = body.kind === 'select' ? context.selects.get(body) : undefined;
  if (body.kind !== 'select' || at === undefined) return 'all';
  const outputs = outputsOf(body, at);
  const asked = new Map(demand);
  const read = (node: Column) => {
    const found = context.columns.columns.get(node);
    if (found === undefined || found.scope === at.scope) return;
    const index = outputs.findIndex(({ name }) => name === found.column.name);
    if (index >= 0) asked.set(index, 'kept');
  };
  for (const item of orderBy)
    walkSql(item, (node) => {
      if (node.kind === 'column') read(node);
      return undefined;
    });
  return asked;
}
