export {
  type NamedColumn,
  type OutputColumn,
  outputColumns,
  type StarColumns,
} from './sql/analysis/output-columns.ts';
export {
  type QueryFact,
  type QueryFeature,
  type QueryKind,
  queryFeatures,
  queryKind,
} from './sql/analysis/query-kind.ts';
export { type TableReference, tableReferences } from './sql/analysis/table-references.ts';
export { childNodes, type VisitSqlNode, walkSql } from './sql/analysis/walk-sql.ts';
export { type ParsedSql, parseSql } from './sql/parse-sql.ts';
export { type ParsedType, parseSqlType } from './sql/parse-type.ts';
export { isReservedWord } from './sql/reserved-words.ts';
export type { Span } from './sql/span.ts';
export { type SqlDiagnostic, type SqlDiagnosticCode, sqlDiagnosticTitles } from './sql/sql-diagnostic.ts';
export type { Token, TokenizedSql } from './sql/tokens/token.ts';
export { tokenizeSql } from './sql/tokens/tokenize-sql.ts';
export type { Argument, Call, WindowSpecification } from './sql/tree/call.ts';
export type { DataType } from './sql/tree/data-type.ts';
export type { Column, Expression, Literal } from './sql/tree/expression.ts';
export type { MatchRecognize, RowPattern } from './sql/tree/match-recognize.ts';
export type { Identifier, Macro, TableName } from './sql/tree/names.ts';
export type {
  CommonTable,
  GroupBy,
  Query,
  QueryBody,
  Select,
  SelectItem,
  SetOperation,
} from './sql/tree/query.ts';
export type { SqlNode } from './sql/tree/sql-node.ts';
export type { FromItem, Join, Table, TableSource } from './sql/tree/table.ts';
