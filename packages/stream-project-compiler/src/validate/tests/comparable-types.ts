import type { SqlType } from '../../types/sql-type.ts';
import { familyOf, type TypeFamily } from '../../types/type-families.ts';

/** What text is cast to where it is compared with it. */
const fromText: readonly TypeFamily[] = ['boolean', 'date', 'time', 'timestamp'];

/** Whether the engine compares values of two types with `=`. True where one of them is not known. */
export function comparableTypes(one: SqlType | undefined, other: SqlType | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  const [first, second] = [familyOf(one), familyOf(other)];
  if (first === second) return true;
  return (first === 'text' && fromText.includes(second)) || (second === 'text' && fromText.includes(first));
}
