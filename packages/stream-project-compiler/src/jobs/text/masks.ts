import type { MaskingMethod } from '@levada/stream-project-schema';
import type { Mask } from '../../infer/masks.ts';
import { type SqlType, text, withNullable } from '../../types/sql-type.ts';
import { columnType } from '../create-table.ts';
import { identifier, literalWithVariables } from './sql-words.ts';

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
export function maskedValue({ method, column, secret }: Mask, type: SqlType): MaskedValue | undefined {
  if (secret === undefined) return methods[method]?.(identifier(column), type);
  if (method !== 'hash' || secret === 'wrong') return undefined;
  return { sql: keyedHash(asText(identifier(column), type), secret), type: string };
}

/**
 * HMAC with SHA-256, with the functions that engines have from 1.20 on. Those hash text and give hexadecimal digits, so the keys of both hashes are
 * digits as well: 64 of them are one block of SHA-256, as the padded keys of HMAC are. Null stays null.
 */
function keyedHash(value: string, secret: string): string {
  const key = (use: 'inner' | 'outer') => `SHA256(${literalWithVariables(`levada.mask.${use}:${secret}`)})`;
  return `SHA256(${key('outer')} || SHA256(${key('inner')} || ${value}))`;
}

function asText(column: string, { name }: SqlType): string {
  return name === 'VARCHAR' ? column : `CAST(${column} AS STRING)`;
}
