import type { ConnectionOptions } from '../client/connection.ts';
import { connectorPath, connectToWorker, type WorkerClient } from '../client/worker-client.ts';
import { CommandError, exitCodes } from '../output/command-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { configChanges } from './config-changes.ts';
import { connectorFiles, type FileOptions } from './connector-files.ts';
import { matches } from './match-names.ts';
import { type ConnectorOutcome, type PrintOptions, printOutcomes, unknownState } from './outcomes.ts';
import type { ConnectorDefinition, InitialState } from './parse-connectors.ts';
import { validationErrors } from './validate.ts';
import { connectorStates, goalAfterChange, type WaitOptions, waitForStates } from './wait-for-state.ts';

/** Options of `levada connector create`. */
export interface CreateOptions extends ConnectionOptions, FileOptions, WaitOptions, PrintOptions {
  /** The state in which connectors are created. Default: what the file says, else running. */
  readonly state?: InitialState;
}

/** Options of `levada connector apply`. */
export interface ApplyOptions extends CreateOptions {
  readonly dryRun?: boolean;
  /** True: deletes every connector that no file defines; a pattern: those whose name matches it. */
  readonly prune?: boolean | string;
}

/** `levada connector create -f`: creates connectors, none of which may exist. */
export async function createConnectors(options: CreateOptions, terminal: Terminal): Promise<void> {
  const definitions = await connectorFiles(options, terminal);
  const client = await connectToWorker(options, terminal);
  const outcomes: ConnectorOutcome[] = [];
  for (const definition of definitions) {
    outcomes.push(
      await attempt(definition.name, async () => {
        await create(client, definition, options);
        return { ...unknownState, name: definition.name, action: 'created', changed: [] };
      }),
    );
  }
  printOutcomes(await awaited(client, { outcomes, definitions, options, terminal }), options, terminal);
}

/**
 * `levada connector apply -f`: creates what is missing and changes what differs. What is equal is left alone. A connector that cannot be
 * applied does not keep the others from it, only from a prune.
 */
export async function applyConnectors(options: ApplyOptions, terminal: Terminal): Promise<void> {
  const definitions = await connectorFiles(options, terminal);
  const client = await connectToWorker(options, terminal);
  const surplus = await surplusConnectors(client, definitions, options);
  const outcomes: ConnectorOutcome[] = [];
  for (const definition of definitions) {
    outcomes.push(await attempt(definition.name, () => apply(client, definition, options)));
  }
  const done =
    options.dryRun === true ? outcomes : await awaited(client, { outcomes, definitions, options, terminal });
  printOutcomes(
    [...done, ...(await prune(client, { surplus, outcomes, options, terminal }))],
    options,
    terminal,
  );
}

async function apply(
  client: WorkerClient,
  definition: ConnectorDefinition,
  options: ApplyOptions,
): Promise<ConnectorOutcome> {
  const { name, config } = definition;
  const { action, changes } = await configChanges(client, name, config);
  const changed = action === 'update' ? changes.map(({ key }) => key) : [];
  if (options.dryRun === true) {
    const errors = action === 'none' ? [] : await validationErrors(client, config);
    const lines = errors.map(({ key, message }) => `${key}: ${message}`);
    return outcome(name, action, { changed, error: lines.length === 0 ? null : lines.join('\n') });
  }
  if (action === 'create') await create(client, definition, options);
  else if (action === 'update') await client.change('PUT', `${connectorPath(name)}/config`, config);
  return outcome(name, action, { changed, error: null });
}

const doneWords = { create: 'created', update: 'updated', none: 'unchanged' } as const;

function outcome(
  name: string,
  action: keyof typeof doneWords,
  rest: Pick<ConnectorOutcome, 'changed' | 'error'>,
): ConnectorOutcome {
  return { ...unknownState, name, action: doneWords[action], ...rest };
}

async function create(
  client: WorkerClient,
  { name, config, initialState }: ConnectorDefinition,
  { state }: CreateOptions,
): Promise<void> {
  const initial = state ?? initialState;
  const body = { name, config, ...(initial === undefined ? {} : { initial_state: initial.toUpperCase() }) };
  await client.change('POST', '/connectors', body);
}

/** A refusal of the worker as the outcome of one connector. That no worker answers ends the command. */
export async function attempt(
  name: string,
  work: () => Promise<ConnectorOutcome>,
): Promise<ConnectorOutcome> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof CommandError) || thrown.exitCode !== exitCodes.problems) throw thrown;
    const error = thrown.hint === undefined ? thrown.message : `${thrown.message}\n${thrown.hint}`;
    return { ...unknownState, name, action: 'failed', changed: [], error };
  }
}

interface Applied {
  readonly outcomes: readonly ConnectorOutcome[];
  readonly definitions: readonly ConnectorDefinition[];
  readonly options: CreateOptions;
  readonly terminal: Terminal;
}

/** The outcomes with the states that the connectors got into. */
async function awaited(
  client: WorkerClient,
  { outcomes, definitions, options, terminal }: Applied,
): Promise<readonly ConnectorOutcome[]> {
  const changed = outcomes.filter(({ action }) => action === 'created' || action === 'updated');
  const before = await connectorStates(
    client,
    outcomes.filter(({ action }) => action === 'unchanged' || action === 'updated').map(({ name }) => name),
  );
  const goal = ({ name, action }: ConnectorOutcome): InitialState => {
    const wanted = options.state ?? definitions.find((one) => one.name === name)?.initialState;
    return action === 'created' ? (wanted ?? 'running') : goalAfterChange(before.get(name)?.state ?? null);
  };
  const waiting = changed.map((one) => ({
    name: one.name,
    goal: goal(one),
    settle: one.action === 'updated',
  }));
  const states = options.wait ? await waitForStates(client, waiting, { options, terminal }) : new Map();
  return outcomes.map((one) => {
    const state = states.get(one.name) ?? (one.action === 'unchanged' ? before.get(one.name) : undefined);
    return state === undefined ? one : { ...one, ...state };
  });
}

/** Names that a prune deletes. */
export async function surplusConnectors(
  client: WorkerClient,
  definitions: readonly ConnectorDefinition[],
  { prune }: Pick<ApplyOptions, 'prune'>,
): Promise<readonly string[]> {
  if (prune === undefined || prune === false) return [];
  const kept = new Set(definitions.map(({ name }) => name));
  const names = (await client.get('/connectors')) as readonly string[];
  return names.filter((name) => !kept.has(name) && (prune === true || matches(prune, name))).toSorted();
}

async function prune(
  client: WorkerClient,
  {
    surplus,
    outcomes,
    options,
    terminal,
  }: { readonly surplus: readonly string[] } & Omit<Applied, 'definitions'> & {
      readonly options: ApplyOptions;
    },
): Promise<readonly ConnectorOutcome[]> {
  if (surplus.length > 0 && outcomes.some(({ action }) => action === 'failed')) {
    terminal.err(`levada: deleted nothing, since not everything could be applied: ${surplus.join(', ')}\n`);
    return [];
  }
  const deleted: ConnectorOutcome[] = [];
  for (const name of surplus) {
    deleted.push(
      await attempt(name, async () => {
        if (options.dryRun !== true) await client.change('DELETE', connectorPath(name));
        return { ...unknownState, name, action: 'deleted', changed: [] };
      }),
    );
  }
  return deleted;
}
