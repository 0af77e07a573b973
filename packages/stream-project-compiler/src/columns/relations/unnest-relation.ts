import type { Expression, Unnest } from '@levada/stream-sql';
import type { SqlType } from '../../types/sql-type.ts';
import { typeWords } from '../../types/type-walk.ts';
import { expressionType } from '../scope/expression-type.ts';
import { type ExpressionPlace, useOf } from '../scope/expression-use.ts';
import { through } from './merge-origins.ts';
import { type Relation, type RelationColumn, relationOf } from './relation.ts';

/** The elements of arrays, maps and multisets as rows: fields of rows and entries of maps are columns. An element that is no row has the alias of the table for a name. */
export function unnestRelation(
  { collections, ordinality, ...span }: Unnest,
  place: ExpressionPlace,
  alias: string | undefined,
): Relation {
  const columns: RelationColumn[] = [];
  let known = true;
  for (const collection of collections) {
    const elements = elementsOf(collection, place);
    known &&= elements !== undefined;
    columns.push(...(elements ?? []));
  }
  if (ordinality) {
    columns.push({
      name: 'ORDINALITY',
      type: { name: 'INT', nullable: false },
      time: undefined,
      origins: [],
    });
  }
  if (known) {
    return relationOf({
      columns: columns.map((column, index) =>
        column.name === '' ? { ...column, name: alias ?? `EXPR$${index}` } : column,
      ),
    });
  }
  const origins = collections.flatMap((collection) => useOf(collection, place).origins);
  const open = {
    reason: 'the type of what UNNEST takes apart is not known',
    range: place.context.rangeOf(span),
    nodes: [],
    origins: through('transformation', origins),
  };
  return relationOf({ columns: [], open });
}

const COLLECTIONS: ReadonlySet<SqlType['name']> = new Set(['ARRAY', 'MAP', 'MULTISET', 'NULL']);

function elementsOf(collection: Expression, place: ExpressionPlace): readonly RelationColumn[] | undefined {
  const origins = through('transformation', useOf(collection, place).origins);
  const type = expressionType(collection, place);
  if (type !== undefined && !COLLECTIONS.has(type.name)) {
    const { start, end } = collection;
    const message = `UNNEST of ${typeWords(type)}, an ARRAY, a MAP or a MULTISET was expected`;
    place.context.report({ name: 'type-mismatch', message, start, end });
  }
  const fields = fieldsOf(type);
  return fields?.map(({ name, type }) => ({ name, type, time: undefined, origins }));
}

/** Undefined when it cannot be told. */
function fieldsOf(
  type: SqlType | undefined,
): readonly { readonly name: string; readonly type: SqlType | undefined }[] | undefined {
  if (type?.name === 'MAP') {
    return [
      { name: 'KEY', type: type.key },
      { name: 'VALUE', type: type.value },
    ];
  }
  if (type?.name !== 'ARRAY' && type?.name !== 'MULTISET') return undefined;
  if (type.element === undefined) return undefined;
  return type.element.name === 'ROW' ? type.element.fields : [{ name: '', type: type.element }];
}
