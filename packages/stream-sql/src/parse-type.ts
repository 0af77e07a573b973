import { parseNullableType } from './parse/parse-data-type.ts';
import { TokenCursor } from './parse/token-cursor.ts';
import { createSqlReport, type SqlDiagnostic } from './tokens/sql-diagnostic.ts';
import { tokenize } from './tokens/tokenize-sql.ts';
import type { DataType } from './tree/data-type.ts';

/** What a text is as a type. */
export interface ParsedType {
  /** As far as it can be read; of no use where there are diagnostics. */
  readonly type: DataType;
  /** None means that the grammar of the engine has this type. */
  readonly diagnostics: readonly SqlDiagnostic[];
}

/** Parses the type of a column, such as `DECIMAL(10, 2)` or `ROW<a INT NOT NULL>`; nothing may follow it. Never throws. */
export function parseSqlType(text: string): ParsedType {
  const { diagnostics, report } = createSqlReport();
  const cursor = new TokenCursor(tokenize(text, report).tokens, report);
  const type = parseNullableType(cursor);
  if (cursor.token.kind !== 'end') cursor.fail('the end of the type');
  return { type, diagnostics };
}
