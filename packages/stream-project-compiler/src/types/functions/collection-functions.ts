import { array, map, plain, text, withNullable } from '../make-type.ts';
import type { SqlType } from '../sql-type.ts';
import { always, functionTable, gives, like, nullableLikeFirst, type TypedCall } from './function-row.ts';

/** One of the elements, of which there may be none. */
function element({ types: [type] }: TypedCall): SqlType | undefined {
  const known = type?.name === 'ARRAY' || type?.name === 'MULTISET' ? type.element : undefined;
  return withNullable(known, true);
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

/** Functions over arrays, maps and multisets. */
export const collectionFunctions = functionTable([
  ['CARDINALITY', ['collection'], gives(plain('INT'))],
  ['ELEMENT', ['sequence'], element],
  ['ARRAY_CONTAINS', ['array', 'any'], gives(plain('BOOLEAN'))],
  ['ARRAY_POSITION', ['array', 'any'], gives(plain('INT'))],
  ['ARRAY_DISTINCT ARRAY_REVERSE', ['array'], like(0)],
  ['ARRAY_SLICE', ['array', 'int', 'int?'], like(0)],
  ['ARRAY_SORT', ['array', 'condition?', 'condition?'], like(0)],
  ['ARRAY_UNION ARRAY_EXCEPT ARRAY_INTERSECT', ['array', 'array'], like(0)],
  ['ARRAY_CONCAT', ['array', 'array*'], like(0)],
  ['ARRAY_APPEND ARRAY_PREPEND ARRAY_REMOVE', ['array', 'any'], nullableLikeFirst],
  ['ARRAY_MAX ARRAY_MIN', ['array'], element],
  ['ARRAY_JOIN', ['array', 'text', 'text?'], always(text('VARCHAR'))],
  ['MAP_KEYS', ['map'], keys],
  ['MAP_VALUES', ['map'], values],
  ['MAP_ENTRIES', ['map'], entries],
  ['MAP_UNION', ['map', 'map*'], like(0)],
  ['MAP_FROM_ARRAYS', ['array', 'array'], fromArrays],
]);
