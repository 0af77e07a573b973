import { keyFormatOf, type RecordKeyFormat } from '../columns/nodes/key-format.ts';
import { type EventTime, takesWatermark } from '../columns/nodes/node-columns.ts';
import { printType, typeName } from '../types/print-type.ts';
import { type SqlType, withNullable } from '../types/sql-type.ts';
import type { EngineNeeds, JobSettings } from './job.ts';
import { interval, settingDuration } from './text/durations.ts';
import {
  identifier,
  identifiers,
  literal,
  option,
  setStatement,
  type TableOption,
  withOptions,
  withoutVariables,
} from './text/sql-words.ts';
import { type PlatformOptions, readOptions, transactionOptions } from './topic-options.ts';
import type { TableColumn, TopicRows, TopicTable, ValueFormat, WrittenFormat } from './topic-table.ts';

/** A table of a job. */
export interface JobTable {
  readonly name: string;
  readonly topic: string;
  readonly at: TopicTable['at'];
  readonly rows: TopicRows;
  readonly format: ValueFormat | 'raw';
  readonly columns: readonly TableColumn[];
  readonly key: readonly string[];
  readonly eventTime: EventTime | undefined;
  /** The consumer group of a table that is read; undefined for one that is written. */
  readonly group: string | undefined;
  readonly written?: WrittenFormat | undefined;
  /** Where reading begins. Default: at the beginning. */
  readonly start?: Pick<JobSettings, 'start' | 'startMs'> | undefined;
  /** The prefix of transactions in which it is written. Default: it is written without any. */
  readonly transactions?: string | undefined;
  /** Tasks that read it, where it is not as many as the job has. */
  readonly readers?: number | undefined;
  /** A table that is read from now on, or from where its group is; any other from the beginning of its topic. */
  readonly fromNow?: true;
  /** The key is a column of its own, which values do not have. */
  readonly keyApart?: true;
}

/** Whether a table can be made: the project may have no registry, or no class, for the format of its values. */
export function hasFormat(table: JobTable, platform: PlatformOptions): boolean {
  return formatOptions(table, platform) !== undefined && keyOptions(table, platform) !== undefined;
}

/** Jars that the engine needs for tables. */
export function needsOf(tables: readonly JobTable[]): EngineNeeds {
  return mergeNeeds(
    tables.map((table) => ({
      connectors: [connectorOf(table)],
      formats: [keyFormatNames[tableKeyFormat(table)] ?? [], valueFormatOf(table)].flat(),
    })),
  );
}

export function mergeNeeds(needs: readonly EngineNeeds[]): EngineNeeds {
  const mergeNames = (one: keyof EngineNeeds) => [...new Set(needs.flatMap((part) => part[one]))].sort();
  return { connectors: mergeNames('connectors'), formats: mergeNames('formats') };
}

/** `CREATE TABLE` of a table that {@link hasFormat}. */
export function createTable(table: JobTable, platform: PlatformOptions): string {
  const options = connectorOptions(table, platform);
  const lines = table.columns.map((column) => columnLine(column, table.format));
  const time = watermarkOf(table);
  if (time !== undefined) lines.push(watermarkLine(time));
  if (table.rows !== 'append' && table.key.length > 0)
    lines.push(`PRIMARY KEY (${identifiers(table.key)}) NOT ENFORCED`);
  return `CREATE TEMPORARY TABLE ${identifier(table.name)} (\n  ${lines.join(',\n  ')}\n) ${withOptions(options)}`;
}

/** The event time of a table that is read, where the engine takes a watermark for it. */
export function watermarkOf({ eventTime, group, columns }: JobTable): EventTime | undefined {
  if (eventTime === undefined || group === undefined) return undefined;
  const type = columns.find(({ name }) => name === eventTime.column)?.type;
  return type !== undefined && takesWatermark(type) ? eventTime : undefined;
}

/**
 * Settings of a session that reads tables. Debezium delivers at least once: by the key the engine drops a change that it has read
 * before, which it would otherwise count again.
 */
export function readSettings(tables: Iterable<JobTable>): readonly string[] {
  const isRepeated = [...tables].some(({ rows, key }) => rows === 'changelog' && key.length > 0);
  return isRepeated ? [setStatement('table.exec.source.cdc-events-duplicate', 'true')] : [];
}

function columnLine(
  { name, type, computed, metadata, exact, required }: TableColumn,
  format: JobTable['format'],
): string {
  if (computed !== undefined) return `${identifier(name)} AS ${computed}`;
  const made = metadata === undefined ? '' : ` METADATA FROM ${literal(metadata)} VIRTUAL`;
  if (exact === true) return `${identifier(name)} ${withoutVariables(printType(type))}${made}`;
  const written = columnType(format === 'json' ? withNullableParts(type) : type);
  return `${identifier(name)} ${written}${required === true ? ' NOT NULL' : ''}${made}`;
}

/** The engine reads a null of JSON in a part that is `NOT NULL` as an empty text or zero. */
function withNullableParts(type: SqlType): SqlType {
  if ('element' in type) return { ...type, element: nullablePart(type.element) };
  if ('key' in type) return { ...type, key: nullablePart(type.key), value: nullablePart(type.value) };
  if (!('fields' in type)) return type;
  return { ...type, fields: type.fields.map((field) => ({ ...field, type: nullablePart(field.type) })) };
}

function nullablePart(type: SqlType | undefined): SqlType | undefined {
  return type === undefined ? undefined : withNullable(withNullableParts(type), true);
}

/** Values of a topic have no length that anything keeps, so that text is text of any length. Names of fields hold no variables. */
export function columnType(type: SqlType): string {
  const kept = type.name === 'CHAR' || type.name === 'VARCHAR' ? 'STRING' : undefined;
  return kept ?? withoutVariables(typeName(type));
}

function watermarkLine({ column, delayMs }: EventTime): string {
  const name = identifier(column);
  return `WATERMARK FOR ${name} AS ${name}${delayMs === 0 ? '' : ` - ${interval(delayMs)}`}`;
}

function connectorOptions(table: JobTable, platform: PlatformOptions): readonly TableOption[] {
  const { topic, at, rows, group, fromNow, transactions } = table;
  const format = formatOptions(table, platform) ?? [];
  const keyFormat = keyOptions(table, platform) ?? [];
  const isUpsert = rows === 'upsert';
  const read = group === undefined ? [] : readOptions(group, fromNow === true ? 'tests' : table.start);
  const idleMs = watermarkOf(table)?.idleMs;
  return [
    option('connector', connectorOf(table)),
    option('topic', topic),
    ...platform.connection(at),
    // Of the latest rows all are read
    ...(isUpsert ? read.slice(0, 2) : read),
    ...(transactions === undefined ? [] : transactionOptions(transactions)),
    ...(table.readers === undefined ? [] : [option('scan.parallelism', String(table.readers))]),
    ...(idleMs === undefined ? [] : [option('scan.watermark.idle-timeout', settingDuration(idleMs))]),
    ...keyFormat,
    ...format,
  ];
}

function connectorOf({ rows }: JobTable): string {
  return rows === 'upsert' ? 'upsert-kafka' : 'kafka';
}

/** How the keys of a table are written. */
export function tableKeyFormat({
  rows,
  key,
  columns,
  written,
}: Pick<JobTable, 'rows' | 'key' | 'columns' | 'written'>): RecordKeyFormat {
  if (rows === 'changelog') return 'none';
  const types = key.map((name) => columns.find((column) => column.name === name)?.type);
  return keyFormatOf(types, written?.keyFormat);
}

/** The engine's formats of keys. */
const keyFormatNames = { none: undefined, text: 'raw', json: 'json', avro: 'avro-confluent' } as const;

/** The engine's format of values. Changes are in the envelope of Debezium. */
function valueFormatOf({ rows, format }: JobTable): string {
  if (rows === 'changelog') return format === 'avro' ? 'debezium-avro-confluent' : 'debezium-json';
  return format === 'avro' ? 'avro-confluent' : format;
}

function keyOptions(table: JobTable, platform: PlatformOptions): readonly TableOption[] | undefined {
  const { rows, key, format, written, keyApart } = table;
  const name = keyFormatNames[tableKeyFormat(table)];
  if (name === undefined) return [];
  const formatOfKey =
    written?.keyFormat === 'avro'
      ? avroOptions('key', { schema: written.keySchema, subject: undefined }, platform)
      : [option('key.format', name)];
  if (formatOfKey === undefined) return undefined;
  return [
    ...formatOfKey,
    ...(rows === 'upsert' ? [] : [option('key.fields', key.join(';'))]),
    ...(format === 'raw' || keyApart === true ? [option('value.fields-include', 'EXCEPT_KEY')] : []),
  ];
}

function formatOptions(table: JobTable, platform: PlatformOptions): readonly TableOption[] | undefined {
  const { rows, key, format, group, written } = table;
  if (rows === 'changelog') return changesFormat(table, platform);
  const part = rows === 'upsert' || key.length > 0 ? 'value' : undefined;
  const prefix = part === undefined ? '' : 'value.';
  if (format === 'raw' || format === 'json') return [option(`${prefix}format`, format)];
  if (format === 'protobuf') {
    const name = written?.className;
    if (name === undefined) return undefined;
    return [option(`${prefix}format`, format), option(`${prefix}protobuf.message-class-name`, name)];
  }
  const subject = group === undefined ? written?.subject : undefined;
  return avroOptions(part, { schema: written?.valueSchema, subject }, platform);
}

function changesFormat(table: JobTable, platform: PlatformOptions): readonly TableOption[] | undefined {
  const name = valueFormatOf(table);
  if (table.format === 'avro') {
    const registry = platform.registry(name);
    return registry && [option('format', name), ...registry];
  }
  const embedded = table.written?.embedded === true ? [option(`${name}.schema-include`, 'true')] : [];
  return [option('format', name), ...embedded];
}

/** Avro by the registry; where the schema is known, it is the one that is registered and read. */
function avroOptions(
  part: 'key' | 'value' | undefined,
  { schema, subject }: { readonly schema: string | undefined; readonly subject: string | undefined },
  platform: PlatformOptions,
): readonly TableOption[] | undefined {
  const before = part === undefined ? '' : `${part}.`;
  const prefix = `${before}avro-confluent`;
  const registry = platform.registry(prefix);
  if (registry === undefined) return undefined;
  return [
    option(`${before}format`, 'avro-confluent'),
    ...registry,
    ...(subject === undefined ? [] : [option(`${prefix}.subject`, subject)]),
    ...(schema === undefined ? [] : [option(`${prefix}.schema`, schema)]),
  ];
}
