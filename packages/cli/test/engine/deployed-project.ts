import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTopic, type ReachableBroker } from '@levada/kafka-testkit';
import type { Engine } from '@levada/test-peers/engine';

/** The parts of the manifest that a deployment needs. */
interface Manifest {
  readonly artifacts: {
    readonly topics: readonly { readonly name: string }[];
    readonly jobs: readonly { readonly name: string }[];
  };
}

/** What a compiled project is deployed to. */
export interface Surroundings {
  readonly broker: ReachableBroker;
  readonly engine: Engine;
  /** Values of the variables that are in the statements. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Deploys what `levada project compile` wrote to a folder: topics, then each job in a session of its own. Uses nothing but the files. */
export async function deployProject(
  folder: string,
  { broker, engine, variables }: Surroundings,
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
    const session = await engine.session();
    for (const statement of await jobStatements(join(folder, 'jobs', name)))
      await session.run(withVariables(statement, variables));
  }
}

/** The statements of a job by the lines that its second file names. */
async function jobStatements(path: string): Promise<readonly string[]> {
  const lines = (await readFile(`${path}.sql`, 'utf8')).split('\n');
  const { statements } = (await readJson(`${path}.json`)) as { readonly statements: readonly number[] };
  return statements.map((first, index) =>
    lines.slice(first - 1, (statements[index + 1] ?? lines.length + 1) - 1).join('\n'),
  );
}

/** `${NAME}` and `${NAME:-default}` with their values. The variables of this project are whole texts in quotes, and no value has a quote. */
function withVariables(sql: string, variables: Readonly<Record<string, string>>): string {
  return sql.replaceAll(/\$\{(\w+)(?::-([^}]*))?\}/g, (text, name: string, otherwise?: string) => {
    const value = variables[name] ?? otherwise;
    if (value === undefined) throw new Error(`${text} has no value`);
    return value;
  });
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'));
}
