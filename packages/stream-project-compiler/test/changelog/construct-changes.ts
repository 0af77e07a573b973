import type { Planner, PlannerVersion } from '@levada/test-peers/engine';
import { checkProject, loadProject } from '../../src/index.ts';
import type { Job } from '../../src/jobs/job.ts';
import { projectJobs } from '../../src/jobs/project-jobs.ts';
import { engineCase } from '../column-support/engine-case.ts';
import { sourceOf, type TestTable } from '../column-support/sql-project.ts';
import { memoryFileSystem } from '../project-support/memory-file-system.ts';
import { jsonRows } from '../rows.ts';
import { refused, type SaidChanges, saidChanges, saidOfPlanner } from './planned-changes.ts';

interface Construct {
  readonly name: string;
  readonly statements: readonly string[];
  /** What a planner said, by its version or for all of them. */
  readonly result: Readonly<Record<string, { readonly ok: boolean; readonly changelog?: string }>>;
}

const rows = jsonRows<Construct | { readonly base: readonly string[] }>('corpus/engine/constructs.jsonl');
const base = rows.flatMap((row) => ('base' in row ? row.base : []));

/** A construct whose last statement has a query. */
interface QueryConstruct {
  readonly name: string;
  /** The statements before it. */
  readonly before: readonly string[];
  readonly query: string;
  /** Kinds of changes that the planner of a version said; undefined where it refused the construct. */
  readonly recorded: (version: PlannerVersion) => string | undefined;
}

const FRAME = /^(?:EXPLAIN CHANGELOG_MODE )?(?:INSERT INTO \w+(?: \([^)]*\))? |CREATE VIEW \w+ AS )/;

/** Constructs that are a query; the others are tables, settings and statements that a project does not write. */
const queryConstructs: readonly QueryConstruct[] = rows.flatMap((row) => {
  if ('base' in row || engineCase(base, row.statements) === undefined) return [];
  const { name, statements, result } = row;
  const query = (statements.at(-1) ?? '').replace(FRAME, '').replace(/ ON CONFLICT .*$/, '');
  const recorded = (version: PlannerVersion): string | undefined => {
    const { ok, changelog } = result[version] ?? result['all'] ?? { ok: false };
    if (!ok || changelog === undefined) return undefined;
    // What a sink asks for beside the changes of its query
    const kinds = changelog.split(',').filter((kind) => kind !== 'I' && kind !== 'UB');
    return kinds.join(' ') || 'append';
  };
  return [{ name, before: statements.slice(0, -1), query, recorded }];
});

/** Constructs that are something else in a project, with the reason. */
const known = new Set(
  jsonRows<{ readonly name: string }>('changelog/construct-differences.jsonl').map(({ name }) => name),
);

/** A construct as the planner and we have it. */
interface ComparedConstruct {
  readonly name: string;
  readonly planner: SaidChanges;
  readonly ours: SaidChanges;
}

/** Compares kinds of changes with those that the planner of a version said when the constructs were collected. */
export async function compareRecorded(version: PlannerVersion): Promise<readonly ComparedConstruct[]> {
  const compared: ComparedConstruct[] = [];
  for (const construct of queryConstructs) {
    const kinds = construct.recorded(version);
    if (kinds === undefined || known.has(construct.name)) continue;
    const { ours } = await constructProject(construct, version);
    compared.push({ name: construct.name, planner: { kinds, keys: ours.keys }, ours });
  }
  return compared;
}

/** Constructs whose rows change, with their keys, and what the planner refuses of the jobs of all constructs. */
export async function compareConstructs(planner: Planner): Promise<{
  readonly changing: readonly ComparedConstruct[];
  readonly jobs: readonly (readonly [name: string, job: Job])[];
}> {
  const changing: ComparedConstruct[] = [];
  const jobs: (readonly [string, Job])[] = [];
  for (const construct of queryConstructs) {
    const { name, before, query, recorded } = construct;
    if (known.has(name)) continue;
    const said = recorded(planner.version);
    const { ours, job } = await constructProject(construct, planner.version);
    if (job !== undefined && said !== undefined) jobs.push([name, job]);
    const isChanging = [ours.kinds, said].some((kinds) => kinds?.includes('UA') === true);
    if (!isChanging) continue;
    // Some are refused for a sink or a setting outside of the query
    const answer = await planner.plan([...base, ...before, query]);
    if (answer.ok || said !== undefined) changing.push({ name, planner: saidOfPlanner(answer), ours });
  }
  return { changing, jobs };
}

/** How the tables that have a key are read: its column, and the form of their topic. */
function keyedTables(statements: readonly string[]): ReadonlyMap<string, object> {
  return new Map(
    statements.flatMap((sql): [string, object][] => {
      const [, name] = /^CREATE TABLE (?:IF NOT EXISTS )?`?(\w+)`? \(/.exec(sql) ?? [];
      const [, key] = /PRIMARY KEY \((\w+)\) NOT ENFORCED/.exec(sql) ?? [];
      const [form] = /upsert-kafka|debezium-json/.exec(sql) ?? [];
      if (name === undefined || key === undefined || form === undefined) return [];
      return [[name, { key, changelog: form === 'debezium-json' ? 'debezium' : 'upsert' }]];
    }),
  );
}

/** What we say of a construct as a model of a project on one version, and its job. */
async function constructProject(
  { before, query }: QueryConstruct,
  version: PlannerVersion,
): Promise<{ readonly ours: SaidChanges; readonly job: Job | undefined }> {
  const statements = [...before, query];
  const { sql = '', tables = {} } = engineCase(base, statements) ?? {};
  const keyed = keyedTables([...base, ...statements]);
  const described: Readonly<Record<string, TestTable>> = tables;
  const files = {
    'stream_project.yml': JSON.stringify({
      project: { name: 'constructs' },
      runtime: {
        platform: { bootstrap_servers: 'localhost:9092' },
        engine: { clusters: { main: { version } } },
      },
    }),
    'models/m.yml': JSON.stringify({
      sources: Object.entries(described).map(([key, table]) => ({
        ...sourceOf(key, table),
        ...keyed.get(key.slice('source:'.length)),
      })),
      models: [{ name: 'construct', sql }],
    }),
  };
  const { project, diagnostics } = checkProject(await loadProject({ fileSystem: memoryFileSystem(files) }));
  const isWrong = diagnostics.some(
    ({ severity, object }) => severity === 'error' && object === 'model:construct',
  );
  if (isWrong) return { ours: refused, job: undefined };
  const names = project.columns.get('model:construct')?.columns.map((column) => column.name) ?? [];
  const job = projectJobs(project).jobs.get('construct');
  return { ours: saidChanges(project.nodes.get('model:construct')?.changes, names), job };
}
