import type { Call, Expression } from '@levada/stream-sql';
import type { SqlType } from '../../types/sql-type.ts';
import type { TypeContext } from '../../types/type-context.ts';
import { typeOf, typeOfCondition } from '../../types/type-of.ts';
import type { QueryContext } from '../query-context.ts';
import { type ExpressionPlace, expressionQuery } from './expression-use.ts';
import { resolveColumn } from './resolve-column.ts';

/** The type of an expression, whose mistakes are reported. Undefined when it cannot be determined. */
export function expressionType(expression: Expression, place: ExpressionPlace): SqlType | undefined {
  return typeOf(expression, typeContext(place));
}

/** The type of an expression that must be a condition, as after WHERE and ON. */
export function conditionType(expression: Expression, place: ExpressionPlace): SqlType | undefined {
  return typeOfCondition(expression, typeContext(place));
}

function typeContext(place: ExpressionPlace): TypeContext {
  const { context, scope, select } = place;
  return {
    column: (node) => resolveColumn(node, scope, context)?.column.type,
    subquery: (query, of) => {
      const { columns, open } = expressionQuery(query, place);
      if (open !== undefined && of !== 'rows')
        context.parts.push({ kind: 'every-column', what: 'a query in place of a value', open });
      // Several columns are compared with a row of as many values
      return open === undefined && columns.length === 1 ? columns[0]?.type : undefined;
    },
    call: (node) => modelOutput(node, context),
    dialect: context.dialect,
    shown: context.shown,
    width: (query) => {
      const { columns, open } = expressionQuery(query, place);
      return open === undefined ? columns.length : undefined;
    },
    ...(select === undefined ? {} : { grouped: select.grouped, window: select.window }),
    ...(select?.leftOut === undefined ? {} : { leftOut: select.leftOut }),
    report: (mistake) => context.report(mistake),
  };
}

/** `ML_PREDICT('m', x)` gives a row of what the model declares for `m`. */
function modelOutput({ name, arguments: [first] }: Call, context: QueryContext): SqlType | undefined {
  if (name.at(-1)?.name.toUpperCase() !== 'ML_PREDICT') return undefined;
  const value = first?.value;
  if (value?.kind === 'literal') {
    return value.type === 'string' ? context.modelOutputs(value.value) : undefined;
  }
  const unquoted = value?.kind === 'column' && context.modelNames.has(value) ? value.path[0] : undefined;
  return unquoted === undefined ? undefined : context.modelOutputs(unquoted.name);
}
