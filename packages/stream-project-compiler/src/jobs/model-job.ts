import type { Query } from '@levada/stream-sql';
import { quote } from '../diagnostics/quote.ts';
import type { InferredProject } from '../infer/infer-project.ts';
import { modelMasks } from '../infer/masks.ts';
import type { NodeInference } from '../infer/node-inference.ts';
import { textAt } from '../parse/known-value.ts';
import type { ModelSql } from '../resolve/model-sql.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import { newestDialect } from '../types/functions/engine-dialect.ts';
import type { AssumedTypes } from './assumed-types.ts';
import { columnType, createTable, hasFormat, type JobTable, watermarkOf } from './create-table.ts';
import { clusterTarget, type EngineTarget } from './engine-target.ts';
import { columnRefusal } from './format-types.ts';
import { createJobNames, inputTables, type ReadTable, readTables } from './input-tables.ts';
import type { AssumedColumn, JobInput } from './job.ts';
import { type MacroUse, queryTables } from './macro-uses.ts';
import { macroNode } from './node-topics.ts';
import {
  mergedKeyRefusal,
  type OutputColumn,
  outputColumns,
  type SinkRows,
  sinkRows,
  withdrawalRefusal,
} from './output-columns.ts';
import { type ReadResult, readColumns } from './read-columns.ts';
import { isCopy, type RecordColumns, recordColumns, recordTable } from './record-copy.ts';
import { isRefusal, openRefusal, type Refusal } from './refusal.ts';
import { queryText } from './text/query-text.ts';
import type { PlatformOptions } from './topic-options.ts';
import { modelFormat, type OutputFormat, outputFormat } from './topic-schemas.ts';
import type { KnownColumn, TopicTable } from './topic-table.ts';

/** What jobs are made of beside their model. */
export interface JobFacts {
  readonly project: InferredProject;
  readonly platform: PlatformOptions;
  /** The topic of a node as its readers see it; undefined for one that has none. */
  readonly topicOf: (node: NodeId) => TopicTable | undefined;
  readonly assumed: AssumedTypes;
}

/** A model as part of a job, before its statements are written. */
export interface ModelPlan {
  readonly model: ResolvedModel;
  readonly sql: ModelSql;
  readonly query: Query;
  readonly inference: NodeInference;
  readonly uses: readonly MacroUse[];
  /** Names that tables of its job must not have. */
  readonly taken: ReadonlySet<string>;
  readonly topics: ReadonlyMap<NodeId, TopicTable>;
  /** By topic. */
  readonly tables: ReadonlyMap<NodeId, ReadTable>;
  /** Models whose rows it reads within its job. */
  readonly within: ReadonlySet<NodeId>;
  readonly read: ReadResult;
  readonly outputs: readonly OutputColumn[];
  readonly sink: SinkRows;
  /** The table that it writes, but for its name. */
  readonly table: Omit<JobTable, 'name'>;
  /** How records are written; undefined where they are handed on as they are. */
  readonly format: OutputFormat | undefined;
  /** Set where records are handed on as they are. */
  readonly record: RecordColumns | undefined;
  readonly target: EngineTarget;
  /** Its topic, for those that read it. */
  readonly output: TopicTable;
  /** Its rows, for those that read them within its job: they have the nulls that the topic has no place for. */
  readonly view: TopicTable;
  /** Columns that it reads and that nothing gives a type. */
  readonly assumed: readonly AssumedColumn[];
}

/** The plan of a model with SQL, or why the engine cannot run it. */
export function planModel(
  model: ResolvedModel,
  sql: ModelSql,
  facts: JobFacts & { readonly within: ReadonlySet<NodeId> },
): ModelPlan | Refusal {
  const plan = planQuery(model, sql, facts);
  if (isRefusal(plan)) return plan;
  const names = createJobNames([plan]);
  const inputs = inputTables(plan, names);
  if (isRefusal(inputs)) return inputs;
  if (queryText(sql, inputs.replacements) === undefined)
    return { refused: 'the value of a variable in its SQL has a macro' };
  const tables = tableStatements([...names.tables.values(), { ...plan.table, name: '' }], facts.platform);
  if (typeof tables === 'function') return plan;
  return plan.format === undefined ? tables : { ...tables, schemas: plan.format.schemas };
}

function planQuery(
  model: ResolvedModel,
  sql: ModelSql,
  { within, ...facts }: JobFacts & Pick<ModelPlan, 'within'>,
): ModelPlan | Refusal {
  const { project, assumed } = facts;
  const { query } = sql.parsed;
  const inference = project.nodes.get(model.id);
  const topicName = model.settings.topicName?.value;
  if (query === undefined || inference?.changes === undefined || topicName === undefined)
    return { refused: 'its SQL cannot be read' };
  const { uses, taken } = queryTables(query);
  const topics = topicsOf(uses, facts);
  if (isRefusal(topics)) return topics;
  const { dialect = newestDialect, selected } = inference;
  const relationOfNode = (id: NodeId) => project.nodes.get(id)?.relation;
  const before = selected === undefined ? {} : { before: { selected, relationOfNode } };
  const read = readColumns(model, sql, { dialect, topics, assumed, ...before });
  if (read.refusal !== undefined) return read.refusal;
  const named = textAt(model.definition.node, 'key')?.value;
  const copied = read.relation.open === undefined ? undefined : copyOf(query, { read, model, topics });
  if (copied !== undefined && isRefusal(copied)) return copied;
  const written = outputsOf(model, { read, inference, record: copied });
  if (isRefusal(written)) return written;
  const sink = sinkRows(inference.changes, written, copied === undefined ? named : undefined);
  const unfit =
    mergedKeyRefusal(sink, modelMasks(model.definition).masks) ??
    withdrawalRefusal(inference.changes, written, sink);
  if (unfit !== undefined) return unfit;
  const nameOfProject = project.resolved.parsed.project?.value?.name ?? '';
  const format =
    copied === undefined
      ? outputFormat(model, { project: nameOfProject, topic: topicName, ...sink, columns: written })
      : undefined;
  if (format !== undefined && isRefusal(format)) return format;
  const table: Omit<JobTable, 'name'> = {
    topic: topicName,
    at: 'platform',
    rows: sink.rows,
    format: format === undefined ? 'raw' : modelFormat(model.definition).value,
    columns: format?.columns ?? written,
    key: copied === undefined ? sink.key : [copied.key],
    eventTime: undefined,
    group: undefined,
    written: format?.written,
  };
  const [first] = topics.values();
  const output: TopicTable = {
    node: model.id,
    topic: topicName,
    at: 'platform',
    rows: sink.rows,
    format: table.format === 'raw' ? (first?.format ?? 'json') : table.format,
    columns: format?.columns ?? [],
    complete: copied === undefined,
    key: sink.key,
    eventTime: inference.eventTime,
    partitions: model.settings.partitions?.value,
    ...(format === undefined ? {} : { written: format.written }),
  };
  const target = clusterTarget(project.resolved.parsed, model.settings.engineCluster, project.engineVersion);
  return {
    model,
    sql,
    query,
    inference,
    uses,
    taken,
    topics,
    tables: readTables(topics, read, copied),
    within,
    read,
    outputs: written,
    sink,
    table,
    format,
    record: copied,
    target,
    output,
    view: { ...output, columns: written.map(viewColumn) },
    assumed: listAssumed(read),
  };
}

function viewColumn({ name, type }: OutputColumn): KnownColumn {
  return { name, type };
}

function listAssumed({ columns }: ReadResult): readonly AssumedColumn[] {
  return [...columns].flatMap(([node, list]) =>
    list.flatMap(({ assumed, name, type }) =>
      assumed ? [{ node, column: name, type: columnType(type) }] : [],
    ),
  );
}

/** The topics that a query reads, in order of first use. */
export function topicsOf(
  uses: readonly MacroUse[],
  { topicOf }: Pick<JobFacts, 'topicOf'>,
): ReadonlyMap<NodeId, TopicTable> | Refusal {
  const topics = new Map<NodeId, TopicTable>();
  for (const { macro } of uses) {
    const id = macroNode(macro);
    const topic = topicOf(id);
    if (topic === undefined) return { refused: `${quote(macro.name)} has no topic that a job can read` };
    if (topic.rows !== 'append' && !topic.complete) {
      return {
        refused: `rows of ${id.startsWith('source:') ? 'source' : 'model'} ${quote(macro.name)} change, and not all of their columns are known`,
        hint: 'declare all columns of the sources that it reads, with their types',
      };
    }
    topics.set(id, topic);
  }
  return topics;
}

/** The columns of records that are handed on. What hands on columns that nothing names in any other way cannot be written. */
function copyOf(
  query: Query,
  { read, model, topics }: Pick<ModelPlan, 'read' | 'model' | 'topics'>,
): RecordColumns | Refusal {
  const reason = openRefusal(read.relation.open);
  const isMasked = modelMasks(model.definition).masks.some(({ roles }) => roles === undefined);
  const { isGiven } = modelFormat(model.definition);
  if (!isCopy(query) || isMasked || isGiven || textAt(model.definition.node, 'key') !== undefined)
    return reason;
  const columns = [...read.columns.values()].flat();
  const isMade = columns.some(({ computed }) => computed !== undefined);
  if (isMade || [...topics.values()].some(({ recordKey }) => recordKey !== undefined)) return reason;
  const isText = [...topics.values()].every(({ format }) => format === 'json');
  return columns.some(({ assumed }) => assumed) && !isText ? reason : recordColumns(columns);
}

function outputsOf(
  { definition }: ResolvedModel,
  { read, inference, record }: Pick<ModelPlan, 'read' | 'inference' | 'record'>,
): readonly OutputColumn[] | Refusal {
  const { masks, complete } = modelMasks(definition);
  if (!complete) return { refused: 'its masks cannot be read' };
  if (record === undefined) {
    const forAll = masks.filter(({ roles }) => roles === undefined);
    return outputColumns(read.relation.columns, { masks: forAll, eventTime: inference.eventTime?.column });
  }
  const named = [...read.columns.values()].flat();
  return recordTable(record, named)
    .slice(0, 2)
    .map(({ name, type }) => ({ name, type, sql: undefined }));
}

/** Writes the tables of a job, or says why one of them cannot be read or written. */
export function tableStatements(
  tables: readonly JobTable[],
  platform: PlatformOptions,
): (() => readonly string[]) | Refusal {
  for (const table of tables) {
    const refusal = columnRefusal(table);
    if (refusal !== undefined) return refusal;
    if (hasFormat(table, platform)) continue;
    const isRead = table.group !== undefined;
    if (table.format === 'protobuf' && isRead) {
      return {
        refused: `records that it reads are Protobuf, which the engine reads by Java classes only`,
        hint: 'name the class in "schema.message_class" of the source',
      };
    }
    return {
      refused: `records that it ${isRead ? 'reads' : 'writes'} are Avro, and the project has no schema registry`,
      hint: 'add "runtime.schema_registry.url"',
      ...(isRead ? {} : { isMistake: true }),
    };
  }
  return () => tables.map((table) => createTable(table, platform));
}

/** A table that is read, as the facts of a job have it. */
export function inputOf(node: NodeId, table: JobTable): JobInput {
  const time = watermarkOf(table);
  return {
    node,
    topic: table.topic,
    table: table.name,
    rows: table.rows,
    watermark: time === undefined ? undefined : { column: time.column, delayMs: time.delayMs },
  };
}
