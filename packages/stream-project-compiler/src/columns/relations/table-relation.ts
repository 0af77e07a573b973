import type { Macro, Table, TableName } from '@levada/stream-sql';
import { commonTable, type QueryPlace } from '../query-context.ts';
import type { FromScope } from '../scope/from-scope.ts';
import { functionRelation } from './function-relation.ts';
import { matchRelation } from './match-relation.ts';
import { queryRelation } from './query-relation.ts';
import type { Relation } from './relation.ts';
import { renamed } from './rename-columns.ts';
import { unnestRelation } from './unnest-relation.ts';

/** A table of FROM and its name there. `scope` has the tables before it, which LATERAL and UNNEST may read. */
export function tableRelation(
  table: Table,
  scope: FromScope,
  place: QueryPlace,
): { readonly relation: Relation; readonly alias: string | undefined } {
  const read = sourceRelation(table, scope, place);
  const { matchRecognize } = table;
  const matched =
    matchRecognize === undefined
      ? read
      : matchRelation({ input: read, name: ownName(table) }, matchRecognize, place);
  const relation = renamed(matched, table.columns, place.context);
  return { relation, alias: table.alias?.name ?? ownName(table) };
}

function ownName({ source }: Table): string | undefined {
  if (source.kind === 'macro') return source.name;
  return source.kind === 'table-name' ? source.path.at(-1)?.name : undefined;
}

function sourceRelation(table: Table, scope: FromScope, place: QueryPlace): Relation {
  const { source, lateral } = table;
  if (source.kind === 'macro' || source.kind === 'table-name') return namedTable(source, place);
  if (source.kind === 'derived-table') {
    return queryRelation(source.query, lateral ? { ...place, outer: scope } : place);
  }
  const within = { ...place, scope };
  if (source.kind === 'unnest') return unnestRelation(source, within, table.alias?.name);
  return functionRelation(source, within);
}

/** A table by its name: a common table of the query, or one of the project. */
export function namedTable(table: TableName | Macro, place: QueryPlace): Relation {
  const [name, another] = table.kind === 'macro' ? [] : table.path;
  const common =
    name === undefined || another !== undefined ? undefined : commonTable(name.name, place.common);
  return common ?? place.context.tableOf(table);
}
