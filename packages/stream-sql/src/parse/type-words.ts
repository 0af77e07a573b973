import type { ScalarTypeName } from '../tree/data-type.ts';

interface ScalarRow {
  /** As written; longer ones come first. */
  readonly words: string;
  readonly type: ScalarTypeName;
  /** How many numbers may follow in parentheses. */
  readonly parameters: 0 | 1 | 2;
}

/** The engine's types that are no collections, with their synonyms. */
export const scalarTypes: readonly ScalarRow[] = [
  { words: 'CHARACTER VARYING', type: 'VARCHAR', parameters: 1 },
  { words: 'CHAR VARYING', type: 'VARCHAR', parameters: 1 },
  { words: 'BINARY VARYING', type: 'VARBINARY', parameters: 1 },
  { words: 'DOUBLE PRECISION', type: 'DOUBLE', parameters: 0 },
  { words: 'BIGINT', type: 'BIGINT', parameters: 0 },
  { words: 'BINARY', type: 'BINARY', parameters: 1 },
  { words: 'BOOLEAN', type: 'BOOLEAN', parameters: 0 },
  { words: 'BYTES', type: 'BYTES', parameters: 0 },
  { words: 'CHARACTER', type: 'CHAR', parameters: 1 },
  { words: 'CHAR', type: 'CHAR', parameters: 1 },
  { words: 'DATE', type: 'DATE', parameters: 0 },
  { words: 'DECIMAL', type: 'DECIMAL', parameters: 2 },
  { words: 'DEC', type: 'DECIMAL', parameters: 2 },
  { words: 'DOUBLE', type: 'DOUBLE', parameters: 0 },
  { words: 'FLOAT', type: 'FLOAT', parameters: 0 },
  { words: 'INTEGER', type: 'INT', parameters: 0 },
  { words: 'INT', type: 'INT', parameters: 0 },
  { words: 'NUMERIC', type: 'DECIMAL', parameters: 2 },
  { words: 'SMALLINT', type: 'SMALLINT', parameters: 0 },
  { words: 'STRING', type: 'STRING', parameters: 0 },
  { words: 'TIMESTAMP_LTZ', type: 'TIMESTAMP_LTZ', parameters: 1 },
  { words: 'TIMESTAMP', type: 'TIMESTAMP', parameters: 1 },
  { words: 'TIME', type: 'TIME', parameters: 1 },
  { words: 'TINYINT', type: 'TINYINT', parameters: 0 },
  { words: 'VARBINARY', type: 'VARBINARY', parameters: 1 },
  { words: 'VARCHAR', type: 'VARCHAR', parameters: 1 },
  { words: 'VARIANT', type: 'VARIANT', parameters: 0 },
];

/** Types of other dialects, and what the engine has for them. */
export const foreignTypes: ReadonlyMap<string, string> = new Map([
  ['ANY', 'the type itself'],
  ['BLOB', 'BYTES'],
  ['BOOL', 'BOOLEAN'],
  ['CLOB', 'STRING'],
  ['DATETIME', 'TIMESTAMP(3)'],
  ['FLOAT64', 'DOUBLE'],
  ['GEOMETRY', 'STRING'],
  ['INT64', 'BIGINT'],
  ['JSON', 'STRING'],
  ['LONG', 'BIGINT'],
  ['NCHAR', 'CHAR'],
  ['NUMBER', 'DECIMAL(p, s)'],
  ['REAL', 'FLOAT'],
  ['SHORT', 'SMALLINT'],
  ['STRUCT', 'ROW<...>'],
  ['TEXT', 'STRING'],
  ['UUID', 'STRING'],
]);
