import type { Query, QueryBody, SetOperation } from '@levada/stream-sql';
import { appended, type Changes, changing, isAppend, together, updated } from './changes.ts';
import {
  type ChangesContext,
  type ChangesPlace,
  namedRows,
  type QueryRows,
  requireAppend,
} from './changes-context.ts';
import { reportUnseen } from './first-rows.ts';
import { allRows } from './numbered-rows.ts';
import { outputOf } from './output-columns.ts';
import { selectRows } from './select-rows.ts';

/** How the rows of a whole query change. */
export function queryChanges(query: Query, context: ChangesContext): Changes {
  return allRows(rowsOf(query, { context, common: undefined, rowsOf }), context);
}

function rowsOf(query: Query, place: ChangesPlace): QueryRows {
  const tables = new Map<string, () => QueryRows>();
  const within: ChangesPlace = { ...place, common: { tables, outer: place.common } };
  for (const { name, query: inner } of query.with)
    tables.set(
      name.name,
      once(() => rowsOf(inner, within)),
    );
  return limited(query, bodyRows(query.body, within), place.context);
}

/** A common table that no query reads is not planned, so nothing of it is refused. */
function once(rows: () => QueryRows): () => QueryRows {
  let known: QueryRows | undefined;
  return () => {
    known ??= rows();
    return known;
  };
}

function bodyRows(body: QueryBody, place: ChangesPlace): QueryRows {
  switch (body.kind) {
    case 'select':
      return selectRows(body, place);
    case 'query':
      return rowsOf(body, place);
    case 'values':
      return { changes: appended };
    case 'explicit-table':
      return namedRows(body.table, place);
    case 'set-operation':
      return { changes: setChanges(body, place) };
  }
}

/** The first rows by anything are replaced; without LIMIT the engine takes an order of time only, which changes nothing. */
function limited({ orderBy, limit }: Query, rows: QueryRows, context: ChangesContext): QueryRows {
  const [first] = orderBy;
  if (first === undefined && limit === undefined) return rows;
  const changes = allRows(rows, context);
  if (first === undefined)
    return { changes: isAppend(changes) ? changes : { ...changes, updates: true, deletes: true } };
  const { start, end } = first;
  if (limit !== undefined) {
    for (const one of rows.errataOf?.(orderBy) ?? []) context.erratum?.(one);
    return {
      changes: changing(changes, { what: 'ORDER BY with LIMIT', start, end: limit.end }),
    };
  }
  requireAppend(changes, { operator: 'ORDER BY', start, end }, context);
  return { changes: appended };
}

function setChanges(node: SetOperation, place: ChangesPlace): Changes {
  const input = together(node.operands.map((body) => allRows(bodyRows(body, place), place.context)));
  const { operator, quantifier, operatorStart: start, operatorEnd: end } = node;
  if (operator === 'UNION' && quantifier === 'ALL') return input;
  reportUnseen(input, operator, place.context);
  const cause = { what: quantifier === undefined ? operator : `${operator} ${quantifier}`, start, end };
  const width = widthOf(node.operands[0], place);
  const keys =
    quantifier === 'ALL' || width === undefined ? [] : [Array.from({ length: width }, (_, index) => index)];
  return operator === 'EXCEPT' && (quantifier !== 'ALL' || node.operands.length > 2)
    ? changing(input, cause, keys)
    : updated(input, cause, keys);
}

/** The number of columns; undefined where it is not known. */
function widthOf(body: QueryBody | undefined, place: ChangesPlace): number | undefined {
  if (body?.kind === 'query') return widthOf(body.body, place);
  if (body?.kind === 'set-operation') return widthOf(body.operands[0], place);
  return body?.kind === 'select' ? outputOf(body, place.context)?.length : undefined;
}
