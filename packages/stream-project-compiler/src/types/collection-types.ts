import { nearestName } from '@levada/stream-project-schema';
import type { Collection, Element, Expression, Field, Row } from '@levada/stream-sql';
import { quote } from '../diagnostics/quote.ts';
import { commonType } from './common-type.ts';
import { comparable } from './comparable.ts';
import { isQuery } from './condition-types.ts';
import { array, map, type SqlType, withNullable } from './sql-type.ts';
import { reportMismatch, type TypeWalk, typeWords } from './type-context.ts';
import { familyOf, isInteger } from './type-families.ts';

/** `(a, b)`, `ROW(a, b)` */
export function rowType({ fields }: Row, walk: TypeWalk): SqlType {
  const types = fields.map((field, index) => ({ name: `EXPR$${index}`, type: walk.typeOf(field) }));
  return { name: 'ROW', fields: types, nullable: false };
}

/** `ARRAY[a, b]`, `MAP[k, v]` */
export function collectionType({ type, content, ...span }: Collection, walk: TypeWalk): SqlType | undefined {
  if (isQuery(content)) {
    const element = walk.subquery(content);
    return type === 'ARRAY' ? array(element, false) : undefined;
  }
  const types = content.map(walk.typeOf);
  if (types.length === 0) {
    reportMismatch(walk, span, `${type} of no elements, expected one or more`);
    return undefined;
  }
  if (type !== 'MAP' && types.every((one) => one?.name === 'NULL')) {
    const message = `${type} of NULL without a type, expected one type`;
    reportMismatch(walk, span, message, 'write CAST(NULL AS STRING), or the type that is meant');
    return undefined;
  }
  if (type === 'MAP' && types.length % 2 === 1) {
    const message = `MAP of ${types.length} elements, expected pairs of a key and a value`;
    reportMismatch(walk, span, message);
    return undefined;
  }
  const keys = type === 'MAP' ? types.filter((_, index) => index % 2 === 0) : types;
  const values = type === 'MAP' ? types.filter((_, index) => index % 2 === 1) : [];
  const [key, value] = [commonType(keys), commonType(values)];
  if (key === 'none' || value === 'none') {
    reportMismatch(
      walk,
      span,
      `${type} of different types, expected one type`,
      'convert the elements with CAST',
    );
    return undefined;
  }
  if (type === 'MAP') return map(known(key), known(value), false);
  return type === 'ARRAY' ? array(known(key), false) : { name: type, element: known(key), nullable: false };
}

/** A collection of nothing but `NULL` has no known type. */
function known(type: SqlType | undefined): SqlType | undefined {
  return type?.name === 'NULL' ? undefined : type;
}

/** `a[1]`, `m['k']`: there may be no such element. */
export function elementType({ operand, index, start, end }: Element, walk: TypeWalk): SqlType | undefined {
  const [type, at] = [walk.typeOf(operand), walk.typeOf(index)];
  if (type === undefined) return undefined;
  if (type.name === 'MAP') {
    if (type.key !== undefined && at !== undefined && !comparable(type.key, at)) {
      const message = `${typeWords(at)} as the key of ${typeWords(type)}, expected ${typeWords(type.key)}`;
      reportMismatch(walk, index, message, `write a key of type ${typeWords(type.key)}`);
    }
    return withNullable(type.value, true);
  }
  if (type.name === 'ROW' && index.kind === 'literal') return rowElement(type.fields, index);
  if (type.name !== 'ARRAY') {
    if (type.name !== 'ROW' && type.name !== 'NULL') {
      const message = `an element of ${typeWords(type)}, expected an ARRAY or a MAP`;
      reportMismatch(walk, { start, end }, message);
    }
    return undefined;
  }
  if (at !== undefined && !isInteger(at) && familyOf(at) !== 'null') {
    reportMismatch(
      walk,
      index,
      `${typeWords(at)} as the place in an array, expected INT`,
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

/** `f(a).b`, `a[1].b`: what is no row, or has no such field, is reported. */
export function fieldOfType({ operand, name }: Field, walk: TypeWalk): SqlType | undefined {
  const type = walk.typeOf(operand);
  if (type === undefined) return undefined;
  const shown = quote(walk.shown?.(name) ?? name.name);
  if (type.name !== 'ROW') {
    reportMismatch(walk, name, `the field ${shown} of ${typeWords(type)}, expected a ROW`);
    return undefined;
  }
  const names = type.fields.map((field) => field.name);
  if (names.includes(name.name)) return fieldType(type, name.name);
  const near =
    walk.shown === undefined || shown === quote(name.name) ? nearestName(name.name, names) : undefined;
  const hint = near === undefined ? undefined : `did you mean ${quote(near)}?`;
  reportMismatch(walk, name, `the row has no field ${shown}`, hint);
  return undefined;
}

/** The type of a field of a row: `r.f`. Null where the row is. Undefined for what is no row, or has no such field. */
export function fieldType(row: SqlType | undefined, name: string): SqlType | undefined {
  if (row?.name !== 'ROW') return undefined;
  const type = row.fields.find((field) => field.name === name)?.type;
  return type === undefined ? undefined : withNullable(type, type.nullable || row.nullable);
}
