import type { Command } from 'commander';
import { type ConnectionOptions, connectionOf } from '../client/connection.ts';
import { readContexts } from '../client/context-file.ts';
import type { StatusAnswer } from '../client/worker-answers.ts';
import { connectorPath, type WorkerClient, workerClient } from '../client/worker-client.ts';
import type { Terminal } from '../output/terminal.ts';

/** Longest that a worker is waited for, in milliseconds: a person waits for the shell meanwhile. */
const WORKER_MS = 300;

type WordKind = 'connectors' | 'plugins' | 'contexts' | 'tasks' | 'resources' | 'describables';

/** What the arguments of commands name, by the words of the command. */
export const argumentWords: Readonly<Record<string, WordKind>> = {
  get: 'resources',
  describe: 'describables',
  'describe connector': 'connectors',
  'describe plugin': 'plugins',
  logs: 'connectors',
  tap: 'connectors',
  top: 'connectors',
  'connector set': 'connectors',
  'connector restart': 'connectors',
  'connector pause': 'connectors',
  'connector resume': 'connectors',
  'connector stop': 'connectors',
  'connector delete': 'connectors',
  'connector offsets get': 'connectors',
  'connector offsets alter': 'connectors',
  'connector offsets reset': 'connectors',
  'context set': 'contexts',
  'context use': 'contexts',
  'context remove': 'contexts',
};

/** What the values of options name. */
const optionWords: Readonly<Record<string, WordKind>> = {
  '--context': 'contexts',
  '--connectors': 'connectors',
  '-c': 'connectors',
  '--task': 'tasks',
};

/**
 * `levada complete-words <words...>`, for the scripts of `levada completion`: words that the last one may become, one in a line, which
 * only the worker or the file of contexts knows. `words` are those after `levada`. Prints nothing, and is silent, on any failure.
 */
export async function printWords(
  words: readonly string[],
  program: Command,
  terminal: Terminal,
): Promise<void> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const found = await candidates(before, program, terminal).catch(() => []);
  // A name with a line feed in it would be two words.
  const shown = found.filter((word) => word.startsWith(current) && !/\p{Cc}/u.test(word));
  terminal.out(shown.map((word) => `${word}\n`).join(''));
}

async function candidates(
  before: readonly string[],
  program: Command,
  terminal: Terminal,
): Promise<readonly string[]> {
  const { path, command } = commandOf(before, program);
  const previous = before.at(-1) ?? '';
  const option = command.options.find(({ short, long }) => previous === long || previous === short);
  if (option !== undefined && (option.required || option.optional)) {
    const kind = optionWords[previous];
    return kind === undefined ? (option.argChoices ?? []) : wordsOf(kind, before, terminal);
  }
  const kind = argumentWords[path];
  const given = before
    .slice(path === '' ? 0 : path.split(' ').length)
    .filter((word) => !word.startsWith('-'));
  const words = kind === undefined ? [] : await wordsOf(kind, before, terminal);
  return words.filter((word) => !given.includes(word));
}

/** The command that words begin with. `describe connector` counts as one, since its first argument decides about the second. */
function commandOf(
  words: readonly string[],
  program: Command,
): { readonly path: string; readonly command: Command } {
  let command = program;
  let path = '';
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word);
    const longer = path === '' ? word : `${path} ${word}`;
    if (next === undefined && argumentWords[longer] === undefined) break;
    command = next ?? command;
    path = longer;
  }
  return { path, command };
}

async function wordsOf(
  kind: WordKind,
  words: readonly string[],
  terminal: Terminal,
): Promise<readonly string[]> {
  switch (kind) {
    case 'resources':
      return ['connectors', 'workers', 'plugins', 'loggers'];
    case 'describables':
      return ['connector', 'plugin', 'worker'];
    case 'contexts':
      return Object.keys((await readContexts(quiet(terminal))).contexts);
    case 'connectors':
      return (await (await clientOf(words, terminal)).get('/connectors')) as readonly string[];
    case 'plugins': {
      const plugins = await (await clientOf(words, terminal)).get('/connector-plugins?connectorsOnly=false');
      return (plugins as readonly { readonly class: string }[]).map((plugin) => plugin.class);
    }
    case 'tasks':
      return tasksOf(words, terminal);
  }
}

/** Tasks of the connector that was named before. */
async function tasksOf(words: readonly string[], terminal: Terminal): Promise<readonly string[]> {
  const name = words.slice(2).find((word) => !word.startsWith('-')) ?? '';
  const status = (await (
    await clientOf(words, terminal)
  ).get(`${connectorPath(name)}/status`)) as StatusAnswer;
  return (status.tasks ?? []).map(({ id }) => String(id));
}

function quiet(terminal: Terminal): Terminal {
  return { ...terminal, err: () => undefined };
}

async function clientOf(words: readonly string[], terminal: Terminal): Promise<WorkerClient> {
  const connection = await connectionOf(connectionGiven(words), quiet(terminal));
  const signal = AbortSignal.any([terminal.signal, AbortSignal.timeout(WORKER_MS)]);
  return workerClient(connection, { signal, err: () => undefined }, { busyMs: 0 });
}

/** The options that say which worker, as far as they are typed. */
function connectionGiven(words: readonly string[]): ConnectionOptions {
  const value = (name: string): string | undefined => {
    const at = words.lastIndexOf(`--${name}`);
    const joined = words.findLast((word) => word.startsWith(`--${name}=`));
    return at >= 0 ? words[at + 1] : joined?.slice(name.length + 3);
  };
  const names = ['context', 'url', 'token', 'user', 'ca', 'cert', 'key'] as const;
  const given = names.flatMap((name) => {
    const found = value(name);
    return found === undefined ? [] : [[name, found] as const];
  });
  const header = words.flatMap((word, at) => (words[at - 1] === '--header' ? [word] : []));
  return { ...Object.fromEntries(given), header };
}
