import { parseSqlType } from '../sql/parse-type.ts';
import type { SqlType } from './sql-type.ts';
import { typeOfDataType } from './type-of-data-type.ts';

/** The type that a column declares: of `DECIMAL(10,2)`, of `STRING NOT NULL`. Undefined for a text that is no type of the engine. */
export function declaredType(text: string): SqlType | undefined {
  const { type, diagnostics } = parseSqlType(text);
  return diagnostics.length > 0 ? undefined : typeOfDataType(type);
}
