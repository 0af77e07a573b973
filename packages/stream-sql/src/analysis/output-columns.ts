import type { Span } from '../text/span.ts';
import type { Expression } from '../tree/expression.ts';
import type { Query, QueryBody, SelectItem } from '../tree/query.ts';

/** A column of a query's result, as far as the text alone tells. */
export interface NamedColumn extends Span {
  readonly kind: 'column';
  /** Its alias, or the last name of a column's path. Undefined where the engine makes one up. */
  readonly name: string | undefined;
  readonly expression: Expression;
}

/** Columns that only the schema tells: `*`, `t.*`. */
export interface StarColumns extends Span {
  readonly kind: 'star';
  /** The table in front of it, if one is given. */
  readonly qualifier: readonly string[];
}

export type OutputColumn = NamedColumn | StarColumns;

/** The columns that a query gives, in their order. A set operation has those of its first operand. */
export function outputColumns(query: Query): OutputColumn[] {
  let body: QueryBody | undefined = query;
  while (body?.kind === 'query' || body?.kind === 'set-operation') {
    body = body.kind === 'query' ? body.body : body.operands[0];
  }
  if (body?.kind === 'select') return body.items.map(columnOf);
  if (body?.kind === 'values') return valueColumns(body.rows[0]);
  if (body === undefined) return [];
  return [{ kind: 'star', qualifier: [], start: body.start, end: body.end }];
}

function columnOf({ expression, alias, start, end }: SelectItem): OutputColumn {
  if (expression.kind === 'star') {
    return { kind: 'star', qualifier: expression.qualifier.map(({ name }) => name), start, end };
  }
  return { kind: 'column', name: alias?.name ?? nameOf(expression), expression, start, end };
}

function nameOf(expression: Expression): string | undefined {
  return expression.kind === 'column' ? expression.path.at(-1)?.name : undefined;
}

/** `VALUES (1, 2)` gives two columns, `VALUES 1` gives one. */
function valueColumns(row: Expression | undefined): OutputColumn[] {
  const fields = row?.kind === 'row' ? row.fields : row === undefined ? [] : [row];
  return fields.map((expression) => {
    const { start, end } = expression;
    return { kind: 'column', name: undefined, expression, start, end };
  });
}
