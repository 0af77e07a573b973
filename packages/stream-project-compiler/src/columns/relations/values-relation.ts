import type { Expression, Values } from '@levada/stream-sql';
import { commonType } from '../../types/common-type.ts';
import type { QueryPlace } from '../query-context.ts';
import { expressionType } from '../scope/expression-type.ts';
import { useOf } from '../scope/expression-use.ts';
import { FromScope } from '../scope/from-scope.ts';
import { mergeOrigins } from './merge-origins.ts';
import { type Relation, relationOf } from './relation.ts';

/** Rows that are written out. Columns are called `EXPR$0`, `EXPR$1`, as the engine does. */
export function valuesRelation({ rows }: Values, place: QueryPlace): Relation {
  const within = { ...place, scope: new FromScope(place.outer) };
  const first = fieldsOf(rows[0]);
  const odd = rows.find((row) => fieldsOf(row).length !== first.length);
  if (odd !== undefined) {
    reportRow(
      odd,
      `a row of VALUES has ${fieldsOf(odd).length}, expected ${first.length} as the first one has`,
      place,
    );
  }
  const columns = first.map((field, index) => {
    const values = rows.flatMap((row) => fieldsOf(row)[index] ?? []);
    const uses = values.map((value) => useOf(value, within));
    const type = commonType(values.map((value) => expressionType(value, within)));
    if (type === 'none') {
      reportRow(
        field,
        `the values of column ${index + 1} of VALUES have no type in common, one was expected`,
        place,
      );
    }
    return {
      name: `EXPR$${index}`,
      type: type === 'none' ? undefined : type,
      time: undefined,
      origins: mergeOrigins(uses.map(({ origins }) => origins)),
      span: { start: field.start, end: field.end },
    };
  });
  return relationOf({ columns });
}

/** `VALUES (1, 2)` gives two columns, `VALUES 1` gives one. */
function fieldsOf(row: Expression | undefined): readonly Expression[] {
  if (row === undefined) return [];
  return row.kind === 'row' ? row.fields : [row];
}

function reportRow({ start, end }: Expression, message: string, { context }: QueryPlace): void {
  context.report({ name: 'type-mismatch', message, hint: 'convert them with CAST', start, end });
}
