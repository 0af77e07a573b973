import { setTimeout as sleep } from 'node:timers/promises';

const START_LIMIT_MS = 120_000;
const LOOK_MS = 50;

/** Creates a connector by Connect's REST interface and resolves when its task runs. `base` ends with a slash. */
export async function createConnector(
  base: string,
  name: string,
  config: Readonly<Record<string, string>>,
): Promise<void> {
  await eventually(`the connector "${name}" was not taken`, async () => {
    const answer = await fetch(`${base}connectors/${name}/config`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(config),
    });
    const text = await answer.text();
    if (answer.status === 400) throw new TypeError(text);
    return answer.ok ? undefined : text;
  });
  await eventually(`the task of "${name}" does not run`, async () => {
    const answer = await fetch(`${base}connectors/${name}/status`);
    const text = await answer.text();
    const { tasks = [] } = answer.ok ? (JSON.parse(text) as { tasks?: { state: string }[] }) : {};
    if (tasks.some(({ state }) => state === 'FAILED')) throw new TypeError(text);
    return tasks.length > 0 && tasks.every(({ state }) => state === 'RUNNING') ? undefined : text;
  });
}

/** Resolves when the attempt says nothing more against it. A `TypeError` that is not one of `fetch` ends it at once. */
async function eventually(problem: string, attempt: () => Promise<string | undefined>): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  for (;;) {
    const reason = await attempt().catch((error: unknown) => {
      if (error instanceof TypeError && error.cause === undefined) throw error;
      return String(error);
    });
    if (reason === undefined) return;
    if (performance.now() > deadline) throw new Error(`${problem}: ${reason}`);
    await sleep(LOOK_MS);
  }
}

/** The names of the storage topics of a worker, and converters that write values as they are. */
export function workerKeys(group: string): Readonly<Record<string, string>> {
  const storage = ['config', 'offset', 'status'].flatMap((kind) => [
    [`${kind}.storage.topic`, `${group}-${kind}`],
    [`${kind}.storage.replication.factor`, '1'],
  ]);
  return {
    'group.id': group,
    ...Object.fromEntries(storage),
    'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
    'value.converter': 'org.apache.kafka.connect.storage.StringConverter',
  };
}
