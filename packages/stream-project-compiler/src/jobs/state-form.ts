import {
  type Call,
  childNodes,
  type Expression,
  type FromItem,
  functionKind,
  type Query,
  type Select,
  type SelectItem,
  type SqlNode,
  type Table,
  walkSql,
} from '@levada/stream-sql';
import type { ChangeKind } from '../changelog/changes.ts';
import type { NodeId } from '../resolve/node-id.ts';
import { columnType, type JobTable, watermarkOf } from './create-table.ts';
import { macroNode } from './node-topics.ts';
import type { OutputColumn } from './output-columns.ts';
import type { TopicRows } from './topic-table.ts';

/** What a job keeps state of. */
interface StateFacts {
  readonly query: Query;
  /** Tables that are read, in order of first use. */
  readonly tables: ReadonlyMap<NodeId, JobTable>;
  readonly outputs: readonly OutputColumn[];
  readonly changes: ChangeKind;
  readonly sink: { readonly rows: TopicRows; readonly key: readonly string[] };
  /** Columns of the key whose nulls are split off the rows, which makes other operators. */
  readonly nullKeys: readonly string[] | undefined;
}

/**
 * What decides whether the engine can restore the state of a job, as text: topics that are read with their keys and event times; joins,
 * groups, aggregates, windows and other operators with state, in their order; and names and types of the columns that these keep.
 *
 * Two jobs with the same text restore each other's state in the same version of the engine, whose SQL has no promise across
 * versions. Not part of it: the name of the job, comments, layout, aliases, the order of definitions, settings such as the time
 * that state is kept, and what is done to rows one by one before the first or after the last operator with state. Where it cannot be
 * seen whether an expression matters, it counts: the text may differ although state could be restored, never the other way round.
 */
export function stateForm({ query, tables, outputs, changes, sink, nullKeys = [] }: StateFacts): string {
  const form = new QueryForm(new Map([...tables.keys()].map((id, index) => [id, index])));
  const operators = form.query(query, { isLast: true, scope: new Map() });
  const isRowByRow = !hasState(query);
  const topics = [...tables.values()].map((table) => ({
    topic: table.topic,
    rows: table.rows,
    key: table.key,
    time: isRowByRow ? undefined : watermarkOf(table)?.column,
    columns: isRowByRow
      ? []
      : table.columns
          .filter(({ name }) => form.readsAll || form.names.has(name))
          .map(({ name, type }) => [name, columnType(type)]),
  }));
  const positionsOf = (names: readonly string[]) =>
    names.map((name) => outputs.findIndex((output) => output.name === name));
  return JSON.stringify({
    topics,
    operators: isRowByRow ? [] : operators,
    changes,
    rows: sink.rows,
    // The position of a key among records that are only added does not matter
    ...(changes === 'append'
      ? {}
      : { key: positionsOf(sink.key), types: outputs.map(({ type }) => columnType(type)) }),
    ...(isRowByRow || nullKeys.length === 0 ? {} : { nullKeys: positionsOf(nullKeys) }),
  });
}

/** Whether any operator of a query keeps something from one row to the next. */
export function hasState(query: Query): boolean {
  let found = false;
  walkSql(query, (node) => {
    found ||= isStateful(node);
    return found ? 'skip' : undefined;
  });
  return found;
}

type StatefulWhen<K extends SqlNode['kind']> = (node: Extract<SqlNode, { kind: K }>) => boolean;

/** Parts of a query that keep something; those that are missing keep nothing themselves. */
const STATEFUL: { readonly [K in SqlNode['kind']]?: StatefulWhen<K> } = {
  join: () => true,
  'group-by': () => true,
  'match-recognize': () => true,
  'table-function': () => true,
  subquery: () => true,
  exists: () => true,
  quantified: () => true,
  in: ({ candidates }) => 'kind' in candidates,
  collection: ({ content }) => 'kind' in content,
  select: ({ quantifier, having }) => quantifier === 'DISTINCT' || having !== undefined,
  query: ({ orderBy, limit }) => orderBy.length > 0 || limit !== undefined,
  'set-operation': ({ operator, quantifier }) => operator !== 'UNION' || quantifier !== 'ALL',
  call: (call) => call.over !== undefined || isAggregate(call),
};

function isStateful<K extends SqlNode['kind']>(node: Extract<SqlNode, { kind: K }>): boolean {
  const holds: StatefulWhen<K> | undefined = STATEFUL[node.kind as K];
  return holds?.(node) ?? false;
}

function isAggregate(call: Call): boolean {
  if (call.over !== undefined) return false;
  const { quantifier, filter, orderBy, withinDistinct } = call;
  const isWritten =
    quantifier !== undefined || filter !== undefined || orderBy.length > 0 || withinDistinct.length > 0;
  return isWritten || functionKind(call.name.at(-1)?.name ?? '') === 'aggregate';
}

/** Names of tables in a query, and what stands for them. */
type Scope = ReadonlyMap<string, string>;

interface Around {
  readonly scope: Scope;
  /** Nothing but the output reads the rows. */
  readonly isLast: boolean;
}

/** Writes one kind of node. */
type Writer<K extends SqlNode['kind']> = (node: Extract<SqlNode, { kind: K }>, scope: Scope) => unknown;

/** Where nodes are written, and what does not change what is kept. */
const leftOut: ReadonlySet<string> = new Set([
  'start',
  'end',
  'nameStart',
  'nameEnd',
  'operatorStart',
  'operatorEnd',
  'quoted',
  'hints',
]);

/** Writes the parts of a query that have state, without places, layout and aliases. */
class QueryForm {
  /** Names of columns that the parts mention. */
  readonly names = new Set<string>();
  /** Whether a part takes all columns of a table. */
  readsAll = false;
  readonly #topics: ReadonlyMap<NodeId, number>;
  #tables = 0;

  constructor(topics: ReadonlyMap<NodeId, number>) {
    this.#topics = topics;
  }

  query({ with: common, body, orderBy, limit }: Query, { scope, isLast }: Around): unknown {
    const inner = new Map(scope);
    const tables = common.map((table) => {
      const written = this.query(table.query, { scope: inner, isLast: false });
      inner.set(table.name.name, this.#name());
      return [written, table.columns.map(({ name }) => name)];
    });
    const isSorted = orderBy.length > 0 || limit !== undefined;
    return {
      tables,
      body: this.#body(body, { scope: inner, isLast: isLast && !isSorted }),
      ...(isSorted ? { order: this.#write(orderBy, inner), limit: this.#write(limit, inner) } : {}),
    };
  }

  #body(body: Query['body'], around: Around): unknown {
    if (body.kind === 'query') return this.query(body, around);
    if (body.kind === 'select') return this.#select(body, around);
    if (body.kind === 'set-operation') {
      const isUnion = body.operator === 'UNION' && body.quantifier === 'ALL';
      const operands = body.operands.map((operand) =>
        this.#body(operand, { ...around, isLast: around.isLast && isUnion }),
      );
      return [body.operator, body.quantifier ?? 'DISTINCT', operands];
    }
    this.readsAll = true;
    return this.#write(body, around.scope);
  }

  #select(select: Select, { scope: outer, isLast }: Around): unknown {
    const { from, where, groupBy, having, quantifier, windows, qualify } = select;
    const tables = from === undefined ? [] : tablesOf(from);
    const scope = this.#scope(tables, outer);
    const items = this.#items(select, { scope, isLast });
    const conditions = where === undefined ? [] : conjuncts(where);
    const kept = conditions.filter((one) => !isOfOneRow(one, tables));
    return {
      from: this.#write(from, scope),
      ...(isLast && !selectHasState(select) ? {} : { filtered: kept.length < conditions.length }),
      where: this.#write(kept, scope),
      group: this.#write(groupBy, scope),
      distinct: quantifier === 'DISTINCT',
      windows: this.#write(windows, scope),
      qualify: this.#write(qualify, scope),
      items,
      having: groupBy === undefined && having !== undefined ? this.#write(having, scope) : undefined,
    };
  }

  /** What of a list is kept: all of it where other operators read it, else what has state in it, and what a row of it is kept with. */
  #items(select: Select, { scope, isLast }: Around): unknown {
    const { items, having, groupBy, quantifier, from, qualify } = select;
    if (!isLast || quantifier === 'DISTINCT') return items.map((item) => this.#item(item, scope, isLast));
    const asked: readonly SqlNode[] = [...items, ...(having === undefined ? [] : [having])];
    const found = asked.flatMap((node) => partsWith(node, (one) => one.kind !== 'column' && isStateful(one)));
    const parts = new Set(found.map((part) => JSON.stringify(this.#write(part, scope))));
    const isGrouped =
      groupBy !== undefined || found.some((part) => part.kind === 'call' && isAggregate(part));
    const keepsRows =
      qualify !== undefined ||
      (from !== undefined && (from.kind === 'join' || from.matchRecognize !== undefined)) ||
      found.some((part) => !(part.kind === 'call' && isAggregate(part)));
    if (!keepsRows) return [...parts];
    const columns = (isGrouped ? [select] : asked).flatMap((node) =>
      partsWith(node, ({ kind }) => kind === 'column' || kind === 'star'),
    );
    const written = new Set(columns.map((column) => JSON.stringify(this.#write(column, scope))));
    return [...parts, [...written].sort()];
  }

  #item({ expression, alias }: SelectItem, scope: Scope, isLast: boolean): unknown {
    return [this.#write(expression, scope), isLast ? undefined : alias?.name];
  }

  #name(): string {
    const name = `t${this.#tables}`;
    this.#tables += 1;
    return name;
  }

  #scope(tables: readonly Table[], outer: Scope): Scope {
    const scope = new Map(outer);
    const only = tables.length === 1;
    for (const { alias, source } of tables) {
      const { kind } = source;
      const own =
        kind === 'macro' ? source.name : kind === 'table-name' ? source.path.at(-1)?.name : undefined;
      const name = alias?.name ?? own;
      // With one table it makes no difference whether its name is before a column
      if (name !== undefined && !(kind === 'table-name' && alias === undefined)) {
        scope.set(name, only ? '' : this.#name());
      }
    }
    return scope;
  }

  #write(value: unknown, scope: Scope): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#write(item, scope));
    if (typeof value !== 'object' || value === null) return value;
    const node = value as SqlNode;
    const write = this.#writers[node.kind] as ((node: SqlNode, scope: Scope) => unknown) | undefined;
    return write === undefined ? this.#fields(node, scope) : write(node, scope);
  }

  /** Nodes that are not written as what they hold. */
  readonly #writers: { readonly [K in SqlNode['kind']]?: Writer<K> } = {
    query: (node, scope) => this.query(node, { scope, isLast: false }),
    macro: (node) => ['topic', this.#topics.get(macroNode(node))],
    column: ({ path }, scope) => ['column', ...this.#column(path, scope)],
    star: ({ qualifier }, scope) => {
      this.readsAll = true;
      return ['star', ...qualifier.map(({ name }) => scope.get(name) ?? name)];
    },
    identifier: ({ name }) => name,
    'table-name': ({ path }, scope) => ['table', ...path.map(({ name }) => scope.get(name) ?? name)],
    table: (node, scope) => this.#fields({ ...node, alias: undefined }, scope),
    join: (node, scope) => {
      this.readsAll ||= node.natural;
      for (const { name } of node.using) this.names.add(name);
      return this.#fields(node, scope);
    },
    call: (node, scope) => {
      const names = node.name.map(({ name }) => name);
      const name = [...names.slice(0, -1), names.at(-1)?.toUpperCase()];
      return { ...this.#fields({ ...node, name: [] }, scope), name };
    },
  };

  #column(path: readonly { readonly name: string }[], scope: Scope): readonly string[] {
    const names = path.map(({ name }) => name);
    const [first = '', ...rest] = names;
    const table = rest.length === 0 ? undefined : scope.get(first);
    for (const name of table === undefined ? names : rest) this.names.add(name);
    if (table === undefined) return names;
    return table === '' ? rest : [table, ...rest];
  }

  #fields(node: object, scope: Scope): Readonly<Record<string, unknown>> {
    const entries = Object.entries(node).filter(([key, value]) => !leftOut.has(key) && value !== undefined);
    return Object.fromEntries(entries.map(([key, value]) => [key, this.#write(value, scope)]));
  }
}

function selectHasState(select: Select): boolean {
  let found = false;
  walkSql(select, (node) => {
    found ||= isStateful(node);
    return found ? 'skip' : undefined;
  });
  return found;
}

/** Tables of `FROM`, from the left to the right. */
function tablesOf(from: FromItem): readonly Table[] {
  return from.kind === 'table' ? [from] : [...tablesOf(from.left), ...tablesOf(from.right)];
}

function conjuncts(condition: Expression): readonly Expression[] {
  return condition.kind === 'logical' && condition.operator === 'AND'
    ? condition.operands.flatMap(conjuncts)
    : [condition];
}

/** Whether a condition looks at one row of a topic, or of a window over one, alone: such a filter keeps nothing. */
function isOfOneRow(condition: Expression, tables: readonly Table[]): boolean {
  let isAlone = true;
  const [only, another] = tables;
  const byName = new Map(tables.map((table) => [table.alias?.name ?? nameOfTopic(table), table]));
  const found = new Set<Table | undefined>(another === undefined ? [only] : []);
  walkSql(condition, (node) => {
    if (isStateful(node)) isAlone = false;
    if (node.kind === 'column' && another !== undefined) {
      const [first, second] = node.path;
      found.add(second === undefined ? undefined : byName.get(first?.name));
    }
    return undefined;
  });
  const [table] = found;
  return isAlone && found.size === 1 && table !== undefined && isTopic(table);
}

function nameOfTopic({ source }: Table): string | undefined {
  return source.kind === 'macro' ? source.name : undefined;
}

function isTopic({ source, matchRecognize }: Table): boolean {
  if (matchRecognize !== undefined) return false;
  if (source.kind === 'macro') return true;
  if (source.kind !== 'table-function') return false;
  return source.call.arguments.every(
    ({ value }) =>
      value.kind !== 'query' && !(value.kind === 'table-argument' && value.table.kind !== 'macro'),
  );
}

/** The uppermost nodes at or below a node for which something holds. */
function partsWith(node: SqlNode, holds: (node: SqlNode) => boolean): readonly SqlNode[] {
  return holds(node) ? [node] : childNodes(node).flatMap((child) => partsWith(child, holds));
}
