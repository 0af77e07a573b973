import { changeKind } from '../../changelog/changes.ts';
import { columnType, createTable, type JobTable } from '../create-table.ts';
import { createJobNames, type InputTables, inputTables } from '../input-tables.ts';
import type { AssumedColumn, Job, JobInput, JobModel } from '../job.ts';
import { inputOf, type JobFacts, type ModelPlan } from '../model-job.ts';
import { viewColumns } from '../output-columns.ts';
import { isRefusal } from '../refusal.ts';
import { stateForm } from '../state-form.ts';
import {
  insertLines,
  insertStatement,
  type StatementText,
  selectText,
  statementSet,
  viewStatement,
} from '../text/insert-statement.ts';
import { queryText } from '../text/query-text.ts';
import { sourceLines } from '../text/source-lines.ts';
import { identifiers } from '../text/sql-words.ts';
import { jobReaders, withReaders } from './job-readers.ts';
import { jobSettings, modelSettings, setStatements } from './job-settings.ts';

/** A model with the names of its tables. */
interface NamedPlan {
  readonly plan: ModelPlan;
  readonly inputs: InputTables;
  readonly sink: JobTable;
  /** The view of its rows that other models of the job read. */
  readonly view: string | undefined;
}

/** A model with its statements. */
interface WrittenPlan extends NamedPlan {
  readonly viewText: StatementText | undefined;
  readonly insert: StatementText;
}

/**
 * The job of models that read one another, each after those that it reads; it is called as the first one. Each model writes its topic.
 * Those that others read are views as well, so that rows and event time reach those within the job.
 */
export function writeJob(
  plans: readonly [ModelPlan, ...ModelPlan[]],
  { project, platform }: Pick<JobFacts, 'project' | 'platform'>,
): Job {
  const [{ model: first, target }] = plans;
  const name = first.name;
  const group = `${project.resolved.parsed.project?.value?.name ?? ''}.${name}`;
  const { parts: named, tables, rowsName } = nameTables(plans, group);
  const parts = named.map((part) => writePlan(part, rowsName));
  const asked = jobSettings(plans);
  const { parallelism, readers, narrowest, ofTables } = jobReaders(plans, asked, target);
  const settings = { ...asked, parallelism };
  const sets = setStatements(group, settings, plans.length > 1);
  const created = [...tables.map((table) => withReaders(table, ofTables)), ...parts.map(({ sink }) => sink)];
  const inserts = parts.map(({ insert }) => insert.text);
  const statements = [
    ...sets,
    ...created.map((table) => createTable(table, platform) ?? ''),
    ...parts.flatMap(({ inputs, viewText }) => [
      ...inputs.views,
      ...(viewText === undefined ? [] : [viewText.text]),
    ]),
    statementSet(inserts),
  ];
  const statementOf = (table: string) => sets.length + created.findIndex((one) => one.name === table) + 1;
  const lines = insertLines(inserts);
  return {
    name,
    cluster: first.settings.engineCluster,
    version: target.version,
    statements,
    settings,
    readers,
    narrowest,
    reads: readTopics(parts).map((input) => ({ ...input, statement: statementOf(input.table) })),
    models: parts.map((part, index) => ({
      ...modelFacts(part),
      writes: { ...writtenTopic(part), statement: statementOf(part.sink.name) },
      query: queryPlace(part, statements, lines[index] ?? 1),
    })),
    state: JSON.stringify(parts.map(stateOf)),
    assumed: eachOnce(plans.flatMap(assumedColumns)),
  };
}

/** Gives tables and views their names. Views have those of their models, which queries read. */
function nameTables(plans: readonly ModelPlan[], group: string) {
  const names = createJobNames(plans, group);
  const read = new Set(plans.flatMap(({ within }) => [...within]));
  for (const { model } of plans) {
    if (read.has(model.id)) names.models.set(model.id, names.nameOf(model.name, 'rows'));
  }
  const parts = plans.map((plan): NamedPlan => {
    const inputs = inputTables(plan, names);
    if (isRefusal(inputs))
      throw new Error(`model "${plan.model.name}" has a plan and is refused: ${inputs.refused}`);
    const view = names.models.get(plan.model.id);
    const sink = names.nameOf(plan.model.name, view === undefined ? 'output' : 'topic');
    return { plan, inputs, sink: { ...plan.table, name: sink }, view };
  });
  return { parts, tables: [...names.tables.values()], rowsName: names.nameOf('query', 'rows') };
}

function writePlan(part: NamedPlan, rowsName: string): WrittenPlan {
  const { plan, inputs, sink, view } = part;
  const { model, sql, read, record, target, inference } = plan;
  const text = queryText(sql, inputs.replacements);
  if (text === undefined) throw new Error(`model "${model.name}" has a plan and cannot be written`);
  const columns = read.relation.columns.map(({ name }) => name);
  const outputs =
    view === undefined
      ? plan.outputs
      : viewColumns(plan.outputs, read.relation.columns, inference.eventTime?.column);
  const select = selectText(text, {
    sql,
    outputs,
    columns,
    rowsName,
    isRecord: record !== undefined,
    isView: view !== undefined,
  });
  const onConflict = target.asksOnConflict && sink.rows === 'upsert';
  if (view === undefined)
    return { ...part, viewText: undefined, insert: insertStatement(sink.name, select, onConflict) };
  const names = outputs.map(({ name }) => name);
  const all = { before: '', text: `SELECT ${identifiers(names)}\nFROM ${identifiers([view])}` };
  return {
    ...part,
    viewText: viewStatement(view, names, select),
    insert: insertStatement(sink.name, all, onConflict),
  };
}

/** The topics that a job reads, each once. */
function readTopics(parts: readonly WrittenPlan[]): readonly JobInput[] {
  const found = new Map<string, JobInput>();
  for (const { plan, inputs } of parts) {
    for (const [node, table] of inputs.tables) {
      if (!plan.within.has(node)) found.set(table.name, found.get(table.name) ?? inputOf(node, table));
    }
  }
  return [...found.values()];
}

function modelFacts({ plan }: WrittenPlan): Omit<JobModel, 'writes' | 'query'> {
  const { model, inference, topics, sink, format, output } = plan;
  return {
    model: model.name,
    settings: modelSettings(model),
    reads: [...topics.values()].map(({ node, topic }) => ({ node, topic })),
    changes: changeKind(inference.changes?.query ?? { updates: false, deletes: false }),
    key: sink.key,
    assumed: assumedColumns(plan),
    schemas: format?.schemas ?? [],
    output,
  };
}

function writtenTopic({ sink }: WrittenPlan): Pick<JobModel['writes'], 'topic' | 'table' | 'rows'> {
  return { topic: sink.topic, table: sink.name, rows: sink.rows };
}

/** Where the query of a model is: in its view, else in its INSERT, which begins at a line of the last statement. */
function queryPlace(
  { plan: { model, sql }, inputs, viewText, insert }: WrittenPlan,
  statements: readonly string[],
  insertLine: number,
): JobModel['query'] {
  const text = queryText(sql, inputs.replacements) ?? { text: '', pieces: [] };
  const written = sourceLines(model, sql, { ...text, before: (viewText ?? insert).before });
  if (viewText !== undefined) return { statement: statements.indexOf(viewText.text) + 1, lines: written };
  const lines = written.map((piece) => ({ ...piece, line: piece.line + insertLine - 1 }));
  return { statement: statements.length, lines };
}

function stateOf({ plan: { query, inference, outputs, sink }, inputs }: WrittenPlan): string {
  const changes = changeKind(inference.changes?.query ?? { updates: false, deletes: false });
  return stateForm({ query, tables: inputs.tables, outputs, changes, sink });
}

function assumedColumns({ read }: ModelPlan): readonly AssumedColumn[] {
  return [...read.columns].flatMap(([node, list]) =>
    list.flatMap(({ name, type, assumed }) =>
      assumed ? [{ node, column: name, type: columnType(type) }] : [],
    ),
  );
}

function eachOnce(columns: readonly AssumedColumn[]): readonly AssumedColumn[] {
  return [...new Map(columns.map((one) => [`${one.node} ${one.column}`, one])).values()];
}
