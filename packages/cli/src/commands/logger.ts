import type { ConnectionOptions } from '../client/connection.ts';
import { connectToWorker } from '../client/worker-client.ts';
import type { OutputForm } from '../output/forms.ts';
import { render } from '../output/render.ts';
import type { Terminal } from '../output/terminal.ts';

/** Options of `levada logger get`. */
export interface LoggerOptions extends ConnectionOptions {
  readonly output: OutputForm;
}

/** Options of `levada logger set`. */
export interface SetLoggerOptions extends LoggerOptions {
  /** On every worker of the group. Default: on the one that is asked. */
  readonly cluster?: boolean;
}

interface LevelAnswer {
  readonly level?: string | null;
  readonly last_modified?: number | null;
}

/** `levada logger get [name]`: one logger, or all that have their own level. */
export async function getLoggers(
  name: string | undefined,
  options: LoggerOptions,
  terminal: Terminal,
): Promise<void> {
  const client = await connectToWorker(options, terminal);
  const answer = await client.get(name === undefined ? '/admin/loggers' : loggerPath(name));
  const levels = (name === undefined ? answer : { [name]: answer }) as Readonly<Record<string, LevelAnswer>>;
  print(
    Object.entries(levels).map(([logger, { level = null, last_modified = null }]) => ({
      name: logger,
      level,
      last_modified,
    })),
    options,
    terminal,
  );
}

/** `levada logger set <name> <level>`: prints the loggers that have the level now. */
export async function setLogger(
  { name, level }: { readonly name: string; readonly level: string },
  options: SetLoggerOptions,
  terminal: Terminal,
): Promise<void> {
  const client = await connectToWorker(options, terminal);
  const scope = options.cluster === true ? '?scope=cluster' : '';
  // For all workers nothing is answered: each sets it when it reads it.
  const changed = await client.change('PUT', `${loggerPath(name)}${scope}`, { level });
  const names = Array.isArray(changed) ? changed.map(String) : [name];
  print(
    names.map((one) => ({ name: one, level, last_modified: null })),
    options,
    terminal,
  );
}

function print(
  loggers: readonly Required<LevelAnswer & { readonly name: string }>[],
  { output }: LoggerOptions,
  { out }: Terminal,
): void {
  const rows = loggers.map(({ name, level, last_modified: changed }) => ({
    name,
    level: level ?? '',
    changed: changed === null ? '' : new Date(changed).toISOString(),
  }));
  out(render(output, { schema: 'levada.loggers/1', loggers }, () => rows));
}

function loggerPath(name: string): string {
  return `/admin/loggers/${encodeURIComponent(name)}`;
}
