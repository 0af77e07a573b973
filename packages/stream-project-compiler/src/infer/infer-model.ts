import { columnsOfRelation, type QueryColumns, sqlColumns } from '../columns/nodes/model-columns.ts';
import {
  type EventTime,
  isTimeKnown,
  type LostTime,
  type NodeColumns,
  nodeColumns,
} from '../columns/nodes/node-columns.ts';
import { type EventTimeFacts, handedOnTime, modelEventTime } from '../columns/nodes/read-event-time.ts';
import type { Nulls } from '../columns/relations/nulls.ts';
import {
  firstOpen,
  nodeRelation,
  type OpenRelation,
  type Relation,
  type RelationColumn,
  relationOf,
} from '../columns/relations/relation.ts';
import { quote } from '../diagnostics/quote.ts';
import type { Definition } from '../parse/definition.ts';
import { textAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import type { TypedNode } from '../parse/typed-node.ts';
import type { NodeId } from '../resolve/node-id.ts';
import { isReplaced } from '../resolve/place-in-file.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import { rangeAt } from '../text/source-file.ts';
import type { EngineDialect } from '../types/functions/engine-dialect.ts';
import type { SqlType } from '../types/sql-type.ts';
import { checkKey } from './check-key.ts';
import { checkNullKey } from './check-null-key.ts';
import { type JobPlace, jobEnd } from './job-end.ts';
import { lostTimes } from './lost-time.ts';
import { modelChanges } from './model-changes.ts';
import type { NodeChanges, NodeInference } from './node-inference.ts';

/** The inference of a node; undefined when it has none yet. */
type InferenceOf = (id: NodeId) => NodeInference | undefined;

interface ModelFacts {
  readonly inferenceOf: InferenceOf;
  readonly dialect: EngineDialect;
  /** Where its job runs; undefined where no job is made of it. */
  readonly job: Pick<JobPlace, 'cluster'> | undefined;
}

/** The columns of a model: those of its SQL, else those of what it reads. */
export function inferModel(model: ResolvedModel, facts: ModelFacts): NodeInference {
  const { inferenceOf, dialect } = facts;
  const inputs = inputsOf(model, inferenceOf);
  const selected = selectedColumns(model, facts);
  const { relation: result, diagnostics: found, inferred } = selected ?? givenColumns(model, inferenceOf);
  const masked = maskedColumns(result, model.definition);
  const times: EventTimeFacts = {
    columns: masked.columns,
    eventTimeOf: (id) => inferenceOf(id)?.eventTime,
    inputs: inputs.flatMap((input) => input?.eventTime ?? []),
  };
  const eventTime = modelEventTime(model.definition, times);
  const lost = lostTimes(model, masked.columns, {
    eventTimeOf: times.eventTimeOf,
    context: inferred?.context,
  });
  const columns = columnsOfRelation(model, withTime(masked, eventTime, lost));
  const isKnown = isTimeKnown(model.definition, 'advanced.event_time', { eventTime, columns });
  const uncertain = new Set(
    masked.columns.flatMap(({ name, time }) => (time === 'uncertain' || !isKnown ? name : [])),
  );
  const named = textAt(model.definition.node, 'key');
  const key = named === undefined || isReplaced(named) ? undefined : named.value;
  const { definition, sql } = model;
  const { changes, diagnostics: refused } = modelChanges(model, inferred, { columns, key, ...facts });
  const ownKey = (changes?.topic.keys[0] ?? []).flatMap((by) => columns.columns[by]?.name ?? []);
  const relation = nodeRelation(model.id, withWholeKey(columns, changes), {
    uncertain,
    key: key === undefined ? ownKey : [key],
  });
  const isRight = found.length === 0 && refused.length === 0;
  const keyed = changes === undefined || !isRight ? [] : checkKey(model, { changes: changes.query, columns });
  const nulls = changes === undefined || !isRight ? [] : checkNullKey(model, { changes, columns });
  const diagnostics = [...found, ...refused, ...keyed, ...nulls];
  const end = () => jobEnd(model, { relation: masked, eventTime, handedOn: handedOnTime(times), changes });
  return {
    definition,
    sql,
    dialect,
    inputs,
    selected,
    columns,
    eventTime,
    relation,
    changes,
    job: facts.job && { ...facts.job, end: end() },
    diagnostics,
  };
}

/** Readers of a topic whose rows change see no row with a null in its key, whatever makes them. */
function withWholeKey(columns: NodeColumns, changes: NodeChanges | undefined): NodeColumns {
  const [key = []] = changes?.topic.keys ?? [];
  if (!key.some((at) => columns.columns[at]?.nulls?.kind === 'made')) return columns;
  return nodeColumns({
    ...columns,
    columns: columns.columns.map(({ nulls, ...column }, at) =>
      nulls === undefined || (nulls.kind === 'made' && key.includes(at)) ? column : { ...column, nulls },
    ),
  });
}

/** Why a model is not looked at. */
interface NotInferred {
  readonly inputs: readonly (NodeInference | undefined)[];
  readonly dialect: EngineDialect;
  /** As in `model "m" depends on itself`. */
  readonly says: string;
}

/** A model whose columns are not looked at. */
export function withoutColumns(model: ResolvedModel, { inputs, dialect, says }: NotInferred): NodeInference {
  const { definition, sql } = model;
  const columns = columnsOfRelation(model, openAt(model, sql === undefined ? 'from' : 'sql', says));
  const relation = nodeRelation(model.id, columns);
  return {
    definition,
    sql,
    dialect,
    inputs,
    columns,
    eventTime: undefined,
    relation,
    changes: undefined,
    diagnostics: [],
    skipped: true,
  };
}

/** The inferences of a model's inputs. */
export function inputsOf(
  { inputs }: ResolvedModel,
  inferenceOf: InferenceOf,
): readonly (NodeInference | undefined)[] {
  return inputs.map(({ target }) => (target === undefined ? undefined : inferenceOf(target)));
}

/** Readers of a topic see one time attribute, that of its watermark. Processing times are plain values there. */
function withTime(
  relation: Relation,
  eventTime: EventTime | undefined,
  lostHere: ReadonlyMap<string, LostTime>,
): Relation {
  const columns = relation.columns.map(({ lost: before, ...column }) => {
    const lost = before ?? lostHere.get(column.name);
    return {
      ...column,
      time: column.name === eventTime?.column ? ('event' as const) : undefined,
      // When another column is its time, a reader of this one has chosen the wrong one
      ...(lost === undefined || eventTime !== undefined ? {} : { lost }),
    };
  });
  return relationOf({ ...relation, columns });
}

function selectedColumns(
  model: ResolvedModel,
  { inferenceOf, dialect }: ModelFacts,
): QueryColumns | undefined {
  const { sql } = model;
  if (sql === undefined) return undefined;
  return sqlColumns(model, sql, { dialect, relationOfNode: (id) => inferenceOf(id)?.relation });
}

/** The columns of a model without SQL. */
function givenColumns(model: ResolvedModel, inferenceOf: InferenceOf): QueryColumns {
  const { definition } = model;
  return {
    relation: definition.node.entries.has('sql')
      ? openAt(model, 'sql', 'has SQL that cannot be read')
      : handedOn(model, inferenceOf),
    diagnostics: [],
  };
}

/** A sink or a virtual topic has the columns of what it reads; of several inputs those that all of them have alike. */
function handedOn(model: ResolvedModel, inferenceOf: InferenceOf): Relation {
  const { inputs } = model;
  if (inputs.length === 0) return openAt(model, 'from', 'reads nothing that has columns');
  const relations = inputs.map(({ target }) =>
    target === undefined ? undefined : inferenceOf(target)?.relation,
  );
  const known = relations.flatMap((relation) => relation ?? []);
  const [first] = known;
  if (first === undefined || known.length < relations.length) {
    return openAt(model, 'from', 'reads something whose columns are not known');
  }
  if (known.length === 1) return first;
  const names = new Set(known.flatMap(({ columns }) => columns.map(({ name }) => name)));
  const columns = [...names].map((name) => {
    const found = known.flatMap((relation) => {
      const column = relation.find(name);
      return column === undefined || column === 'ambiguous' ? [] : column;
    });
    const types = new Set(found.map(({ type }) => JSON.stringify(type)));
    const written = found[0]?.written;
    return {
      name,
      ...(written === undefined ? {} : { written }),
      type: types.size === 1 ? found[0]?.type : undefined,
      time: undefined,
      origins: found.flatMap(({ origins }) => origins),
    };
  });
  return relationOf({ columns, open: firstOpen(known) });
}

function openAt({ name, definition }: ResolvedModel, key: string, says: string): Relation {
  const { file, head, node } = definition;
  const range = () => rangeAt(file, node.entries.get(key)?.keySpan ?? head);
  const open: OpenRelation = { reason: `model ${quote(name)} ${says}`, range, nodes: [] };
  return relationOf({ columns: [], open });
}

const string: SqlType = { name: 'VARCHAR', length: undefined, nullable: true };

/** The type of a masked value. That of `tokenize` depends on the tokenization service. */
const maskedType: ReadonlyMap<string, (type: SqlType | undefined) => SqlType | undefined> = new Map<
  string,
  (type: SqlType | undefined) => SqlType | undefined
>([
  ['hash', () => string],
  ['redact', () => string],
  ['partial', () => string],
  ['null', (type) => (type === undefined ? undefined : { ...type, nullable: true })],
  ['tokenize', (type) => type],
]);

/** The columns of a model after the masks of its policies. A mask for some roles only leaves the type as it is. */
function maskedColumns(relation: Relation, { node }: Definition<'model'>): Relation {
  const policies = placeOf(node, 'security.policies').node;
  if (policies?.kind !== 'list') return relation;
  const methods = new Map(policies.items.flatMap(masksOf));
  if (methods.size === 0) return relation;
  return relationOf({ ...relation, columns: relation.columns.map((column) => masked(column, methods)) });
}

function masksOf(item: TypedNode): [string, string][] {
  const column = textAt(item, 'mask.column');
  const method = placeOf(item, 'mask.method').node;
  if (column === undefined || method?.known !== true || placeOf(item, 'mask.for_roles').node !== undefined) {
    return [];
  }
  return [[column.value, String(method.value)]];
}

function masked(column: RelationColumn, methods: ReadonlyMap<string, string>): RelationColumn {
  const method = methods.get(column.name) ?? '';
  const change = maskedType.get(method);
  if (change === undefined) return column;
  const nulls: Nulls | undefined =
    method === 'null' ? { kind: 'made', by: { kind: 'mask', what: method } } : column.nulls;
  return {
    ...column,
    type: change(column.type),
    time: undefined,
    ...(nulls === undefined ? {} : { nulls }),
  };
}
