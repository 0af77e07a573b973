import { parseSql, tableReferences } from '@levada/stream-sql';
import type { TestTable } from './sql-project.ts';

/** A query with the macros of the tables that are described: the planner has seen it with their names. */
export function withMacros(sql: string, tables: Readonly<Record<string, TestTable>>): string {
  const { query } = parseSql(sql);
  const places = (query === undefined ? [] : tableReferences(query))
    .filter(({ name }) => `source:${name}` in tables)
    .flatMap(({ name, places: all }) => all.map((place) => ({ name, ...place })))
    .sort((one, other) => other.start - one.start);
  return places.reduce(
    (text, { name, start, end }) => `${text.slice(0, start)}{{ source("${name}") }}${text.slice(end)}`,
    sql,
  );
}
