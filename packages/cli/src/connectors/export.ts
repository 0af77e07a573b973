import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolders } from '@levada/stream-project-compiler/node';
import type { ConnectionOptions } from '../client/connection.ts';
import type { ConnectorEntry } from '../client/worker-answers.ts';
import { connectToWorker } from '../client/worker-client.ts';
import { CommandError, exitCodes } from '../output/command-error.ts';
import { render, visible } from '../output/render.ts';
import type { Terminal } from '../output/terminal.ts';
import { maskText } from './config-changes.ts';
import { matches } from './match-names.ts';
import { connectorShapes, type PrintOptions } from './outcomes.ts';

/** Options of `levada connector export`. */
export interface ExportOptions extends ConnectionOptions, PrintOptions {
  /** Folder of the files; made when it does not exist. */
  readonly folder: string;
}

/** A connector in a file of its own. */
interface ExportedConnector {
  readonly name: string;
  readonly class: string;
  readonly file: string;
  /** Keys whose values the worker masks: the file has the mask. */
  readonly masked: readonly string[];
}

/**
 * `levada connector export [names...]`: writes each connector to a file that `apply` takes, with the state of one that does not run.
 * Keys are sorted, so that two exports of the same configurations are the same bytes. Only the owner can read new files, since
 * workers of Kafka Connect answer secrets as they are.
 */
export async function exportConnectors(
  words: readonly string[],
  options: ExportOptions,
  terminal: Terminal,
): Promise<void> {
  const client = await connectToWorker(options, terminal);
  type Entries = Readonly<Record<string, ConnectorEntry>>;
  // Asked one after the other: together, Kafka Connect leaves out a connector that has no status yet.
  const all = (await client.get('/connectors?expand=info')) as Entries;
  const statuses = (await client.get('/connectors?expand=status')) as Entries;
  const connectors: ExportedConnector[] = [];
  for (const name of namesOf(Object.keys(all).toSorted(), words)) {
    const text = fileText(name, { ...all[name], ...statuses[name] });
    const file = join(options.folder, fileName(name));
    await write(resolve(terminal.cwd, options.folder), { name: fileName(name), file, text });
    const config = all[name]?.info?.config ?? {};
    const masked = Object.keys(config).filter((key) => config[key]?.includes(maskText) === true);
    connectors.push({ name, class: config['connector.class'] ?? '', file, masked });
  }
  const value = { schema: connectorShapes.export, connectors };
  const rows = connectors.map(({ name, class: className, file }) => ({ name, class: className, file }));
  terminal.out(render(options.output, value, () => rows));
  if (connectors.length === 0) terminal.err('no connectors\n');
  for (const { file, masked } of connectors.filter((one) => one.masked.length > 0)) {
    terminal.err(
      `${file}: the worker masks ${masked.map(visible).join(', ')}: other workers need the value\n`,
    );
  }
}

function namesOf(known: readonly string[], words: readonly string[]): readonly string[] {
  if (words.length === 0) return known;
  const unknown = words.find((word) => !known.some((name) => matches(word, name)));
  if (unknown !== undefined) {
    throw new CommandError(
      exitCodes.problems,
      `no connector matches "${unknown}"`,
      '"levada get connectors" lists them',
    );
  }
  return known.filter((name) => words.some((word) => matches(word, name)));
}

function fileText(name: string, { info, status }: ConnectorEntry): string {
  const state = status?.connector?.state;
  const entries = Object.entries(info?.config ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const value = {
    name,
    config: Object.fromEntries(entries),
    ...(state === 'PAUSED' || state === 'STOPPED' ? { initial_state: state } : {}),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A name can hold what a file name cannot, and files that begin with a dot are hidden. */
function fileName(name: string): string {
  const encoded = name.replace(/^\.|[%/\\:*?"<>|\p{Cc}]/gu, (one) => {
    const code = one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');
    return `%${code}`;
  });
  return `${encoded}.json`;
}

async function write(
  folder: string,
  { name, file, text }: { readonly name: string; readonly file: string; readonly text: string },
): Promise<void> {
  const full = join(folder, name);
  try {
    await makeFolders(folder);
    // An unchanged file keeps its time, so that tools that watch it are left alone.
    if ((await readFile(full, 'utf8').catch(() => undefined)) === text) return;
    await writeFile(full, text, { mode: 0o600 });
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new CommandError(exitCodes.problems, `${file}: ${reason}`);
  }
}
