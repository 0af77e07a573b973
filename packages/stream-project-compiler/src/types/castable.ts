import type { SqlType } from './sql-type.ts';
import { familyOf, type TypeFamily } from './type-families.ts';

/** What the engine makes of what, beside the same family. Everything becomes text. */
const CASTS: Readonly<Partial<Record<TypeFamily, readonly TypeFamily[]>>> = {
  array: [],
  binary: [],
  boolean: ['number'],
  date: ['timestamp'],
  map: [],
  multiset: [],
  number: ['boolean', 'interval'],
  row: [],
  text: ['binary', 'boolean', 'date', 'interval', 'number', 'time', 'timestamp', 'variant'],
  time: ['timestamp'],
  timestamp: ['date', 'time'],
};

/** Whether CAST and TRY_CAST may be written at all; the value may still not fit. True where there is doubt. */
export function castable(from: SqlType, to: SqlType): boolean {
  const [one, other] = [familyOf(from), familyOf(to)];
  if (from.name === 'ROW' && to.name === 'ROW') return from.fields.length === to.fields.length;
  return one === other || other === 'text' || (CASTS[one]?.includes(other) ?? true);
}
