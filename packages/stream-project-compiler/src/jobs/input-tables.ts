import { quote } from '../diagnostics/quote.ts';
import type { NodeId } from '../resolve/node-id.ts';
import { type JobTable, watermarkOf } from './create-table.ts';
import type { ModelPlan } from './model-job.ts';
import { macroNode } from './node-topics.ts';
import type { ReadColumn } from './read-columns.ts';
import { recordColumns, recordTable } from './record-copy.ts';
import type { Refusal } from './refusal.ts';
import type { Replacement } from './text/query-text.ts';
import { identifier, identifiers } from './text/sql-words.ts';
import { madeBy, readKey, type TopicTable } from './topic-table.ts';

/** A name that nothing else in the query has: the preferred one, else with a word after it. */
export type GiveName = (preferred: string, word: string) => string;

/** Gives names to the tables of a job. */
export function tableNames(taken: ReadonlySet<string>): GiveName {
  const used = new Set(taken);
  return (preferred, word) => {
    let name = preferred;
    for (let number = 1; used.has(name); number += 1)
      name = `${preferred}_${word}${number === 1 ? '' : number}`;
    used.add(name);
    return name;
  };
}

/** Names of one job: those of its tables, and of the views that its models read. */
export interface JobNames {
  readonly nameOf: GiveName;
  /** The consumer group of the job. */
  readonly group: string;
  /** Tables that are read, by what they are apart from their name: models that read the same columns of a topic share one. */
  readonly tables: Map<string, JobTable>;
  /** Views of models that others read within the job. */
  readonly models: Map<NodeId, string>;
  /** Views of the latest rows of a table, by table and key. */
  readonly versions: Map<string, VersionView>;
}

/** The view of the latest rows of a table. */
interface VersionView {
  readonly name: string;
  readonly sql: string;
}

/** Names for the tables of a job with these models. */
export function createJobNames(
  plans: readonly { readonly taken: ReadonlySet<string> }[],
  group = '',
): JobNames {
  const taken = new Set(plans.flatMap((plan) => [...plan.taken]));
  return { nameOf: tableNames(taken), group, tables: new Map(), models: new Map(), versions: new Map() };
}

/** A table that a query reads, before its job gives it a name. */
export interface ReadTable {
  readonly table: Omit<JobTable, 'name' | 'group'>;
  /** The same for tables that one job can share. */
  readonly text: string;
}

/** Facts of a query that decide about its tables. */
interface InputFacts extends Pick<ModelPlan, 'uses' | 'topics' | 'within' | 'tables'> {
  readonly inference?: Pick<ModelPlan['inference'], 'changes'>;
}

/** The tables of the topics that a query reads. */
export function readTables(
  topics: ModelPlan['topics'],
  read: Pick<ModelPlan['read'], 'columns'>,
  record: ModelPlan['record'],
): ReadonlyMap<NodeId, ReadTable> {
  return new Map(
    [...topics].map(([id, topic]) => {
      const table = tableOf(topic, read.columns.get(id) ?? [], record);
      const text = JSON.stringify({ ...table, node: id, eventTime: { ...table.eventTime, origin: 0 } });
      return [id, { table, text }];
    }),
  );
}

/** The tables that a query reads. */
export interface InputTables {
  /** In order of first use, with the views of models that it reads within its job. */
  readonly tables: ReadonlyMap<NodeId, JobTable>;
  /** Views of the latest rows that no other model of the job has read before. */
  readonly views: readonly string[];
  /** What is written in place of the macros, and of what a defect of the engine would make wrong. */
  readonly replacements: readonly Replacement[];
}

/** Makes a table for each topic that a query reads, and a versioned one for each right side of a temporal join. */
export function inputTables(facts: InputFacts, names: JobNames): InputTables | Refusal {
  const tables = new Map<NodeId, JobTable>();
  const views: string[] = [];
  const replacements: Replacement[] = [];
  for (const { macro, aliasAt, versionKey } of facts.uses) {
    const id = macroNode(macro);
    const topic = facts.topics.get(id);
    const read = facts.tables.get(id);
    if (topic === undefined || read === undefined) continue;
    const isWithin = facts.within.has(id);
    const table =
      tables.get(id) ??
      (isWithin ? viewTable(id, read, macro.name, names) : topicTable(id, read, macro.name, names));
    tables.set(id, table);
    let { name } = table;
    if (versionKey !== undefined) {
      const version = versionOf(table, topic, versionKey);
      if ('refused' in version) return version;
      if (version.by !== undefined) {
        const key = `${name} ${version.by.join(' ')}`;
        let view = names.versions.get(key);
        if (view === undefined) {
          view = versionView(table, version.by, names.nameOf);
          names.versions.set(key, view);
          views.push(view.sql);
        }
        ({ name } = view);
      }
    }
    replacements.push({ start: macro.start, end: macro.end, text: identifier(name) });
    if (name !== macro.name && aliasAt !== undefined) {
      replacements.push({ start: aliasAt, end: aliasAt, text: ` AS ${identifier(macro.name)}` });
    }
  }
  return { tables, views, replacements: [...replacements, ...(facts.inference?.changes?.rewrites ?? [])] };
}

/** The view of a model that the job computes. */
function viewTable(id: NodeId, { table }: ReadTable, macroName: string, names: JobNames): JobTable {
  const name = names.models.get(id) ?? names.nameOf(macroName, 'rows');
  names.models.set(id, name);
  return { ...table, name, group: names.group };
}

function topicTable(id: NodeId, { table, text }: ReadTable, macroName: string, names: JobNames): JobTable {
  const known = names.tables.get(text);
  if (known !== undefined) return known;
  const name = names.nameOf(macroName, id.startsWith('source:') ? 'source' : 'model');
  const named = { ...table, name, group: names.group };
  names.tables.set(text, named);
  return named;
}

function tableOf(
  topic: TopicTable,
  read: readonly ReadColumn[],
  record: ModelPlan['record'],
): ReadTable['table'] {
  const shared = { topic: topic.topic, at: topic.at };
  if (record !== undefined) {
    const named = topic.complete ? read : read.filter(({ assumed }) => assumed);
    const known = topic.complete
      ? []
      : read.filter(({ assumed, processingTime }) => !assumed && processingTime !== true);
    return {
      ...shared,
      rows: 'append',
      format: 'raw',
      columns: recordTable(record, topic.format === 'json' ? [...known, ...named] : []),
      key: [record.key],
      eventTime: undefined,
    };
  }
  // A query that names no column, such as COUNT(*), still needs a table with one
  const counted = read.length === 0 ? recordTable(recordColumns([])).slice(1) : undefined;
  if (counted !== undefined)
    return { ...shared, rows: 'append', format: 'raw', columns: counted, key: [], eventTime: undefined };
  return {
    ...shared,
    rows: topic.rows,
    format: topic.format,
    columns: read.map((column) => ({
      name: column.name,
      type: column.type,
      ...madeBy(column),
      ...(column.exact === true ? { exact: true } : {}),
    })),
    ...readKey(topic),
    eventTime: topic.eventTime,
    written: topic.written,
  };
}

/** How a table gives the version of a row at a time: by its own key, or by a view that keeps the latest row by these columns. */
function versionOf(
  table: JobTable,
  { key, node }: TopicTable,
  compared: readonly string[],
): { readonly by: readonly string[] | undefined } | Refusal {
  const of = quote(node.replace(':', ' '));
  if (watermarkOf(table) === undefined) {
    return {
      refused: `a temporal join reads versions of ${of}, which has no event time`,
      hint: 'say when its rows change in "event_time"',
    };
  }
  if (table.rows !== 'append' && table.key.length > 0) return { by: undefined };
  if (table.rows === 'changelog') {
    return {
      refused: `a temporal join reads versions of ${of}, which has no key`,
      hint: `name one in "key" of that ${node.startsWith('source:') ? 'source' : 'model'}`,
    };
  }
  const by = key.length > 0 ? key : compared;
  if (by.length === 0) {
    return {
      refused: `a temporal join compares no column of ${of} with "="`,
      hint: 'compare its key with "=" in ON',
    };
  }
  return { by };
}

/** The latest row of each key, which the engine takes for a table of versions. */
export function versionView(
  { name, columns, eventTime }: JobTable,
  by: readonly string[],
  nameOf: GiveName,
): { readonly name: string; readonly sql: string } {
  const view = nameOf(`${name}_versions`, 'view');
  const names = columns.map((column) => column.name);
  let number = 'row_number';
  while (names.includes(number)) number = `${number}_`;
  const order = identifier(eventTime?.column ?? '');
  const numbered = `ROW_NUMBER() OVER (PARTITION BY ${identifiers(by)} ORDER BY ${order} DESC) AS ${identifier(number)}`;
  const sql = [
    `CREATE TEMPORARY VIEW ${identifier(view)} AS`,
    `SELECT ${identifiers(names)}`,
    'FROM (',
    `  SELECT *, ${numbered}`,
    `  FROM ${identifier(name)}`,
    ')',
    `WHERE ${identifier(number)} = 1`,
  ].join('\n');
  return { name: view, sql };
}
