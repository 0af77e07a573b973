import type { Span } from '@levada/stream-sql';

/** How the rows of a table change once they were written, and what distinguishes them. */
export interface Changes {
  /** A row may be replaced by a later one. */
  readonly updates: boolean;
  /** A row may be withdrawn. */
  readonly deletes: boolean;
  /** What of the SQL makes it so; undefined for rows that are only appended. */
  readonly cause: ChangeCause | undefined;
  /**
   * Sets of columns, by position, each of which finds the row that a change is for: upsert keys, as the engine calls them. The
   * empty set is that of a table with one row. Rows that are only appended may have keys, too.
   */
  readonly keys: readonly Key[];
  /** ROW_NUMBER whose first rows are replaced, although the planner takes them for appended. */
  readonly unseen?: Span;
  /** No row is ever withdrawn, although the planner takes them for rows that may be. */
  readonly isKept?: true;
  /** A join that the planner feeds without the rows before each change where its rows are written by a key. */
  readonly isHalfFed?: true;
  /**
   * Further sets of columns that no two rows share, which the engine does not derive and does not find rows by: a join by other
   * columns hides the keys of its left side. Undefined: none.
   */
  readonly unique?: readonly Key[];
}

/** Positions of columns, in ascending order. */
export type Key = readonly number[];

/** Why rows change: `GROUP BY`, at its place in the SQL, or a model of the project that is read. */
export interface ChangeCause extends Span {
  readonly what: string;
}

/** Rows that are only appended, and nothing is known to distinguish them. */
export const appended: Changes = { updates: false, deletes: false, cause: undefined, keys: [] };

/** Whether rows are only appended. */
export function isAppend({ updates, deletes }: Pick<Changes, 'updates' | 'deletes'>): boolean {
  return !updates && !deletes;
}

/** A word for how rows change: they are only added, replace earlier ones of their key, or may be withdrawn as well. */
export type ChangeKind = 'append' | 'upsert' | 'retract';

/** The kind of changes. */
export function changeKind({ updates, deletes }: Pick<Changes, 'updates' | 'deletes'>): ChangeKind {
  if (deletes) return 'retract';
  return updates ? 'upsert' : 'append';
}

/** Rows of several tables together, without keys: each kind of change that one of them has. */
export function together(tables: readonly Changes[]): Changes {
  const unseen = tables.find((one) => one.unseen !== undefined)?.unseen;
  return {
    ...(unseen === undefined ? {} : { unseen }),
    ...(tables.some(({ isHalfFed }) => isHalfFed) ? { isHalfFed: true } : {}),
    updates: tables.some(({ updates }) => updates),
    deletes: tables.some(({ deletes }) => deletes),
    cause: tables.find(({ cause }) => cause !== undefined)?.cause,
    keys: [],
  };
}

/** The changes of an operator that replaces its rows, and withdraws some when its input changes. */
export function updated(input: Changes, cause: ChangeCause, keys: readonly Key[] = []): Changes {
  return { updates: true, deletes: !isAppend(input), cause: input.cause ?? cause, keys };
}

/** The changes of an operator that replaces and withdraws rows whatever its input does. */
export function changing(input: Changes, cause: ChangeCause, keys: readonly Key[] = []): Changes {
  return { updates: true, deletes: true, cause: input.cause ?? cause, keys };
}

/** More sets are not followed: each join could multiply them. */
const MAX_UNIQUE = 8;

/** All sets of columns that no two rows share, the smallest ones first. */
export function uniqueSets({ keys, unique = [] }: Pick<Changes, 'keys' | 'unique'>): readonly Key[] {
  return distinctKeys([...keys, ...unique]).slice(0, MAX_UNIQUE);
}

/** The changes with further sets of columns that no two rows share. */
export function withUnique(changes: Changes, sets: readonly Key[]): Changes {
  const { unique: _, ...others } = changes;
  const known = new Set(changes.keys.map((key) => key.join(' ')));
  const unique = distinctKeys(sets)
    .filter((key) => !known.has(key.join(' ')))
    .slice(0, MAX_UNIQUE);
  return unique.length === 0 ? others : { ...others, unique };
}

/** Each set once, smaller ones first. */
export function distinctKeys(keys: readonly Key[]): readonly Key[] {
  const known = new Map(
    keys.map((key): [string, Key] => {
      const sorted = [...new Set(key)].sort((one, other) => one - other);
      return [sorted.join(' '), sorted];
    }),
  );
  return [...known.values()].sort((one, other) => one.length - other.length);
}

/** Keys of rows of which only some columns are kept: `at` says where each is found, if it is. */
export function mappedKeys(
  keys: readonly Key[],
  at: (position: number) => readonly number[],
): readonly Key[] {
  return distinctKeys(
    keys.flatMap((key) => {
      const found = key.map((position) => at(position)[0]);
      return found.some((position) => position === undefined) ? [] : [found as Key];
    }),
  );
}
