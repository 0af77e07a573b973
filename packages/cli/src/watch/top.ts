import { systemClock } from '@levada/connect-runtime-core';
import type { ConnectionOptions } from '../client/connection.ts';
import { type ConnectorEntry, connectionText, firstLine } from '../client/worker-answers.ts';
import { connectToWorker, type WorkerClient } from '../client/worker-client.ts';
import { matches } from '../connectors/match-names.ts';
import { CommandError, exitCodes } from '../output/command-error.ts';
import type { OutputForm } from '../output/forms.ts';
import { render, renderTable, type TableRow } from '../output/render.ts';
import type { Terminal } from '../output/terminal.ts';
import { type Counters, countersOf, noCounters } from './counters.ts';

/** Options of `levada top`. */
export interface TopOptions extends ConnectionOptions {
  readonly output: OutputForm;
  /** Only connectors whose name matches. */
  readonly connectors?: string;
  /** Between two looks, in seconds. */
  readonly interval: number;
  /** Prints one snapshot, also on a terminal. */
  readonly once?: boolean;
}

interface TopEntry extends Counters {
  readonly name: string;
  readonly type: string;
  readonly state: string;
  readonly tasks: { readonly running: number; readonly total: number };
  readonly connection: string | null;
  readonly error: string | null;
}

interface Snapshot {
  /** Monotonic, in milliseconds. */
  readonly at: number;
  readonly entries: readonly TopEntry[];
}

/** `levada top`: a table of connectors that is drawn again and again; in a pipe one snapshot, with totals in place of rates. */
export async function showTop(options: TopOptions, terminal: Terminal): Promise<void> {
  const client = await connectToWorker(options, terminal);
  const { connectors: pattern } = options;
  const matching = (name: string) => pattern === undefined || matches(pattern, name);
  const look = () => snapshot(client, matching);
  if (terminal.tty !== true || options.once === true || options.output !== 'table') {
    const { entries } = await look();
    const value = { schema: 'levada.top/1', connectors: entries };
    terminal.out(render(options.output, value, () => entries.map((entry) => row(entry, undefined))));
    if (options.output === 'table' && entries.length === 0) terminal.err('no connectors\n');
    return;
  }
  await draw(look, { url: client.url, options, terminal });
}

const enter = '\u001b[?1049h\u001b[?25l';
const leave = '\u001b[?25h\u001b[?1049l';
const home = '\u001b[H\u001b[J';

/** Draws on the other screen of the terminal, which is left again in any case. */
async function draw(
  look: () => Promise<Snapshot>,
  {
    url,
    options,
    terminal,
  }: { readonly url: string; readonly options: TopOptions; readonly terminal: Terminal },
): Promise<void> {
  const { signal, out } = terminal;
  let before: Snapshot | undefined;
  let shown = '';
  out(enter);
  try {
    for (;;) {
      let trouble = '';
      try {
        const now = await look();
        shown = `${url}  ${new Date(systemClock.now()).toISOString()}  Ctrl+C ends\n\n${table(now, before)}`;
        before = now;
      } catch (thrown) {
        if (!(thrown instanceof CommandError) || thrown.exitCode !== exitCodes.unreachable) throw thrown;
        trouble = `${thrown.message}\n\n`;
        before = undefined;
      }
      out(`${home}${cut(trouble + shown, terminal)}`);
      try {
        await systemClock.sleep(Math.max(options.interval, 1) * 1000, signal);
      } catch {
        return; // interrupted, which is how it ends
      }
    }
  } finally {
    out(leave);
  }
}

/** As many lines and columns as the terminal has. */
function cut(screen: string, { size }: Terminal): string {
  const { rows, columns } = size?.() ?? { rows: 0, columns: 0 };
  // Terminals that do not know their size say 0.
  return screen
    .split('\n')
    .slice(0, (rows > 0 ? rows : 24) - 1)
    .map((line) => line.slice(0, columns > 0 ? columns : 80))
    .join('\n');
}

function table({ at, entries }: Snapshot, before: Snapshot | undefined): string {
  if (entries.length === 0) return 'no connectors\n';
  const seconds = before === undefined ? 0 : (at - before.at) / 1000;
  const rows = entries.map((entry) => {
    const earlier = before?.entries.find(({ name }) => name === entry.name);
    return row(entry, earlier === undefined ? undefined : { earlier, seconds });
  });
  return renderTable(rows);
}

/** Failed ones first, then by name. */
async function snapshot(client: WorkerClient, matching: (name: string) => boolean): Promise<Snapshot> {
  const all = (await client.get('/connectors?expand=status&expand=info&expand=connection')) as Readonly<
    Record<string, ConnectorEntry>
  >;
  const found = Object.entries(all).filter(([name]) => matching(name));
  const measured = await countersOf(
    client,
    found.map(([name]) => name),
  );
  const entries = found.map(([name, entry]) => topEntry(name, entry, measured.get(name) ?? noCounters));
  const rank = ({ state }: TopEntry): number => (state === 'FAILED' ? 0 : 1);
  return {
    at: systemClock.monotonic(),
    entries: entries.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1)),
  };
}

function topEntry(
  name: string,
  { status, info, connection = [] }: ConnectorEntry,
  counters: Counters,
): TopEntry {
  const tasks = status?.tasks ?? [];
  const failed = [status?.connector, ...tasks].find((part) => part?.state === 'FAILED');
  return {
    name,
    type: info?.type ?? 'unknown',
    state: failed?.state ?? status?.connector?.state ?? 'UNASSIGNED',
    tasks: { running: tasks.filter(({ state }) => state === 'RUNNING').length, total: tasks.length },
    connection: connection.length === 0 ? null : connectionText(connection),
    error: failed === undefined ? null : firstLine(failed.trace),
    ...counters,
  };
}

/** With rates when there was a look before, else with totals. */
function row(
  entry: TopEntry,
  since: { readonly earlier: Counters; readonly seconds: number } | undefined,
): TableRow {
  const rate = (name: 'received' | 'produced'): string => {
    const now = entry[name];
    const earlier = since?.earlier[name];
    if (now === null) return '-';
    if (since === undefined || earlier === null || earlier === undefined) return String(now);
    // Fewer than before: the counters began again.
    return `${Math.round(Math.max(0, now - earlier) / since.seconds)}/s`;
  };
  return {
    name: entry.name,
    state: entry.state,
    tasks: `${entry.tasks.running}/${entry.tasks.total}`,
    received: rate('received'),
    produced: rate('produced'),
    dropped: entry.dropped === null ? '-' : String(entry.dropped),
    queued: entry.queued === null ? '-' : String(entry.queued),
    connection: entry.error ?? entry.connection ?? '-',
  };
}
