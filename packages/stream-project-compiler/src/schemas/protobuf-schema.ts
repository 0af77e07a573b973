import { typeName } from '../types/print-type.ts';
import type { SqlType } from '../types/sql-type.ts';
import {
  castHint,
  isTextType,
  type Misfit,
  plainName,
  type RecordSchema,
  type SchemaColumn,
  type SchemaResult,
} from './record-schema.ts';

/** https://protobuf.dev/reference/protobuf/proto3-spec/#identifiers, with "_" in front as its compiler takes it. */
const fieldName = /^[A-Za-z_][A-Za-z0-9_]*$/;

const timestampFile = 'google/protobuf/timestamp.proto';

interface ProtoContext {
  /** Column, with the fields that lead to it. */
  readonly column: string;
  readonly misfits: Misfit[];
  readonly imports: Set<string>;
}

/** A type as it is written before the name of a field. */
interface ProtoType {
  readonly type: string;
  /** Messages that have to be defined beside the field. */
  readonly messages: readonly (readonly string[])[];
}

/**
 * The schema in proto3. The number of a field follows from its name alone, so that it stays when other columns come, go or move.
 * A column that may be null is `optional`. Times are `google.protobuf.Timestamp`; numbers with a scale, days and times of a day, for
 * which there is no type, are text as the engine writes it.
 */
export function protobufSchema(record: RecordSchema): SchemaResult {
  const context: ProtoContext = { column: '', misfits: [], imports: new Set() };
  const { project, doc, columns } = record;
  const body = [...comment(doc), ...message(messageName(record), columns, context)];
  const imports = [...context.imports].map((file) => `import "${file}";`);
  const lines = [
    'syntax = "proto3";',
    '',
    `package ${plainName(project)};`,
    '',
    ...imports,
    ...(imports.length > 0 ? [''] : []),
    'option java_multiple_files = true;',
    `option java_package = "${plainName(project)}";`,
    '',
    ...body,
  ];
  const [misfit] = context.misfits;
  return misfit === undefined ? { text: lines.join('\n') } : { misfit };
}

/** The class that the compiler of Protobuf makes of the schema for Java. */
export function protobufClass(record: Pick<RecordSchema, 'project' | 'name'>): string {
  return `${plainName(record.project)}.${messageName(record)}`;
}

function messageName({ name }: Pick<RecordSchema, 'name'>): string {
  return upperCamel(plainName(name));
}

/** `order_lines` is `OrderLines`. */
function upperCamel(name: string): string {
  const parts = name.split('_').filter((part) => part !== '');
  const camel = parts.map((part) => `${part.slice(0, 1).toUpperCase()}${part.slice(1)}`).join('');
  return /^[A-Z]/.test(camel) ? camel : `M${camel}`;
}

function message(name: string, columns: readonly SchemaColumn[], context: ProtoContext): readonly string[] {
  const lines: string[] = [];
  const numbers = new Map<number, string>();
  const camelNames = new Map<string, string>();
  const prefix = context.column === '' ? '' : `${context.column}.`;
  const refuse = (column: string, why: string) =>
    context.misfits.push({ column: `${prefix}${column}`, why, hint: 'give it another name with AS' });
  for (const { name: field, type, doc } of columns) {
    const number = fieldNumber(field);
    const [sameNumber, sameCamel] = [numbers.get(number), camelNames.get(upperCamel(field))];
    if (!fieldName.test(field)) {
      refuse(field, 'has a name that Protobuf does not allow: names are letters, digits and "_"');
    } else if (sameCamel !== undefined) {
      refuse(
        field,
        `differs from column "${sameCamel}" only in "_" and capital letters, which Protobuf does not allow`,
      );
    } else if (sameNumber !== undefined) {
      refuse(
        field,
        `has the number of column "${sameNumber}": the numbers of fields follow from their names`,
      );
    }
    numbers.set(number, field);
    camelNames.set(upperCamel(field), field);
    const inner = { ...context, column: `${prefix}${field}` };
    const { type: written, messages } = fieldType(type, upperCamel(field), inner);
    for (const one of messages) lines.push(...one, '');
    lines.push(...comment(doc), `${written} ${field} = ${number};${typeComment(type)}`);
  }
  return [
    `message ${name} {`,
    ...lines.map((line) => (line === '' ? '' : `  ${line}`)),
    '}',
    ...(prefix === '' ? [''] : []),
  ];
}

function comment(doc: string | undefined): readonly string[] {
  return doc === undefined
    ? []
    : doc
        .trimEnd()
        .split(/\r\n|[\n\r\u2028\u2029]/)
        .map((line) => `// ${line}`.trimEnd());
}

/** What the type of the field does not say. */
function typeComment(type: SqlType): string {
  const isText = type.name === 'DECIMAL' || type.name === 'DATE' || type.name === 'TIME';
  return isText ? ` // ${typeName(type)}` : '';
}

/** Types without anything beside their name. */
const plainTypes: Readonly<Partial<Record<SqlType['name'], string>>> = {
  BOOLEAN: 'bool',
  TINYINT: 'int32',
  SMALLINT: 'int32',
  INT: 'int32',
  BIGINT: 'int64',
  FLOAT: 'float',
  DOUBLE: 'double',
  CHAR: 'string',
  VARCHAR: 'string',
  DECIMAL: 'string',
  DATE: 'string',
  TIME: 'string',
  BINARY: 'bytes',
  VARBINARY: 'bytes',
};

const keyTypes: ReadonlySet<string> = new Set(['bool', 'int32', 'int64', 'string']);

function fieldType(type: SqlType, message: string, context: ProtoContext): ProtoType {
  const repeated = repeatedType(type, message, context);
  if (repeated !== undefined) return repeated;
  const single = singleType(type, message, context);
  return { ...single, type: type.nullable ? `optional ${single.type}` : single.type };
}

function repeatedType(type: SqlType, message: string, context: ProtoContext): ProtoType | undefined {
  if (type.name === 'ARRAY' && type.element !== undefined) {
    const element = singleType(type.element, message, context);
    return { ...element, type: `repeated ${element.type}` };
  }
  if (type.name === 'MULTISET' && isTextType(type.element))
    return { type: 'map<string, int32>', messages: [] };
  if (type.name !== 'MAP' || type.key === undefined || type.value === undefined) return undefined;
  const key = plainTypes[type.key.name] ?? '';
  if (!keyTypes.has(key)) return undefined;
  const value = singleType(type.value, message, context);
  return { ...value, type: `map<${key}, ${value.type}>` };
}

function singleType(type: SqlType, name: string, context: ProtoContext): ProtoType {
  const plain = plainTypes[type.name];
  if (plain !== undefined) return { type: plain, messages: [] };
  if (type.name === 'TIMESTAMP' || type.name === 'TIMESTAMP_LTZ') {
    context.imports.add(timestampFile);
    return { type: 'google.protobuf.Timestamp', messages: [] };
  }
  if ('fields' in type) {
    const columns = type.fields.flatMap((field) =>
      field.type === undefined ? [] : [{ name: field.name, type: field.type }],
    );
    return { type: name, messages: [message(name, columns, context)] };
  }
  const isKept = type.name === 'ARRAY' || type.name === 'MAP';
  context.misfits.push({
    column: context.column,
    why: isKept
      ? `holds ${type.name} where Protobuf has none: lists and maps are fields of messages, and keys of maps are text or whole numbers`
      : `is ${type.name}, which Protobuf does not have`,
    hint: castHint,
  });
  return { type: 'bytes', messages: [] };
}

const writtenTypes: ReadonlySet<string> = new Set([
  'BOOLEAN',
  'INT',
  'BIGINT',
  'FLOAT',
  'DOUBLE',
  'CHAR',
  'VARCHAR',
  'BINARY',
  'VARBINARY',
]);

/** What the engine does not write in Protobuf; undefined where it writes all of a type. */
export function protobufUnwritten(type: SqlType): string | undefined {
  if ('fields' in type) return firstOf(type.fields.map((field) => field.type));
  if (type.name === 'ARRAY') return firstOf([type.element]);
  if (type.name === 'MAP') return firstOf([type.key, type.value]);
  return writtenTypes.has(type.name) ? undefined : typeName(type);
}

function firstOf(types: readonly (SqlType | undefined)[]): string | undefined {
  for (const type of types) {
    const found = type === undefined ? undefined : protobufUnwritten(type);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** https://protobuf.dev/programming-guides/proto3/#assigning */
const largest = 2 ** 29 - 1;
/** Kept back for the implementation of Protobuf. */
const reserved = { first: 19_000, count: 1000 };

/**
 * The number of a field, from its name alone: the FNV-1a hash of its UTF-8 bytes (32 bits), folded into the numbers that may be
 * used. Most numbers take five bytes of a record instead of one, and in return no file has to remember which are taken.
 */
export function fieldNumber(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  const number = (hash % (largest - reserved.count)) + 1;
  return number < reserved.first ? number : number + reserved.count;
}
