import {
  type Call,
  type Expression,
  functionKind,
  type Query,
  type SqlNode,
  walkSql,
} from '@levada/stream-sql';
import { expressionType } from '../../columns/scope/expression-type.ts';
import type { ExpressionPlace } from '../../columns/scope/expression-use.ts';
import { type Output, typeText } from './column-uses.ts';
import { nodeText } from './node-text.ts';
import type { StateAggregate } from './state-part.ts';
import type { StateContext } from './state-parts.ts';

/** Parts of the expressions after the groups. */
export interface FoundParts {
  readonly aggregates: readonly Call[];
  readonly overs: readonly Call[];
  /** Queries in place of values, each with the expression that it is in. */
  readonly queries: readonly (readonly [expression: Expression, query: Query])[];
}

/** Looks at each expression once. */
export function findParts(outputs: readonly Output[], others: readonly SqlNode[]): FoundParts {
  const aggregates: Call[] = [];
  const overs: Call[] = [];
  const queries: (readonly [Expression, Query])[] = [];
  const look = (root: SqlNode, expression: Expression | undefined) =>
    walkSql(root, (node) => {
      if (node.kind === 'query') {
        if (expression !== undefined) queries.push([expression, node]);
        return 'skip';
      }
      if (node.kind === 'call' && node.over !== undefined) overs.push(node);
      else if (node.kind === 'call' && isAggregate(node)) aggregates.push(node);
      return undefined;
    });
  for (const { expression } of outputs)
    if (expression !== undefined && expression.kind !== 'column') look(expression, expression);
  for (const node of others) look(node, undefined);
  return { aggregates, overs, queries };
}

/** Functions of the user's own are aggregates where they are written as such. */
function isAggregate({ name, quantifier, filter, orderBy, withinDistinct }: Call): boolean {
  const isWritten =
    quantifier !== undefined || filter !== undefined || orderBy.length > 0 || withinDistinct.length > 0;
  return isWritten || functionKind(name.at(-1)?.name ?? '') === 'aggregate';
}

/** Calls as files have them, each once, and what of them decides about their part. */
export function aggregates(calls: readonly Call[], at: ExpressionPlace, context: StateContext) {
  const found = new Map<string, StateAggregate>();
  const silent = { ...at, context: context.columns };
  for (const call of calls) {
    const form = nodeText(call, context.form);
    if (found.has(form)) continue;
    const types = call.arguments.flatMap(({ value }) =>
      value.kind === 'star' || isNoValue(value) ? [] : typeText(expressionType(value, silent)),
    );
    found.set(form, {
      call: nodeText(call, context.text),
      arguments: types,
      type: typeText(expressionType(call, silent)),
    });
  }
  const form = [...found].map(([text, { arguments: types, type }]) => [text, types, type]);
  return { shown: [...found.values()], form };
}

type ArgumentValue = Call['arguments'][number]['value'];

function isNoValue(
  value: ArgumentValue,
): value is Exclude<ArgumentValue, Expression> | Extract<ArgumentValue, { readonly kind: 'query' }> {
  return ['time-unit', 'table-argument', 'model-argument', 'default', 'query'].includes(value.kind);
}
