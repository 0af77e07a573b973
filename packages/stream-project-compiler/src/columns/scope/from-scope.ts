import type { SqlType } from '../../types/sql-type.ts';
import { columnOfOpen, type Relation, type RelationColumn, relationOf } from '../relations/relation.ts';

/** A table of `FROM`, as expressions name it. */
interface ScopeTable {
  /** Undefined where it has no name, as a query in parentheses. */
  readonly alias: string | undefined;
  readonly relation: Relation;
  /** Whether its columns are found only with the alias before them. */
  readonly qualifiedOnly?: true;
}

/** The meaning of a name in a scope. */
export type Found =
  /** `id` is the same for the same column of the same table; `place` is that of the table, where it is one. */
  | {
      readonly kind: 'column';
      readonly column: RelationColumn;
      readonly id: string;
      readonly place?: number;
      /** Fields of rows within rows, where the name is that of the last one. */
      readonly fields?: readonly string[];
    }
  /** There is none, and all columns are known. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'ambiguous' };

/** Whether times of a table are still time attributes in a scope; `uncertain` where only the engine's planner can say. */
type TableTime = 'kept' | 'uncertain' | 'lost';

/** A table, and what the joins so far leave of it. */
interface JoinedTable extends ScopeTable {
  /** It may be missing from a row: it is on the outer side of a join. */
  nullable: boolean;
  /** The join that makes it miss, while no condition leaves such rows out. */
  missing: string | undefined;
  /** Columns in which conditions leave no nulls. */
  readonly whole: Set<string>;
  time: TableTime;
}

interface Entry {
  readonly table: ScopeTable;
  readonly column: RelationColumn;
  readonly place: number;
}

/** The tables of one `FROM`, from the left to the right, while they are joined. */
export class FromScope {
  /** The scope of the surrounding query, whose columns a subquery may read. */
  readonly outer: FromScope | undefined;
  /** How many scopes are around it. */
  readonly depth: number;
  readonly #tables: JoinedTable[] = [];
  /** Names that the select list gives, which WHERE and GROUP BY may not use. */
  readonly selected = new Set<string>();
  readonly #byAlias = new Map<string, number>();
  readonly #byName = new Map<string, Entry[]>();
  /** Columns of each table whose fields are found without their name. */
  readonly #rows = new Map<number, RelationColumn[]>();
  readonly #paths = new Map<SqlType, ReadonlyMap<string, RowPath>>();
  /** Columns of `USING`, which several tables have and which are one. */
  readonly #merged = new Map<string, RelationColumn>();
  /** Names of USING in the order of `*`: those of the last join first. */
  readonly #mergedBlocks: (readonly string[])[] = [];
  #indexed = 0;

  constructor(outer?: FromScope) {
    this.outer = outer;
    this.depth = outer === undefined ? 0 : outer.depth + 1;
  }

  get tables(): readonly ScopeTable[] {
    return this.#tables;
  }

  /** Adds the next table. False when its alias is taken. */
  add(table: ScopeTable): boolean {
    const place =
      this.#tables.push({
        ...table,
        nullable: false,
        missing: undefined,
        whole: new Set(),
        time: 'kept',
      }) - 1;
    if (table.alias === undefined) return true;
    if (this.#byAlias.has(table.alias)) return false;
    this.#byAlias.set(table.alias, place);
    return true;
  }

  /** Rows may lack the tables from `from` to the one before `before`. */
  makeNullable(from: number, before: number, join: string): void {
    for (const table of this.#tables.slice(from, before)) {
      table.nullable = true;
      table.missing = join;
      table.whole.clear();
    }
  }

  /** Rows are left only where a table is there, and has no null in a column. */
  rejectNulls(place: number, column: string | undefined): void {
    const table = this.#tables[place];
    if (table === undefined) return;
    table.missing = undefined;
    if (column !== undefined) table.whole.add(column);
  }

  /** Whether rows may lack the table at a place. */
  isNullable(place: number | undefined): boolean {
    return place !== undefined && this.#tables[place]?.nullable === true;
  }

  /** Times of the tables from `from` to the one before `before` are no attributes any more, or may be none. */
  loseTime(how: 'lost' | 'uncertain', { from = 0, before = this.#tables.length } = {}): void {
    for (const table of this.#tables.slice(from, before)) if (table.time !== 'lost') table.time = how;
  }

  /** Makes one column of those that two sides of a join have by each of these names. */
  merge(columns: readonly RelationColumn[]): void {
    this.#mergedBlocks.unshift(columns.map(({ name }) => name).filter((name) => !this.#merged.has(name)));
    for (const column of columns) this.#merged.set(column.name, column);
  }

  /** The names that columns on both sides of a table have, in the order of those before it. */
  sharedNames(before: number): readonly string[] {
    const right = new Set(
      this.#tables.slice(before).flatMap(({ relation }) => relation.columns.map(({ name }) => name)),
    );
    const order = (name: string): readonly [number, number] => {
      const [entry] = this.#entries(name);
      if (this.#merged.has(name) || entry === undefined) return [-1, [...this.#merged.keys()].indexOf(name)];
      return [entry.place, entry.table.relation.columns.indexOf(entry.column)];
    };
    return [...right]
      .filter((name) => this.findAmong(name, 0, before).kind === 'column')
      .map((name) => ({ name, at: order(name) }))
      .sort((one, other) => one.at[0] - other.at[0] || one.at[1] - other.at[1])
      .map(({ name }) => name);
  }

  /** The columns of USING so far. */
  mergedColumns(): readonly RelationColumn[] {
    return [...this.#merged.values()];
  }

  /** Whether a found column, by its id, is one of USING or NATURAL. */
  isMerged(id: string): boolean {
    return id.startsWith(mergedId(''));
  }

  /** The place of the table with this alias. */
  tableAt(alias: string): number | undefined {
    return this.#byAlias.get(alias);
  }

  /**
   * What a name without a table means here; names of the query around it are not looked at. As for the engine it may be that of a field of a
   * row, which is as good as a column of another table.
   */
  find(name: string): Found {
    const known = this.#known(name, 0, this.#tables.length);
    if (known?.kind === 'ambiguous' || (known?.kind === 'column' && known.place === undefined)) return known;
    const fields = this.#fieldsNamed(name);
    const [field, another] = known === undefined ? fields : [known, ...fields];
    if (another !== undefined) return { kind: 'ambiguous' };
    return field ?? this.#findOpen(name, 0, this.#tables.length);
  }

  /** The meaning of a name without a table among the tables from one place to the one before another. */
  findAmong(name: string, from: number, before: number): Found {
    return this.#known(name, from, before) ?? this.#findOpen(name, from, before);
  }

  #known(name: string, from: number, before: number): Found | undefined {
    const merged = from === 0 ? this.#merged.get(name) : undefined;
    if (merged !== undefined) return { kind: 'column', column: merged, id: mergedId(name) };
    const entries = this.#entries(name).filter(({ place }) => place >= from && place < before);
    if (entries.length > 1) return { kind: 'ambiguous' };
    const [entry] = entries;
    // A table whose columns are not known may have it as well, which only the engine would see
    return entry === undefined ? undefined : this.#found(entry.column, entry.place);
  }

  /** The meaning of a name as a field, for each table that has no column of that name. */
  #fieldsNamed(name: string): readonly Found[] {
    return [...this.#rows.keys()].flatMap((place) => this.#fieldIn(place, name) ?? []);
  }

  #fieldIn(place: number, name: string): Found | undefined {
    if (this.#tables[place]?.relation.find(name) !== undefined) return undefined;
    let best: { readonly column: RelationColumn; readonly path: RowPath } | undefined;
    for (const column of this.#rows.get(place) ?? []) {
      const path = this.#pathsOf(column).get(name);
      if (path === undefined || (best !== undefined && best.path.depth < path.depth)) continue;
      const again = best?.path.depth === path.depth;
      best = { column, path: again ? { ...path, fields: 'ambiguous' } : path };
    }
    if (best === undefined) return undefined;
    const { fields } = best.path;
    return fields === 'ambiguous' ? { kind: 'ambiguous' } : { ...this.#found(best.column, place), fields };
  }

  #pathsOf({ type }: RelationColumn): ReadonlyMap<string, RowPath> {
    if (type === undefined) return new Map();
    const known = this.#paths.get(type) ?? rowPaths(type);
    this.#paths.set(type, known);
    return known;
  }

  /** The meaning of a name after the alias of a table. */
  findIn(place: number, name: string): Found {
    const relation = this.#tables[place]?.relation;
    const column = relation?.find(name);
    if (column === 'ambiguous') return { kind: 'ambiguous' };
    if (column !== undefined) return this.#found(column, place);
    this.#entries(name);
    const field = this.#fieldIn(place, name);
    if (field !== undefined) return field;
    if (relation?.open === undefined) return { kind: 'missing' };
    return this.#found(columnOfOpen(name, relation.open), place);
  }

  /** All columns in the order of `*`: those of USING first, and once. */
  allColumns(): readonly RelationColumn[] {
    const merged = this.#mergedBlocks.flat().flatMap((name) => this.#merged.get(name) ?? []);
    const others = this.#tables.flatMap(({ qualifiedOnly }, place) =>
      qualifiedOnly === true ? [] : this.columnsOf(place).filter(({ name }) => !this.#merged.has(name)),
    );
    return [...merged, ...others];
  }

  /** The columns of a table as this scope has them. */
  columnsOf(place: number): readonly RelationColumn[] {
    return (this.#tables[place]?.relation.columns ?? []).map((column) => this.#view(column, place));
  }

  /** A table with its columns as this scope has them. */
  relationAt(place: number): Relation {
    const relation = this.#tables[place]?.relation ?? relationOf({ columns: [] });
    return relationOf({ ...relation, columns: this.columnsOf(place) });
  }

  #findOpen(name: string, from: number, before: number): Found {
    const open = this.#tables
      .map(({ relation }, place) => ({ relation, place }))
      .filter(({ place }) => place >= from && place < before)
      .filter(
        ({ relation, place }) => relation.open !== undefined && this.#tables[place]?.qualifiedOnly !== true,
      );
    const [only, another] = open;
    if (only?.relation.open === undefined) return { kind: 'missing' };
    const nodes = another === undefined ? only.relation.open.nodes : [];
    const column = columnOfOpen(name, { ...only.relation.open, nodes });
    return another === undefined
      ? this.#found(column, only.place)
      : { kind: 'column', column, id: `open ${name}` };
  }

  #found(column: RelationColumn, place: number): Extract<Found, { kind: 'column' }> {
    return { kind: 'column', column: this.#view(column, place), id: `${place} ${column.name}`, place };
  }

  #view(column: RelationColumn, place: number): RelationColumn {
    const table = this.#tables[place];
    if (table === undefined) return column;
    const time = timeIn(table, column);
    const { type } = column;
    const widened = table.nullable && type?.nullable === false ? { ...type, nullable: true } : type;
    const nulls = nullsIn(table, column);
    if (time === column.time && widened === type && nulls === column.nulls) return column;
    const isMarked = time === undefined && (column.time === 'event' || column.time === 'processing');
    return {
      ...column,
      time,
      type: widened,
      ...(nulls === undefined ? {} : { nulls }),
      ...(isMarked ? { marked: true } : {}),
    };
  }

  /** Only tables that joined since the last search are gone through. */
  #entries(name: string): readonly Entry[] {
    for (; this.#indexed < this.#tables.length; this.#indexed += 1) {
      const table = this.#tables[this.#indexed];
      if (table === undefined || table.qualifiedOnly === true) continue;
      for (const column of table.relation.columns) {
        const entry = { table, column, place: this.#indexed };
        if (column.type?.name === 'ROW') {
          const rows = this.#rows.get(entry.place);
          if (rows === undefined) this.#rows.set(entry.place, [column]);
          else rows.push(column);
        }
        const entries = this.#byName.get(column.name);
        if (entries === undefined) this.#byName.set(column.name, [entry]);
        else entries.push(entry);
      }
    }
    return this.#byName.get(name) ?? [];
  }
}

function timeIn(table: JoinedTable, { time }: RelationColumn): RelationColumn['time'] {
  if (table.time === 'lost') return undefined;
  return table.time === 'uncertain' && time !== undefined ? 'uncertain' : time;
}

/** A column of a table that may be missing has nulls; where it is there, a column without nulls has none. */
function nullsIn(table: JoinedTable, { name, type, nulls }: RelationColumn): RelationColumn['nulls'] {
  if (table.whole.has(name)) return { kind: 'none' };
  if (table.missing !== undefined) return { kind: 'made', by: { kind: 'join', what: table.missing } };
  return table.nullable && type?.nullable === false ? { kind: 'none' } : nulls;
}

/** Where a name is in a row: the fields on the way to it, or that several of one depth have it. */
interface RowPath {
  readonly depth: number;
  readonly fields: readonly string[] | 'ambiguous';
}

/** The names of all fields of a row, and of the rows in it. Of a name on several depths the outermost counts. */
function rowPaths(row: SqlType): ReadonlyMap<string, RowPath> {
  const paths = new Map<string, RowPath>();
  let level: readonly { readonly type: SqlType; readonly fields: readonly string[] }[] = [
    { type: row, fields: [] },
  ];
  for (let depth = 0; level.length > 0; depth += 1) {
    const below: { type: SqlType; fields: readonly string[] }[] = [];
    for (const { type, fields } of level) {
      for (const field of type.name === 'ROW' ? type.fields : []) {
        const path = [...fields, field.name];
        const known = paths.get(field.name);
        if (known === undefined) paths.set(field.name, { depth, fields: path });
        else if (known.depth === depth) paths.set(field.name, { depth, fields: 'ambiguous' });
        if (field.type?.name === 'ROW') below.push({ type: field.type, fields: path });
      }
    }
    level = below;
  }
  return paths;
}

function mergedId(name: string): string {
  return `using ${name}`;
}
