import type { Query } from '@levada/stream-sql';
import { changeKind } from '../changelog/changes.ts';
import { quote } from '../diagnostics/quote.ts';
import type { InferredProject } from '../infer/infer-project.ts';
import { modelMasks } from '../infer/masks.ts';
import type { NodeInference } from '../infer/node-inference.ts';
import { numberAt, textAt } from '../parse/known-value.ts';
import type { ModelSql } from '../resolve/model-sql.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import { newestDialect } from '../types/functions/engine-dialect.ts';
import type { AssumedTypes } from './assumed-types.ts';
import { columnType, createTable, type JobTable, watermarkOf } from './create-table.ts';
import { clusterTarget, type EngineTarget } from './engine-target.ts';
import { columnRefusal } from './format-types.ts';
import { type InputTables, inputTables, tableNames } from './input-tables.ts';
import type { Job, JobInput, JobSettings } from './job.ts';
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
import { isRefusal, type Refusal } from './refusal.ts';
import { stateForm } from './state-form.ts';
import { settingDuration } from './text/durations.ts';
import { insertStatement } from './text/insert-statement.ts';
import { type QueryText, queryText } from './text/query-text.ts';
import { sourceLines } from './text/source-lines.ts';
import { setStatement } from './text/sql-words.ts';
import type { PlatformOptions } from './topic-options.ts';
import { modelFormat, type OutputFormat, outputFormat } from './topic-schemas.ts';
import type { TopicTable } from './topic-table.ts';

/** What jobs are made of beside their model. */
export interface JobFacts {
  readonly project: InferredProject;
  readonly platform: PlatformOptions;
  /** The topic of a node as its readers see it; undefined for one that has none. */
  readonly topicOf: (node: NodeId) => TopicTable | undefined;
  readonly assumed: AssumedTypes;
}

/** Everything that is known of a job before its statements are written. */
interface JobPlan {
  readonly model: ResolvedModel;
  readonly sql: ModelSql;
  readonly query: Query;
  readonly inference: NodeInference;
  readonly topics: ReadonlyMap<NodeId, TopicTable>;
  readonly read: ReadResult;
  readonly inputs: InputTables;
  readonly outputs: readonly OutputColumn[];
  readonly sink: SinkRows;
  readonly output: JobTable;
  /** How records are written; undefined where they are handed on as they are. */
  readonly format: OutputFormat | undefined;
  /** A name for the rows of the query. */
  readonly rowsName: string;
  /** Set where records are handed on as they are. */
  readonly record: RecordColumns | undefined;
  readonly target: EngineTarget;
}

/** The job of a model with SQL, or why there is none. */
export function modelJob(model: ResolvedModel, sql: ModelSql, facts: JobFacts): Job | Refusal {
  const plan = planJob(model, sql, facts);
  if (isRefusal(plan)) return plan;
  const text = queryText(sql, plan.inputs.replacements);
  if (text === undefined) return { refused: 'the value of a variable in its SQL has a macro' };
  const tables = tableStatements([...plan.inputs.tables.values(), plan.output], facts.platform);
  if (!isRefusal(tables)) return jobOf(plan, { text, tables });
  return plan.format === undefined ? tables : { ...tables, schemas: plan.format.schemas };
}

function planJob(model: ResolvedModel, sql: ModelSql, facts: JobFacts): JobPlan | Refusal {
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
  if (read.mistake !== undefined) return { refused: read.mistake };
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
  const nameOf = tableNames(taken);
  const nameOfProject = project.resolved.parsed.project?.value?.name ?? '';
  const group = `${nameOfProject}.${model.name}`;
  const inputs = inputTables({ uses, topics, columns: read.columns, nameOf, group, record: copied });
  if (isRefusal(inputs)) return inputs;
  const format =
    copied === undefined
      ? outputFormat(model, { project: nameOfProject, topic: topicName, ...sink, columns: written })
      : undefined;
  if (format !== undefined && isRefusal(format)) return format;
  const output: JobTable = {
    name: nameOf(model.name, 'output'),
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
  const target = clusterTarget(project.resolved.parsed, model.settings.engineCluster, project.engineVersion);
  const rowsName = nameOf('query', 'rows');
  return {
    model,
    sql,
    query,
    inference,
    topics,
    read,
    inputs,
    outputs: written,
    sink,
    output,
    format,
    rowsName,
    record: copied,
    target,
  };
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
        refused: `rows of model ${quote(macro.name)} change, and not all of their columns are known`,
        hint: 'declare all columns of the sources that it reads',
      };
    }
    topics.set(id, topic);
  }
  return topics;
}

/** The columns of records that are handed on. What hands on columns that nothing names in any other way cannot be written. */
function copyOf(
  query: Query,
  { read, model, topics }: Pick<JobPlan, 'read' | 'model' | 'topics'>,
): RecordColumns | Refusal {
  const hint = 'declare all columns of the source with their types, or name the columns in the SELECT';
  const reason = { refused: read.relation.open?.reason ?? 'its columns are not known', hint };
  const isMasked = modelMasks(model.definition).masks.some(({ roles }) => roles === undefined);
  const { isGiven } = modelFormat(model.definition);
  if (!isCopy(query) || isMasked || isGiven || textAt(model.definition.node, 'key') !== undefined)
    return reason;
  const columns = [...read.columns.values()].flat();
  const isText = [...topics.values()].every(({ format }) => format === 'json');
  return columns.some(({ assumed }) => assumed) && !isText ? reason : recordColumns(columns);
}

function outputsOf(
  { definition }: ResolvedModel,
  { read, inference, record }: Pick<JobPlan, 'read' | 'inference' | 'record'>,
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

/** The tables of a job, or why one of them cannot be read or written. */
export function tableStatements(
  tables: readonly JobTable[],
  platform: PlatformOptions,
): readonly string[] | Refusal {
  const made: string[] = [];
  for (const table of tables) {
    const sql = createTable(table, platform);
    const refusal = columnRefusal(table);
    if (refusal !== undefined) return refusal;
    const isRead = table.group !== undefined;
    if (sql === undefined && table.format === 'protobuf' && isRead) {
      return {
        refused: `records that it reads are Protobuf, which the engine reads by Java classes only`,
      };
    }
    if (sql === undefined) {
      return {
        refused: `records that it ${isRead ? 'reads' : 'writes'} are Avro, and the project has no schema registry`,
        hint: 'add "runtime.schema_registry.url"',
        ...(isRead ? {} : { isMistake: true }),
      };
    }
    made.push(sql);
  }
  return made;
}

function jobOf(
  plan: JobPlan,
  { text, tables }: { readonly text: QueryText; readonly tables: readonly string[] },
): Job {
  const { model, sql, query, inference, inputs, sink, output, format, target, record, read, topics } = plan;
  const changes = changeKind(inference.changes?.query ?? { updates: false, deletes: false });
  const settings = jobSettings(model);
  const insert = insertStatement(text, {
    sql,
    into: output.name,
    outputs: plan.outputs,
    columns: read.relation.columns.map(({ name }) => name),
    rowsName: plan.rowsName,
    isRecord: record !== undefined,
    onConflict: target.asksOnConflict && sink.rows === 'upsert',
  });
  const [first] = topics.values();
  return {
    model: model.name,
    cluster: model.settings.engineCluster,
    version: target.version,
    statements: [...setStatements(model.name, settings), ...tables, ...inputs.views, insert.text],
    settings,
    reads: [...inputs.tables].map(([node, table]) => inputOf(node, table)),
    writes: { topic: output.topic, table: output.name, rows: sink.rows },
    changes,
    key: sink.key,
    state: stateForm({ query, tables: inputs.tables, outputs: plan.outputs, changes, sink }),
    sourceLines: sourceLines(model, sql, { ...text, before: insert.before }),
    assumed: [...read.columns].flatMap(([node, list]) =>
      list.flatMap(({ name, type, assumed }) =>
        assumed ? [{ node, column: name, type: columnType(type) }] : [],
      ),
    ),
    schemas: format?.schemas ?? [],
    output: {
      node: model.id,
      topic: output.topic,
      at: 'platform',
      rows: sink.rows,
      format: output.format === 'raw' ? (first?.format ?? 'json') : output.format,
      columns: format?.columns ?? [],
      complete: record === undefined,
      key: sink.key,
      eventTime: inference.eventTime,
      ...(format === undefined ? {} : { written: format.written }),
    },
  };
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

function jobSettings({ definition }: ResolvedModel): JobSettings {
  const number = (key: string) => numberAt(definition.node, `advanced.engine.${key}`)?.value;
  return {
    parallelism: number('parallelism'),
    checkpointIntervalMs: number('checkpoint_interval_ms'),
    stateTtlMs: number('state_ttl_ms'),
  };
}

/** Settings of the session in which a job is started. Times without a zone are those of UTC. */
function setStatements(
  name: string,
  { parallelism, checkpointIntervalMs, stateTtlMs }: JobSettings,
): readonly string[] {
  return [
    setStatement('pipeline.name', name),
    setStatement('table.local-time-zone', 'UTC'),
    ...(parallelism === undefined ? [] : [setStatement('parallelism.default', String(parallelism))]),
    ...(checkpointIntervalMs === undefined
      ? []
      : [setStatement('execution.checkpointing.interval', settingDuration(checkpointIntervalMs))]),
    ...(stateTtlMs === undefined ? [] : [setStatement('table.exec.state.ttl', settingDuration(stateTtlMs))]),
  ];
}
