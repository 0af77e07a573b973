import type {
  Case,
  Cast,
  Collection,
  Element,
  Expression,
  Field,
  In,
  Is,
  Like,
  Logical,
  Quantified,
  Row,
} from '../sql/tree/expression.ts';
import type { Query } from '../sql/tree/query.ts';
import { commonType } from './common-type.ts';
import { comparable } from './comparable.ts';
import { literalType } from './literal-type.ts';
import { array, map, plain, withNullable } from './make-type.ts';
import { anyNullable, binaryType, expectCondition, unaryType } from './operator-types.ts';
import type { SqlType } from './sql-type.ts';
import type { TypeContext } from './type-context.ts';
import { familyOf, isInteger, isText } from './type-families.ts';
import { callType } from './type-of-call.ts';
import { intervalUnit, typeOfDataType } from './type-of-data-type.ts';
import { reportMismatch, type TypeWalk, typeWords } from './type-walk.ts';

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
  binary: binaryType,
  between: (node, walk) =>
    plain('BOOLEAN', anyNullable([node.operand, node.low, node.high].map(walk.typeOf))),
  in: inType,
  quantified: quantifiedType,
  like: likeType,
  is: isType,
  case: caseType,
  cast: castType,
  row: rowType,
  collection: collectionType,
  element: elementType,
  field: fieldExpressionType,
  subquery: ({ query }, walk) => withNullable(walk.subquery(query), true),
  exists: ({ query }, walk) => {
    walk.subquery(query);
    return plain('BOOLEAN', false);
  },
  call: callType,
  macro: UNKNOWN,
  invalid: UNKNOWN,
};

/**
 * The type of an expression as the engine gives it. Undefined when it cannot be told, which is so for everything that is made of it. Reports
 * mistakes to the context; every part of the expression is looked at once.
 */
export function typeOf(expression: Expression, context: TypeContext): SqlType | undefined {
  const walk: TypeWalk = { ...context, typeOf: (part) => typeOfPart(part, walk) };
  return walk.typeOf(expression);
}

function typeOfPart<K extends Expression['kind']>(part: Extract<Expression, { kind: K }>, walk: TypeWalk) {
  const rule: Rule<K> = RULES[part.kind as K];
  return rule(part, walk);
}

function logicalType({ operands }: Logical, walk: TypeWalk): SqlType {
  const types = operands.map((operand) => {
    const type = walk.typeOf(operand);
    expectCondition(operand, type, walk);
    return type;
  });
  return plain('BOOLEAN', anyNullable(types));
}

function isQuery(candidates: readonly Expression[] | Query): candidates is Query {
  return 'kind' in candidates;
}

function inType({ operand, candidates }: In, walk: TypeWalk): SqlType {
  const type = walk.typeOf(operand);
  if (isQuery(candidates)) return plain('BOOLEAN', anyNullable([type, walk.subquery(candidates)]));
  return plain('BOOLEAN', anyNullable([type, ...candidates.map(walk.typeOf)]));
}

function quantifiedType({ operand, candidates }: Quantified, walk: TypeWalk): SqlType {
  const type = walk.typeOf(operand);
  const others = isQuery(candidates) ? [walk.subquery(candidates)] : candidates.map(walk.typeOf);
  return plain('BOOLEAN', anyNullable([type, ...others]));
}

function likeType({ operand, pattern, operator, ...rest }: Like, walk: TypeWalk): SqlType {
  const parts = rest.escape === undefined ? [operand, pattern] : [operand, pattern, rest.escape];
  const types = parts.map((part) => {
    const type = walk.typeOf(part);
    if (type !== undefined && !isText(type) && type.name !== 'NULL') {
      const message = `${operator} of ${typeWords(type)}, text was expected`;
      reportMismatch(walk, part, message, 'write CAST(... AS STRING)');
    }
    return type;
  });
  return plain('BOOLEAN', anyNullable(types));
}

const TRUTH: ReadonlySet<Is['test']> = new Set(['TRUE', 'FALSE', 'UNKNOWN']);

function isType({ operand, test }: Is, walk: TypeWalk): SqlType {
  const type = walk.typeOf(operand);
  if (TRUTH.has(test)) expectCondition(operand, type, walk);
  return plain('BOOLEAN', false);
}

function caseType({ operand, branches, otherwise, ...span }: Case, walk: TypeWalk): SqlType | undefined {
  const subject = operand === undefined ? undefined : walk.typeOf(operand);
  for (const when of branches.flatMap((branch) => branch.when)) {
    const type = walk.typeOf(when);
    if (operand === undefined) expectCondition(when, type, walk);
    else if (subject !== undefined && type !== undefined && !comparable(subject, type)) {
      reportMismatch(
        walk,
        when,
        `${typeWords(type)} where ${typeWords(subject)} stands behind CASE, types that can be compared were expected`,
      );
    }
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
      `CASE with results of ${words.join(' and ')}, one type was expected`,
      'convert the results with CAST',
    );
    return undefined;
  }
  if (type?.name === 'NULL') return undefined;
  return otherwise === undefined ? withNullable(type, true) : type;
}

function castType({ operand, type: written, attempt }: Cast, walk: TypeWalk): SqlType | undefined {
  const type = walk.typeOf(operand);
  return withNullable(typeOfDataType(written), attempt || (type?.nullable ?? true));
}

function rowType({ fields }: Row, walk: TypeWalk): SqlType {
  const types = fields.map((field, index) => ({ name: `EXPR$${index}`, type: walk.typeOf(field) }));
  return { name: 'ROW', fields: types, nullable: false };
}

function collectionType({ type, content, ...span }: Collection, walk: TypeWalk): SqlType | undefined {
  if (isQuery(content)) {
    walk.subquery(content);
    return undefined;
  }
  const types = content.map(walk.typeOf);
  if (types.length === 0) return undefined;
  const keys = type === 'MAP' ? types.filter((_, index) => index % 2 === 0) : types;
  const values = type === 'MAP' ? types.filter((_, index) => index % 2 === 1) : [];
  const [key, value] = [commonType(keys), commonType(values)];
  if (key === 'none' || value === 'none') {
    reportMismatch(
      walk,
      span,
      `${type} of different types, one type was expected`,
      'convert the elements with CAST',
    );
    return undefined;
  }
  if (type === 'MAP') return map(known(key), known(value), false);
  return type === 'ARRAY' ? array(known(key), false) : { name: type, element: known(key), nullable: false };
}

/** Of nothing but `NULL` no type can be told. */
function known(type: SqlType | undefined): SqlType | undefined {
  return type?.name === 'NULL' ? undefined : type;
}

/** `a[1]`, `m['k']`: there may be no such element. */
function elementType({ operand, index }: Element, walk: TypeWalk): SqlType | undefined {
  const [type, at] = [walk.typeOf(operand), walk.typeOf(index)];
  if (type === undefined) return undefined;
  if (type.name === 'MAP') return withNullable(type.value, true);
  if (type.name === 'ROW' && index.kind === 'literal') return rowElement(type.fields, index);
  if (type.name !== 'ARRAY') return undefined;
  if (at !== undefined && !isInteger(at) && familyOf(at) !== 'null') {
    reportMismatch(
      walk,
      index,
      `${typeWords(at)} as the place in an array, INT was expected`,
      'places count from 1',
    );
  }
  return withNullable(type.element, true);
}

type RowFields = Extract<SqlType, { readonly name: 'ROW' }>['fields'];

function rowElement(
  fields: RowFields,
  { type, value }: Extract<Expression, { kind: 'literal' }>,
): SqlType | undefined {
  if (type === 'integer') return fields[Number(value) - 1]?.type;
  return fields.find(({ name }) => name === value)?.type;
}

function fieldExpressionType({ operand, name }: Field, walk: TypeWalk): SqlType | undefined {
  return fieldType(walk.typeOf(operand), name.name);
}

/** The type of a field of a row: `r.f`. Null where the row is. Undefined for what is no row, or has no such field. */
export function fieldType(row: SqlType | undefined, name: string): SqlType | undefined {
  if (row?.name !== 'ROW') return undefined;
  const type = row.fields.find((field) => field.name === name)?.type;
  return type === undefined ? undefined : withNullable(type, type.nullable || row.nullable);
}
