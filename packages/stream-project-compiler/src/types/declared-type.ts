import { parseSqlType } from '@levada/stream-sql';
import type { SqlType } from './sql-type.ts';
import { typeOfDataType } from './type-of-data-type.ts';

/** What most columns are; read once, since projects have thousands of them. */
const FREQUENT: ReadonlyMap<string, SqlType | undefined> = new Map(
  ['BIGINT', 'BOOLEAN', 'DATE', 'DOUBLE', 'FLOAT', 'INT', 'STRING', 'TIMESTAMP(3)', 'TIMESTAMP_LTZ(3)'].map(
    (text) => [text, readType(text)],
  ),
);

/** The type that a column declares: of `DECIMAL(10,2)`, of `STRING NOT NULL`. Undefined for a text that is no type of the engine. */
export function declaredType(text: string): SqlType | undefined {
  return FREQUENT.get(text) ?? readType(text);
}

function readType(text: string): SqlType | undefined {
  const { type, diagnostics } = parseSqlType(text);
  return diagnostics.length > 0 ? undefined : typeOfDataType(type);
}
