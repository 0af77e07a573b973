import type { Span } from '../text/span.ts';
import type { Identifier } from './names.ts';

/** Types that consist of a name, with optional numbers in parentheses. */
export type ScalarTypeName =
  | 'BIGINT'
  | 'BINARY'
  | 'BOOLEAN'
  | 'BYTES'
  | 'CHAR'
  | 'DATE'
  | 'DECIMAL'
  | 'DOUBLE'
  | 'FLOAT'
  | 'INT'
  | 'SMALLINT'
  | 'STRING'
  | 'TIME'
  | 'TIMESTAMP'
  | 'TIMESTAMP_LTZ'
  | 'TINYINT'
  | 'VARBINARY'
  | 'VARCHAR'
  | 'VARIANT';

interface TypeBase extends Span {
  readonly kind: 'type';
  /** `NOT NULL` is false, `NULL` is true; undefined if neither is written. */
  readonly nullable: boolean | undefined;
}

/** `INT`, `DECIMAL(10, 2)`, `TIMESTAMP(3)`. A synonym gets its name in the list above. */
export interface ScalarType extends TypeBase {
  readonly type: ScalarTypeName;
  /** Length, or precision and scale, if written. */
  readonly parameters: readonly number[];
}

/** `ARRAY<T>`, `T ARRAY`, `MULTISET<T>`. */
export interface CollectionType extends TypeBase {
  readonly type: 'ARRAY' | 'MULTISET';
  readonly element: DataType;
}

/** `MAP<K, V>`. */
export interface MapType extends TypeBase {
  readonly type: 'MAP';
  readonly key: DataType;
  readonly value: DataType;
}

/** `ROW<a INT, b STRING>`, `ROW(a INT)`, `STRUCTURED<'class', a INT>`. */
export interface RowType extends TypeBase {
  readonly type: 'ROW' | 'STRUCTURED';
  readonly fields: readonly RowTypeField[];
}

export interface RowTypeField extends Span {
  readonly kind: 'row-type-field';
  readonly name: Identifier;
  readonly type: DataType;
}

/** `INTERVAL DAY TO SECOND(3)`. */
export interface IntervalType extends TypeBase {
  readonly type: 'INTERVAL';
  readonly qualifier: IntervalQualifier;
}

/** `DAY(3) TO SECOND(3)`. */
export interface IntervalQualifier extends Span {
  readonly kind: 'interval-qualifier';
  /** In upper case and singular: `DAY`. */
  readonly from: string;
  readonly precision: number | undefined;
  readonly to: string | undefined;
  /** Fractional digits of the seconds. */
  readonly fraction: number | undefined;
}

/** `RAW('class', 'snapshot')`, or a name that only the catalog can resolve. */
export interface NamedType extends TypeBase {
  readonly type: 'RAW' | 'NAMED';
  readonly path: readonly Identifier[];
}

export type DataType = ScalarType | CollectionType | MapType | RowType | IntervalType | NamedType;
