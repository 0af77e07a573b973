import { type RowField, type SqlType, text, withNullable } from '../types/sql-type.ts';
import {
  castHint,
  isTextType,
  type Misfit,
  plainName,
  type RecordSchema,
  type SchemaResult,
} from './record-schema.ts';

/** https://avro.apache.org/docs/1.12.0/specification/#names */
export const avroName = /^[A-Za-z_][A-Za-z0-9_]*$/;

type AvroType = string | readonly AvroType[] | { readonly [key: string]: unknown };

interface AvroContext {
  /** Name of the record around it, which the names of inner records begin with: they are unique in a schema. */
  readonly record: string;
  /** Column, with the fields that lead to it. */
  readonly column: string;
  readonly misfits: Misfit[];
}

/**
 * The schema in Avro 1.12. Types are those that the engine writes: a column that may be null is a union with null and null as its
 * default, times are milliseconds since 1970 in UTC as far as these hold them, a `TIMESTAMP` without a zone too. Every field of a
 * row may be null: before 2.2 the engine ignores `NOT NULL` there.
 */
export function avroSchema({ project, name, doc, columns }: RecordSchema): SchemaResult {
  const misfits: Misfit[] = [];
  const record = plainName(name);
  const schema = {
    type: 'record',
    name: record,
    namespace: plainName(project),
    ...(doc === undefined ? {} : { doc }),
    fields: columns.map((column) => avroField(column, { record, column: column.name, misfits })),
  };
  const [misfit] = misfits;
  return misfit === undefined ? { text: JSON.stringify(schema) } : { misfit };
}

function avroField(
  { name, type, doc }: { readonly name: string; readonly type: SqlType; readonly doc?: string },
  context: AvroContext,
): Readonly<Record<string, unknown>> {
  if (!avroName.test(name)) {
    context.misfits.push({
      column: context.column,
      why: 'has a name that Avro does not allow: names are letters, digits and "_"',
      hint: 'give it another name with AS',
    });
  }
  return {
    name,
    type: avroType(type, { ...context, record: `${context.record}_${name}` }),
    ...(doc === undefined ? {} : { doc }),
    ...(type.nullable ? { default: null } : {}),
  };
}

function avroType(type: SqlType, context: AvroContext): AvroType {
  const value = avroValue(type, context);
  return type.nullable ? ['null', value] : value;
}

/** Types without anything beside their name. */
const plainTypes: Readonly<Partial<Record<SqlType['name'], AvroType>>> = {
  BOOLEAN: 'boolean',
  TINYINT: 'int',
  SMALLINT: 'int',
  INT: 'int',
  BIGINT: 'long',
  FLOAT: 'float',
  DOUBLE: 'double',
  CHAR: 'string',
  VARCHAR: 'string',
  BINARY: 'bytes',
  VARBINARY: 'bytes',
  DATE: { type: 'int', logicalType: 'date' },
};

function avroValue(type: SqlType, context: AvroContext): AvroType {
  const plain = plainTypes[type.name];
  if (plain !== undefined) return plain;
  if ('scale' in type) {
    const { precision, scale } = type;
    return { type: 'bytes', logicalType: 'decimal', precision, scale };
  }
  if ('precision' in type) return avroTime(type.name, type.precision);
  if ('fields' in type) return avroRecord(type.fields, context);
  if (type.name === 'ARRAY' && type.element !== undefined) {
    return { type: 'array', items: avroType(type.element, context) };
  }
  if (type.name === 'MAP' && isTextType(type.key) && type.value !== undefined) {
    return { type: 'map', values: avroType(type.value, context) };
  }
  const isMap = type.name === 'MAP';
  context.misfits.push({
    column: context.column,
    why: isMap
      ? 'is a MAP whose keys are not text, which Avro does not have'
      : `is ${type.name}, which Avro does not have`,
    hint: castHint,
  });
  return 'null';
}

function avroTime(name: 'TIME' | 'TIMESTAMP' | 'TIMESTAMP_LTZ', precision: number): AvroType {
  if (name === 'TIME') return { type: 'int', logicalType: 'time-millis' };
  const unit = precision <= 3 ? 'millis' : precision <= 6 ? 'micros' : 'nanos';
  return { type: 'long', logicalType: `timestamp-${unit}` };
}

function avroRecord(fields: readonly RowField[], context: AvroContext): AvroType {
  return {
    type: 'record',
    name: context.record,
    fields: fields.flatMap(({ name, type }) =>
      type === undefined
        ? []
        : [
            avroField(
              { name, type: withNullable(type, true) },
              { ...context, column: `${context.column}.${name}` },
            ),
          ],
    ),
  };
}

/**
 * The type of a column of a table whose records have a schema in Avro: the engine refuses a table whose types are not those that
 * it reads in the schema.
 */
export function avroColumnType(type: SqlType): SqlType {
  const { nullable } = type;
  if (type.name === 'TINYINT' || type.name === 'SMALLINT') return { name: 'INT', nullable };
  if (type.name === 'CHAR' || type.name === 'VARCHAR') return text('VARCHAR', undefined, nullable);
  if (type.name === 'BINARY' || type.name === 'VARBINARY') return text('VARBINARY', undefined, nullable);
  if (type.name === 'TIMESTAMP') return { ...type, precision: 3 };
  if (type.name === 'ARRAY') return { ...type, element: innerType(type.element) };
  if (type.name === 'MAP') {
    return { ...type, key: text('VARCHAR', undefined, false), value: innerType(type.value) };
  }
  if (type.name !== 'ROW') return type;
  return {
    ...type,
    fields: type.fields.map((field) => ({ ...field, type: withNullable(innerType(field.type), true) })),
  };
}

function innerType(type: SqlType | undefined): SqlType | undefined {
  return type === undefined ? undefined : avroColumnType(type);
}

/** What the engine does not write in Avro, although Avro has it; undefined where it writes all of a type. */
export function avroUnwritten(type: SqlType): string | undefined {
  if (type.name === 'TIME' || type.name === 'TIMESTAMP_LTZ') return type.name;
  if (type.name === 'TIMESTAMP') return type.precision > 3 ? `TIMESTAMP(${type.precision})` : undefined;
  const parts =
    'element' in type
      ? [type.element]
      : 'value' in type
        ? [type.value]
        : 'fields' in type
          ? type.fields.map((field) => field.type)
          : [];
  for (const part of parts) {
    const found = part === undefined ? undefined : avroUnwritten(part);
    if (found !== undefined) return found;
  }
  return undefined;
}
