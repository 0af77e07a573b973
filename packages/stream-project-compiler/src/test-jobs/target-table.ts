import type { AssertionKind } from '@levada/stream-project-schema';
import { type EventTime, takesWatermark } from '../columns/nodes/node-columns.ts';
import { quote } from '../diagnostics/quote.ts';
import { type JobTable, watermarkOf } from '../jobs/create-table.ts';
import type { GiveName } from '../jobs/input-tables.ts';
import type { JobFacts } from '../jobs/model-job.ts';
import { type RecordColumns, recordColumns, recordTable } from '../jobs/record-copy.ts';
import type { Refusal } from '../jobs/refusal.ts';
import { identifier } from '../jobs/text/sql-words.ts';
import { formatOfSome, madeBy, type TableColumn, type TopicTable } from '../jobs/topic-table.ts';
import { isText, listAt, objectAt, textAt } from '../parse/known-value.ts';
import type { NodeId } from '../resolve/node-id.ts';
import { plain, type RowField, type SqlType, text, time } from '../types/sql-type.ts';
import { familyOf } from '../types/type-families.ts';
import type { PlacedAssertion } from './assertion.ts';
import { fieldType } from './violation-tables.ts';

/** The records under test as a table: each record of the topic is a row, and rows are only appended. */
export interface Target {
  readonly node: NodeId;
  readonly topic: TopicTable;
  readonly table: JobTable;
  /** A view of the table, where not every row of it is a record. */
  readonly view: string | undefined;
  /** What follows FROM; columns of rows can be qualified with it. */
  readonly from: string;
  /** Columns of a record, without those that are made when it is read. */
  readonly columns: readonly TableColumn[];
  /** Set where records are handed on as they are, because not all of their columns are known. */
  readonly copy: RecordColumns | undefined;
  /** The column with the key of a record, in bytes; undefined where no one asks for it. */
  readonly key: string | undefined;
  readonly processingTime: string | undefined;
  /** Undefined where the engine has no watermark for it. */
  readonly eventTime: EventTime | undefined;
  /** Columns of which the project does not say the type. */
  readonly assumed: readonly TableColumn[];
}

/** What the table of a test is made of. */
interface TargetFacts extends JobFacts {
  readonly assertions: readonly PlacedAssertion[];
  /** Whether records that fail are handed on. */
  readonly handsOn: boolean;
  readonly nameOf: GiveName;
  readonly group: string;
}

/** Makes the table of the records under test. */
export function targetTable(topic: TopicTable, facts: TargetFacts): Target | Refusal {
  const { assertions, handsOn, nameOf, group } = facts;
  const isCopy = handsOn && !topic.complete;
  const { columns, assumed } = columnsOf(topic, facts, isCopy);
  if (isCopy && (topic.format !== 'json' || topic.rows === 'changelog')) {
    return {
      refused: 'not all columns of its records are known, so that "dlq" would lose some',
      hint: 'declare the columns of the source',
    };
  }
  const { recordKey = [] } = topic;
  if (handsOn && recordKey.length > 0) {
    return {
      refused: 'columns of its records are read from their keys, which "dlq" would not hand on as they are',
      hint: 'remove "metadata: key", or "dlq"',
    };
  }
  const taken = new Set(columns.map(({ name }) => name));
  const give = (name: string) => {
    let given = name;
    while (taken.has(given)) given = `${given}_`;
    taken.add(given);
    return given;
  };
  const copy = isCopy ? recordColumns(columns) : undefined;
  const hasKey = handsOn && topic.rows !== 'changelog';
  const key = hasKey ? (copy?.key ?? give('record_key')) : undefined;
  const processingTime = assertions.some((one) => needsProcessingTime(one, isTimed(topic, columns)))
    ? give('proc_time')
    : undefined;
  const made =
    processingTime === undefined ? [] : [{ name: processingTime, type: ltz, computed: 'PROCTIME()' }];
  const plainColumns = columns.length === 0 && copy === undefined && key === undefined;
  const isEnvelope = topic.rows === 'changelog';
  const base = {
    name: nameOf(topic.node.slice(topic.node.indexOf(':') + 1), isEnvelope ? 'changes' : 'records'),
    topic: topic.topic,
    at: topic.at,
    rows: 'append',
    group,
    fromNow: true,
  } as const;
  const shared = { node: topic.node, topic, columns, copy, key, processingTime, assumed };
  if (isEnvelope) return envelope(base, { ...shared, made, nameOf });
  const table: JobTable = {
    ...base,
    format: copy !== undefined || plainColumns ? 'raw' : topic.format,
    columns: [...tableColumns(columns, { copy, key, isRaw: plainColumns }), ...made],
    key: key === undefined ? recordKey : [key],
    ...(key === undefined && recordKey.length === 0 ? {} : { keyApart: true as const }),
    eventTime: topic.eventTime,
    written: formatOfSome(topic),
  };
  // A record without a value is a deletion, which formats other than this one leave out
  const value = table.format === 'raw' ? (copy?.value ?? table.columns[0]?.name ?? '') : undefined;
  const condition = value === undefined ? undefined : `${identifier(value)} IS NOT NULL`;
  return { ...shared, ...viewOf(table, { condition, nameOf }), eventTime: watermarkOf(table) };
}

/** A view of the rows of a table that are records; the table alone where all of them are. */
function viewOf(
  table: JobTable,
  {
    condition,
    nameOf,
    columns = table.columns,
  }: {
    readonly condition: string | undefined;
    readonly nameOf: GiveName;
    readonly columns?: readonly TableColumn[];
  },
): Pick<Target, 'table' | 'view' | 'from'> {
  if (condition === undefined) return { table, view: undefined, from: identifier(table.name) };
  const name = nameOf(`${table.name}_rows`, 'view');
  const view = [
    `CREATE TEMPORARY VIEW ${identifier(name)} AS`,
    `SELECT ${columns.map((column) => viewColumn(column, table)).join(', ')}`,
    `FROM ${identifier(table.name)}`,
    `WHERE ${condition}`,
  ].join('\n');
  return { table, view, from: identifier(name) };
}

function viewColumn({ name, computed }: TableColumn, { columns }: JobTable): string {
  const isThere = computed === undefined || columns.some((column) => column.name === name);
  return isThere ? identifier(name) : `(${computed}) AS ${identifier(name)}`;
}

/** Whether a column is a field of the rows in an envelope. */
function isOfRow({ computed, metadata }: TableColumn): boolean {
  return computed === undefined && metadata === undefined;
}

const ltz: SqlType = time('TIMESTAMP_LTZ', 3, false);

function tableColumns(
  columns: readonly TableColumn[],
  { copy, key, isRaw }: Pick<Target, 'copy' | 'key'> & { readonly isRaw: boolean },
): readonly TableColumn[] {
  if (copy !== undefined)
    return recordTable(
      copy,
      columns.map((column) => ({ ...column, assumed: true })),
    );
  if (isRaw) return recordTable(recordColumns([])).slice(1);
  return key === undefined ? columns : [{ name: key, type: text('VARBINARY') }, ...columns];
}

/** Fields of a change. */
const changeFields = ['before', 'after', 'op'];

/** Records of a topic with changes: the rows after them. */
function envelope(
  base: Pick<JobTable, 'name' | 'topic' | 'at' | 'rows' | 'group' | 'fromNow'>,
  {
    made,
    nameOf,
    ...shared
  }: Omit<Target, 'table' | 'view' | 'from' | 'eventTime'> & {
    readonly made: readonly TableColumn[];
    readonly nameOf: GiveName;
  },
): Target | Refusal {
  const { topic } = shared;
  const isEmbedded = topic.written?.embedded === true;
  // Fields of the envelope beside its rows are not read, so their metadata is not there either
  const columns = shared.columns.filter(({ metadata }) => metadata?.startsWith('value.') !== true);
  const same = columns.find(({ name }) => changeFields.includes(name));
  if (same !== undefined) {
    return {
      refused: `its records are changes of rows with a column ${quote(same.name)}, as changes have a field of that name`,
      hint: 'give the column another name',
    };
  }
  const row: SqlType = {
    name: 'ROW',
    fields: columns.filter(isOfRow).map(({ name, type }) => ({ name, type: fieldType(type) })),
    nullable: true,
  };
  const fields: readonly RowField[] = [
    { name: 'before', type: row },
    { name: 'after', type: row },
    { name: 'op', type: text('VARCHAR') },
  ];
  const envelopeOf = (field: string) =>
    isEmbedded ? `${identifier('payload')}.${identifier(field)}` : identifier(field);
  const computed = columns.flatMap(({ name, type, metadata, computed: expression }): TableColumn[] => {
    if (metadata !== undefined) return [{ name, type, metadata }];
    // The engine computes no column of computed ones: the view does
    if (expression !== undefined) return [];
    const [after, before] = ['after', 'before'].map((field) => `${envelopeOf(field)}.${identifier(name)}`);
    return [
      {
        name,
        type,
        computed: name === topic.eventTime?.column ? `COALESCE(${after}, ${before})` : (after ?? ''),
      },
    ];
  });
  const table: JobTable = {
    ...base,
    format: topic.format,
    columns: [
      ...(isEmbedded
        ? [{ name: 'payload', type: { name: 'ROW', fields, nullable: true } as const }]
        : fields.flatMap(({ name, type }) => (type === undefined ? [] : [{ name, type }]))),
      ...computed,
      ...made,
    ],
    key: [],
    eventTime: topic.eventTime,
  };
  // The engine writes a changed row as one that is withdrawn and one that is created; Debezium also reads rows and updates them
  const kinds = topic.node.startsWith('source:') ? "IN ('c', 'r', 'u')" : "= 'c'";
  const condition = `${envelopeOf('op')} ${kinds}`;
  return {
    ...shared,
    columns,
    ...viewOf(table, { condition, nameOf, columns: [...columns, ...made] }),
    eventTime: watermarkOf(table),
  };
}

/** Assertions about what happens within a time. */
const overTime: ReadonlySet<AssertionKind> = new Set(['distribution', 'unique_key']);

/** Whether the engine takes a watermark for the event time. */
function isTimed({ eventTime }: TopicTable, columns: readonly TableColumn[]): boolean {
  const type = columns.find(({ name }) => name === eventTime?.column)?.type;
  return type !== undefined && takesWatermark(type);
}

function needsProcessingTime({ kind, node }: PlacedAssertion, timed: boolean): boolean {
  if (kind === 'throughput' || kind === 'freshness') return true;
  if (kind === 'unique_key' && !node.entries.has('window')) return true;
  return overTime.has(kind) && !timed;
}

/** Columns whose types are known, and others that an assertion names, with types that it can use. */
function columnsOf(
  { node, columns, complete }: TopicTable,
  { project, assertions, assumed: others }: TargetFacts,
  isCopy: boolean,
): Pick<Target, 'columns' | 'assumed'> {
  const needs = new Map<string, SqlType>();
  for (const assertion of assertions) {
    const [names, type] = [namedColumns(assertion), neededType(assertion)];
    for (const name of names) if (!needs.has(name) || type !== undefined) needs.set(name, type ?? string);
  }
  const declared = project.columns.get(node)?.byName;
  const found: TableColumn[] = [];
  const assumed: TableColumn[] = [];
  for (const { name, type, ...made } of columns) {
    // Columns of a copied record are computed themselves, and the engine computes none of computed ones
    if (made.processingTime === true || (isCopy && made.computed !== undefined)) continue;
    const need = needs.get(name);
    // What a job writes as text because nothing says its type can be read as what it is compared with
    const isOpen = type === undefined || (declared?.get(name)?.type === undefined && !sameFamily(type, need));
    const chosen = isOpen ? (need ?? others.get(node)?.get(name)) : type;
    if (chosen === undefined || (isCopy && !isSingle(chosen))) continue;
    found.push({ name, type: chosen, ...madeBy(made) });
    if (isOpen) assumed.push({ name, type: chosen });
  }
  if (complete) return { columns: found, assumed };
  const names = new Set(found.map(({ name }) => name));
  for (const [name, need] of needs) {
    // A path names a field of a type that is not known, or a column; which of them is not known either
    if (names.has(name) || name.includes('.')) continue;
    const known = others.get(node)?.get(name);
    const column = { name, type: known !== undefined && sameFamily(known, need) ? known : need };
    found.push(column);
    assumed.push(column);
  }
  return { columns: found, assumed };
}

const single: ReadonlySet<string> = new Set(['text', 'number', 'boolean', 'date', 'time', 'timestamp']);

/** Whether values of the type are found in a record of JSON as one value. */
function isSingle(type: SqlType): boolean {
  return single.has(familyOf(type));
}

function sameFamily(one: SqlType, other: SqlType | undefined): boolean {
  return other === undefined || familyOf(one) === familyOf(other);
}

const string: SqlType = text('VARCHAR');

/** The columns of its target that an assertion names. */
function namedColumns({ kind, node }: PlacedAssertion): readonly string[] {
  if (kind === 'not_null')
    return (listAt(node, 'columns')?.items ?? []).filter(isText).map(({ value }) => value);
  if (kind === 'accepted_types') return [...(objectAt(node, 'types')?.entries.keys() ?? [])];
  if (kind === 'unique_key') return keyParts(node);
  return [textAt(node, 'column')?.value ?? []].flat();
}

/** A key of several columns is written with commas between. */
export function keyParts(node: PlacedAssertion['node']): readonly string[] {
  return (textAt(node, 'key')?.value ?? '').split(',').map((part) => part.trim());
}

const neededTypes: Readonly<Partial<Record<AssertionKind, SqlType>>> = {
  range: plain('DOUBLE'),
  positive: plain('DOUBLE'),
  distribution: plain('DOUBLE'),
  max_lag: time('TIMESTAMP', 3),
  freshness: time('TIMESTAMP', 3),
};

/** The type that an assertion needs; undefined where text is enough. */
function neededType({ kind, node }: PlacedAssertion): SqlType | undefined {
  if (kind !== 'accepted_values') return neededTypes[kind];
  const values = (listAt(node, 'values')?.items ?? [])
    .map(({ value }) => value)
    .filter((one) => one !== null);
  if (values.length > 0 && values.every((value) => typeof value === 'number')) return plain('DOUBLE');
  return values.length > 0 && values.every((value) => typeof value === 'boolean')
    ? plain('BOOLEAN')
    : undefined;
}

/** A column of the records under test, or a field of one. */
export interface FoundColumn {
  /** As the assertion names it. */
  readonly name: string;
  readonly sql: string;
  readonly type: SqlType;
}

/** The column of a name, or the field of a path such as `address.city`. */
export function columnOf(
  { columns, from }: Pick<Target, 'columns' | 'from'>,
  name: string,
): FoundColumn | Refusal {
  const column = columns.find((one) => one.name === name);
  if (column !== undefined) return { name, sql: identifier(name), type: column.type };
  const [first = '', ...rest] = name.split('.');
  let type = columns.find((one) => one.name === first)?.type;
  for (const step of rest) {
    type = type?.name === 'ROW' ? type.fields.find((field) => field.name === step)?.type : undefined;
  }
  if (type === undefined)
    return { refused: `the type of column ${quote(name)} is not known`, hint: 'declare it' };
  return { name, sql: `${from}.${[first, ...rest].map(identifier).join('.')}`, type };
}

/** The time by which records are put in windows: that of their events, else that at which they are read. */
export function windowTime({ eventTime, processingTime }: Target): string | undefined {
  return eventTime?.column ?? processingTime;
}
