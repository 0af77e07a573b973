import type { Argument, TableArgument } from '../tree/call.ts';
import type { Identifier, Macro, TableName } from '../tree/names.ts';
import type { Query } from '../tree/query.ts';
import { parseList, parseParenthesized } from './lists.ts';
import { parseExpression } from './parse-expression.ts';
import { atName, parseName, parseTableName } from './parse-names.ts';
import { parseOrderItem, takeBy } from './parse-order.ts';
import { parseQueryOrExpression } from './parse-query.ts';
import type { TokenCursor } from './token-cursor.ts';

/** An argument that is nothing but its value. */
export function plainArgument(value: Argument['value']): Argument {
  const { start, end } = value;
  return { kind: 'argument', name: undefined, keyword: undefined, value, start, end };
}

/** Parses `a`, `name => a`, `TABLE t`, `MODEL m`, `DEFAULT` or a query. */
export function parseArgument(cursor: TokenCursor): Argument {
  const { start } = cursor.token;
  const name = argumentName(cursor);
  const value = parseValue(cursor);
  return { kind: 'argument', name, keyword: undefined, value, start, end: Math.max(start, cursor.lastEnd) };
}

function argumentName(cursor: TokenCursor): Identifier | undefined {
  const { kind } = cursor.token;
  if ((kind !== 'word' && kind !== 'quoted') || !cursor.atSymbol('=>', 1)) return undefined;
  const name = parseName(cursor);
  cursor.takeSymbol('=>');
  return name;
}

function parseValue(cursor: TokenCursor): Argument['value'] {
  const { start } = cursor.token;
  if (cursor.takeWords('DEFAULT')) return { kind: 'default', start, end: cursor.lastEnd };
  if (cursor.atWords('MODEL') && (atName(cursor, 1) || cursor.peek(1).kind === 'macro')) {
    cursor.advance();
    return { kind: 'model-argument', model: parseTableName(cursor), start, end: cursor.lastEnd };
  }
  if (cursor.takeWords('TABLE')) return tableArgument(cursor, start, parseTableName(cursor));
  if (cursor.token.kind === 'macro') return bareMacro(cursor);
  const value = parseQueryOrExpression(cursor);
  if (value.kind === 'query') return tableArgument(cursor, start, value);
  if (value.kind === 'subquery' && cursor.atWords('PARTITION'))
    return tableArgument(cursor, start, value.query);
  return value;
}

/** `TUMBLE({{ ref("x") }}, …)` lacks `TABLE`; there is no doubt what was meant. */
function bareMacro(cursor: TokenCursor): TableArgument {
  const { start, end } = cursor.token;
  cursor.warnOf({
    code: 'sql-syntax',
    message: 'unexpected macro as an argument, TABLE was expected before it',
    hint: 'write TABLE before the macro',
    start,
    end,
  });
  return tableArgument(cursor, start, parseTableName(cursor));
}

function tableArgument(cursor: TokenCursor, start: number, table: TableName | Macro | Query): TableArgument {
  const partitionBy = takeBy(cursor, 'PARTITION') ? oneOrList(cursor, () => parseExpression(cursor)) : [];
  const orderBy = takeBy(cursor, 'ORDER') ? oneOrList(cursor, () => parseOrderItem(cursor)) : [];
  return { kind: 'table-argument', table, partitionBy, orderBy, start, end: cursor.lastEnd };
}

/** A comma ends the argument, so that several columns need parentheses: `PARTITION BY (a, b)`. */
function oneOrList<T>(cursor: TokenCursor, parseItem: () => T): T[] {
  if (!cursor.atSymbol('(')) return [parseItem()];
  return parseParenthesized(cursor, () => parseList(cursor, parseItem)) ?? [];
}
