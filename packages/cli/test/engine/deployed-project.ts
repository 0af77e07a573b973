import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTopic, type ReachableBroker, withAdmin } from '@levada/kafka-testkit';
import type { Engine } from '@levada/test-peers/engine';

/** The parts of the manifest that a deployment needs. */
export interface Manifest {
  readonly artifacts: {
    readonly topics: readonly { readonly name: string }[];
    readonly jobs: readonly { readonly name: string }[];
    readonly connectors: readonly { readonly name: string }[];
    readonly tests: readonly { readonly name: string; readonly type: string }[];
  };
}

/** What a compiled project is deployed to. */
export interface Surroundings {
  readonly broker: ReachableBroker;
  readonly engine: Engine;
  /** Values of the variables that are in the statements. */
  readonly variables: Readonly<Record<string, string>>;
  /** Jobs read what is there and end: their windows are then written. Default: they run until they are cancelled. */
  readonly bounded?: boolean;
}

/**
 * Deploys what `levada project compile` wrote to a folder: topics, then each job and
 * each continuous test in a session of its own. Uses nothing but the files.
 */
export async function deployProject(
  folder: string,
  { broker, engine, variables, bounded = false }: Surroundings,
): Promise<void> {
  const { artifacts } = (await readJson(join(folder, 'manifest.json'))) as Manifest;
  for (const { name } of artifacts.topics) {
    const { partitions, config } = (await readJson(join(folder, 'topics', `${name}.json`))) as {
      readonly partitions: number;
      readonly config: Readonly<Record<string, string>>;
    };
    // There is one broker, whatever the project asks for.
    await createTopic(broker, name, { partitions, config, replicas: 1 });
  }
  for (const { name } of artifacts.jobs) {
    const statements = await jobStatements(folder, name);
    await run(engine, bounded ? statements.map(toTheEnd) : statements, variables);
  }
  for (const { name, type } of artifacts.tests) {
    if (type !== 'continuous') continue;
    const { statements, reads, group } = await testJob(folder, name);
    for (const { topic } of reads) await fromTheBeginning(broker, group, topic);
    await run(engine, statements, variables);
  }
}

/** Posts the connectors of a compiled project to a worker. */
export async function deployConnectors(
  folder: string,
  worker: string,
  variables: Surroundings['variables'],
): Promise<void> {
  const { artifacts } = (await readJson(join(folder, 'manifest.json'))) as Manifest;
  for (const { name } of artifacts.connectors) {
    const body = withVariables(await readFile(join(folder, 'connectors', `${name}.json`), 'utf8'), variables);
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${worker}connectors`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(await response.text());
  }
}

/** Runs the statements of a job in a new session. */
export async function run(
  engine: Engine,
  statements: readonly string[],
  variables: Surroundings['variables'],
): Promise<void> {
  const session = await engine.session();
  for (const statement of statements) await session.run(withVariables(statement, variables));
}

/** A table that is read, as far as its topic goes now. */
function toTheEnd(statement: string): string {
  return statement.replace(
    /('properties\.group\.id' = '[^']+')/,
    "$1,\n  'scan.bounded.mode' = 'latest-offset'",
  );
}

/** The statements of a job of a compiled project. */
export async function jobStatements(folder: string, name: string): Promise<readonly string[]> {
  const { statements } = (await readJson(join(folder, 'jobs', `${name}.json`))) as {
    readonly statements: readonly number[];
  };
  return split(await readFile(join(folder, 'jobs', `${name}.sql`), 'utf8'), statements);
}

/** The job of a continuous test, and its consumer group. */
export async function testJob(folder: string, name: string) {
  const { job } = (await readJson(join(folder, 'tests', `${name}.json`))) as {
    readonly job: {
      readonly statements: readonly number[];
      readonly reads: readonly { readonly topic: string }[];
    };
  };
  const sql = await readFile(join(folder, 'tests', `${name}.sql`), 'utf8');
  const group = /'properties\.group\.id' = '([^']+)'/.exec(sql)?.[1] ?? '';
  return { statements: split(sql, job.statements), reads: job.reads, group };
}

/** A test reads what comes after it has started, unless its group says where it is. */
export async function fromTheBeginning(
  broker: ReachableBroker,
  groupId: string,
  topic: string,
): Promise<void> {
  await withAdmin(broker, async (admin) => {
    const ends = await admin.fetchTopicOffsets(topic);
    const partitions = ends.map(({ partition, low }) => ({ partition, offset: low }));
    await admin.setOffsets({ groupId, topic, partitions });
  });
}

/** The statements of a file by the lines that each begins at. */
function split(sql: string, firstLines: readonly number[]): readonly string[] {
  const lines = sql.split('\n');
  return firstLines.map((first, index) =>
    lines.slice(first - 1, (firstLines[index + 1] ?? lines.length + 1) - 1).join('\n'),
  );
}

/** `${NAME}` and `${NAME:-default}` with their values. The variables of this project are whole texts in quotes, and no value has a quote. */
export function withVariables(sql: string, variables: Readonly<Record<string, string>>): string {
  return sql.replaceAll(/\$\{(\w+)(?::-([^}]*))?\}/g, (text, name: string, otherwise?: string) => {
    const value = variables[name] ?? otherwise;
    if (value === undefined) throw new Error(`${text} has no value`);
    return value;
  });
}

/** The JSON of a file. */
export async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'));
}
