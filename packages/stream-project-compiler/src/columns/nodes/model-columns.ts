import type { Macro, Query, TableName } from '@levada/stream-sql';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { textAt } from '../../parse/known-value.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { ModelSql } from '../../resolve/model-sql.ts';
import { type NodeId, nodeId } from '../../resolve/node-id.ts';
import { isReplaced } from '../../resolve/place-in-file.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { rangeAt } from '../../text/source-file.ts';
import type { EngineDialect } from '../../types/functions/engine-dialect.ts';
import type { RowField, SqlType } from '../../types/sql-type.ts';
import { declaredType } from '../../types/type-of-data-type.ts';
import { checkConstruct } from '../../types/unknown-function.ts';
import { checkOutput } from '../checks/check-output.ts';
import { checkQuery } from '../checks/check-query.ts';
import { createQueryContext, diagnoseMistake, type MistakePlace } from '../create-query-context.ts';
import type { ColumnMistake, QueryContext } from '../query-context.ts';
import { queryRelation } from '../relations/query-relation.ts';
import { type Relation, relationOf } from '../relations/relation.ts';
import { uniqueNames } from '../relations/rename-columns.ts';
import { type NodeColumn, type NodeColumns, nodeColumns } from './node-columns.ts';

/** The columns that a query gives, and what is wrong with the columns that it names. */
export interface QueryColumns {
  readonly relation: Relation;
  readonly diagnostics: readonly Diagnostic[];
  /** The query with everything that was found of it; undefined where it cannot be read. */
  readonly inferred?: InferredQuery;
}

/** A query whose columns are resolved. */
export interface InferredQuery {
  readonly query: Query;
  readonly context: QueryContext;
  /** Where mistakes in it are written. */
  readonly place: MistakePlace;
}

/** The node of a name as queries see it; undefined where there is none, or none yet. */
type RelationOfNode = (id: NodeId) => Relation | undefined;

interface SqlFacts {
  readonly relationOfNode: RelationOfNode;
  readonly dialect: EngineDialect;
}

/** The definition that has a query. */
export interface QueryOwner {
  readonly name: string;
  readonly definition: Pick<Definition, 'node' | 'path' | 'object'>;
}

/** The columns of a model by its SQL. Mistakes in columns are reported where the SQL is right otherwise. */
export function sqlColumns(
  model: QueryOwner,
  sql: ModelSql,
  { relationOfNode, dialect }: SqlFacts,
): QueryColumns {
  const { query, diagnostics: broken } = sql.parsed;
  if (query === undefined) return { relation: unreadable(model, sql), diagnostics: [] };
  const mistakes: ColumnMistake[] = [];
  const outputs = modelOutputs(model.definition);
  const { path, object } = model.definition;
  const place = { rangeOf: sql.rangeOf, path: `${path}.sql`, object };
  const context = createQueryContext({
    sql,
    query,
    owner: place,
    dialect,
    tableOf: (table) => tableOf(table, sql, relationOfNode),
    report: (mistake) => mistakes.push(mistake),
    modelOutputs: (name) => outputs.get(name),
  });
  const result = queryRelation(query, { context, common: undefined, outer: undefined });
  const relation = relationOf({ ...result, columns: uniqueNames(result.columns) });
  if (broken.length > 0) {
    return { relation: relationOf({ ...relation, open: unreadable(model, sql).open }), diagnostics: [] };
  }
  checkQuery(query, result, context);
  for (const name of sql.parsed.earlierReserved) {
    checkConstruct('the name MODEL without backticks', name, context, 'write it in backticks');
  }
  const readsTable = sql.kind?.readsTable !== false;
  if (readsTable) checkOutput(result, context);
  const found = readsTable ? mistakes : mistakes.filter(({ name }) => !aboutTables.has(name));
  return {
    relation,
    diagnostics: found.map((mistake) => diagnoseMistake(mistake, place)),
    inferred: { query, context, place },
  };
}

/** That a query without FROM has none of the columns that it names was reported with its lack of FROM. */
const aboutTables: ReadonlySet<ColumnMistake['name']> = new Set(['unknown-column', 'unknown-table-alias']);

function unreadable({ name }: QueryOwner, sql: ModelSql): Relation {
  const reason = `the SQL of model "${name}" has mistakes`;
  const place = sql.parsed.diagnostics[0] ?? { start: 0, end: sql.text.length };
  return relationOf({ columns: [], open: { reason, range: () => sql.rangeOf(place), nodes: [] } });
}

function tableOf(table: TableName | Macro, sql: ModelSql, relationOfNode: RelationOfNode): Relation {
  if (table.kind === 'macro') {
    const known = relationOfNode(nodeId(table.macro === 'ref' ? 'model' : 'source', table.name));
    if (known !== undefined) return known;
  }
  const span = table.kind === 'macro' ? { start: table.nameStart, end: table.nameEnd } : table;
  const name = quote(isReplaced(sql.leaf) ? sql.writtenAt(span) : sql.text.slice(span.start, span.end));
  const reason =
    table.kind === 'macro'
      ? `the columns of ${name} are not known`
      : `the table ${name} is not part of the project`;
  return relationOf({ columns: [], open: { reason, range: () => sql.rangeOf(span), nodes: [] } });
}

/** A query's result as columns of the model. */
export function columnsOfRelation({ definition, sql }: ResolvedModel, relation: Relation): NodeColumns {
  const { file, head } = definition;
  const columns = relation.columns.map(
    ({ name, written, type, time, lost, nulls, origins, span }): NodeColumn => ({
      name,
      ...(written === undefined ? {} : { written }),
      type,
      time: time === 'uncertain' ? undefined : time,
      ...(lost === undefined ? {} : { lost }),
      ...(nulls === undefined ? {} : { nulls }),
      origins,
      range: () => (span === undefined || sql === undefined ? rangeAt(file, head) : sql.rangeOf(span)),
    }),
  );
  const { open, influences } = relation;
  const incomplete = open === undefined ? {} : { incomplete: { reason: open.reason, range: open.range() } };
  return nodeColumns({ columns, influences, ...incomplete });
}

/** What a model declares in `ml_outputs`: rows, by name of the machine-learning model. */
function modelOutputs({ node }: QueryOwner['definition']): ReadonlyMap<string, SqlType> {
  const outputs = node.entries.get('ml_outputs')?.node;
  if (outputs?.kind !== 'object') return new Map();
  return new Map(
    [...outputs.entries].flatMap(([name, { node: output }]): [string, SqlType][] => {
      const list = placeOf(output, 'columns').node;
      if (list?.kind !== 'list') return [];
      const fields = list.items.flatMap((item): RowField[] => {
        const field = textAt(item, 'name');
        const type = textAt(item, 'type');
        return field === undefined ? [] : [{ name: field.value, type: type && declaredType(type.value) }];
      });
      return fields.length === list.items.length ? [[name, { name: 'ROW', fields, nullable: true }]] : [];
    }),
  );
}
