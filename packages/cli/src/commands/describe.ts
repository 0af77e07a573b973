import type { ConnectionOptions } from '../client/connection.ts';
import { connectionText, type StatusAnswer } from '../client/worker-answers.ts';
import { connectToWorker, type WorkerClient } from '../client/worker-client.ts';
import { CommandError, exitCodes } from '../output/command-error.ts';
import type { OutputForm } from '../output/forms.ts';
import type { TableRow } from '../output/render.ts';
import { render } from '../output/render.ts';
import type { Terminal } from '../output/terminal.ts';
import { groupedAttributes } from './attribute-groups.ts';

type Section = readonly [title: string, rows: readonly TableRow[]];

interface Description {
  readonly value: unknown;
  readonly sections: readonly Section[];
  /** How many attributes are not in the sections, because they are 0. */
  readonly hidden?: number;
}

interface Described {
  readonly name: string;
  /** Whether attributes are shown that are 0 and say nothing by that. */
  readonly all: boolean;
}

/** A key, as `/connector-plugins/{class}/config` answers it. */
interface PluginKeyAnswer {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly default_value: string | null;
  readonly importance: string;
  readonly documentation: string | null;
}

/** Kinds of things that `levada describe` explains. */
const describers = { connector: describeConnector, plugin: describePlugin, worker: describeWorker };

/** Names that `levada describe` knows. */
export const describableNames: readonly string[] = Object.keys(describers);

/** Options of `levada describe`. */
export interface DescribeOptions extends ConnectionOptions {
  readonly output: OutputForm;
  /** Shows attributes that are 0, too. */
  readonly all?: boolean;
}

/** `levada describe connector <name> | plugin <class> | worker`. */
export async function describe(
  what: { readonly kind: string; readonly name: string | undefined },
  options: DescribeOptions,
  terminal: Terminal,
): Promise<void> {
  const { kind, name } = what;
  if (!Object.hasOwn(describers, kind)) {
    throw new CommandError(exitCodes.usage, `"${kind}" is not one of ${describableNames.join(', ')}`);
  }
  if (kind !== 'worker' && name === undefined) {
    throw new CommandError(exitCodes.usage, `levada describe ${kind} needs a name`);
  }
  const client = await connectToWorker(options, terminal);
  const described = { name: name ?? '', all: options.all === true };
  const description: Description = await describers[kind as keyof typeof describers](client, described);
  const { value, sections, hidden = 0 } = description;
  if (options.output !== 'table') {
    terminal.out(render(options.output, value, () => []));
    return;
  }
  for (const [title, rows] of sections) {
    if (rows.length > 0) terminal.out(`${title}\n${render('table', value, () => rows)}\n`);
  }
  if (hidden > 0) terminal.err(`${hidden} attributes that are 0 are not shown; --all shows them\n`);
}

async function describeConnector(client: WorkerClient, { name, all }: Described): Promise<Description> {
  const path = `/connectors/${encodeURIComponent(name)}`;
  const info = (await client.get(path)) as { config?: Record<string, string> };
  const status = (await client.find(`${path}/status?expand=connection`)) as StatusAnswer | undefined;
  const metrics = (await client.find(`${path}/metrics`)) as
    | Record<string, Record<string, unknown>>
    | undefined;
  const objects = Object.entries(metrics ?? {}).map(
    ([object, values]) => [object, groupedAttributes(values, all)] as const,
  );
  const parts = [
    { part: 'connector', ...status?.connector },
    ...(status?.tasks ?? []).map((task) => ({ part: `task ${task.id}`, ...task })),
  ];
  return {
    value: { info, status, metrics },
    sections: [
      [
        'STATUS',
        parts.map((part) => ({ part: part.part, state: part.state ?? '', worker: part.worker_id ?? '' })),
      ],
      [
        'CONNECTION',
        (status?.connection ?? []).map((connection) => ({
          task: String(connection.task),
          connection: connectionText([connection]),
        })),
      ],
      [
        'TRACE',
        parts
          .flatMap((part) => (part.trace ?? '').split('\n'))
          .filter(Boolean)
          .map((trace) => ({ trace })),
      ],
      ['CONFIG', Object.entries(info.config ?? {}).map(([key, value]) => ({ key, value: String(value) }))],
      ...objects.flatMap(([object, grouped]): readonly Section[] => [
        ['METRICS', [{ object }]],
        ...grouped.sections.map(([title, rows]): Section => [`METRICS: ${title}`, rows]),
      ]),
    ],
    hidden: objects.reduce((sum, [, grouped]) => sum + grouped.hidden, 0),
  };
}

async function describePlugin(client: WorkerClient, { name }: Described): Promise<Description> {
  const keys = (await client.get(
    `/connector-plugins/${encodeURIComponent(name)}/config`,
  )) as PluginKeyAnswer[];
  const rows = keys.map((key) => ({
    key: key.name,
    type: key.type,
    default: key.required ? '(required)' : (key.default_value ?? ''),
    importance: key.importance,
    documentation: key.documentation ?? '',
  }));
  return { value: keys, sections: [['CONFIG', rows]] };
}

async function describeWorker(client: WorkerClient): Promise<Description> {
  const root = (await client.get('/')) as Record<string, unknown>;
  // Workers before Kafka Connect 3.9 have no such path; one that is not well answers with its status and message, too.
  const answer = await client.ask('GET', '/health');
  const health = answer.status === 404 ? undefined : (answer.body as Record<string, unknown> | undefined);
  const leader = await leaderOf(client);
  const group = leader === undefined ? {} : { leader };
  const rows = Object.entries({ url: client.url, ...root, ...health, ...group }).map(
    ([attribute, value]) => ({ attribute, value: String(value) }),
  );
  return { value: { root, health, ...group }, sections: [['WORKER', rows]] };
}

/** URL of the worker that leads the group. Only workers of ours on a Kafka cluster say so. */
async function leaderOf(client: WorkerClient): Promise<string | undefined> {
  const text = await client.text('/metrics?family=kafka_connect_worker_rebalance_leader_name');
  return /^kafka_connect_worker_rebalance_leader_name\{.*leader_name="([^"]+)"/m.exec(text ?? '')?.[1];
}
