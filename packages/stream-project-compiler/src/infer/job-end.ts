import { type Query, walkSql } from '@levada/stream-sql';
import { appended, type Changes, isAppend } from '../changelog/changes.ts';
import type { EventTime } from '../columns/nodes/node-columns.ts';
import type { Relation } from '../columns/relations/relation.ts';
import { quote } from '../diagnostics/quote.ts';
import { placeOf } from '../parse/node-place.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import { modelMasks } from './masks.ts';
import type { NodeChanges } from './node-inference.ts';

/**
 * Why models that read a model read its topic, in jobs of their own: `asked` by `advanced.engine.ends_job`; the model declares an
 * `event-time` that its SQL does not hand on; its `key` keeps one of several rows; not all of its `columns` are known; or the engine
 * refuses its SQL as a `view`, or takes its `first-rows` for appended.
 */
export type JobEnd = 'asked' | 'event-time' | 'key' | 'columns' | 'view' | 'first-rows';

/** The job of a model, as far as it decides who is part of it. */
export interface JobPlace {
  /** Cluster of the engine; undefined where the project names none. */
  readonly cluster: string | undefined;
  /** Undefined: models of the same cluster read its rows within the job. */
  readonly end: JobEnd | undefined;
}

interface EndFacts {
  /** What its SQL gives, after masks, with the time attributes that the SQL hands on. */
  readonly relation: Relation;
  readonly eventTime: EventTime | undefined;
  /** The event time of the inputs that the time attribute comes from. */
  readonly handedOn: EventTime | undefined;
  readonly changes: NodeChanges | undefined;
}

/** Where a job ends because of the model itself. */
export function jobEnd(model: ResolvedModel, facts: EndFacts): JobEnd | undefined {
  const { relation, eventTime, handedOn, changes } = facts;
  const query = model.sql?.parsed.query;
  if (query === undefined || changes === undefined || relation.open !== undefined) return 'columns';
  if (placeOf(model.definition.node, 'advanced.engine.ends_job').node?.value === true) return 'asked';
  if (eventTime !== undefined && !eventTime.inherited) {
    const isKept = relation.columns.some(({ name, time }) => name === eventTime.column && time === 'event');
    if (!isKept || handedOn === undefined || eventTime.delayMs > handedOn.delayMs) return 'event-time';
  }
  const [key] = changes.topic.keys;
  const isKey = key === undefined || changes.query.keys.some((one) => one.every((at) => key.includes(at)));
  if (!isAppend(changes.query) && !isKey) return 'key';
  if (changes.query.unseen !== undefined) return 'first-rows';
  return isRefusedAsView(query) ? 'view' : undefined;
}

/**
 * The engine writes the text of a view again, and cannot read some of what it writes: MATCH_RECOGNIZE (before 2.3), `*` over a join with
 * USING or NATURAL (from 2.0 on), and several columns after PARTITION BY of a session (all versions).
 */
function isRefusedAsView(query: Query): boolean {
  let [isRefused, hasStar, mergesColumns] = [false, false, false];
  walkSql(query, (node) => {
    if (node.kind === 'match-recognize') isRefused = true;
    if (node.kind === 'table-argument' && node.partitionBy.length > 1) isRefused = true;
    if (node.kind === 'star' && node.qualifier.length === 0) hasStar = true;
    if (node.kind === 'join' && (node.natural || node.using.length > 0)) mergesColumns = true;
    return isRefused ? 'skip' : undefined;
  });
  return isRefused || (hasStar && mergesColumns);
}

/** Whether a model reads the rows of another within one job, not through its topic. */
export function isWithinJob(
  reader: Pick<JobPlace, 'cluster'> | undefined,
  read: JobPlace | undefined,
): boolean {
  return (
    reader !== undefined && read !== undefined && read.end === undefined && reader.cluster === read.cluster
  );
}

/** How the rows of a model change for those that read them within its job. Values that are masked find no rows for the planner. */
export function changesWithinJob(
  { name, definition }: ResolvedModel,
  query: Changes,
  columns: readonly { readonly name: string }[],
): Changes {
  const masked = new Set(
    modelMasks(definition).masks.flatMap(({ column, roles }) => (roles === undefined ? column : [])),
  );
  const keys = query.keys.filter((key) => key.every((at) => !masked.has(columns[at]?.name ?? '')));
  if (isAppend(query)) return { ...appended, keys };
  const cause = { what: `model ${quote(name)}, whose rows change`, start: 0, end: 0 };
  const { updates, deletes, isHalfFed, isKept } = query;
  return {
    updates,
    deletes,
    cause,
    keys,
    ...(isHalfFed === undefined ? {} : { isHalfFed }),
    ...(isKept === undefined ? {} : { isKept }),
  };
}
