import { commonType } from '../common-type.ts';
import { isTakenFor } from '../implicit-cast.ts';
import { typeName } from '../print-type.ts';
import { array, map, plain, type SqlType, text, withNullable } from '../sql-type.ts';
import { functionTable, gives, like, type Refusal, resultOf, type TypedCall } from './function-row.ts';

/** One of the elements, of which there may be none. */
function element({ types: [type] }: TypedCall): SqlType | undefined {
  const known = type?.name === 'ARRAY' || type?.name === 'MULTISET' ? type.element : undefined;
  return withNullable(known, true);
}

/** The one element; null where there is no array, or where it is itself. */
function onlyElement(call: TypedCall): SqlType | undefined {
  const [type] = call.types;
  const known = type?.name === 'ARRAY' || type?.name === 'MULTISET' ? type.element : undefined;
  return withNullable(known, call.nullable || (known?.nullable ?? true));
}

/** The collection that holds all of them. */
function united({ types, nullable }: TypedCall): Result {
  return resultOf(commonType(types, 'arguments'), nullable);
}

type Result = ReturnType<typeof resultOf>;

/** Refuses a value that can be no element of the array. */
function ofElement(rule: (call: TypedCall) => SqlType | undefined): (call: TypedCall) => Result {
  return (call) => {
    const [type, value] = call.types;
    const element = type?.name === 'ARRAY' ? type.element : undefined;
    if (element === undefined || value === undefined || isTakenFor(value, element)) return rule(call);
    return noElement(element, value);
  };
}

/** The array is converted where that keeps its elements; the value could become another one. */
function noElement(element: SqlType, value: SqlType): Refusal {
  const hint = isTakenFor(element, value)
    ? `convert the array with CAST(... AS ARRAY<${typeName(value)}>)`
    : 'convert it with CAST';
  return { expected: `expected a value of the type of the elements, ${typeName(element)}`, hint };
}

/** The array with a further element. */
function extended({ types: [type, added], nullable }: TypedCall): SqlType | undefined {
  if (type?.name !== 'ARRAY' || added === undefined) return undefined;
  const element = withNullable(type.element, added.nullable || (type.element?.nullable ?? true));
  return array(element, nullable);
}

/** Keys and values of a map; undefined where it is unknown. */
function partsOf(
  type: SqlType | undefined,
): { key: SqlType | undefined; value: SqlType | undefined } | undefined {
  return type?.name === 'MAP' ? type : undefined;
}

function keys({ types: [type], nullable }: TypedCall): SqlType | undefined {
  const parts = partsOf(type);
  return parts && array(parts.key, nullable);
}

function values({ types: [type], nullable }: TypedCall): SqlType | undefined {
  const parts = partsOf(type);
  return parts && array(parts.value, nullable);
}

function entries({ types: [type], nullable }: TypedCall): SqlType | undefined {
  const parts = partsOf(type);
  if (parts === undefined) return undefined;
  const fields = [
    { name: 'key', type: parts.key },
    { name: 'value', type: parts.value },
  ];
  return array({ name: 'ROW', fields, nullable: true }, nullable);
}

function fromArrays({ types: [keyArray, valueArray], nullable }: TypedCall): SqlType | undefined {
  if (keyArray?.name !== 'ARRAY' || valueArray?.name !== 'ARRAY') return undefined;
  return map(keyArray.element, valueArray.element, nullable);
}

function contained({ types: [type] }: TypedCall): SqlType {
  return plain('BOOLEAN', type?.nullable ?? true);
}

function position({ nullable }: TypedCall): SqlType {
  return plain('INT', nullable);
}

function remaining({ types: [type], nullable }: TypedCall): SqlType | undefined {
  return withNullable(type, nullable);
}

/** Functions over arrays, maps and multisets. */
export const collectionFunctions = functionTable([
  ['CARDINALITY', ['collection'], gives(plain('INT'))],
  ['ELEMENT', ['sequence'], onlyElement],
  ['ARRAY_CONTAINS', ['array', 'any'], ofElement(contained)],
  ['ARRAY_POSITION', ['array', 'any'], ofElement(position)],
  ['ARRAY_DISTINCT ARRAY_REVERSE', ['array'], like(0)],
  ['ARRAY_SLICE', ['array', 'int', 'int?'], like(0)],
  ['ARRAY_SORT', ['array', 'condition?', 'condition?'], like(0)],
  ['ARRAY_UNION ARRAY_EXCEPT ARRAY_INTERSECT', ['array', 'array'], united],
  ['ARRAY_CONCAT', ['array', 'array*'], united],
  ['ARRAY_APPEND ARRAY_PREPEND', ['array', 'any'], ofElement(extended)],
  ['ARRAY_REMOVE', ['array', 'any'], ofElement(remaining)],
  ['ARRAY_MAX ARRAY_MIN', ['array'], element],
  ['ARRAY_JOIN', ['text-array', 'text', 'text?'], gives(text('VARCHAR'))],
  ['MAP_KEYS', ['map'], keys],
  ['MAP_VALUES', ['map'], values],
  ['MAP_ENTRIES', ['map'], entries],
  ['MAP_UNION', ['map', 'map*'], united],
  ['MAP_FROM_ARRAYS', ['array', 'array'], fromArrays],
]);
