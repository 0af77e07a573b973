import { CommandExit, exitCodes } from '../output/command-error.ts';
import type { OutputForm } from '../output/forms.ts';
import { render, type TableRow, visible } from '../output/render.ts';
import type { Terminal } from '../output/terminal.ts';
import type { ConnectorState } from './wait-for-state.ts';

/** What JSON of these commands says in `schema`; the number grows when a reader could break. */
export const connectorShapes = {
  outcomes: 'levada.connector-outcomes/1',
  diff: 'levada.connector-diff/1',
  validation: 'levada.connector-validation/1',
  export: 'levada.connector-export/1',
} as const;

/** What was done, or in a dry run would be done, to a connector. */
export type ConnectorAction =
  | 'created'
  | 'updated'
  | 'unchanged'
  | 'deleted'
  | 'missing'
  | 'paused'
  | 'resumed'
  | 'stopped'
  | 'restarted'
  | 'failed';

/** The outcome of a command for one connector. */
export interface ConnectorOutcome extends ConnectorState {
  readonly name: string;
  readonly action: ConnectorAction;
  /** Keys that were changed. */
  readonly changed: readonly string[];
}

/** What is known of a connector that no state was asked of. */
export const unknownState: ConnectorState = {
  state: null,
  tasks: { running: 0, total: 0 },
  connection: null,
  error: null,
};

/** Options of commands that print outcomes. */
export interface PrintOptions {
  readonly output: OutputForm;
}

/**
 * Prints the outcomes, and ends the command with 1 when one of them has an error. Errors are on standard error, each with what to do
 * next.
 */
export function printOutcomes(
  outcomes: readonly ConnectorOutcome[],
  options: PrintOptions,
  terminal: Terminal,
): void {
  const value = { schema: connectorShapes.outcomes, connectors: outcomes.map(inOrder) };
  terminal.out(render(options.output, value, () => outcomeRows(outcomes)));
  const failed = outcomes.filter(({ error }) => error !== null);
  for (const { name, error, action } of failed) {
    terminal.err(`levada: ${visible(name)}: ${error?.replaceAll('\n', '\n  ')}\n`);
    if (action !== 'failed') terminal.err(`  "levada describe connector ${shellWord(name)}" shows it all\n`);
  }
  if (failed.length > 0) throw new CommandExit(exitCodes.problems);
}

function inOrder({
  name,
  action,
  changed,
  state,
  tasks,
  connection,
  error,
}: ConnectorOutcome): ConnectorOutcome {
  return { name, action, changed, state, tasks, connection, error };
}

/** Columns that say nothing of any connector are left out. */
function outcomeRows(outcomes: readonly ConnectorOutcome[]): readonly TableRow[] {
  const rows = outcomes.map(outcomeRow);
  const columns = Object.keys(rows[0] ?? {}).filter(
    (column) => column === 'name' || rows.some((row) => row[column] !== '-'),
  );
  return rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? ''])));
}

function outcomeRow({ name, action, state, tasks, connection, changed }: ConnectorOutcome): TableRow {
  return {
    name,
    action,
    state: state ?? '-',
    tasks: state === null ? '-' : `${tasks.running}/${tasks.total}`,
    changed: changed.length === 0 ? '-' : changed.length > 5 ? `${changed.length} keys` : changed.join(', '),
    connection: connection ?? '-',
  };
}

/** A word as a shell takes it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
