import { type Column, type Expression, type Select, type SqlNode, walkSql } from '@levada/stream-sql';
import type { ResolvedColumn } from '../../columns/query-context.ts';
import type { RelationColumn } from '../../columns/relations/relation.ts';
import { expressionType } from '../../columns/scope/expression-type.ts';
import type { ExpressionPlace } from '../../columns/scope/expression-use.ts';
import type { FromScope } from '../../columns/scope/from-scope.ts';
import { printType } from '../../types/print-type.ts';
import type { SqlType } from '../../types/sql-type.ts';
import { columnType } from '../create-table.ts';
import { withoutVariables } from '../text/sql-words.ts';
import { nodeText } from './node-text.ts';
import type { FormedColumn, StateContext } from './state-parts.ts';

/**
 * Columns of a query that are read, by position. Those that only a filter reads may be dropped before a part keeps rows, where the engine
 * filters first.
 */
export type Demand = 'all' | ReadonlyMap<number, Level>;

type Level = 'kept' | 'filter';

/** A column of a FROM that something reads. */
interface Use {
  /** Undefined for a column of USING. */
  readonly place: number | undefined;
  /** Position among the columns of its table. */
  readonly at: number;
  readonly column: RelationColumn;
  readonly form: string;
  level: Level;
  /** Number of the last join whose condition reads it; infinite where something after the joins does. */
  stage: number;
}

/** What a SELECT reads of its tables. */
export class ColumnUses {
  readonly #uses = new Map<string, Use>();
  readonly #scopes: ReadonlyMap<FromScope, number>;
  readonly #context: StateContext;

  readonly #tables: FromScope['tables'];
  readonly #positions = new Map<number, ReadonlyMap<string, number>>();

  /** `scopes` are those of joins in parentheses, each with the place of its first table. */
  constructor({ scope }: ExpressionPlace, scopes: ReadonlyMap<FromScope, number>, context: StateContext) {
    this.#tables = scope.tables;
    this.#scopes = scopes;
    this.#context = context;
  }

  /** Columns of these tables that an expression names, those of queries within it as well. */
  of(node: SqlNode): readonly { readonly place: number | undefined; readonly found: ResolvedColumn }[] {
    const found: { readonly place: number | undefined; readonly found: ResolvedColumn }[] = [];
    const visit = (part: SqlNode): undefined => {
      const one = part.kind === 'column' ? this.#context.columns.columns.get(part) : undefined;
      const offset = one === undefined ? undefined : this.#scopes.get(one.scope);
      if (one !== undefined && offset !== undefined)
        found.push({ place: one.place === undefined ? undefined : one.place + offset, found: one });
      return undefined;
    };
    // Most are names, for which walking takes longer than all else here
    if (node.kind === 'column') visit(node);
    else walkSql(node, visit);
    return found;
  }

  /** Notes that an expression is read. */
  read(node: SqlNode, level: Level = 'kept', stage = Number.POSITIVE_INFINITY): void {
    for (const { place, found } of this.of(node)) this.add(place, found, level, stage);
  }

  add(
    place: number | undefined,
    { column, id }: { readonly column: RelationColumn; readonly id: string },
    level: Level = 'kept',
    stage = Number.POSITIVE_INFINITY,
  ): void {
    const form = `${place ?? 'using'}${id.slice(id.indexOf(' '))}`;
    const known = this.#uses.get(form);
    if (known === undefined)
      this.#uses.set(form, { place, at: this.#indexOf(place, form), column, form, level, stage });
    else {
      if (level === 'kept') known.level = level;
      known.stage = Math.max(known.stage, stage);
    }
  }

  /** Columns of the tables from one place to the one before another that something reads from a join on. */
  between(from: number, before: number, stage: number): readonly FormedColumn[] {
    const found = [...this.#uses.values()].filter(
      (use) =>
        (use.place === undefined || (use.place >= from && use.place < before)) &&
        (use.stage >= stage || use.level === 'filter'),
    );
    // Rows of the engine have their columns in the order of the table
    return found
      .sort(
        (one, other) =>
          (one.place ?? -1) - (other.place ?? -1) || one.at - other.at || (one.form < other.form ? -1 : 1),
      )
      .map(({ column, form, place, level }) => ({
        name: shownName(column, form),
        type: typeOfColumn(column),
        form: formOf(column, place, form),
        ...(level === 'filter' ? { isFiltered: true } : {}),
      }));
  }

  /** Fields of rows are those of their column. */
  #indexOf(place: number | undefined, form: string): number {
    if (place === undefined) return -1;
    const positions = this.#positions.get(place) ?? this.#positionsAt(place);
    const own = form.slice(form.indexOf(' ') + 1);
    const at = positions.get(own);
    if (at !== undefined) return at;
    for (const [name, index] of positions) if (own.startsWith(`${name}.`)) return index;
    return -1;
  }

  #positionsAt(place: number): ReadonlyMap<string, number> {
    const { columns } = this.#tables[place]?.relation ?? { columns: [] };
    const positions = new Map(columns.map(({ name }, index) => [name, index]));
    this.#positions.set(place, positions);
    return positions;
  }

  /** Which columns of the table at a place are read. */
  demandAt(place: number, columns: readonly RelationColumn[]): ReadonlyMap<number, Level> {
    const demand = new Map<number, Level>();
    const ask = (index: number, level: Level) => {
      if (index >= 0 && demand.get(index) !== 'kept') demand.set(index, level);
    };
    for (const use of this.#uses.values()) {
      if (use.place === place) ask(use.at, use.level);
      else if (use.place === undefined)
        ask(
          columns.findIndex(({ name }) => use.form === `using ${name}`),
          use.level,
        );
    }
    return demand;
  }
}

/** The column of a node as it is there, where nothing was done to it; else by the name that it has. Fields of rows have their path. */
export function shownName({ name, origins }: RelationColumn, id = ` ${name}`): string {
  const path = id.slice(id.indexOf(' ') + 1);
  if (path !== name) return path;
  const [origin, another] = origins;
  const isOwn = origin !== undefined && another === undefined && origin.through === 'identity';
  return isOwn ? origin.column : name;
}

/** A column of a table at a place of its FROM, whatever that table is called. */
export function formOf(column: RelationColumn, place: number | undefined, id?: string): string {
  const window = column.edge === undefined ? '' : ` ${column.edge.window.replace(/ at \d+$/, '')}`;
  return `${place ?? 'using'} ${shownName(column, id)}${window}`;
}

/** The type of a column in the state of the engine. Columns of topics are declared without lengths and with nulls. */
export function typeOfColumn({ type, origins }: RelationColumn): string {
  const [origin, another] = origins;
  const isRead = origin?.through === 'identity' && another === undefined;
  if (type === undefined) return '?';
  return isRead ? remembered(type, columnTypes, () => columnType(type)) : typeText(type);
}

export function typeText(type: SqlType | undefined): string {
  return type === undefined ? '?' : remembered(type, typeTexts, () => withoutVariables(printType(type)));
}

const typeTexts = new WeakMap<SqlType, string>();
const columnTypes = new WeakMap<SqlType, string>();

/** Columns of one declaration have one type. */
function remembered(type: SqlType, texts: WeakMap<SqlType, string>, make: () => string): string {
  const known = texts.get(type);
  if (known !== undefined) return known;
  const text = make();
  texts.set(type, text);
  return text;
}

/** An expression as a column: a name as it is in its node, anything else as its text. */
export function expressionColumn(
  expression: Expression,
  place: ExpressionPlace,
  context: StateContext,
): FormedColumn {
  const found = expression.kind === 'column' ? context.columns.columns.get(expression) : undefined;
  return {
    name: nodeText(expression, context.text),
    form: nodeText(expression, context.form),
    type:
      found === undefined
        ? typeText(expressionType(expression, { ...place, context: context.columns }))
        : typeOfColumn(found.column),
  };
}

/** A column of the result of a SELECT. */
export interface Output {
  readonly name: string;
  /** Undefined for a column of `*`. */
  readonly expression: Expression | undefined;
  /** Of `*`. */
  readonly star?: { readonly place: number; readonly column: RelationColumn };
}

/** What a SELECT gives, in order. Of `*` columns of USING come first, as they are in the result. */
export function outputsOf({ items }: Select, { scope }: ExpressionPlace): readonly Output[] {
  return items.flatMap(({ expression, alias }, index): readonly Output[] => {
    if (expression.kind === 'star') {
      const [table] = expression.qualifier;
      const at = table === undefined ? undefined : scope.tableAt(table.name);
      if (table !== undefined) return at === undefined ? [] : starOutputs([at], scope, new Set());
      const merged = new Set(scope.mergedColumns().map(({ name }) => name));
      const others = starOutputs([...scope.tables.keys()], scope, merged);
      const first = scope.allColumns().slice(0, scope.allColumns().length - others.length);
      return [...first.map((column) => starOutput(-1, column)), ...others];
    }
    const own = expression.kind === 'column' ? expression.path.at(-1)?.name : undefined;
    return [{ name: alias?.name ?? own ?? `EXPR$${index}`, expression }];
  });
}

function starOutputs(
  places: readonly number[],
  scope: FromScope,
  merged: ReadonlySet<string>,
): readonly Output[] {
  return places.flatMap((place) =>
    scope
      .columnsOf(place)
      .filter(({ name }) => !merged.has(name))
      .map((column) => starOutput(place, column)),
  );
}

function starOutput(place: number, column: RelationColumn): Output {
  return { name: column.name, expression: undefined, star: { place, column } };
}

/** An output as a column of the rows that a part keeps. */
export function outputColumn(output: Output, at: ExpressionPlace, context: StateContext): FormedColumn {
  const { expression, star } = output;
  if (expression !== undefined) return expressionColumn(expression, at, context);
  const column = star?.column;
  if (column === undefined) return { name: output.name, form: output.name, type: '?' };
  const place = star?.place === -1 ? undefined : star?.place;
  return { name: shownName(column), form: formOf(column, place), type: typeOfColumn(column) };
}

/** How columns are written in texts: as in their node for people, else with the place of their table. */
export function columnTexts(columns: ReadonlyMap<Column, ResolvedColumn | undefined>) {
  const written = (node: Column) => node.path.map(({ name }) => name).join('.');
  return {
    text: (node: Column): string => {
      const found = columns.get(node);
      return found === undefined ? written(node) : shownName(found.column, found.id);
    },
    form: (node: Column): string => {
      const found = columns.get(node);
      if (found === undefined) return written(node);
      return `${found.scope.depth} ${formOf(found.column, found.place, found.id)}`;
    },
  };
}
