import { changeKind, isAppend } from '../../changelog/changes.ts';
import { hasVaryingCall } from '../../changelog/varying-calls.ts';
import type { ObjectMemory } from '../../resolve/object-memory.ts';
import { createTable, type JobTable, mergeNeeds, needsOf, readSettings } from '../create-table.ts';
import { createJobNames, type InputTables, inputTables } from '../input-tables.ts';
import type { AssumedColumn, Job, JobInput, JobModel, JobOutline, NullKeys } from '../job.ts';
import { inputOf, type JobFacts, type ModelPlan } from '../model-job.ts';
import { hideKey, viewColumns } from '../output-columns.ts';
import { isRefusal } from '../refusal.ts';
import { modelState, stateFingerprint, stateParts } from '../state/model-state.ts';
import type { StateDraft } from '../state/state-parts.ts';
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
import { identifier } from '../text/sql-words.ts';
import { jobReaders, withReaders } from './job-readers.ts';
import { jobSettings, modelSettings, setStatements, startFollowers } from './job-settings.ts';
import { needsTime } from './needs-time.ts';
import { nullKeyInserts, nullKeyRows, nullKeyTable } from './null-keys.ts';
import { withoutState } from './without-state.ts';

/** A model with the names of its tables. */
interface NamedPlan {
  readonly plan: ModelPlan;
  readonly inputs: InputTables;
  readonly sink: JobTable;
  /** The view of its rows that other models of the job read, or two INSERTs. */
  readonly view: string | undefined;
  /** Rows with a null in their key, where these must not reach the topic. */
  readonly nulls: NullKeys | undefined;
}

/** What is written of a model. It follows from its plan, and from the names of tables and views. */
interface PlanTexts {
  readonly view: string | undefined;
  readonly insert: string;
  /** Takes the rows with a null in their key. */
  readonly rest: string | undefined;
  /** Lines of the view, else of the INSERT, that are as they are in the project. */
  readonly lines: JobModel['query']['lines'];
}

interface WrittenPlan extends NamedPlan {
  readonly texts: PlanTexts;
}

/**
 * The job of models that read one another, each after those that it reads; it is called as the first one. Each model writes its topic.
 * Those that others read are views as well, so that rows and event time reach those within the job.
 */
export function writeJob(
  plans: readonly [ModelPlan, ...ModelPlan[]],
  { project, platform }: Pick<JobFacts, 'project' | 'platform'>,
  memory: ObjectMemory,
): Job {
  const [{ model: first, target }] = plans;
  const name = first.name;
  const fullName = `${project.resolved.parsed.project?.value?.name ?? ''}.${name}`;
  const { parts: named, tables, rowsName } = nameTables(plans, fullName);
  const parts = named.map((part): WrittenPlan => ({ ...part, texts: writePlan(part, rowsName, memory) }));
  const asked = jobSettings(plans, memory);
  const { parallelism, readers, narrowest, ofTables } = jobReaders(plans, asked, target);
  const settings = { ...asked, parallelism };
  const splits = parts.some(({ nulls }) => nulls !== undefined);
  const isShared = (plans.length > 1 || (splits && target.sharesRows)) && mayShare(plans);
  const sets = [...setStatements(fullName, settings, isShared), ...readSettings(tables)];
  const inTransactions = (sink: JobTable, id: string): JobTable =>
    settings.delivery === 'exactly_once' ? { ...sink, transactions: `${fullName}.${id}` } : sink;
  const read = tables.map((table) =>
    createTable({ ...withReaders(table, ofTables), start: settings }, platform),
  );
  const { runtime } = project.resolved.parsed;
  const sinks = parts.map(({ plan, sink }) => {
    const table = inTransactions(sink, plan.model.name);
    const needs = [table.name, table.transactions, runtime];
    return memory.remember('sink', { object: plan, needs }, () => createTable(table, platform));
  });
  const inserts = [
    ...parts.map(({ texts }) => texts.insert),
    ...parts.flatMap(({ texts }) => texts.rest ?? []),
  ];
  const views = parts.flatMap(({ inputs, texts }) => [
    ...inputs.views,
    ...(texts.view === undefined ? [] : [texts.view]),
  ]);
  const withoutKeys = parts.flatMap(({ nulls, sink, plan: { model, outputs } }) => {
    const output = inTransactions(sink, `${model.name}.null-keys`);
    return nulls === undefined ? [] : nullKeyTable(nulls, { output, outputs, platform });
  });
  const statements = [
    ...sets,
    ...read,
    ...sinks,
    ...withoutKeys.map(({ text }) => text),
    ...views,
    statementSet(inserts),
  ];
  const created = [...tables, ...parts.map(({ sink }) => sink)];
  const places = new Map(created.map(({ name: table }, index) => [table, sets.length + index + 1]));
  const statementOf = (table: string) => places.get(table) ?? 0;
  const numbers = new Map(views.map((text, index) => [text, statements.length - views.length + index]));
  const lines = insertLines(inserts);
  const startsAgain = withoutState(plans, settings, memory);
  const models = parts.map((part, index): JobModel => {
    // Names of tables are no part of it, so that the plan alone decides
    const drafts = memory.remember('state', { object: part.plan, needs: [] }, () => stateOf(part));
    return {
      ...modelFacts(part),
      withoutState: startsAgain(part.plan.model.id),
      writes: { ...writtenTopic(part), statement: statementOf(part.sink.name) },
      state: stateParts(drafts, settings.stateTtlMs),
      query: queryPlace(part, { numbers, last: statements.length, insertLine: lines[index] ?? 1 }),
    };
  });
  return {
    name,
    cluster: first.settings.engineCluster,
    version: target.version,
    statements,
    settings,
    readers,
    narrowest,
    reads: readTopics(parts).map((input) => ({ ...input, statement: statementOf(input.table) })),
    models,
    needs: mergeNeeds([needsOf(created), ...withoutKeys.map(({ needs }) => needs)]),
    stateFingerprint: stateFingerprint(models),
    assumed: eachOnce(plans.flatMap(({ assumed }) => assumed)),
  };
}

/** A job without its texts, which take most of the time. */
export function outlineJob(plans: readonly [ModelPlan, ...ModelPlan[]], memory: ObjectMemory): JobOutline {
  const [{ target }] = plans;
  const asked = jobSettings(plans, memory);
  const { parallelism, readers, narrowest } = jobReaders(plans, asked, target);
  const settings = { ...asked, parallelism };
  const followers = startFollowers(plans);
  const models = plans.map((plan) => ({
    ...outlineOf(plan),
    within: plan.within,
    followsStart: followers.has(plan.model.id),
    isTimed: needsTime(plan),
  }));
  return { settings, readers, narrowest, models };
}

function outlineOf({ model, topics }: ModelPlan): Pick<JobModel, 'model' | 'settings' | 'reads'> {
  return {
    model: model.name,
    settings: modelSettings(model),
    reads: [...topics.values()].map(({ node, topic }) => ({ node, topic })),
  };
}

/** Gives tables and views their names. Views have those of their models, which queries read. */
function nameTables(plans: readonly ModelPlan[], group: string) {
  const names = createJobNames(plans, group);
  const within = new Set(plans.flatMap((plan) => [...plan.within]));
  for (const { model } of plans) {
    if (within.has(model.id)) names.models.set(model.id, names.nameOf(model.name, 'rows'));
  }
  const parts = plans.map((plan): NamedPlan => {
    const inputs = inputTables(plan, names);
    if (isRefusal(inputs))
      throw new Error(`model "${plan.model.name}" has a plan and is refused: ${inputs.refused}`);
    const read = names.models.get(plan.model.id);
    const sink = {
      ...plan.table,
      name: names.nameOf(plan.model.name, read === undefined ? 'output' : 'topic'),
    };
    const { name } = plan.model;
    const found = nullKeyRows(plan);
    const nulls = found && { ...found, table: names.nameOf(`${name}_null_keys`, 'table') };
    const view = read ?? (nulls === undefined ? undefined : names.nameOf(`${name}_rows`, 'view'));
    return { plan, inputs, sink, view, nulls };
  });
  return { parts, tables: [...names.tables.values()], rowsName: names.nameOf('query', 'rows') };
}

function writePlan(part: NamedPlan, rowsName: string, memory: ObjectMemory): PlanTexts {
  const { plan, inputs, sink, view, nulls } = part;
  const names = [rowsName, sink.name, view, nulls?.table, ...inputs.replacements.map(({ text }) => text)];
  return memory.remember('statements', { object: plan, needs: names }, () => planTexts(part, rowsName));
}

function planTexts({ plan, inputs, sink, view, nulls }: NamedPlan, rowsName: string): PlanTexts {
  const { model, sql, read, record, target, inference } = plan;
  const text = queryText(sql, inputs.replacements);
  if (text === undefined) throw new Error(`model "${model.name}" has a plan and cannot be written`);
  const columns = read.relation.columns.map(({ name }) => name);
  const written = hideKey(plan.outputs, { changes: inference.changes, sink: plan.sink });
  const outputs =
    view === undefined
      ? written
      : viewColumns(plan.outputs, read.relation.columns, {
          eventTime: inference.eventTime?.column,
          isSet: plan.query.body.kind === 'set-operation',
        });
  const select = selectText(text, {
    sql,
    outputs,
    columns,
    rowsName,
    isRecord: record !== undefined,
    isView: view !== undefined,
  });
  const onConflict = target.asksOnConflict && sink.rows === 'upsert';
  const linesOf = ({ before }: StatementText) => sourceLines(model, sql, { ...text, before });
  if (view === undefined) {
    const insert = insertStatement(sink.name, select, onConflict);
    return { view: undefined, insert: insert.text, rest: undefined, lines: linesOf(insert) };
  }
  const names = outputs.map(({ name }) => name);
  const list = written.map(({ name, sql: hidden }, index) =>
    hidden === plan.outputs[index]?.sql ? identifier(name) : `${hidden} AS ${identifier(name)}`,
  );
  const all = `SELECT ${list.join(', ')}\nFROM ${identifier(view)}`;
  const split =
    nulls === undefined
      ? undefined
      : nullKeyInserts(nulls, { output: sink, outputs: plan.outputs, view, all });
  const statement = viewStatement(view, names, select);
  return {
    view: statement.text,
    insert: insertStatement(sink.name, { before: '', text: split?.whole ?? all }, onConflict).text,
    rest: split?.others,
    lines: linesOf(statement),
  };
}

/**
 * Whether the rows of a view may be computed once for all that read it. Where a reader takes rows that change with the row before each
 * change, the topic would be written that way as well, a deletion before each update. That is the smaller evil where a row that
 * others read has a value of its own each time, such as `UUID()`: they would have another one than the topic.
 */
function mayShare(plans: readonly ModelPlan[]): boolean {
  const within = new Set(plans.flatMap((plan) => [...plan.within]));
  const read = plans.filter(({ model }) => within.has(model.id));
  const isAppended = ({ inference }: ModelPlan) =>
    isAppend(inference.changes?.query ?? { updates: true, deletes: true });
  return read.every(isAppended) || read.some(({ query }) => hasVaryingCall(query));
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

function modelFacts({
  plan,
  nulls,
}: WrittenPlan): Omit<JobModel, 'writes' | 'query' | 'state' | 'withoutState'> {
  const { inference, sink, format, output } = plan;
  return {
    ...outlineOf(plan),
    ...(nulls === undefined ? {} : { nullKeys: nulls }),
    changes: changeKind(inference.changes?.query ?? { updates: false, deletes: false }),
    key: sink.key,
    assumed: plan.assumed,
    schemas: format?.schemas ?? [],
    output,
  };
}

function writtenTopic({ sink }: WrittenPlan): Pick<JobModel['writes'], 'topic' | 'table' | 'rows'> {
  return { topic: sink.topic, table: sink.name, rows: sink.rows };
}

/** Where the query of a model is: in its view, else in its INSERT, which begins at a line of the last statement. */
function queryPlace(
  { texts: { view, lines } }: WrittenPlan,
  {
    numbers,
    last,
    insertLine,
  }: { readonly numbers: ReadonlyMap<string, number>; readonly last: number; readonly insertLine: number },
): JobModel['query'] {
  if (view !== undefined) return { statement: numbers.get(view) ?? 0, lines };
  return { statement: last, lines: lines.map((piece) => ({ ...piece, line: piece.line + insertLine - 1 })) };
}

function stateOf({ plan, inputs, nulls }: WrittenPlan): readonly StateDraft[] {
  const { inference, outputs, sink } = plan;
  const { changes } = inference;
  return modelState({
    plan,
    tables: inputs.tables,
    outputs: hideKey(outputs, { changes, sink }),
    changes,
    kind: changeKind(changes?.query ?? { updates: false, deletes: false }),
    sink,
    nullKeys: nulls?.columns,
  });
}

function eachOnce(columns: readonly AssumedColumn[]): readonly AssumedColumn[] {
  return [...new Map(columns.map((one) => [`${one.node} ${one.column}`, one])).values()];
}
