import { type Column, type Expression, type Literal, type Query, walkSql } from '@levada/stream-sql';
import {
  type InferredQuery,
  type QueryColumns,
  type QueryOwner,
  sqlColumns,
} from '../columns/nodes/model-columns.ts';
import type { ColumnOrigin } from '../columns/nodes/node-columns.ts';
import { nodeColumns } from '../columns/nodes/node-columns.ts';
import {
  nodeRelation,
  type Relation,
  type RelationColumn,
  relationOf,
} from '../columns/relations/relation.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { ModelSql } from '../resolve/model-sql.ts';
import type { NodeId } from '../resolve/node-id.ts';
import { isReplaced } from '../resolve/place-in-file.ts';
import type { Position, TextRange } from '../text/range.ts';
import type { EngineDialect } from '../types/functions/engine-dialect.ts';
import { decimal, plain, type SqlType, text, time } from '../types/sql-type.ts';
import { everyColumnRefusal, mistakeRefusal, nodeWords, type Refusal } from './refusal.ts';
import type { KnownColumn, TopicTable } from './topic-table.ts';

/** A column that a job reads. */
export interface ReadColumn extends KnownColumn {
  readonly type: SqlType;
  /** The project does not say its type. */
  readonly assumed: boolean;
}

/** What a job reads, and what its query makes of it. */
export interface ReadResult {
  readonly columns: ReadonlyMap<NodeId, readonly ReadColumn[]>;
  /** What the query gives; open where it hands on columns that nothing names. */
  readonly relation: Relation;
  /** The query with everything that was found of it; undefined where it cannot be read. */
  readonly inferred: InferredQuery | undefined;
  /** Why no job can have the query, as far as that is known only with the columns that jobs read and write. */
  readonly refusal: Refusal | undefined;
}

interface ReadFacts {
  readonly dialect: EngineDialect;
  readonly topics: ReadonlyMap<NodeId, TopicTable>;
  /** Types that other queries need, of columns whose type nothing declares. */
  readonly assumed: ReadonlyMap<NodeId, ReadonlyMap<string, SqlType>>;
  /** What was found of the query before: it holds where topics are as their nodes. */
  readonly before?: {
    readonly selected: QueryColumns;
    readonly relationOfNode: (id: NodeId) => Relation | undefined;
  };
}

/** Types that are tried for a column of which nothing declares the type, the first one where all of them do. */
const candidates: readonly SqlType[] = [
  text('VARCHAR'),
  plain('DOUBLE'),
  time('TIMESTAMP', 3),
  plain('BOOLEAN'),
  plain('BIGINT'),
  decimal(38, 18),
];

/** More columns than that are not tried. */
const MAX_TRIED = 40;
const MAX_ROUNDS = 40;

/** The columns that a query reads of each topic: all where they are known, else those that it names. */
export function readColumns(model: QueryOwner, sql: ModelSql, facts: ReadFacts): ReadResult {
  const { topics, assumed, before } = facts;
  const relations = relationsOf(topics, new Map());
  const first =
    before !== undefined && isAsBefore(relations, before.relationOfNode)
      ? inferredFrom(before.selected)
      : inferQuery(model, sql, facts, relations);
  const isComplete = [...topics.values()].every(({ complete }) => complete);
  const named = namedColumns(isComplete ? undefined : first.inferred);
  const columns = new Map<NodeId, ReadColumn[]>();
  for (const [id, topic] of topics)
    columns.set(id, columnsOf(topic, named.get(id) ?? new Map(), assumed.get(id)));
  const isKnown = [...columns.values()].every((list) => list.every((column) => !column.assumed));
  const { relation, mistakes, inferred } = isKnown
    ? first
    : chooseTypes(columns, () => inferQuery(model, sql, facts, relationsOf(topics, columns)));
  const refusal = refusalOf(sql, { mistakes, inferred: first.inferred }, columns);
  return { columns, relation, inferred, refusal };
}

function refusalOf(
  { leaf }: ModelSql,
  found: Pick<Inferred, 'mistakes' | 'inferred'>,
  columns: ReadonlyMap<NodeId, readonly ReadColumn[]>,
): Refusal | undefined {
  const part = found.inferred?.context.parts.find(({ kind }) => kind === 'every-column');
  if (part?.kind === 'every-column') return everyColumnRefusal(part);
  const [mistake] = found.mistakes;
  if (mistake === undefined) return undefined;
  const [undeclared = []] = groupsOf(found, columns);
  const names = undeclared.flatMap(({ list, at }) => list[at]?.name ?? []);
  return mistakeRefusal(mistake, isReplaced(leaf) ? names.map(() => undefined) : names);
}

/** Columns whose types are known, and those of others that are named, in order of their names. */
function columnsOf(
  { columns, complete }: TopicTable,
  named: ReadonlyMap<string, SqlType | undefined>,
  types: ReadonlyMap<string, SqlType> = new Map(),
): ReadColumn[] {
  const known = columns.flatMap(({ type, ...column }): ReadColumn[] =>
    type === undefined ? [] : [{ ...column, type, assumed: false }],
  );
  if (complete) return known;
  const [string = text('VARCHAR')] = candidates;
  const names = new Set(known.map(({ name }) => name));
  const others = [...named.keys()].filter((name) => !names.has(name)).sort();
  return [
    ...known,
    ...others.map((name): ReadColumn => {
      const type = types.get(name) ?? named.get(name) ?? string;
      return { name, type, assumed: true };
    }),
  ];
}

/** A column without a declared type, in its list. */
interface OpenColumn {
  readonly list: ReadColumn[];
  readonly at: number;
}

/**
 * Gives columns without a type others with which fewer parts of the query are wrong, as long as there are such: those of one mistake
 * together, or one of them.
 */
function chooseTypes(columns: ReadonlyMap<NodeId, ReadColumn[]>, infer: () => Inferred): Inferred {
  let now = infer();
  for (let round = 0; round < MAX_ROUNDS && now.mistakes.length > 0; round += 1) {
    const reached = now;
    let best:
      | { readonly group: readonly OpenColumn[]; readonly type: SqlType; readonly found: Inferred }
      | undefined;
    for (const group of groupsOf(now, columns)) {
      for (const type of candidates) {
        const before = give(group, type);
        const found = infer();
        give(group, before);
        if (isBetter(found, best?.found ?? reached)) best = { group, type, found };
      }
    }
    if (best === undefined) return now;
    give(best.group, best.type);
    now = best.found;
  }
  return now;
}

/** Whether fewer parts of a query are wrong, or only one around that which was. */
function isBetter({ mistakes }: Inferred, other: Inferred): boolean {
  if (mistakes.length !== other.mistakes.length) return mistakes.length < other.mistakes.length;
  const [one, before] = [mistakes[0]?.range, other.mistakes[0]?.range];
  if (one === undefined || before === undefined) return false;
  const isAround = !isBefore(before.start, one.start) && !isBefore(one.end, before.end);
  return isAround && (isBefore(one.start, before.start) || isBefore(before.end, one.end));
}

/** Gives columns of a group a type, or each its own, and answers what they had. */
function give(group: readonly OpenColumn[], types: SqlType | readonly SqlType[]): readonly SqlType[] {
  const before: SqlType[] = [];
  for (const [index, { list, at }] of group.entries()) {
    const column = list[at];
    const type = 'name' in types ? types : types[index];
    if (column === undefined || type === undefined) continue;
    before.push(column.type);
    list[at] = { ...column, type };
  }
  return before;
}

/** Columns without a declared type that are part of a mistake: all of each, and each alone. */
function groupsOf(
  { mistakes, inferred: query }: Pick<Inferred, 'mistakes' | 'inferred'>,
  columns: ReadonlyMap<NodeId, readonly ReadColumn[]>,
): readonly (readonly OpenColumn[])[] {
  const [first] = mistakes;
  if (query === undefined || first === undefined) return [];
  const found = new Map<string, OpenColumn>();
  for (const [written, resolved] of query.context.columns) {
    const { start, end } = query.place.rangeOf(written);
    const { range } = first;
    const isPart = !isBefore(start, range.start) && !isBefore(range.end, end);
    // Of r.f the mistake is at f
    const isAround = !isBefore(range.start, start) && !isBefore(end, range.end);
    if (!isPart && !isAround) continue;
    for (const { node, column } of resolved?.column.origins ?? []) {
      const list = columns.get(node) as ReadColumn[] | undefined;
      const at = list?.findIndex((one) => one.assumed && one.name === column) ?? -1;
      if (list !== undefined && at >= 0) found.set(`${node} ${column}`, { list, at });
    }
  }
  const all = [...found.values()].slice(0, MAX_TRIED);
  return all.length < 2 ? [all] : [all, ...all.map((one) => [one])];
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.column < other.column);
}

interface Inferred {
  readonly relation: Relation;
  readonly inferred: InferredQuery | undefined;
  readonly mistakes: readonly Diagnostic[];
}

function inferQuery(
  model: QueryOwner,
  sql: ModelSql,
  { dialect }: ReadFacts,
  relations: ReadonlyMap<NodeId, Relation>,
): Inferred {
  return inferredFrom(sqlColumns(model, sql, { dialect, relationOfNode: (id) => relations.get(id) }));
}

function inferredFrom({ relation, inferred, diagnostics }: QueryColumns): Inferred {
  return { relation, inferred, mistakes: diagnostics.filter(({ severity }) => severity === 'error') };
}

/** Whether queries see all topics as the nodes that they belong to. */
function isAsBefore(
  relations: ReadonlyMap<NodeId, Relation>,
  relationOfNode: (id: NodeId) => Relation | undefined,
): boolean {
  return [...relations].every(([id, relation]) => {
    const node = relationOfNode(id);
    return node !== undefined && isSameTable(relation, node);
  });
}

function isSameTable(one: Relation, other: Relation): boolean {
  if (one.open !== undefined || other.open !== undefined || other.undeclared) return false;
  if (one.key.join('\0') !== other.key.join('\0')) return false;
  if (one.columns.length !== other.columns.length) return false;
  return one.columns.every((column, at) => {
    const same = other.columns[at];
    return same !== undefined && (isAlike(column, same) || columnText(column) === columnText(same));
  });
}

/** Columns of one node that have their type from one declaration, which is quicker to see than by their text. */
function isAlike(one: RelationColumn, other: RelationColumn): boolean {
  const { name, type, time, written, lost, marked, origins } = one;
  const isNamed = name === other.name && written === other.written;
  const isTimed = time === other.time && lost === other.lost && marked === other.marked;
  return isNamed && isTimed && type === other.type && origins[0]?.node === other.origins[0]?.node;
}

/** A column as it is read, whatever makes nulls in it. */
function columnText(column: RelationColumn): string {
  return JSON.stringify(column.nulls === undefined ? column : { ...column, nulls: undefined });
}

const nowhere: TextRange = { file: '', start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };

/** Topics as tables; without columns for a topic, it is open. */
function relationsOf(
  topics: ReadonlyMap<NodeId, TopicTable>,
  columns: ReadonlyMap<NodeId, readonly ReadColumn[]>,
): ReadonlyMap<NodeId, Relation> {
  return new Map(
    [...topics].map(([id, topic]): [NodeId, Relation] => {
      const { complete, eventTime, key } = topic;
      const list: readonly KnownColumn[] = columns.get(id) ?? topic.columns;
      const isOpen = !complete;
      const relation = nodeRelation(
        id,
        nodeColumns({
          columns: list.map(({ name, type, processingTime }) => ({
            name,
            type,
            time:
              processingTime === true
                ? ('processing' as const)
                : name === eventTime?.column
                  ? ('event' as const)
                  : undefined,
            origins: [],
            range: () => nowhere,
          })),
          ...(isOpen
            ? { incomplete: { reason: `the columns of ${nodeWords(id)} are not all known`, range: nowhere } }
            : {}),
        }),
        { key },
      );
      return [id, relationOf({ ...relation, undeclared: false })];
    }),
  );
}

/** Columns of topics that a query names, each with the type of a literal that it is compared with. */
function namedColumns(
  query: InferredQuery | undefined,
): ReadonlyMap<NodeId, ReadonlyMap<string, SqlType | undefined>> {
  const named = new Map<NodeId, Map<string, SqlType | undefined>>();
  if (query === undefined) return named;
  const compared = comparedTypes(query.query);
  const add = (origins: readonly ColumnOrigin[] = [], type?: SqlType) => {
    for (const { node, column } of origins) {
      const types = named.get(node) ?? new Map<string, SqlType | undefined>();
      types.set(column, types.get(column) ?? type);
      named.set(node, types);
    }
  };
  for (const [written, resolved] of query.context.columns)
    add(resolved?.column.origins, compared.get(written));
  // Both sides have a column of USING, whether anything else names it or not
  for (const part of query.context.parts) {
    if (part.kind !== 'join') continue;
    for (const { name } of part.join.using) {
      const found = part.place.scope.findAmong(name, 0, part.before);
      if (found.kind === 'column') add(found.column.origins);
    }
  }
  return named;
}

/** Types by the kind of a literal. The engine would compare text with numbers by converting it to a whole number. */
const literalTypes: Readonly<Partial<Record<Literal['type'], SqlType>>> = {
  integer: plain('DOUBLE'),
  decimal: plain('DOUBLE'),
  approximate: plain('DOUBLE'),
  boolean: plain('BOOLEAN'),
  timestamp: time('TIMESTAMP', 3),
};

const comparisons: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>=']);

/** The types of the literals that columns are compared with. */
function comparedTypes(query: Query): ReadonlyMap<Column, SqlType> {
  const types = new Map<Column, SqlType>();
  const compare = (...sides: readonly Expression[]) => {
    const type = sides.flatMap((side) => (side.kind === 'literal' ? (literalTypes[side.type] ?? []) : []))[0];
    if (type === undefined) return;
    for (const side of sides) if (side.kind === 'column') types.set(side, type);
  };
  walkSql(query, (node) => {
    if (node.kind === 'binary' && comparisons.has(node.operator)) compare(node.left, node.right);
    if (node.kind === 'between') compare(node.operand, node.low, node.high);
    return undefined;
  });
  return types;
}
