import type { Expression } from '../sql/tree/expression.ts';
import type { SqlType } from '../types/sql-type.ts';
import type { ExpressionPlace } from './expression-use.ts';
import { resolveColumn } from './resolve-column.ts';

/** The type of an expression, whose mistakes are reported. Undefined when it cannot be told. */
export function expressionType(expression: Expression, place: ExpressionPlace): SqlType | undefined {
  return expression.kind === 'column'
    ? resolveColumn(expression, place.scope, place.context)?.column.type
    : undefined;
}
