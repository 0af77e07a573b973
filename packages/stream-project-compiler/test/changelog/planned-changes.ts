import { readFileSync } from 'node:fs';
import type { Planner, PlannerAnswer, PlannerVersion } from '@levada/test-peers/engine';
import type { NodeChanges } from '../../src/infer/node-inference.ts';
import { queryProject, queryTables } from '../engine-queries/query-project.ts';
import { compileFiles } from '../resolve-support/compile-files.ts';
import { jsonRows } from '../rows.ts';

const text = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** Queries that show how rows change. */
export const ownQueries = text('changelog/queries.sql')
  .split('\n')
  .filter((line) => line !== '');

/** Queries of many kinds that the planner of 2.2 takes. */
export const plannedQueries = jsonRows<{ readonly sql: string; readonly columns?: string }>(
  'engine-queries/queries.jsonl',
).flatMap(({ sql, columns }) => (columns === undefined ? [] : sql));

/** Kinds of changes and keys, or `refused`. */
export interface SaidChanges {
  readonly kinds: string;
  readonly keys: readonly string[];
}

/** What the planner and we say of a query. */
interface ComparedQuery {
  readonly sql: string;
  readonly planner: SaidChanges;
  readonly ours: SaidChanges;
}

/** Queries of which the planner finds out more, with the reason. */
const known = new Set(
  jsonRows<{ readonly sql: string }>('changelog/differences.jsonl').map(({ sql }) => sql),
);

/**
 * Where we differ: other kinds of changes, or a key that the planner does not have. We may know fewer keys, which costs state of the
 * engine only; keys of appended rows are not compared.
 */
export function differences(compared: readonly ComparedQuery[]): readonly ComparedQuery[] {
  // What an older planner refuses is the subject of other tests
  const taken = compared.filter(({ sql, planner }) => !known.has(sql) && planner !== refused);
  return taken.filter(differs);
}

/** Whether kinds of changes differ, or a key that we found is none of the planner's. */
export function differs({ planner, ours }: Pick<ComparedQuery, 'planner' | 'ours'>): boolean {
  const isOwn = (key: string) => key !== '' && !planner.keys.includes(key);
  return planner.kinds !== ours.kinds || (ours.kinds !== 'append' && ours.keys.some(isOwn));
}

/** Plans and infers queries on one version of the engine. */
export async function compareChanges(
  planner: Planner,
  queries: readonly string[],
): Promise<readonly ComparedQuery[]> {
  const ours = await inferredChanges(queries, planner.version);
  const compared: ComparedQuery[] = [];
  for (const [index, sql] of queries.entries()) {
    const answer = await planner.plan([...plannedTables, sql]);
    compared.push({ sql, planner: saidOfPlanner(answer), ours: ours[index] ?? refused });
  }
  return compared;
}

/** What the answer of a planner to a query says. */
export function saidOfPlanner(answer: PlannerAnswer): SaidChanges {
  if (!answer.ok) return refused;
  const kinds = (answer.changelog ?? []).filter((kind) => kind !== 'I').join(' ') || 'append';
  return { kinds, keys: (answer.keys ?? []).map(keyText) };
}

const readKafka = "'topic'='t','properties.bootstrap.servers'='x:1'";

/** The table with a connector that the planner has. */
function plannedTable(sql: string): string {
  const options = sql.includes('upsert')
    ? `'connector'='upsert-kafka',${readKafka},'key.format'='json','value.format'='json'`
    : `'connector'='kafka',${readKafka},'properties.group.id'='g','format'='json'`;
  return sql.replace(/WITH \(.*\)$/, `WITH (${options})`);
}

/** The tables of the queries, as a planner takes them. */
export const plannedTables: readonly string[] = queryTables.map(plannedTable);

async function inferredChanges(
  queries: readonly string[],
  version: PlannerVersion,
): Promise<readonly SaidChanges[]> {
  const { inferred, diagnostics } = await compileFiles(queryProject(queries, version));
  const wrong = new Set(
    diagnostics.filter(({ severity }) => severity === 'error').map(({ object }) => object),
  );
  return queries.map((_, index) => {
    const id = `model:m${index}` as const;
    if (wrong.has(id)) return refused;
    const names = inferred.columns.get(id)?.columns.map((column) => column.name) ?? [];
    return saidChanges(inferred.nodes.get(id)?.changes, names);
  });
}

/** Of a query that is not taken. */
export const refused: SaidChanges = { kinds: 'refused', keys: [] };

/** What we found of a model. */
export function saidChanges(changes: NodeChanges | undefined, names: readonly string[]): SaidChanges {
  if (changes === undefined) return { kinds: 'unknown', keys: [] };
  const { updates, deletes, keys } = changes.query;
  const kinds = [updates ? 'UA' : '', deletes ? 'D' : ''].filter((kind) => kind !== '').join(' ');
  return {
    kinds: kinds || 'append',
    keys: keys.map((key) => keyText(key.map((position) => names[position] ?? ''))),
  };
}

function keyText(key: readonly string[]): string {
  return key.toSorted().join(' ');
}
