import type { ConnectionOptions } from '../client/connection.ts';
import { connectorPath, connectToWorker, success, type WorkerClient } from '../client/worker-client.ts';
import { CommandError, exitCodes } from '../output/command-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { type Config, configChanges } from './config-changes.ts';
import { type ConnectorOutcome, type PrintOptions, printOutcomes, unknownState } from './outcomes.ts';
import { connectorStates, goalAfterChange, type WaitOptions, waitForStates } from './wait-for-state.ts';

/** Options of `levada connector set`. */
export interface SetOptions extends ConnectionOptions, WaitOptions, PrintOptions {
  /** Keys to remove. */
  readonly unset: readonly string[];
}

/** `levada connector set <name> key=value...`: changes some keys of a configuration and leaves the others. */
export async function setKeys(
  [name, words]: readonly [name: string, words: readonly string[]],
  options: SetOptions,
  terminal: Terminal,
): Promise<void> {
  const patch = patchOf(words, options.unset);
  const client = await connectToWorker(options, terminal);
  const stored = (await client.get(`${connectorPath(name)}/config`)) as Config;
  const wanted = patched(stored, patch);
  const { action, changes } = await configChanges(client, name, wanted);
  const [before] = (await connectorStates(client, [name])).values();
  const outcome: ConnectorOutcome = {
    ...(before ?? unknownState),
    name,
    action: action === 'none' ? 'unchanged' : 'updated',
    changed: changes.map(({ key }) => key),
  };
  if (action === 'none') {
    printOutcomes([outcome], options, terminal);
    return;
  }
  await store(client, { name, patch, wanted });
  const goal = goalAfterChange(before?.state ?? null);
  const states = options.wait
    ? await waitForStates(client, [{ name, goal, settle: true }], { options, terminal })
    : new Map();
  printOutcomes([{ ...outcome, ...(states.get(name) ?? unknownState) }], options, terminal);
}

type Patch = Readonly<Record<string, string | null>>;

function patchOf(words: readonly string[], unset: readonly string[]): Patch {
  const entries = words.map((word) => {
    const at = word.indexOf('=');
    // Without the value, which may be a secret.
    if (at < 1) throw new CommandError(exitCodes.usage, `"${word}" has no value, expected key=value`);
    return [word.slice(0, at), word.slice(at + 1)] as const;
  });
  const both = entries.find(([key]) => unset.includes(key));
  if (both !== undefined) throw new CommandError(exitCodes.usage, `"${both[0]}" is both set and removed`);
  if (entries.length + unset.length === 0) {
    throw new CommandError(exitCodes.usage, 'nothing to change: give key=value, or --unset <key>');
  }
  return Object.fromEntries([...entries, ...unset.map((key) => [key, null] as const)]);
}

function patched(stored: Config, patch: Patch): Config {
  const entries = Object.entries({ ...stored, ...patch }).filter(([, value]) => value !== null);
  return Object.fromEntries(entries as [string, string][]);
}

/** Workers before Kafka Connect 3.8 know no PATCH; they show secrets, so that all keys can be sent back. */
async function store(
  client: WorkerClient,
  { name, patch, wanted }: { readonly name: string; readonly patch: Patch; readonly wanted: Config },
): Promise<void> {
  const path = `${connectorPath(name)}/config`;
  const answer = await client.ask('PATCH', path, patch);
  if (answer.status === 405) await client.change('PUT', path, wanted);
  else success(answer, client.url);
}
