import type { TestTable } from './sql-project.ts';
import { withMacros } from './with-macros.ts';

/** A query that the planner has seen, over tables that a project describes. */
export interface EngineCase {
  readonly sql: string;
  readonly tables: Readonly<Record<string, TestTable>>;
}

const CREATE_TABLE = /^CREATE TABLE (?:IF NOT EXISTS )?`?(\w+)`? \(([\s\S]*)\) WITH/;
const CREATE_VIEW = /^CREATE VIEW `?(\w+)`? AS ([\s\S]*)$/;
const FRAME = /^(?:EXPLAIN CHANGELOG_MODE )?(?:INSERT INTO \w+(?: \([^)]*\))? |CREATE VIEW \w+ AS )/;

/** The last statement with the views before it as common tables; undefined when it is no query. */
export function engineCase(base: readonly string[], statements: readonly string[]): EngineCase | undefined {
  const last = statements.at(-1)?.replace(FRAME, '');
  if (last === undefined || !/^(?:SELECT|WITH)\b/.test(last)) return undefined;
  const tables: Record<string, TestTable> = {};
  for (const statement of [...base, ...statements]) {
    const [, name, columns] = CREATE_TABLE.exec(statement) ?? [];
    if (name !== undefined && columns !== undefined) tables[`source:${name}`] = tableOf(columns);
  }
  const views = statements.slice(0, -1).flatMap((statement) => {
    const [, name, query] = CREATE_VIEW.exec(statement) ?? [];
    return name === undefined ? [] : [`${name} AS (${query})`];
  });
  return { sql: withMacros(withViews(last, views), tables), tables };
}

function withViews(query: string, views: readonly string[]): string {
  if (views.length === 0) return query;
  return query.startsWith('WITH ')
    ? `WITH ${views.join(', ')}, ${query.slice(5)}`
    : `WITH ${views.join(', ')} ${query}`;
}

function tableOf(text: string): TestTable {
  const parts = partsOf(text);
  const watermark = parts.flatMap((part) => /^WATERMARK FOR `?(\w+)`?/.exec(part)?.[1] ?? [])[0];
  const columns = parts.flatMap((part): [string, string][] => {
    if (/^(?:WATERMARK|PRIMARY KEY)/.test(part)) return [];
    const [, name = '', rest = ''] = /^`?(\w+)`? ([\s\S]*)$/.exec(part) ?? [];
    return [[name, typeOf(rest)]];
  });
  return { columns, watermark: watermark === undefined ? null : [watermark, 5000] };
}

function typeOf(text: string): string {
  if (!text.startsWith('AS ')) return text.replace(/ (?:METADATA|PRIMARY KEY).*$/, '');
  if (text.includes('PROCTIME')) return 'PROCTIME';
  return text.includes('_LTZ') ? 'TIMESTAMP_LTZ(3)' : 'TIMESTAMP(3)';
}

/** The texts between the commas that are outside of parentheses. */
function partsOf(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if ('(<'.includes(character)) depth += 1;
    if (')>'.includes(character)) depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}
