import { columnOfOpen, type Relation, type RelationColumn, relationOf } from './relation.ts';

/** A table of `FROM`, as expressions name it. */
export interface ScopeTable {
  /** Undefined where it has no name, as a query in parentheses. */
  readonly alias: string | undefined;
  readonly relation: Relation;
  /** Whether its columns are found only with the alias before them. */
  readonly qualifiedOnly?: true;
}

/** What a name means in a scope. */
export type Found =
  /** `id` is the same for the same column of the same table; `place` is that of the table, where it is one. */
  | {
      readonly kind: 'column';
      readonly column: RelationColumn;
      readonly id: string;
      readonly place?: number;
    }
  /** There is none, and all columns are known. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'ambiguous' };

interface Entry {
  readonly table: ScopeTable;
  readonly column: RelationColumn;
  readonly place: number;
}

/** The tables of one `FROM`, from the left to the right, while they are joined. */
export class FromScope {
  /** That of the query around it, whose columns a subquery may read. */
  readonly outer: FromScope | undefined;
  /** How many scopes are around it. */
  readonly depth: number;
  readonly tables: ScopeTable[] = [];
  /** Names that the select list gives, which WHERE and GROUP BY may not use. */
  readonly selected = new Set<string>();
  readonly #byAlias = new Map<string, number>();
  readonly #byName = new Map<string, Entry[]>();
  /** Columns of `USING`, which several tables have and which are one. */
  readonly #merged = new Map<string, RelationColumn>();
  /** Names of USING in the order of `*`: those of the last join first. */
  readonly #mergedBlocks: (readonly string[])[] = [];
  #indexed = 0;
  /** Tables before this one may be missing from a row: they are on the outer side of a join. */
  #nullableBefore = 0;
  readonly #nullable = new Set<number>();
  #lostBefore = 0;
  #uncertainBefore = 0;
  readonly #lost = new Set<number>();

  constructor(outer?: FromScope) {
    this.outer = outer;
    this.depth = outer === undefined ? 0 : outer.depth + 1;
  }

  /** Adds the next table. False when its alias is taken. */
  add(table: ScopeTable): boolean {
    const place = this.tables.push(table) - 1;
    if (table.alias === undefined) return true;
    if (this.#byAlias.has(table.alias)) return false;
    this.#byAlias.set(table.alias, place);
    return true;
  }

  /** Rows may lack the tables from the first to `before`. */
  makeNullable(from: number, before: number): void {
    if (from === 0) this.#nullableBefore = Math.max(this.#nullableBefore, before);
    else for (let place = from; place < before; place += 1) this.#nullable.add(place);
  }

  /** Times of the tables before this one are no attributes any more, or may be none. */
  loseTime(how: 'lost' | 'uncertain', before = this.tables.length): void {
    if (how === 'lost') this.#lostBefore = Math.max(this.#lostBefore, before);
    else this.#uncertainBefore = Math.max(this.#uncertainBefore, before);
  }

  /** Tables from this one on give no time attributes: they are the right side of a temporal join. */
  loseTimeFrom(place: number): void {
    for (let at = place; at < this.tables.length; at += 1) this.#lost.add(at);
  }

  /** Makes one column of those that two sides of a join have by each of these names. */
  merge(columns: readonly RelationColumn[]): void {
    this.#mergedBlocks.unshift(columns.map(({ name }) => name).filter((name) => !this.#merged.has(name)));
    for (const column of columns) this.#merged.set(column.name, column);
  }

  /** The names that columns on both sides of a table have, in the order of those before it. */
  sharedNames(before: number): readonly string[] {
    const right = new Set(
      this.tables.slice(before).flatMap(({ relation }) => relation.columns.map(({ name }) => name)),
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

  /** The place of the table with this alias. */
  tableAt(alias: string): number | undefined {
    return this.#byAlias.get(alias);
  }

  /** What a name without a table means here; names of the query around it are not looked at. */
  find(name: string): Found {
    return this.findAmong(name, 0, this.tables.length);
  }

  /** What a name without a table means among the tables from one place to the one before another. */
  findAmong(name: string, from: number, before: number): Found {
    const merged = from === 0 ? this.#merged.get(name) : undefined;
    if (merged !== undefined) return { kind: 'column', column: merged, id: `using ${name}` };
    const entries = this.#entries(name).filter(({ place }) => place >= from && place < before);
    if (entries.length > 1) return { kind: 'ambiguous' };
    const [entry] = entries;
    // A table whose columns are not known may have it as well, which only the engine would see
    if (entry !== undefined) return this.#found(entry.column, entry.place);
    return this.#findOpen(name, from, before);
  }

  /** What a name behind the alias of a table means. */
  findIn(place: number, name: string): Found {
    const relation = this.tables[place]?.relation;
    const column = relation?.find(name);
    if (column === 'ambiguous') return { kind: 'ambiguous' };
    if (column !== undefined) return this.#found(column, place);
    if (relation?.open === undefined) return { kind: 'missing' };
    return this.#found(columnOfOpen(name, relation.open), place);
  }

  /** All columns in the order of `*`: those of USING first, and once. */
  allColumns(): readonly RelationColumn[] {
    const merged = this.#mergedBlocks.flat().flatMap((name) => this.#merged.get(name) ?? []);
    const others = this.tables.flatMap(({ qualifiedOnly }, place) =>
      qualifiedOnly === true ? [] : this.columnsOf(place).filter(({ name }) => !this.#merged.has(name)),
    );
    return [...merged, ...others];
  }

  /** The columns of a table as this scope has them. */
  columnsOf(place: number): readonly RelationColumn[] {
    return (this.tables[place]?.relation.columns ?? []).map((column) => this.#view(column, place));
  }

  /** A table with its columns as this scope has them. */
  relationAt(place: number): Relation {
    const relation = this.tables[place]?.relation ?? relationOf({ columns: [] });
    return relationOf({ ...relation, columns: this.columnsOf(place) });
  }

  #findOpen(name: string, from: number, before: number): Found {
    const open = this.tables
      .map(({ relation }, place) => ({ relation, place }))
      .filter(({ relation, place }) => relation.open !== undefined && place >= from && place < before);
    const [only, another] = open;
    if (only?.relation.open === undefined) return { kind: 'missing' };
    const nodes = another === undefined ? only.relation.open.nodes : [];
    const column = columnOfOpen(name, { ...only.relation.open, nodes });
    return another === undefined
      ? this.#found(column, only.place)
      : { kind: 'column', column, id: `open ${name}` };
  }

  #found(column: RelationColumn, place: number): Found {
    return { kind: 'column', column: this.#view(column, place), id: `${place} ${column.name}`, place };
  }

  #view(column: RelationColumn, place: number): RelationColumn {
    const time = this.#timeOf(column, place);
    const nullable = place < this.#nullableBefore || this.#nullable.has(place);
    const { type } = column;
    const widened = nullable && type?.nullable === false ? { ...type, nullable } : type;
    return time === column.time && widened === type ? column : { ...column, time, type: widened };
  }

  #timeOf({ time }: RelationColumn, place: number): RelationColumn['time'] {
    if (time === undefined || place < this.#lostBefore || this.#lost.has(place)) return undefined;
    return place < this.#uncertainBefore ? 'uncertain' : time;
  }

  /** Only tables that joined since the last search are gone through. */
  #entries(name: string): readonly Entry[] {
    for (; this.#indexed < this.tables.length; this.#indexed += 1) {
      const table = this.tables[this.#indexed];
      if (table === undefined || table.qualifiedOnly === true) continue;
      for (const column of table.relation.columns) {
        const entry = { table, column, place: this.#indexed };
        const entries = this.#byName.get(column.name);
        if (entries === undefined) this.#byName.set(column.name, [entry]);
        else entries.push(entry);
      }
    }
    return this.#byName.get(name) ?? [];
  }
}
