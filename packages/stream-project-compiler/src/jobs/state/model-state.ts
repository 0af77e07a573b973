import type { ChangeKind } from '../../changelog/changes.ts';
import type { NodeChanges } from '../../infer/node-inference.ts';
import type { NodeId } from '../../resolve/node-id.ts';
import { sha256 } from '../../text/sha256.ts';
import { columnType, type JobTable, watermarkOf } from '../create-table.ts';
import type { ModelPlan } from '../model-job.ts';
import { macroNode } from '../node-topics.ts';
import type { OutputColumn } from '../output-columns.ts';
import { queryState } from './query-state.ts';
import type { StateKeeps, StatePart } from './state-part.ts';
import {
  columnForm,
  type Flow,
  type FormedColumn,
  inputForm,
  type StateContext,
  type StateDraft,
  type StateParts,
  shown,
  shownInputs,
} from './state-parts.ts';

/** What the state of a model follows from. */
interface ModelFacts {
  readonly plan: Pick<ModelPlan, 'query' | 'sql' | 'read' | 'uses' | 'topics' | 'within'>;
  /** Tables that are read. */
  readonly tables: ReadonlyMap<NodeId, JobTable>;
  /** Columns as they are written, the key hidden from the planner where it must be. */
  readonly outputs: readonly OutputColumn[];
  readonly changes: NodeChanges | undefined;
  readonly kind: ChangeKind;
  readonly sink: { readonly rows: JobTable['rows']; readonly key: readonly string[] };
  /** Columns of the key whose nulls are split off the rows, which makes other operators. */
  readonly nullKeys: readonly string[] | undefined;
}

/** The parts of a model that keep state: offsets of topics, operators in the order in which rows pass them, what writes rows that change. */
export function modelState(facts: ModelFacts): readonly StateDraft[] {
  const { inferred } = facts.plan.read;
  if (inferred === undefined) return [];
  const { query, context } = inferred;
  const written = (span: { readonly start: number; readonly end: number }) => facts.plan.sql.writtenAt(span);
  const { parts, rows } = queryState({ query, context, written }, (found) => tableReader(found, facts));
  addSink(parts, rows, facts);
  return parts.drafts;
}

function tableReader(parts: StateParts, { plan, tables }: ModelFacts): StateContext['tableFlow'] {
  return (table, columns, asVersions) => {
    if (table.kind === 'table-name') {
      const name = table.path.map((part) => part.name).join('.');
      return { inputs: [{ from: name, id: `table ${name}` }] };
    }
    const id = macroNode(table);
    const read = tables.get(id);
    if (read === undefined) return { inputs: [] };
    const rows = plan.within.has(id)
      ? { inputs: [{ from: `rows of ${table.name}`, id: `topic ${read.topic}` }] }
      : readTopic(parts, { id, read, columns });
    const compared = plan.uses.find(({ macro }) => macro === table)?.versionKey ?? [];
    const key = plan.topics.get(id)?.key ?? [];
    if (!asVersions || (read.rows !== 'append' && read.key.length > 0)) return rows;
    return addVersions(parts, rows, { read, by: key.length > 0 ? key : compared, name: table.name, columns });
  };
}

/** Offsets, and the latest row of each key where the engine makes the row before a change from it. */
function readTopic(
  parts: StateParts,
  {
    id,
    read,
    columns,
  }: { readonly id: NodeId; readonly read: JobTable; readonly columns: () => readonly FormedColumn[] },
): Flow {
  const { topic, rows, key } = read;
  const time = watermarkOf(read)?.column;
  const changing = rows === 'append' ? [] : key;
  const source = parts.add(
    id.replace(':', ' '),
    {
      kind: 'source',
      node: id,
      topic,
      rows,
      key: changing,
      ...(time === undefined ? {} : { time }),
      keeps: 'forever',
    },
    [topic, rows, changing, time],
  );
  if (changing.length === 0) return source;
  const keys = namedColumns(read, changing);
  const kept = columns();
  return parts.add(
    `latest rows of ${id.slice(id.indexOf(':') + 1)}`,
    {
      kind: 'normalize',
      inputs: shownInputs(source),
      keys: shown(keys),
      columns: shown(kept),
      keeps: 'idle',
    },
    [inputForm(source), columnForm(keys), ownForm(kept)],
  );
}

/** The latest row of each key, of which a temporal join makes versions. */
function addVersions(
  parts: StateParts,
  rows: Flow,
  facts: {
    readonly read: JobTable;
    readonly by: readonly string[];
    readonly name: string;
    readonly columns: () => readonly FormedColumn[];
  },
): Flow {
  const { read, by, name } = facts;
  const columns = facts.columns();
  const keys = namedColumns(read, by);
  const order = [`${watermarkOf(read)?.column ?? ''} DESC`];
  return parts.add(
    `versions of ${name}`,
    {
      kind: 'rank',
      inputs: shownInputs(rows),
      keys: shown(keys),
      order,
      rows: '1',
      columns: shown(columns),
      keeps: 'idle',
    },
    [inputForm(rows), columnForm(keys), order, ownForm(columns)],
  );
}

function namedColumns({ columns }: JobTable, names: readonly string[]): readonly FormedColumn[] {
  return names.map((name) => {
    const type = columns.find((column) => column.name === name)?.type;
    return { name, form: name, type: type === undefined ? '?' : columnType(type) };
  });
}

/** Columns without the place of their table in a FROM. */
function ownForm(columns: readonly FormedColumn[]): readonly unknown[] {
  return columnForm(
    columns.map((column) => ({ ...column, form: column.form.slice(column.form.indexOf(' ') + 1) })),
  );
}

/** Whether the engine has to find a row by the key of its topic, which is none of the query's. */
function isMaterialized({ sink, outputs, changes }: ModelFacts): boolean {
  if (sink.rows !== 'upsert') return false;
  const isKey = (at: number) => {
    const output = outputs[at];
    return output !== undefined && output.sql === undefined && sink.key.includes(output.name);
  };
  return changes?.query.keys.some((key) => key.every(isKey)) !== true;
}

function addSink(parts: StateParts, rows: Flow, facts: ModelFacts): void {
  const { sink, outputs, nullKeys = [], kind } = facts;
  const isRowByRow = parts.drafts.every(({ part }) => part.kind === 'source');
  if (sink.rows === 'append' && (nullKeys.length === 0 || isRowByRow)) return;
  const materialized = isMaterialized(facts);
  const columns = outputs.map(({ name, type }): FormedColumn => ({ name, form: '', type: columnType(type) }));
  const keys = columns.filter(({ name }) => sink.key.includes(name));
  const positionsOf = (names: readonly string[]) =>
    names.map((name) => outputs.findIndex((output) => output.name === name));
  parts.add(
    'topic',
    {
      kind: 'sink',
      inputs: shownInputs(rows),
      rows: sink.rows,
      materialized,
      keys: shown(keys),
      columns: materialized ? shown(columns) : [],
      null_keys: isRowByRow ? [] : nullKeys,
      keeps: materialized ? 'idle' : 'forever',
    },
    [
      inputForm(rows),
      sink.rows,
      kind,
      materialized,
      positionsOf(sink.key),
      materialized ? columns.map(({ type }) => type) : [],
      isRowByRow ? [] : positionsOf(nullKeys),
    ],
  );
}

/** The parts in a job that keeps state which nothing uses for this time; undefined: forever. */
export function stateParts(drafts: readonly StateDraft[], ttlMs: number | undefined): readonly StatePart[] {
  const idle: Pick<StatePart, 'keeps' | 'ttl_ms'> =
    ttlMs === undefined || ttlMs === 0 ? { keeps: 'forever' } : { keeps: 'ttl', ttl_ms: ttlMs };
  return drafts.map(({ part, name, form }): StatePart => {
    const kept: { readonly keeps: StateKeeps } = part.keeps === 'idle' ? idle : { keeps: part.keeps };
    const { kind, keeps: _, ...others } = part;
    return { kind, name, ...others, ...kept, fingerprint: sha256(form) } as StatePart;
  });
}

/** Follows from all parts of a job: the same as long as the engine can restore each of them. */
export function stateFingerprint(models: readonly { readonly state: readonly StatePart[] }[]): string {
  return sha256(
    models
      .map(({ state }) => state.map(({ keeps, fingerprint }) => `${keeps} ${fingerprint}`).join(' '))
      .join('\n'),
  );
}
