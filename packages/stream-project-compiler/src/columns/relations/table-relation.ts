import type { Expression, Macro, Table, TableName, Unnest } from '@levada/stream-sql';
import type { SqlType } from '../../types/sql-type.ts';
import { typeWords } from '../../types/type-context.ts';
import { commonTable, type QueryPlace } from '../query-context.ts';
import { expressionType } from '../scope/expression-type.ts';
import { type ExpressionPlace, useOf } from '../scope/expression-use.ts';
import type { FromScope } from '../scope/from-scope.ts';
import { functionRelation } from './function-relation.ts';
import { matchRelation } from './match-relation.ts';
import { through } from './merge-origins.ts';
import { queryRelation } from './query-relation.ts';
import { type Relation, type RelationColumn, relationOf } from './relation.ts';
import { renamed } from './rename-columns.ts';

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

/** The elements of arrays, maps and multisets as rows: fields of rows and entries of maps are columns. An element that is no row has the alias of the table for a name. */
function unnestRelation(
  { collections, ordinality, ...span }: Unnest,
  place: ExpressionPlace,
  alias: string | undefined,
): Relation {
  const columns: RelationColumn[] = [];
  let known = true;
  for (const collection of collections) {
    const elements = elementsOf(collection, place);
    known &&= elements !== undefined;
    columns.push(...(elements ?? []));
  }
  if (ordinality) {
    columns.push({
      name: 'ORDINALITY',
      type: { name: 'INT', nullable: false },
      time: undefined,
      origins: [],
    });
  }
  if (known) {
    return relationOf({
      columns: columns.map((column, index) =>
        column.name === '' ? { ...column, name: alias ?? `EXPR$${index}` } : column,
      ),
    });
  }
  const origins = collections.flatMap((collection) => useOf(collection, place).origins);
  const open = {
    reason: 'the type of the operand of UNNEST is not known',
    range: place.context.rangeOf(span),
    nodes: [],
    origins: through('transformation', origins),
  };
  return relationOf({ columns: [], open });
}

const COLLECTIONS: ReadonlySet<SqlType['name']> = new Set(['ARRAY', 'MAP', 'MULTISET', 'NULL']);

function elementsOf(collection: Expression, place: ExpressionPlace): readonly RelationColumn[] | undefined {
  const origins = through('transformation', useOf(collection, place).origins);
  const type = expressionType(collection, place);
  if (type !== undefined && !COLLECTIONS.has(type.name)) {
    const { start, end } = collection;
    const message = `UNNEST of ${typeWords(type)}, expected an ARRAY, a MAP or a MULTISET`;
    place.context.report({ name: 'type-mismatch', message, start, end });
  }
  const fields = fieldsOf(type);
  return fields?.map(({ name, type }) => ({ name, type, time: undefined, origins }));
}

/** Undefined when the fields cannot be determined. */
function fieldsOf(
  type: SqlType | undefined,
): readonly { readonly name: string; readonly type: SqlType | undefined }[] | undefined {
  if (type?.name === 'MAP') {
    return [
      { name: 'KEY', type: type.key },
      { name: 'VALUE', type: type.value },
    ];
  }
  if (type?.name !== 'ARRAY' && type?.name !== 'MULTISET') return undefined;
  if (type.element === undefined) return undefined;
  return type.element.name === 'ROW' ? type.element.fields : [{ name: '', type: type.element }];
}
