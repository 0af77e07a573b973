import { typeName } from '../types/print-type.ts';
import type { SqlType } from '../types/sql-type.ts';
import { castHint, isTextType, type Misfit, type RecordSchema, type SchemaResult } from './record-schema.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

interface JsonContext {
  /** Column, with the fields that lead to it. */
  readonly column: string;
  readonly misfits: Misfit[];
}

/** How the rows are in the records: as they are, or each change with the row before and after it. */
export type JsonRows = 'rows' | 'changes';

/**
 * The schema in JSON Schema 2020-12, of records as the engine's JSON format writes them: a column that may be null may also be
 * missing, there are no others, times are text with a space between date and time, and bytes are text in Base64.
 */
export function jsonRecordSchema(record: RecordSchema, rows: JsonRows = 'rows'): SchemaResult {
  const misfits: Misfit[] = [];
  const { name, doc, columns } = record;
  const row = object(
    columns.map(({ name: column, type, doc: about }) => ({
      name: column,
      nullable: type.nullable,
      schema: {
        ...jsonType(type, { column, misfits }),
        ...(about === undefined ? {} : { description: about }),
      },
    })),
  );
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: name,
    ...(doc === undefined ? {} : { description: doc }),
    ...(rows === 'rows' ? row : changesOf(row)),
  };
  const [misfit] = misfits;
  return misfit === undefined ? { text: JSON.stringify(schema, undefined, 2) } : { misfit };
}

/** The envelope of the engine's `debezium-json`. */
function changesOf(row: JsonSchema): JsonSchema {
  const side = { anyOf: [{ $ref: '#/$defs/row' }, { type: 'null' }] };
  return {
    ...object([
      { name: 'before', nullable: false, schema: side },
      { name: 'after', nullable: false, schema: side },
      { name: 'op', nullable: false, schema: { enum: ['c', 'd'] } },
    ]),
    $defs: { row },
  };
}

interface Property {
  readonly name: string;
  readonly nullable: boolean;
  readonly schema: JsonSchema;
}

function object(properties: readonly Property[]): JsonSchema {
  const required = properties.flatMap(({ name, nullable }) => (nullable ? [] : [name]));
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map(({ name, schema }) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

const date = '[0-9]{4,}-[0-9]{2}-[0-9]{2}';
const clock = String.raw`[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?`;

/** Types without anything beside their name, and those of which the rest is not in the records. */
const plainTypes: Readonly<Partial<Record<SqlType['name'], JsonSchema>>> = {
  BOOLEAN: { type: 'boolean' },
  TINYINT: integer(8n),
  SMALLINT: integer(16n),
  INT: integer(32n),
  BIGINT: { type: 'integer' },
  FLOAT: { type: 'number' },
  DOUBLE: { type: 'number' },
  DECIMAL: { type: 'number' },
  CHAR: { type: 'string' },
  VARCHAR: { type: 'string' },
  BINARY: { type: 'string', contentEncoding: 'base64' },
  VARBINARY: { type: 'string', contentEncoding: 'base64' },
  DATE: { type: 'string', format: 'date' },
  TIME: { type: 'string', pattern: `^${clock}$` },
  TIMESTAMP: { type: 'string', pattern: `^${date} ${clock}$` },
  TIMESTAMP_LTZ: { type: 'string', pattern: `^${date} ${clock}Z$` },
};

function integer(bits: bigint): JsonSchema {
  const limit = 2n ** (bits - 1n);
  return { type: 'integer', minimum: Number(-limit), maximum: Number(limit - 1n) };
}

/** The type as the engine writes it is a comment, for those that JSON does not tell apart. */
function jsonType(type: SqlType, context: JsonContext): JsonSchema {
  const value = jsonValue(type, context);
  const { type: name } = value;
  return {
    ...(type.nullable && name !== undefined ? { ...value, type: [name, 'null'] } : value),
    ...('fields' in type ? {} : { $comment: typeName(type) }),
  };
}

function jsonValue(type: SqlType, context: JsonContext): JsonSchema {
  const plain = plainTypes[type.name];
  if (plain !== undefined) return plain;
  if (type.name === 'VARIANT') return {};
  if ('fields' in type) {
    return object(
      type.fields.flatMap((field) =>
        field.type === undefined
          ? []
          : [
              {
                name: field.name,
                nullable: field.type.nullable,
                schema: jsonType(field.type, { ...context, column: `${context.column}.${field.name}` }),
              },
            ],
      ),
    );
  }
  if (type.name === 'ARRAY' && type.element !== undefined) {
    return { type: 'array', items: jsonType(type.element, context) };
  }
  if (type.name === 'MAP' && isTextType(type.key) && type.value !== undefined) {
    return { type: 'object', additionalProperties: jsonType(type.value, context) };
  }
  if (type.name === 'MULTISET' && isTextType(type.element)) {
    return { type: 'object', additionalProperties: { type: 'integer', minimum: 1 } };
  }
  context.misfits.push({
    column: context.column,
    why: `is a ${type.name} whose keys are not text, which JSON does not have`,
    hint: castHint,
  });
  return {};
}
