import type {
  Between,
  Case,
  Expression,
  In,
  Is,
  Like,
  Logical,
  Quantified,
  Query,
  Span,
} from '@levada/stream-sql';
import { commonType } from './common-type.ts';
import { checkComparison, comparable, orderable } from './comparable.ts';
import { anyNullable, expectCondition } from './operator-types.ts';
import { plain, type SqlType, withNullable } from './sql-type.ts';
import { reportMismatch, type TypeWalk, typeWords } from './type-context.ts';
import { isText } from './type-families.ts';
import { checkWidth } from './type-of-call.ts';

/** `a AND b` */
export function logicalType({ operands }: Logical, walk: TypeWalk): SqlType {
  const types = operands.map((operand) => {
    const type = walk.typeOf(operand);
    expectCondition(operand, type, walk);
    return type;
  });
  return plain('BOOLEAN', anyNullable(types));
}

/** A query in place of a list. */
export function isQuery(candidates: readonly Expression[] | Query): candidates is Query {
  return 'kind' in candidates;
}

/** `a BETWEEN b AND c` */
export function betweenType({ operand, low, high, ...span }: Between, walk: TypeWalk): SqlType {
  const [left, ...bounds] = [walk.typeOf(operand), walk.typeOf(low), walk.typeOf(high)];
  const wrong = bounds.find((type) => left !== undefined && type !== undefined && !orderable(left, type));
  checkComparison({ left, right: wrong, by: 'BETWEEN', equality: false }, span, walk);
  return plain('BOOLEAN', anyNullable([left, ...bounds]));
}

/** `a IN (b, c)` */
export function inType({ operand, candidates, ...span }: In, walk: TypeWalk): SqlType {
  const left = walk.typeOf(operand);
  const types = isQuery(candidates) ? [walk.subquery(candidates)] : candidates.map(walk.typeOf);
  const wanted = operand.kind === 'row' ? operand.fields.length : left?.name === 'ROW' ? undefined : 1;
  if (isQuery(candidates) && left !== undefined && wanted !== undefined) {
    checkWidth(candidates, { wanted, span, by: 'the list of IN' }, walk);
  }
  // A query becomes a join, for which the engine converts no more than for equality
  const equality = isQuery(candidates);
  const fits = equality ? comparable : orderable;
  const wrong = types.find((type) => left !== undefined && type !== undefined && !fits(left, type));
  checkComparison({ left, right: wrong, by: 'IN', equality }, span, walk);
  if (wrong === undefined && commonType(types) === 'none') {
    reportMismatch(
      walk,
      span,
      'IN with values of several types, expected one type',
      'convert them with CAST',
    );
  }
  return plain('BOOLEAN', anyNullable([left, ...types]));
}

/** `a = ANY (b, c)` */
export function quantifiedType(node: Quantified, walk: TypeWalk): SqlType {
  const { operand, candidates, operator } = node;
  const left = walk.typeOf(operand);
  const types = isQuery(candidates) ? [walk.subquery(candidates)] : candidates.map(walk.typeOf);
  const equality = operator === '=' || operator === '<>' || isQuery(candidates);
  const fits = equality ? comparable : orderable;
  const wrong = types.find((type) => left !== undefined && type !== undefined && !fits(left, type));
  checkComparison({ left, right: wrong, by: `"${operator}"`, equality }, node, walk);
  return plain('BOOLEAN', anyNullable([left, ...types]));
}

/** `a LIKE b` */
export function likeType({ operand, pattern, operator, ...rest }: Like, walk: TypeWalk): SqlType {
  const parts = rest.escape === undefined ? [operand, pattern] : [operand, pattern, rest.escape];
  const types = parts.map((part) => {
    const type = walk.typeOf(part);
    expectText(part, { type, by: operator }, walk);
    return type;
  });
  return plain('BOOLEAN', anyNullable(types));
}

const TRUTH: ReadonlySet<Is['test']> = new Set(['TRUE', 'FALSE', 'UNKNOWN']);

/** `a IS NOT NULL`: there is always an answer. */
export function isType({ operand, test }: Is, walk: TypeWalk): SqlType {
  const type = walk.typeOf(operand);
  if (TRUTH.has(test)) expectCondition(operand, type, walk);
  if (test.startsWith('JSON')) expectText(operand, { type, by: 'IS JSON' }, walk);
  return plain('BOOLEAN', false);
}

interface TextOperand {
  readonly type: SqlType | undefined;
  /** What asks for text, as the message names it. */
  readonly by: string;
}

function expectText(span: Span, { type, by }: TextOperand, walk: TypeWalk): void {
  if (type === undefined || isText(type) || type.name === 'NULL') return;
  reportMismatch(walk, span, `${by} of ${typeWords(type)}, expected text`, 'write CAST(... AS STRING)');
}

/** `CASE WHEN a THEN b ELSE c END`: the type that holds all results, and null where there is no ELSE. */
export function caseType(
  { operand, branches, otherwise, ...span }: Case,
  walk: TypeWalk,
): SqlType | undefined {
  const subject = operand === undefined ? undefined : walk.typeOf(operand);
  for (const when of branches.flatMap((branch) => branch.when)) {
    const type = walk.typeOf(when);
    if (operand === undefined) expectCondition(when, type, walk);
    else checkComparison({ left: subject, right: type, by: 'CASE', equality: true }, when, walk);
  }
  const types = branches.map(({ result }) => walk.typeOf(result));
  if (otherwise !== undefined) types.push(walk.typeOf(otherwise));
  const type = commonType(types);
  if (type === 'none') {
    const words = [
      ...new Set(types.flatMap((one) => (one === undefined || one.name === 'NULL' ? [] : [typeWords(one)]))),
    ];
    reportMismatch(
      walk,
      span,
      `CASE with results of ${words.join(' and ')}, expected one type`,
      'convert the results with CAST',
    );
    return undefined;
  }
  if (type?.name === 'NULL') {
    const message = 'CASE whose results are all NULL, expected at least one with a type';
    reportMismatch(walk, span, message, 'write CAST(NULL AS STRING), or the type that is meant');
    return undefined;
  }
  return otherwise === undefined ? withNullable(type, true) : type;
}
