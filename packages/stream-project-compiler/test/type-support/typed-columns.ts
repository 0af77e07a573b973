import { type Column, type Expression, parseSql, type Query } from '@levada/stream-sql';
import { fieldType } from '../../src/types/collection-types.ts';
import type { SqlType } from '../../src/types/sql-type.ts';
import type { TypeContext, TypeMistake } from '../../src/types/type-context.ts';
import { typeOf } from '../../src/types/type-of.ts';
import { declaredType } from '../../src/types/type-of-data-type.ts';

/** Columns by name. */
export type TypedColumns = ReadonlyMap<string, SqlType | undefined>;

/** What an expression over columns is. */
export interface TypedExpression {
  readonly type: SqlType | undefined;
  readonly mistakes: readonly TypeMistake[];
  /** Whether the grammar has it. */
  readonly readable: boolean;
}

/** Reads `a INT, b ROW<c INT, d STRING> NOT NULL`. */
export function typedColumns(text: string): TypedColumns {
  const row = declaredType(`ROW<${text.replace(/\b([a-z]\w*) (?=[A-Z])/g, '`$1` ')}>`);
  if (row?.name !== 'ROW') throw new Error(`no columns: ${text}`);
  return new Map(row.fields.map(({ name, type }) => [name, type]));
}

/** The type of an expression of a query over `t`. */
export function typeExpression(expression: string, columns: TypedColumns): TypedExpression {
  const { query, diagnostics } = parseSql(`SELECT ${expression} AS x FROM t`);
  const mistakes: TypeMistake[] = [];
  const context: TypeContext = {
    column: (node) => columnType(node, columns),
    subquery: (inner) => typeOf(firstItem(inner), context),
    report: (mistake) => mistakes.push(mistake),
  };
  const type = query === undefined ? undefined : typeOf(firstItem(query), context);
  return { type, mistakes, readable: diagnostics.length === 0 };
}

function columnType({ path }: Column, columns: TypedColumns): SqlType | undefined {
  const [first, ...fields] = path.map(({ name }) => name).filter((name, at) => at > 0 || name !== 't');
  return fields.reduce(fieldType, columns.get(first ?? ''));
}

function firstItem({ body }: Query): Expression {
  const item = body.kind === 'select' ? body.items[0] : undefined;
  if (item === undefined) throw new Error('no column');
  return item.expression;
}
