import type { ConnectionOptions } from '../client/connection.ts';
import { connectToWorker } from '../client/worker-client.ts';
import { CommandExit, exitCodes } from '../output/command-error.ts';
import { render, visible } from '../output/render.ts';
import { inColor } from '../output/style.ts';
import type { Terminal } from '../output/terminal.ts';
import { surplusConnectors } from './apply.ts';
import { type ConfigChanges, configChanges, type KeyChange } from './config-changes.ts';
import { connectorFiles, type FileOptions } from './connector-files.ts';
import { connectorShapes, type PrintOptions } from './outcomes.ts';

/** Options of `levada connector diff`. */
export interface DiffOptions extends ConnectionOptions, FileOptions, PrintOptions {
  /** As that of `apply`. */
  readonly prune?: boolean | string;
  /** Ends with 0 although something differs. */
  readonly exitZero?: boolean;
  readonly color: boolean;
}

interface ConnectorDiff extends Omit<ConfigChanges, 'action'> {
  readonly name: string;
  readonly action: ConfigChanges['action'] | 'delete';
}

/** `levada connector diff -f`: what `apply` would change, key by key. Ends with 3 when that is anything. */
export async function diffConnectors(options: DiffOptions, terminal: Terminal): Promise<void> {
  const definitions = await connectorFiles(options, terminal);
  const client = await connectToWorker(options, terminal);
  const connectors: ConnectorDiff[] = [];
  for (const { name, config } of definitions) {
    connectors.push({ name, ...(await configChanges(client, name, config)) });
  }
  for (const name of await surplusConnectors(client, definitions, options)) {
    connectors.push({ name, action: 'delete', changes: [], effect: null });
  }
  const different = connectors.filter(({ action }) => action !== 'none');
  if (options.output === 'table') {
    for (const one of different) terminal.out(diffText(one, inColor(terminal, options.color)));
    if (different.length === 0) terminal.err('no differences\n');
  } else {
    terminal.out(render(options.output, { schema: connectorShapes.diff, connectors }, () => []));
  }
  if (different.length > 0 && options.exitZero !== true) throw new CommandExit(exitCodes.differences);
}

const signs = { added: ['+', 32], removed: ['-', 31], changed: ['~', 33] } as const;

function diffText({ name, action, changes, effect }: ConnectorDiff, color: boolean): string {
  const head = `${visible(name)}: ${action}${effect === null ? '' : ` (${effectText[effect] ?? effect})`}\n`;
  return head + changes.map((one) => `${changeText(one, color)}\n`).join('');
}

const effectText: Readonly<Record<string, string>> = {
  restart: 'its tasks are restarted',
  reconnect: 'its tasks continue, and connect again',
  live: 'its tasks continue',
};

function changeText({ key, change, from, to }: KeyChange, color: boolean): string {
  const [sign, code] = signs[change];
  const values = [from, to].filter((value) => value !== null).map(visible);
  const shown = change === 'changed' && from === to ? `${values[0]} (differs)` : values.join(' -> ');
  const text = `  ${sign} ${visible(key)}: ${shown}`;
  return color ? `\u001b[${code}m${text}\u001b[0m` : text;
}
