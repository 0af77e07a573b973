import type { KeyFormat, SchemaFormat } from '@levada/stream-project-schema';
import { quote } from '../diagnostics/quote.ts';
import type { Definition } from '../parse/definition.ts';
import { isText, listAt, textAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import { avroColumnType, avroSchema, avroUnwritten } from '../schemas/avro-schema.ts';
import { jsonRecordSchema } from '../schemas/json-record-schema.ts';
import { protobufClass, protobufSchema, protobufUnwritten } from '../schemas/protobuf-schema.ts';
import type { RecordSchema, SchemaColumn, SchemaResult } from '../schemas/record-schema.ts';
import { withNullable } from '../types/sql-type.ts';
import type { SinkRows } from './output-columns.ts';
import type { Refusal } from './refusal.ts';
import type { TableColumn, TopicRows, WrittenFormat } from './topic-table.ts';

/** What `schema` of a model says. */
export interface ModelFormat {
  readonly value: SchemaFormat;
  /** Undefined: the project does not say it. */
  readonly key: KeyFormat | undefined;
  readonly subject: string | undefined;
  /** Whether the project says anything of the format of values. */
  readonly isGiven: boolean;
}

/** The format of a model's records. */
export function modelFormat({ node }: Definition<'model'>): ModelFormat {
  const [value, key] = [placeOf(node, 'schema.format').node, placeOf(node, 'schema.key_format').node];
  return {
    value: isText(value) ? (value.value as SchemaFormat) : 'json',
    key: isText(key) ? (key.value as KeyFormat) : undefined,
    subject: textAt(node, 'schema.subject')?.value,
    isGiven: value !== undefined,
  };
}

/** The schema of the values or keys of a topic. */
export interface TopicSchema {
  readonly part: 'value' | 'key';
  readonly format: SchemaFormat;
  /** In the registry. */
  readonly subject: string;
  readonly text: string;
}

/** How the records of a model are written. */
export interface OutputFormat {
  readonly schemas: readonly TopicSchema[];
  readonly written: WrittenFormat;
  /** The columns of its table, with the types that it can have. */
  readonly columns: readonly TableColumn[];
}

interface OutputFacts {
  readonly project: string;
  readonly topic: string;
  readonly rows: TopicRows;
  readonly key: SinkRows['key'];
  readonly columns: readonly SchemaColumn[];
}

/** The format of what a job writes, and its schemas; or why the records cannot be written in it. */
export function outputFormat(model: ResolvedModel, facts: OutputFacts): OutputFormat | Refusal {
  const format = modelFormat(model.definition);
  const { rows, key, topic } = facts;
  if (rows === 'changelog' && (format.value !== 'json' || format.key !== undefined)) {
    return {
      refused: 'its rows change and it has no key, and such changes are written as JSON only',
      hint: 'name a column in "key", or remove "schema"',
      isMistake: true,
    };
  }
  const nullable = ({ name, type }: SchemaColumn) =>
    type.nullable && !(rows === 'upsert' && key.includes(name));
  const columns = facts.columns.map((one) => ({ ...one, type: withNullable(one.type, nullable(one)) }));
  const record = {
    project: facts.project,
    name: model.name,
    columns: withDocs(columns, model),
    ...docOf(model),
  };
  const value = valueSchema(format, record, rows);
  if ('misfit' in value) return misfitRefusal(value.misfit, format);
  const schemas: TopicSchema[] = [
    { part: 'value', format: format.value, subject: format.subject ?? `${topic}-value`, text: value.text },
  ];
  const keyColumns = columns.filter(({ name }) => key.includes(name));
  const keyRecord = { project: facts.project, name: `${model.name}_key`, columns: keyColumns };
  const hasKeySchema = format.key !== undefined && keyColumns.length > 0;
  const keyText = hasKeySchema ? keySchema(format.key, keyRecord) : undefined;
  if (keyText !== undefined && 'misfit' in keyText)
    return misfitRefusal(keyText.misfit, { ...format, isGiven: true });
  if (keyText !== undefined && format.key !== undefined) {
    schemas.push({ part: 'key', format: format.key, subject: `${topic}-key`, text: keyText.text });
  }
  const isAvroKey = (name: string) => format.key === 'avro' && key.includes(name);
  const unwritten = unwrittenColumn(columns, (name) => (isAvroKey(name) ? 'avro' : format.value));
  if (unwritten !== undefined) return { ...unwritten, schemas };
  return {
    schemas,
    written: {
      keyFormat: hasKeySchema ? format.key : undefined,
      keySchema: format.key === 'avro' ? keyText?.text : undefined,
      valueSchema: format.value === 'avro' ? value.text : undefined,
      subject: format.subject,
      className: format.value === 'protobuf' ? protobufClass(record) : undefined,
    },
    columns: columns.map(({ name, type }) =>
      format.value === 'avro' || isAvroKey(name)
        ? { name, type: avroColumnType(type), exact: true }
        : {
            name,
            type,
            ...(type.nullable || (rows === 'upsert' && key.includes(name)) ? {} : { required: true }),
          },
    ),
  };
}

function valueSchema({ value }: ModelFormat, record: RecordSchema, rows: TopicRows): SchemaResult {
  if (value === 'avro') return avroSchema(record);
  if (value === 'protobuf') return protobufSchema(record);
  return jsonRecordSchema(record, rows === 'changelog' ? 'changes' : 'rows');
}

function keySchema(format: KeyFormat | undefined, record: RecordSchema): SchemaResult {
  return format === 'avro' ? avroSchema(record) : jsonRecordSchema(record);
}

/** Only what the project asks for is a mistake of it. */
function misfitRefusal(
  { column, why, hint }: Extract<SchemaResult, { misfit: unknown }>['misfit'],
  { isGiven }: ModelFormat,
): Refusal {
  return { refused: `its column ${quote(column)} ${why}`, hint, ...(isGiven ? { isMistake: true } : {}) };
}

const words = { avro: 'Avro', protobuf: 'Protobuf', json: 'JSON' } as const;

function unwrittenColumn(
  columns: readonly SchemaColumn[],
  formatOf: (column: string) => SchemaFormat,
): Refusal | undefined {
  for (const { name, type } of columns) {
    const format = formatOf(name);
    if (format === 'json') continue;
    const found = format === 'avro' ? avroUnwritten(type) : protobufUnwritten(type);
    if (found === undefined) continue;
    const hint =
      found.startsWith('TIMESTAMP') && format === 'avro'
        ? 'write CAST(... AS TIMESTAMP(3))'
        : 'write CAST(... AS STRING)';
    return {
      refused: `the engine does not write ${found} in ${words[format]}, which is the type of its column ${quote(name)}`,
      hint,
    };
  }
  return undefined;
}

function docOf({ definition }: ResolvedModel): { readonly doc?: string } {
  const text = textAt(definition.node, 'description');
  return text === undefined || text.interpolated !== undefined ? {} : { doc: text.value.trim() };
}

/** Descriptions of columns; those with variables are left out, since a schema has none. */
function withDocs(columns: readonly SchemaColumn[], { definition }: ResolvedModel): readonly SchemaColumn[] {
  const docs = new Map<string, string>();
  for (const item of listAt(definition.node, 'columns')?.items ?? []) {
    const [name, doc] = [textAt(item, 'name'), textAt(item, 'description')];
    if (name !== undefined && doc?.interpolated === undefined && doc !== undefined) {
      docs.set(name.value, doc.value.trim());
    }
  }
  return columns.map((column) => {
    const doc = docs.get(column.name);
    return doc === undefined ? column : { ...column, doc };
  });
}
