import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '@levada/connect-runtime-core';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { workerClient } from '../client/worker-client.ts';
import { type Awaited as AwaitedState, waitForStates } from './wait-for-state.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

type Reply = (response: ServerResponse) => void;

const status =
  (state: string, tasks: readonly string[], trace?: string): Reply =>
  (response) => {
    const rows = tasks.map((task, id) => ({ id, state: task, ...(trace === undefined ? {} : { trace }) }));
    response.end(JSON.stringify({ name: 'a', connector: { state }, tasks: rows }));
  };
const identity: Reply = (response) =>
  void response.end(JSON.stringify({ version: '3.9.1', commit: 'x', kafka_cluster_id: 'y' }));
const away: Reply = (response) => void response.destroy();
const noStatus: Reply = (response) => void response.writeHead(404).end('{"message":"No status found"}');

interface WaitHow {
  readonly timeout?: number;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** Hears what is printed on standard error. */
  readonly onErr?: (text: string) => void;
}

/** Waits for a worker that gives these answers, the last of them from then on. */
async function wait(
  replies: readonly Reply[],
  one: Partial<AwaitedState>,
  { timeout = 20, clock = systemClock, signal = new AbortController().signal, onErr }: WaitHow = {},
) {
  const left = [...replies];
  const server = createServer(({ url }, response) => {
    const reply = url === '/' ? identity : left.length > 1 ? left.shift() : left[0];
    reply?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let err = '';
  const terminal = {
    out: () => undefined,
    err: (text: string) => {
      err += text;
      onErr?.(text);
    },
    env: {},
    cwd: '.',
    signal,
  };
  const client = workerClient({ url, base: new URL(url), headers: {}, tls: {} }, terminal);
  const awaited: AwaitedState = { name: 'a', goal: 'running', settle: false, ...one };
  const found = await waitForStates(client, [awaited], { options: { wait: true, timeout }, terminal, clock });
  return { result: found.get('a'), err };
}

/** As {@link wait}, for a minute in which time passes in steps of so many milliseconds. */
async function waitInSteps(ms: number, replies: readonly Reply[], one: Partial<AwaitedState>) {
  const clock = createManualClock();
  const waiting = wait(replies, one, { timeout: 60, clock });
  let found: Awaited<typeof waiting> | undefined;
  void waiting.then((result) => {
    found = result;
  });
  while (found === undefined) {
    await new Promise((resolve) => setImmediate(resolve));
    // Nothing sleeps while an answer is on its way.
    if (clock.pending > 0) await clock.advance(ms);
  }
  return found;
}

describe('waiting for a state', () => {
  it('continues while there is no status and while the worker is away', async () => {
    const { result, err } = await wait(
      [
        noStatus,
        away,
        status('RUNNING', ['UNASSIGNED', 'RUNNING']),
        status('RUNNING', ['RUNNING', 'RUNNING']),
      ],
      {},
    );
    expect(result).toMatchObject({ state: 'RUNNING', tasks: { running: 2, total: 2 }, error: null });
    expect(err).toMatch(
      /^a: no status yet, tasks 0\/0\nno worker answers at .*\na: RUNNING, tasks 1\/2\na: RUNNING, tasks 2\/2\n$/,
    );
  });

  it('does not take the state before a change for the one after it', async () => {
    const replies = [
      status('RUNNING', ['RUNNING']),
      status('FAILED', [], ''),
      status('RUNNING', ['RUNNING']),
    ];
    const { result } = await wait(
      [...replies.slice(0, 1), status('RUNNING', ['FAILED'], 'Oops: no\n at x')],
      { settle: true },
    );
    expect(result).toMatchObject({ state: 'FAILED', error: 'Oops: no' });
    expect((await wait(replies, { settle: true })).result).toMatchObject({ state: 'RUNNING', error: null });
  });

  it('ends with 130 when it is interrupted, and says that the change stays', async () => {
    const printed: string[] = [];
    const interrupt = new AbortController();
    const waiting = wait(
      [
        status('RUNNING', []),
        (response) => {
          interrupt.abort();
          response.destroy();
        },
      ],
      {},
      { signal: interrupt.signal, onErr: (text) => printed.push(text) },
    );
    await expect(waiting).rejects.toMatchObject({ exitCode: 130 });
    expect(printed.at(-1)).toBe('levada: the wait was interrupted, what was changed stays: a\n');
  });

  it('does not take the state before a change for the one after it where seconds pass between two looks', async () => {
    const before = status('RUNNING', ['RUNNING']);
    const { result } = await waitInSteps(3000, [before, before, status('RUNNING', ['FAILED'], 'Oops')], {
      settle: true,
    });
    expect(result).toMatchObject({ state: 'FAILED', error: 'Oops' });
  });

  it('ends with what is missing when the time is over', async () => {
    const { result } = await waitInSteps(250, [status('RUNNING', [])], {});
    expect(result?.error).toBe('not ready within 60 s: it is RUNNING, 0 of 0 tasks run');
  });
});
