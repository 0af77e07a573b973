import type { Span } from '../text/span.ts';
import type { Expression } from '../tree/expression.ts';
import type { Query, QueryBody, SelectItem } from '../tree/query.ts';

/** A column of a query's result, as far as it can be determined without a schema. */
export interface NamedColumn extends Span {
  readonly kind: 'column';
  /** Its alias, or the last name of a column's path. Undefined if the engine generates one. */
  readonly name: string | undefined;
  readonly expression: Expression;
}

/** `*` or `t.*`: the schema determines the columns. */
export interface StarColumns extends Span {
  readonly kind: 'star';
  /** The table before the star, if given. */
  readonly qualifier: readonly string[];
}

export type OutputColumn = NamedColumn | StarColumns;

/** Result columns of a query, in order. A set operation has those of its first operand. */
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
