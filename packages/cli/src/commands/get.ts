import type { ConnectionOptions } from '../client/connection.ts';
import {
  type ConnectorEntry,
  connectionText,
  firstLine,
  type StateAnswer,
} from '../client/worker-answers.ts';
import { connectToWorker, type WorkerClient } from '../client/worker-client.ts';
import { CommandError, exitCodes } from '../output/command-error.ts';
import type { OutputForm } from '../output/forms.ts';
import type { TableRow } from '../output/render.ts';
import { render } from '../output/render.ts';
import type { Terminal } from '../output/terminal.ts';

/** Kinds of things that `levada get` lists, with the path that lists them, the value for programs and the row of each. */
const resources = {
  connectors: {
    path: '/connectors?expand=status&expand=info&expand=connection',
    rows: (value: unknown) => Object.entries(value as Record<string, ConnectorEntry>).map(connectorRow),
  },
  workers: {
    path: '/connectors?expand=status',
    value: async (answer: unknown, client: WorkerClient) => ({
      schema: 'levada.workers/1',
      workers: workersOf(answer as Record<string, ConnectorEntry>, await knownWorkers(client)),
    }),
    rows: (value: unknown) =>
      (value as { readonly workers: readonly WorkerWork[] }).workers.map(({ worker, connectors, tasks }) => ({
        worker,
        connectors: `${connectors.running}/${connectors.total}`,
        tasks: `${tasks.running}/${tasks.total}`,
      })),
  },
  plugins: {
    path: '/connector-plugins?connectorsOnly=false',
    rows: (value: unknown) =>
      (value as readonly Record<string, string>[]).map((plugin) => ({
        class: plugin['class'] ?? '',
        type: plugin['type'] ?? '',
        version: plugin['version'] ?? '',
      })),
  },
  loggers: {
    path: '/admin/loggers',
    rows: (value: unknown) =>
      Object.entries(value as Record<string, { level?: string }>).map(([name, { level }]) => ({
        name,
        level: level ?? '',
      })),
  },
} satisfies Record<string, Resource>;

interface Resource {
  readonly path: string;
  /** Default: the answer. */
  readonly value?: (answer: unknown, client: WorkerClient) => Promise<unknown>;
  readonly rows: (value: unknown) => readonly TableRow[];
}

/** What a worker of a group runs, by the statuses of connectors and tasks. */
interface WorkerWork {
  /** As it is advertised, `host:port`. */
  readonly worker: string;
  readonly connectors: Count;
  readonly tasks: Count;
}

interface Count {
  readonly running: number;
  readonly total: number;
}

/** Names that `levada get` knows. */
export const resourceNames: readonly string[] = Object.keys(resources);

/** Options of `levada get`. */
export interface GetOptions extends ConnectionOptions {
  readonly output: OutputForm;
}

/** `levada get connectors|workers|plugins|loggers`. */
export async function get(resource: string, options: GetOptions, terminal: Terminal): Promise<void> {
  if (!Object.hasOwn(resources, resource)) {
    throw new CommandError(exitCodes.usage, `"${resource}" is not one of ${resourceNames.join(', ')}`);
  }
  const { path, value: shaped, rows }: Resource = resources[resource as keyof typeof resources];
  const client = await connectToWorker(options, terminal);
  const answer = await client.get(path);
  const value = shaped === undefined ? answer : await shaped(answer, client);
  terminal.out(render(options.output, value, () => rows(value)));
  // Workers of Kafka Connect that run nothing are not known.
  const nothing = resource === 'workers' ? 'no worker has anything to run' : `no ${resource}`;
  if (options.output === 'table' && rows(value).length === 0) terminal.err(`${nothing}\n`);
}

/** The workers of the group, as its leader knows them; empty where the leader is one of Kafka Connect, or none is known. */
async function knownWorkers(client: WorkerClient): Promise<readonly string[]> {
  const { status, body } = await client.ask('GET', '/workers');
  const workers = status === 200 ? (body as { readonly workers?: unknown } | undefined)?.workers : undefined;
  return Array.isArray(workers) ? workers.map(String) : [];
}

function workersOf(
  all: Readonly<Record<string, ConnectorEntry>>,
  known: readonly string[],
): readonly WorkerWork[] {
  const statuses = Object.values(all).flatMap(({ status }) => (status === undefined ? [] : [status]));
  const connectors = statuses.flatMap(({ connector }) => (connector === undefined ? [] : [connector]));
  const tasks = statuses.flatMap((status) => status.tasks ?? []);
  const workers = new Set([...known, ...[...connectors, ...tasks].map(({ worker_id }) => worker_id ?? '')]);
  const count = (parts: readonly StateAnswer[], worker: string): Count => {
    const own = parts.filter(({ worker_id }) => (worker_id ?? '') === worker);
    return { running: own.filter(({ state }) => state === 'RUNNING').length, total: own.length };
  };
  return [...workers].toSorted().map((worker) => ({
    worker,
    connectors: count(connectors, worker),
    tasks: count(tasks, worker),
  }));
}

function connectorRow([name, entry]: readonly [string, ConnectorEntry]): TableRow {
  const tasks = entry.status?.tasks ?? [];
  const running = tasks.filter((task) => task.state === 'RUNNING').length;
  const failed = [entry.status?.connector, ...tasks].find((part) => part?.state === 'FAILED');
  return {
    name,
    type: entry.info?.type ?? '',
    state: failed?.state ?? entry.status?.connector?.state ?? '',
    connection: connectionText(entry.connection),
    tasks: `${running}/${tasks.length}`,
    trace: firstLine(failed?.trace),
  };
}
