import type { SqlType } from '../types/sql-type.ts';

/** A column of a record, for its schema. */
export interface SchemaColumn {
  readonly name: string;
  readonly type: SqlType;
  /** Its description in the project. */
  readonly doc?: string;
}

/** The records that a schema describes, whatever its language. */
export interface RecordSchema {
  /** Name of the project, of which the namespace is made. */
  readonly project: string;
  /** Name of the model, of which the name of the record is made. */
  readonly name: string;
  readonly doc?: string;
  readonly columns: readonly SchemaColumn[];
}

/** What a language of schemas cannot say of a column. */
export interface Misfit {
  /** With the fields that lead to it: `address.geo`. */
  readonly column: string;
  /** After "column x ...": `has a name that Avro does not allow`. */
  readonly why: string;
  readonly hint: string;
}

/** A schema as text, or the first reason why there is none. */
export type SchemaResult = { readonly text: string } | { readonly misfit: Misfit };

/** Whether a type is text, as the keys of maps have to be where the language has no others. */
export function isTextType(type: SqlType | undefined): boolean {
  return type?.name === 'VARCHAR' || type?.name === 'CHAR';
}

/** A name of letters, digits and "_" that begins with no digit: every other character becomes "_". */
export function plainName(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_]/g, '_');
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
}

/** The hint for a column of a type that nothing else can hold. */
export const castHint = 'write CAST or a function around it in the SELECT';
