import type { Call } from '../sql/tree/call.ts';
import type { Expression } from '../sql/tree/expression.ts';
import type { SqlType } from '../types/sql-type.ts';
import { typeOf } from '../types/type-of.ts';
import { type ExpressionPlace, expressionQuery } from './expression-use.ts';
import type { QueryContext } from './query-context.ts';
import { resolveColumn } from './resolve-column.ts';

/** The type of an expression, whose mistakes are reported. Undefined when it cannot be told. */
export function expressionType(expression: Expression, place: ExpressionPlace): SqlType | undefined {
  const { context, scope } = place;
  return typeOf(expression, {
    column: (node) => resolveColumn(node, scope, context)?.column.type,
    subquery: (query) => {
      const { columns, open } = expressionQuery(query, place);
      // Several columns are compared with a row of as many values
      return open === undefined && columns.length === 1 ? columns[0]?.type : undefined;
    },
    call: (node) => modelOutput(node, context),
    shown: context.shown,
    report: (mistake) => context.report(mistake),
  });
}

/** `ML_PREDICT('m', x)` gives a row of what the model declares for `m`. */
function modelOutput({ name, arguments: [first] }: Call, context: QueryContext): SqlType | undefined {
  if (name.at(-1)?.name.toUpperCase() !== 'ML_PREDICT') return undefined;
  const value = first?.value;
  return value?.kind === 'literal' && value.type === 'string' ? context.modelOutputs(value.value) : undefined;
}
