import type { ConnectionOptions } from '../client/connection.ts';
import type { StatusAnswer } from '../client/worker-answers.ts';
import { connectorPath, connectToWorker, success, type WorkerClient } from '../client/worker-client.ts';
import { CommandError, exitCodes } from '../output/command-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { attempt } from './apply.ts';
import { connectorNames } from './match-names.ts';
import { type ConnectorAction, type PrintOptions, printOutcomes, unknownState } from './outcomes.ts';
import type { InitialState } from './parse-connectors.ts';
import {
  type Awaited,
  connectorStates,
  goalAfterChange,
  type WaitOptions,
  waitForStates,
} from './wait-for-state.ts';

/** Options of commands that control connectors. */
export interface ControlOptions extends ConnectionOptions, WaitOptions, PrintOptions {}

/** Options of `levada connector restart`. */
export interface RestartOptions extends ControlOptions {
  /** The connector and all of its tasks, also those that did not fail. */
  readonly all?: boolean;
  /** Only this task. */
  readonly task?: number;
}

/** Options of `levada connector delete`. */
export interface DeleteOptions extends ConnectionOptions, PrintOptions {
  /** Deletes what a pattern matches. */
  readonly yes?: boolean;
  /** A connector that does not exist is no error. */
  readonly ignoreMissing?: boolean;
}

const verbs = {
  pause: { action: 'paused', goal: 'paused' },
  resume: { action: 'resumed', goal: 'running' },
  stop: { action: 'stopped', goal: 'stopped' },
} as const satisfies Record<string, { action: ConnectorAction; goal: InitialState }>;

/** `levada connector pause|resume|stop <name...>`. */
export async function controlConnectors(
  [verb, words]: readonly [verb: keyof typeof verbs, words: readonly string[]],
  options: ControlOptions,
  terminal: Terminal,
): Promise<void> {
  const { action, goal } = verbs[verb];
  const client = await connectToWorker(options, terminal);
  await onEach(client, words, {
    options,
    terminal,
    goal: () => goal,
    settle: false,
    work: async (name) => {
      await client.change('PUT', `${connectorPath(name)}/${verb}`);
      return action;
    },
  });
}

/** `levada connector restart <name...>`: what failed, unless more is asked for. */
export async function restartConnectors(
  words: readonly string[],
  options: RestartOptions,
  terminal: Terminal,
): Promise<void> {
  const client = await connectToWorker(options, terminal);
  if (options.all === true && options.task !== undefined) {
    throw new CommandError(exitCodes.usage, '--all and --task exclude each other');
  }
  await onEach(client, words, {
    options,
    terminal,
    // A paused connector stays paused.
    goal: goalAfterChange,
    settle: true,
    work: async (name) => {
      if (await restart(client, name, options)) return 'restarted';
      terminal.err(`${name}: nothing had failed, so nothing is restarted; --all restarts everything\n`);
      return 'unchanged';
    },
  });
}

/** Whether anything is restarted. */
async function restart(client: WorkerClient, name: string, options: RestartOptions): Promise<boolean> {
  const path = connectorPath(name);
  if (options.task !== undefined) {
    await client.change('POST', `${path}/tasks/${options.task}/restart`);
    return true;
  }
  const onlyFailed = options.all !== true;
  const plan = (await client.change('POST', `${path}/restart?includeTasks=true&onlyFailed=${onlyFailed}`)) as
    | StatusAnswer
    | undefined;
  return [plan?.connector, ...(plan?.tasks ?? [])].some((part) => part?.state === 'RESTARTING');
}

/** `levada connector delete <name...>`. */
export async function deleteConnectors(
  words: readonly string[],
  options: DeleteOptions,
  terminal: Terminal,
): Promise<void> {
  const client = await connectToWorker(options, terminal);
  const names = await connectorNames(client, words);
  if (words.some((word) => word.includes('*')) && options.yes !== true) {
    throw new CommandError(
      exitCodes.refused,
      `the pattern matches ${names.length} connectors: ${names.join(', ')}`,
      'nothing was deleted; --yes deletes them',
    );
  }
  const outcomes = [];
  for (const name of names) {
    outcomes.push(
      await attempt(name, async () => {
        const answer = await client.ask('DELETE', connectorPath(name));
        const isMissing = answer.status === 404 && options.ignoreMissing === true;
        if (!isMissing) success(answer, client.url);
        return { ...unknownState, name, action: isMissing ? 'missing' : 'deleted', changed: [] };
      }),
    );
  }
  printOutcomes(outcomes, options, terminal);
}

interface EachConnector extends Pick<Awaited, 'settle'> {
  /** The state to wait for, by that before. */
  readonly goal: (before: string | null) => InitialState;
  readonly options: ControlOptions;
  readonly terminal: Terminal;
  readonly work: (name: string) => Promise<ConnectorAction>;
}

async function onEach(
  client: WorkerClient,
  words: readonly string[],
  { options, terminal, goal, settle, work }: EachConnector,
): Promise<void> {
  const outcomes = [];
  const names = await connectorNames(client, words);
  const before = await connectorStates(client, names);
  for (const name of names) {
    outcomes.push(
      await attempt(name, async () => ({ ...unknownState, name, action: await work(name), changed: [] })),
    );
  }
  const waiting = outcomes
    .filter(({ action }) => action !== 'failed' && action !== 'unchanged')
    .map(({ name }) => ({ name, goal: goal(before.get(name)?.state ?? null), settle }));
  const states = options.wait ? await waitForStates(client, waiting, { options, terminal }) : new Map();
  printOutcomes(
    outcomes.map((one) => ({ ...one, ...states.get(one.name) })),
    options,
    terminal,
  );
}
