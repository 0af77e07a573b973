import { type Clock, systemClock } from '@levada/connect-runtime-core';
import {
  type ConnectionAnswer,
  connectionText,
  firstLine,
  type StatusAnswer,
} from '../client/worker-answers.ts';
import { connectorPath, type WorkerClient } from '../client/worker-client.ts';
import { CommandError, CommandExit, exitCodes } from '../output/command-error.ts';
import { visible } from '../output/render.ts';
import type { Terminal } from '../output/terminal.ts';
import type { InitialState } from './parse-connectors.ts';

/** Between two looks at a worker, in milliseconds. */
const LOOK_MS = 250;
/**
 * At how many looks, one after the other, a state must be seen before it counts after a change of something that ran: statuses have
 * no version, so that those of the tasks before the change are still answered for a moment. Looks and not time, of which a machine
 * that stands still shows nothing.
 */
const SETTLE_LOOKS = 5;
/** More connectors than these are asked for in one request. */
const FEW = 20;

/** Options of commands that wait. */
export interface WaitOptions {
  /** Default: true. */
  readonly wait: boolean;
  /** Longest wait, in seconds. */
  readonly timeout: number;
}

/** A connector, and the state that is waited for. */
export interface Awaited {
  readonly name: string;
  readonly goal: InitialState;
  /** Whether an earlier state may still be answered. */
  readonly settle: boolean;
}

/** How a connector is. */
export interface ConnectorState {
  /** That of the connector, FAILED when it or a task failed; null when it is not known. */
  readonly state: string | null;
  readonly tasks: { readonly running: number; readonly total: number };
  /** Of its connections, where the worker says so. */
  readonly connection: string | null;
  /** Why it does not run, or did not in time. */
  readonly error: string | null;
}

interface Watched extends Awaited {
  /** At how many of the last looks its state was the goal, or a failure. */
  looks: number;
  shown: string;
}

/** The states of connectors now. Those without a status have none. */
export async function connectorStates(
  client: WorkerClient,
  names: readonly string[],
): Promise<ReadonlyMap<string, ConnectorState>> {
  if (names.length > FEW) {
    const all = (await client.get('/connectors?expand=status&expand=connection')) as Readonly<
      Record<string, { status?: StatusAnswer; connection?: readonly ConnectionAnswer[] }>
    >;
    return new Map(
      names.map((name) => [name, stateOf({ ...all[name]?.status, connection: all[name]?.connection })]),
    );
  }
  const found = new Map<string, ConnectorState>();
  for (const name of names) {
    const status = (await client.find(`${connectorPath(name)}/status?expand=connection`)) as
      | StatusAnswer
      | undefined;
    found.set(name, stateOf(status ?? {}));
  }
  return found;
}

/**
 * Waits until each connector and its tasks have the state that is waited for, failed, or the time is over, and says on standard error
 * what changes meanwhile. The last states; those that did not get there have an `error`.
 */
export async function waitForStates(
  client: WorkerClient,
  awaited: readonly Awaited[],
  how: WaitHow,
): Promise<ReadonlyMap<string, ConnectorState>> {
  try {
    return await reached(client, awaited, how);
  } catch (thrown) {
    if (thrown instanceof CommandExit && thrown.exitCode === exitCodes.interrupted) {
      const names = awaited.map(({ name }) => visible(name)).join(', ');
      how.terminal.err(`levada: the wait was interrupted, what was changed stays: ${names}\n`);
    }
    throw thrown;
  }
}

interface WaitHow {
  readonly options: WaitOptions;
  readonly terminal: Terminal;
  readonly clock?: Clock;
}

async function reached(
  client: WorkerClient,
  awaited: readonly Awaited[],
  { options, terminal, clock = systemClock }: WaitHow,
): Promise<ReadonlyMap<string, ConnectorState>> {
  const results = new Map<string, ConnectorState>();
  const end = clock.monotonic() + options.timeout * 1000;
  let left: Watched[] = awaited.map((one) => ({ ...one, looks: 0, shown: '' }));
  while (left.length > 0) {
    const states = await lookAt(
      client,
      left.map(({ name }) => name),
      { terminal, isLate: clock.monotonic() >= end },
    );
    const isLate = clock.monotonic() >= end;
    left = left.filter((one) => {
      const state = states.get(one.name) ?? stateOf({});
      if (states.has(one.name)) show(one, state, terminal);
      const isDone = state.error !== null || isReached(one.goal, state);
      one.looks = isDone ? one.looks + 1 : 0;
      const settled = one.looks >= (one.settle ? SETTLE_LOOKS : 1);
      if (!settled && !isLate) return true;
      results.set(one.name, settled || isDone ? state : { ...state, error: lateText(state, options) });
      return false;
    });
    if (left.length > 0) {
      await clock.sleep(LOOK_MS, terminal.signal).catch(() => {
        throw new CommandExit(exitCodes.interrupted);
      });
    }
  }
  return results;
}

/** The states now; none while the worker does not answer, unless it is late: a worker may be started again meanwhile. */
async function lookAt(
  client: WorkerClient,
  names: readonly string[],
  { terminal, isLate }: { readonly terminal: Terminal; readonly isLate: boolean },
): Promise<ReadonlyMap<string, ConnectorState>> {
  try {
    return await connectorStates(client, names);
  } catch (thrown) {
    const isAway = thrown instanceof CommandError && thrown.exitCode === exitCodes.unreachable;
    if (!isAway || isLate) throw thrown;
    terminal.err(`${thrown.message}\n`);
    return new Map();
  }
}

/** The state to expect of a connector that was changed: a change leaves a paused or stopped one as it is. */
export function goalAfterChange(before: string | null): InitialState {
  return before === 'PAUSED' ? 'paused' : before === 'STOPPED' ? 'stopped' : 'running';
}

function isReached(goal: InitialState, { state, tasks }: ConnectorState): boolean {
  switch (goal) {
    case 'running':
      return state === 'RUNNING' && tasks.total > 0 && tasks.running === tasks.total;
    case 'paused':
      return state === 'PAUSED' && tasks.running === 0;
    case 'stopped':
      return state === 'STOPPED' && tasks.total === 0;
  }
}

function show(one: Watched, state: ConnectorState, { err }: Terminal): void {
  const text = `${state.state ?? 'no status yet'}, tasks ${state.tasks.running}/${state.tasks.total}`;
  if (text === one.shown) return;
  one.shown = text;
  err(`${visible(one.name)}: ${text}\n`);
}

function lateText({ state, tasks }: ConnectorState, { timeout }: WaitOptions): string {
  const how =
    state === null ? 'it has no status yet' : `it is ${state}, ${tasks.running} of ${tasks.total} tasks run`;
  return `not ready within ${timeout} s: ${how}`;
}

/** What a status says in a few words. */
export function stateOf(
  status: Omit<StatusAnswer, 'connection'> & {
    readonly connection?: readonly ConnectionAnswer[] | undefined;
  },
): ConnectorState {
  const tasks = status.tasks ?? [];
  const failed = [status.connector, ...tasks].find((part) => part?.state === 'FAILED');
  return {
    state: failed?.state ?? status.connector?.state ?? null,
    tasks: { running: tasks.filter(({ state }) => state === 'RUNNING').length, total: tasks.length },
    connection: (status.connection ?? []).length === 0 ? null : connectionText(status.connection),
    error: failed === undefined ? null : visible(firstLine(failed.trace)) || 'failed without a trace',
  };
}
