import type { Definition } from '../../parse/definition.ts';
import { textAt } from '../../parse/known-value.ts';
import { placeOf } from '../../parse/node-place.ts';
import { declaredType } from '../../types/declared-type.ts';
import type { RowField, SqlType } from '../../types/sql-type.ts';

/** What a model declares in `ml_outputs`: rows, by name of the machine-learning model. */
export function modelOutputs({ node }: Definition<'model'>): ReadonlyMap<string, SqlType> {
  const outputs = node.entries.get('ml_outputs')?.node;
  if (outputs?.kind !== 'object') return new Map();
  return new Map(
    [...outputs.entries].flatMap(([name, { node: output }]): [string, SqlType][] => {
      const list = placeOf(output, 'columns').node;
      if (list?.kind !== 'list') return [];
      const fields = list.items.flatMap((item): RowField[] => {
        const field = textAt(item, 'name');
        const type = textAt(item, 'type');
        return field === undefined ? [] : [{ name: field.value, type: type && declaredType(type.value) }];
      });
      return fields.length === list.items.length ? [[name, { name: 'ROW', fields, nullable: true }]] : [];
    }),
  );
}
