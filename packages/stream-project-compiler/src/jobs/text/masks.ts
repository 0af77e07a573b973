import type { MaskingMethod } from '@levada/stream-project-schema';
import type { Mask } from '../../infer/masks.ts';
import { type SqlType, text, withNullable } from '../../types/sql-type.ts';
import { columnType } from '../create-table.ts';
import { identifier } from './sql-words.ts';

/** A value in SQL, and its type. */
export interface MaskedValue {
  readonly sql: string;
  readonly type: SqlType;
}

/** Makes a masked value of a column. */
type MaskSql = (column: string, type: SqlType) => MaskedValue;

const string: SqlType = text('VARCHAR');

/** How the engine masks, by method. It has nothing that gives tokens. Null stays null. */
const methods: Readonly<Record<MaskingMethod, MaskSql | undefined>> = {
  hash: (column, type) => ({ sql: `SHA256(${asText(column, type)})`, type: string }),
  redact: (column) => ({ sql: `IF(${column} IS NULL, CAST(NULL AS STRING), '***')`, type: string }),
  partial: (column, type) => {
    const value = asText(column, type);
    const stars = `REPEAT('*', CHAR_LENGTH(${value}) - 4)`;
    const shown = `CASE WHEN CHAR_LENGTH(${value}) > 4 THEN ${stars} || RIGHT(${value}, 4) ELSE '****' END`;
    return { sql: `IF(${column} IS NULL, CAST(NULL AS STRING), ${shown})`, type: string };
  },
  null: (_, type) => ({ sql: `CAST(NULL AS ${columnType(type)})`, type: withNullable(type, true) }),
  tokenize: undefined,
};

/** The masked value of a column; undefined where the engine cannot mask it in this way. */
export function maskedValue({ method, column }: Mask, type: SqlType): MaskedValue | undefined {
  return methods[method]?.(identifier(column), type);
}

function asText(column: string, { name }: SqlType): string {
  return name === 'VARCHAR' ? column : `CAST(${column} AS STRING)`;
}
