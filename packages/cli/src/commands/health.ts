import { systemClock } from '@levada/connect-runtime-core';
import type { ConnectionOptions } from '../client/connection.ts';
import { connectToWorker, type WorkerAnswer, type WorkerClient } from '../client/worker-client.ts';
import { CommandError, CommandExit, exitCodes } from '../output/command-error.ts';
import type { Terminal } from '../output/terminal.ts';

/** Between two tries, in milliseconds. */
const PAUSE_MS = 500;

/** Options of `levada worker health`. */
export interface HealthOptions extends ConnectionOptions {
  /** Longest that it waits until the worker is ready, in seconds. */
  readonly wait: number;
}

/**
 * `levada worker health`: whether a worker is ready, for health checks of containers and scripts, which know no password. Ends with 1
 * when it is not, also while it starts, and with 4 when there is none.
 */
export async function showHealth(options: HealthOptions, terminal: Terminal): Promise<void> {
  const client = await connectToWorker(options, terminal, { busyMs: 0 });
  const end = systemClock.monotonic() + options.wait * 1000;
  for (;;) {
    try {
      terminal.out(`${await readyState(client)}\n`);
      return;
    } catch (thrown) {
      if (!(thrown instanceof CommandError) || systemClock.monotonic() >= end) throw thrown;
    }
    await systemClock.sleep(PAUSE_MS, terminal.signal).catch(() => {
      throw new CommandExit(exitCodes.interrupted);
    });
  }
}

/** Throws when the worker is not ready, or there is none. */
async function readyState(client: WorkerClient): Promise<string> {
  const { status, body } = await readiness(client);
  const state = textOf(body, 'status') ?? `answered with status ${status}`;
  if (status === 200) return state;
  const problem = `the worker at ${client.url} is not ready: ${state}`;
  throw new CommandError(exitCodes.problems, problem, textOf(body, 'message'));
}

/** Other workers than ours have `/health` alone. */
async function readiness(client: WorkerClient): Promise<WorkerAnswer> {
  const answer = await client.ask('GET', '/health/ready');
  return answer.status === 404 ? client.ask('GET', '/health') : answer;
}

function textOf(body: unknown, name: 'status' | 'message'): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value = (body as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : undefined;
}
