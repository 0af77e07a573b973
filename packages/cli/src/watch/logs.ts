import { systemClock } from '@levada/connect-runtime-core';
import { stringify } from 'yaml';
import type { ConnectionOptions } from '../client/connection.ts';
import { connectToWorker, json, messageOf, type WorkerClient } from '../client/worker-client.ts';
import { CommandError, exitCodes } from '../output/command-error.ts';
import type { OutputForm } from '../output/forms.ts';
import { visible } from '../output/render.ts';
import type { Terminal } from '../output/terminal.ts';

/** Between two looks for new lines, in milliseconds. */
const LOOK_MS = 1000;

/** Options of `levada logs`. */
export interface LogsOptions extends ConnectionOptions {
  readonly output: OutputForm;
  /** Continues with each new line until interrupted. */
  readonly follow?: boolean;
  /** How many of the last lines to begin with. */
  readonly lines: number;
  /** Lowest level. */
  readonly level: 'debug' | 'info' | 'warn' | 'error';
}

/** A log line, as `GET /admin/logs` answers it. */
interface LineAnswer {
  readonly number: number;
  readonly time: string;
  readonly level: string;
  readonly logger: string;
  readonly event?: string;
  readonly msg?: string;
  readonly [field: string]: unknown;
}

interface LogsAnswer {
  readonly since: number;
  readonly last: number;
  readonly lost: number;
  readonly lines: readonly LineAnswer[];
}

/** `levada logs [connector]`: the last log lines of a worker, or those about one connector. */
export async function printLogs(
  connector: string | undefined,
  options: LogsOptions,
  terminal: Terminal,
): Promise<void> {
  const client = await connectToWorker(options, terminal);
  const first = await linesOf(client, { connector, options, after: 0, last: options.lines });
  print(first.lines, options, terminal);
  if (options.follow !== true) {
    if (first.lines.length === 0) terminal.err('no log lines\n');
    return;
  }
  let { since, last } = first;
  for (;;) {
    try {
      await systemClock.sleep(LOOK_MS, terminal.signal);
    } catch {
      return; // interrupted, which is how following ends
    }
    const next = await nextLines(client, { connector, options, after: last }, terminal);
    if (next === undefined) continue;
    if (next.since !== since) {
      terminal.err('the worker was started again\n');
      // Its numbers begin again, too.
      const again = await linesOf(client, { connector, options, after: 0 });
      print(again.lines, options, terminal);
      ({ since, last } = again);
      continue;
    }
    if (next.lost > 0) terminal.err(`${next.lost} lines are not kept any more\n`);
    print(next.lines, options, terminal);
    last = next.last;
  }
}

interface LogsQuery {
  readonly connector: string | undefined;
  readonly options: LogsOptions;
  readonly after: number;
  readonly last?: number;
}

async function linesOf(
  client: WorkerClient,
  { connector, options, after, last }: LogsQuery,
): Promise<LogsAnswer> {
  const query = new URLSearchParams({ after: String(after), level: options.level });
  if (connector !== undefined) query.set('connector', connector);
  if (last !== undefined) query.set('last', String(last));
  const answer = await client.ask('GET', `/admin/logs?${query.toString()}`);
  if (answer.status === 404) {
    throw new CommandError(
      exitCodes.problems,
      `the worker at ${client.url} offers no log lines (${messageOf(answer)})`,
      'workers of Kafka Connect have them only in their own output or log file; "levada describe connector <name>" shows why one failed',
    );
  }
  return json(answer, client.url) as LogsAnswer;
}

/** Undefined while the worker does not answer: it may come back. */
async function nextLines(
  client: WorkerClient,
  query: LogsQuery,
  { err }: Terminal,
): Promise<LogsAnswer | undefined> {
  try {
    return await linesOf(client, query);
  } catch (thrown) {
    if (!(thrown instanceof CommandError) || thrown.exitCode !== exitCodes.unreachable) throw thrown;
    err(`${thrown.message}\n`);
    return undefined;
  }
}

function print(lines: readonly LineAnswer[], { output }: LogsOptions, { out }: Terminal): void {
  for (const line of lines) out(`${lineText(line, output)}\n`);
}

function lineText(line: LineAnswer, output: OutputForm): string {
  if (output === 'json') return JSON.stringify(line);
  if (output === 'yaml') return `---\n${stringify(line).trimEnd()}`;
  const { number: _number, time, level, logger: _logger, event, msg, ...fields } = line;
  const parts = [
    time,
    level.toUpperCase().padEnd(5),
    ...(event === undefined ? [] : [event]),
    ...(msg === undefined ? [] : [msg]),
    ...Object.entries(fields).map(([name, value]) => `${name}=${fieldText(value)}`),
  ];
  return parts.map(visible).join(' ');
}

function fieldText(value: unknown): string {
  const message = (value as { readonly message?: unknown } | null)?.message;
  const text =
    typeof value === 'string' ? value : typeof message === 'string' ? message : JSON.stringify(value);
  return /^[^\s"]+$/.test(text) ? text : JSON.stringify(text);
}
