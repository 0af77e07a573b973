import type {
  Argument,
  DefaultArgument,
  FrameBound,
  JsonBehaviour,
  JsonClauses,
  JsonPassing,
  ModelArgument,
  TableArgument,
  TimeUnit,
  WindowFrame,
  WindowSpecification,
} from './call.ts';
import type { DataType, IntervalQualifier, RowTypeField } from './data-type.ts';
import type { CaseBranch, Expression } from './expression.ts';
import type {
  AfterMatch,
  MatchRecognize,
  Measure,
  PatternDefinition,
  PatternSubset,
  RowPattern,
} from './match-recognize.ts';
import type { Identifier, TableName } from './names.ts';
import type {
  CommonTable,
  EmptyGrouping,
  GroupBy,
  GroupingSets,
  Hint,
  HintOption,
  Limit,
  NamedWindow,
  OrderItem,
  Query,
  QueryBody,
  SelectItem,
} from './query.ts';
import type { DerivedTable, FromItem, TableFunction, Unnest } from './table.ts';

/** Every node of a tree, distinguished by `kind`. `start` and `end` are its place in the text. */
export type SqlNode =
  | Query
  | QueryBody
  | CommonTable
  | SelectItem
  | GroupBy
  | GroupingSets
  | EmptyGrouping
  | NamedWindow
  | OrderItem
  | Limit
  | Hint
  | HintOption
  | FromItem
  | TableName
  | DerivedTable
  | TableFunction
  | Unnest
  | MatchRecognize
  | Measure
  | AfterMatch
  | PatternSubset
  | PatternDefinition
  | RowPattern
  | Expression
  | CaseBranch
  | Identifier
  | Argument
  | TimeUnit
  | TableArgument
  | ModelArgument
  | DefaultArgument
  | JsonClauses
  | JsonPassing
  | JsonBehaviour
  | WindowSpecification
  | WindowFrame
  | FrameBound
  | DataType
  | RowTypeField
  | IntervalQualifier;
