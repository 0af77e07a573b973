import type { Call } from '@levada/stream-sql';
import type { NoCommonType } from '../common-type.ts';
import { type SqlType, withNullable } from '../sql-type.ts';
import type { OperandKind } from './operand-kinds.ts';

/** A call whose arguments have been looked at. */
export interface TypedCall {
  readonly node: Call;
  /** Of the arguments that are values, in order; undefined for unknown ones. */
  readonly types: readonly (SqlType | undefined)[];
  /** Whether one of them may be null, or is unknown. */
  readonly nullable: boolean;
  /** Whether an aggregate may be over no rows at all, so that there is no value. */
  readonly mayBeEmpty: boolean;
}

/** Arguments that do not go together, although each is of a type that the function takes. */
export interface Refusal {
  /** The part of the message after the comma: `expected arguments of one type`. */
  readonly expected: string;
  readonly hint: string;
}

/** The type of a function's result; undefined when it cannot be determined. */
export type ResultRule = (call: TypedCall) => SqlType | Refusal | undefined;

/** Arguments that have no type in common. */
export const MIXED: Refusal = {
  expected: 'expected arguments of one type',
  hint: 'convert them with CAST',
};

/** Makes it a type that may be null or not, where there is one. */
export function resultOf(
  type: SqlType | NoCommonType | undefined,
  nullable: boolean,
): SqlType | Refusal | undefined {
  return type === 'none' ? MIXED : withNullable(type, nullable);
}

/** One argument: required, optional (`?`), or any number of them (`*`). Optional ones come last. */
export type Operand = OperandKind | `${OperandKind}?` | `${OperandKind}*`;

/** A function of the engine. */
export interface FunctionRow {
  readonly operands: readonly Operand[];
  readonly result: ResultRule;
}

/** Rows of functions by their names in upper case. Functions with the same row share it: `LTRIM RTRIM`. */
export type FunctionTable = Readonly<Record<string, FunctionRow>>;

/** Rows under several names each. */
export function functionTable(
  rows: readonly (readonly [names: string, operands: readonly Operand[], result: ResultRule])[],
): FunctionTable {
  return Object.fromEntries(
    rows.flatMap(([names, operands, result]) => names.split(' ').map((name) => [name, { operands, result }])),
  );
}

/** Always this type, and null only where an argument is. */
export function gives(type: SqlType): ResultRule {
  return ({ nullable }) => withNullable(type, nullable);
}

/** Always this type, whatever the arguments are. */
export function always(type: SqlType): ResultRule {
  return () => type;
}

/** The type of an argument; null where any of them is. */
export function like(index: number): ResultRule {
  return ({ types, nullable }) => withNullable(types[index], nullable);
}

/** The type of the first argument, for aggregates: null where it is, and over no rows. */
export function likeRows({ types: [type], nullable, mayBeEmpty }: TypedCall): SqlType | undefined {
  return withNullable(type, nullable || mayBeEmpty);
}
