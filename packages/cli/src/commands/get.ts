import type { ConnectionOptions } from '../client/connection.ts';
import { type ConnectorEntry, connectionText, firstLine } from '../client/worker-answers.ts';
import { connectToWorker } from '../client/worker-client.ts';
import { CommandError, exitCodes } from '../output/command-error.ts';
import type { OutputForm } from '../output/forms.ts';
import type { TableRow } from '../output/render.ts';
import { render } from '../output/render.ts';
import type { Terminal } from '../output/terminal.ts';

/** Kinds of things that `levada get` lists, with the path that lists them and the row of each. */
const resources = {
  connectors: {
    path: '/connectors?expand=status&expand=info&expand=connection',
    rows: (value: unknown) => Object.entries(value as Record<string, ConnectorEntry>).map(connectorRow),
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
} as const satisfies Record<string, { path: string; rows: (value: unknown) => readonly TableRow[] }>;

/** Names that `levada get` knows. */
export const resourceNames: readonly string[] = Object.keys(resources);

/** Options of `levada get`. */
export interface GetOptions extends ConnectionOptions {
  readonly output: OutputForm;
}

/** `levada get connectors|plugins|loggers`. */
export async function get(resource: string, options: GetOptions, terminal: Terminal): Promise<void> {
  if (!Object.hasOwn(resources, resource)) {
    throw new CommandError(exitCodes.usage, `"${resource}" is not one of ${resourceNames.join(', ')}`);
  }
  const { path, rows } = resources[resource as keyof typeof resources];
  const value = await (await connectToWorker(options, terminal)).get(path);
  terminal.out(render(options.output, value, () => rows(value)));
  if (options.output === 'table' && rows(value).length === 0) terminal.err(`no ${resource}\n`);
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
