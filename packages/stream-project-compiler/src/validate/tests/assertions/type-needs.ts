import type { SqlType } from '../../../types/sql-type.ts';
import { familyOf, isNumeric, isTime } from '../../../types/type-families.ts';

/** What a column must hold so that something can be said of it. */
export interface TypeNeed {
  /** In words that follow "expected". */
  readonly expected: string;
  readonly holds: (type: SqlType) => boolean;
}

export const numbers: TypeNeed = { expected: 'a number', holds: isNumeric };

export const times: TypeNeed = { expected: 'TIMESTAMP or TIMESTAMP_LTZ', holds: isTime };

const scalars: ReadonlySet<string> = new Set(['text', 'number', 'boolean', 'date', 'time', 'timestamp']);

/** What a value in YAML can be compared with. */
export const plainValues: TypeNeed = {
  expected: 'text, a number, a boolean or a time',
  holds: (type) => scalars.has(familyOf(type)),
};
