import { nearestName } from '@levada/stream-project-schema';
import type { Field } from '@levada/stream-sql';
import { quote } from '../diagnostics/quote.ts';
import { fieldType } from './field-type.ts';
import type { SqlType } from './sql-type.ts';
import { reportMismatch, type TypeWalk, typeWords } from './type-walk.ts';

/** `f(a).b`, `a[1].b`: what is no row, or has no such field, is reported. */
export function fieldOfType({ operand, name }: Field, walk: TypeWalk): SqlType | undefined {
  const type = walk.typeOf(operand);
  if (type === undefined) return undefined;
  const shown = quote(walk.shown?.(name) ?? name.name);
  if (type.name !== 'ROW') {
    reportMismatch(walk, name, `the field ${shown} of ${typeWords(type)}, a ROW was expected`);
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
