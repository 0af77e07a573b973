import type { Binary, Expression } from '@levada/stream-sql';
import { castType } from './cast-type.ts';
import { collectionType, elementType, fieldOfType, rowType } from './collection-types.ts';
import {
  betweenType,
  caseType,
  inType,
  isType,
  likeType,
  logicalType,
  quantifiedType,
} from './condition-types.ts';
import { literalType } from './literal-type.ts';
import { binaryType, expectCondition, unaryType } from './operator-types.ts';
import { plain, type SqlType, withNullable } from './sql-type.ts';
import type { TypeContext, TypeWalk } from './type-context.ts';
import { callType, checkWidth } from './type-of-call.ts';
import { intervalUnit } from './type-of-data-type.ts';
import { checkConstruct } from './unknown-function.ts';

type Rule<K extends Expression['kind']> = (
  node: Extract<Expression, { readonly kind: K }>,
  walk: TypeWalk,
) => SqlType | undefined;

const UNKNOWN = (): undefined => undefined;

const RULES: { readonly [K in Expression['kind']]: Rule<K> } = {
  literal: literalType,
  interval: (node, walk) => {
    walk.typeOf(node.value);
    return { name: 'INTERVAL', unit: intervalUnit(node.qualifier.from), nullable: false };
  },
  column: (node, walk) => walk.column(node),
  star: UNKNOWN,
  parameter: UNKNOWN,
  unary: unaryType,
  logical: logicalType,
  binary: (node, walk) => {
    if (node.operator === '%') checkRemainder(node, walk);
    return binaryType(node, walk);
  },
  between: betweenType,
  in: inType,
  quantified: quantifiedType,
  like: likeType,
  is: isType,
  case: caseType,
  cast: castType,
  row: rowType,
  collection: collectionType,
  element: elementType,
  field: fieldOfType,
  subquery: ({ query, ...span }, walk) => {
    const type = walk.subquery(query);
    checkWidth(query, { wanted: 1, span, by: 'a value' }, walk);
    return withNullable(type, true);
  },
  exists: ({ query }, walk) => {
    walk.subquery(query, 'rows');
    return plain('BOOLEAN', false);
  },
  call: callType,
  macro: UNKNOWN,
  invalid: UNKNOWN,
};

/**
 * The type of an expression as the engine infers it. Undefined when it cannot be determined, as for everything made of it.
 * Reports mistakes to the context; every part of the expression is visited once.
 */
export function typeOf(expression: Expression, context: TypeContext): SqlType | undefined {
  return walkWith(context).typeOf(expression);
}

/** The type of an expression that must be a condition, as after WHERE, HAVING and ON; any other type is reported. */
export function typeOfCondition(expression: Expression, context: TypeContext): SqlType | undefined {
  const walk = walkWith(context);
  const type = walk.typeOf(expression);
  expectCondition(expression, type, walk);
  return type;
}

function walkWith(context: TypeContext): TypeWalk {
  const { leftOut, ...rows } = context;
  const walk: TypeWalk = {
    ...context,
    typeOf: (part) => typeOfPart(part, walk),
    ofRows: () => (leftOut === undefined ? walk : walkWith(rows)),
  };
  return walk;
}

function typeOfPart<K extends Expression['kind']>(part: Extract<Expression, { kind: K }>, walk: TypeWalk) {
  const rule: Rule<K> = RULES[part.kind as K];
  const type = rule(part, walk);
  return walk.leftOut?.(part) === true ? withNullable(type, true) : type;
}

/** Earlier versions take the type of the second number for that of the result. */
function checkRemainder(node: Binary, walk: TypeWalk): void {
  const [left, right] = [walk.typeOf(node.left), walk.typeOf(node.right)];
  if (left?.name !== 'DECIMAL' || right === undefined) return;
  const isSame = right.name === 'DECIMAL' && right.precision === left.precision && right.scale === left.scale;
  if (!isSame) checkConstruct('% of a DECIMAL and another number', node, walk);
}
