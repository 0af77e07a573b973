export { functionKind, isModelFunction } from './analysis/function-kinds.ts';
export {
  type NamedColumn,
  type OutputColumn,
  outputColumns,
  type StarColumns,
} from './analysis/output-columns.ts';
export {
  type QueryFact,
  type QueryFeature,
  type QueryKind,
  queryFeatures,
  queryKind,
} from './analysis/query-kind.ts';
export { type TableReference, tableReferences } from './analysis/table-references.ts';
export { childNodes, type VisitSqlNode, walkSql } from './analysis/walk-sql.ts';
export { MAX_SQL_DEPTH, MAX_SQL_HEIGHT } from './parse/token-cursor.ts';
export { type ParsedSql, type ParsedType, parseSql, parseSqlType } from './parse-sql.ts';
export { nearestName } from './text/nearest-name.ts';
export { isReservedWord } from './text/reserved-words.ts';
export type { Span } from './text/span.ts';
export {
  MAX_SQL_DIAGNOSTICS,
  type SqlDiagnostic,
  type SqlDiagnosticCode,
  sqlDiagnosticTitles,
} from './text/sql-diagnostic.ts';
export type { Token, TokenizedSql } from './tokens/token.ts';
export { MAX_SQL_TOKENS, tokenizeSql } from './tokens/tokenize-sql.ts';
export type {
  Argument,
  Call,
  FrameBound,
  TableArgument,
  WindowFrame,
  WindowSpecification,
} from './tree/call.ts';
export type { DataType, ScalarType, ScalarTypeName } from './tree/data-type.ts';
export type {
  Between,
  Binary,
  BinaryOperator,
  Case,
  Cast,
  Collection,
  Column,
  Element,
  Expression,
  Field,
  In,
  IntervalExpression,
  Is,
  Like,
  Literal,
  Logical,
  Quantified,
  Row,
  Star,
  Unary,
} from './tree/expression.ts';
export type { MatchRecognize, RowPattern } from './tree/match-recognize.ts';
export type { Identifier, Macro, TableName } from './tree/names.ts';
export type {
  CommonTable,
  GroupBy,
  GroupingItem,
  OrderItem,
  Query,
  QueryBody,
  Select,
  SelectItem,
  SetOperation,
  Values,
} from './tree/query.ts';
export type { SqlNode } from './tree/sql-node.ts';
export type { FromItem, Join, Table, TableFunction, TableSource, Unnest } from './tree/table.ts';
