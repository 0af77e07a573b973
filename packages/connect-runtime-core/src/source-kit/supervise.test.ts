import { describe, expect, it } from 'vitest';
import type { ConnectionState } from '../contract/connection-state.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { type ConnectionHooks, type ReconnectPolicy, supervise } from './supervise.ts';

const lost = (message = 'gone'): ConnectorError => new ConnectorError('connection_lost', message);
const refused = (options = {}): ConnectorError => new ConnectorError('connection_failed', 'refused', options);

/** One connection as the test plays it. */
interface Dialled {
  readonly hooks: ConnectionHooks;
  readonly end: (error?: Error) => void;
}

function setUp(changes: Partial<ReconnectPolicy> = {}) {
  const clock = createManualClock();
  const stop = new AbortController();
  const policy = { enabled: true, intervalMs: 1000, maxMs: 8000, maxAttempts: -1, ...changes };
  const dialled: Dialled[] = [];
  const states: ConnectionState[] = [];
  const ends: string[] = [];
  const retries: { attempt: number; delayMs: number; at: number }[] = [];
  let next: (() => Promise<void>) | undefined;
  const running = supervise({
    clock,
    signal: stop.signal,
    random: () => 0,
    policy: () => policy,
    run: (hooks) => {
      if (next !== undefined) return next();
      return new Promise((resolve, reject) => {
        dialled.push({ hooks, end: (error) => (error === undefined ? resolve() : reject(error)) });
        hooks.signal.addEventListener('abort', () => resolve());
      });
    },
    onState: (state) => states.push(state),
    onEnd: ({ error, established }) => ends.push(`${established ? 'ended' : 'not made'}: ${error.message}`),
    onRetry: ({ attempt, delayMs }) => retries.push({ attempt, delayMs, at: clock.monotonic() }),
  });
  const outcome = running.then(
    () => 'resolved' as const,
    (error: ConnectorError) => error,
  );
  /** Runs the same script for each further connection. */
  const always = (run: () => Promise<void>): void => {
    next = run;
  };
  const latest = (): Dialled => dialled.at(-1) as Dialled;
  return { clock, stop, policy, dialled, states, ends, retries, outcome, always, latest };
}

describe('supervise', () => {
  it('goes through its states in order', async () => {
    const { clock, stop, states, latest, outcome } = setUp();
    latest().hooks.connected();
    await clock.advance(10);
    latest().end(lost());
    await clock.advance(1000);
    stop.abort();
    await outcome;
    expect(states).toEqual([
      { kind: 'connecting', attempt: 0 },
      { kind: 'connected', since: 0 },
      { kind: 'disconnected' },
      { kind: 'backing-off', attempt: 1, until: 1010 },
      { kind: 'connecting', attempt: 1 },
      { kind: 'closed' },
    ]);
  });

  it('tries an absent peer at the times of the table', async () => {
    const { clock, stop, always, retries, latest, outcome } = setUp();
    always(() => Promise.reject(refused()));
    latest().end(refused());
    await clock.advance(31_000);
    expect(retries).toEqual([
      { attempt: 1, delayMs: 1000, at: 0 },
      { attempt: 2, delayMs: 2000, at: 1000 },
      { attempt: 3, delayMs: 4000, at: 3000 },
      { attempt: 4, delayMs: 8000, at: 7000 },
      { attempt: 5, delayMs: 8000, at: 15_000 },
      { attempt: 6, delayMs: 8000, at: 23_000 },
      { attempt: 7, delayMs: 8000, at: 31_000 },
    ]);
    stop.abort();
    expect([await outcome, clock.pending]).toEqual(['resolved', 0]);
  });

  it('says whether a connection had been made', async () => {
    const { clock, stop, ends, latest, outcome } = setUp();
    latest().end(refused());
    await clock.advance(1000);
    latest().hooks.connected();
    latest().end();
    await clock.advance(0);
    expect(ends).toEqual(['not made: refused', 'ended: connection closed']);
    stop.abort();
    await outcome;
  });

  it.each<
    [string, (connection: Dialled, clock: ReturnType<typeof createManualClock>) => Promise<void>, number]
  >([
    ['a received message starts attempts from 1 again', async ({ hooks }) => hooks.healthy(), 1],
    ['30 s of a silent connection start attempts from 1 again', (_, clock) => clock.advance(30_000), 1],
    ['29.999 s of a silent connection do not', (_, clock) => clock.advance(29_999), 3],
  ])('%s', async (_, live, attempt) => {
    const { clock, stop, retries, latest, outcome } = setUp();
    latest().end(refused());
    await clock.advance(1000);
    latest().end(refused());
    await clock.advance(2000);
    latest().hooks.connected();
    await live(latest(), clock);
    latest().end(lost());
    await clock.advance(0);
    expect(retries.at(-1)?.attempt).toBe(attempt);
    stop.abort();
    await outcome;
  });

  it('does not count long dialling as a healthy connection', async () => {
    const { clock, stop, retries, latest, outcome } = setUp();
    latest().end(refused());
    await clock.advance(41_000);
    latest().end(refused());
    await clock.advance(0);
    expect(retries.map(({ attempt }) => attempt)).toEqual([1, 2]);
    stop.abort();
    await outcome;
  });

  it('gives up after as many attempts as allowed, in a row', async () => {
    const { clock, always, retries, states, latest, outcome } = setUp({ maxAttempts: 3 });
    always(() => Promise.reject(refused()));
    latest().end(refused());
    await clock.advance(60_000);
    const error = await outcome;
    expect(error).toMatchObject({ code: 'reconnect_exhausted', retriable: false });
    expect(error).toHaveProperty('message', 'reconnect attempts exhausted (3): refused');
    expect([retries.length, states.at(-1), clock.pending]).toEqual([3, { kind: 'closed' }, 0]);
  });

  it('gives up at once when no attempt is allowed', async () => {
    const { retries, latest, outcome } = setUp({ maxAttempts: 0 });
    latest().hooks.connected();
    latest().end(lost());
    expect(await outcome).toMatchObject({ code: 'reconnect_exhausted' });
    expect(retries).toEqual([]);
  });

  it('gives up when reconnecting is switched off, naming what ended the connection', async () => {
    const { latest, outcome } = setUp({ enabled: false });
    latest().end(lost('server restarts'));
    expect(await outcome).toMatchObject({
      code: 'reconnect_disabled',
      message: 'reconnecting is disabled and the connection ended: server restarts',
      cause: { message: 'server restarts' },
    });
  });

  it('gives up on a permanent failure, and rejects with it', async () => {
    const { retries, ends, latest, outcome } = setUp();
    const permanent = new ConnectorError('file_unreadable', 'cannot read ca.pem');
    latest().end(permanent);
    expect(await outcome).toBe(permanent);
    expect([retries, ends]).toEqual([[], ['not made: cannot read ca.pem']]);
  });

  it('waits as long as the peer asks for, but never longer than the maximum', async () => {
    const { clock, stop, retries, latest, outcome } = setUp();
    for (const retryAfterMs of [1500, 500, 60_000]) {
      latest().end(refused({ retryAfterMs }));
      await clock.advance(8000);
    }
    expect(retries.map(({ delayMs }) => delayMs)).toEqual([1500, 2000, 8000]);
    stop.abort();
    await outcome;
  });

  it('follows a policy that changes while it runs', async () => {
    const { clock, stop, policy, retries, latest, outcome } = setUp();
    latest().end(refused());
    await clock.advance(1000);
    policy.intervalMs = 100;
    latest().end(refused());
    await clock.advance(200);
    expect(retries.map(({ delayMs }) => delayMs)).toEqual([1000, 200]);
    stop.abort();
    await outcome;
  });

  it('ends during a back-off when it is aborted, without another attempt', async () => {
    const { clock, stop, dialled, latest, outcome } = setUp();
    latest().end(refused());
    await clock.advance(500);
    stop.abort();
    expect([await outcome, clock.pending, dialled.length]).toEqual(['resolved', 0, 1]);
  });

  it('ends a connection when it is aborted, and reports no loss', async () => {
    const { stop, ends, latest, outcome } = setUp();
    latest().hooks.connected();
    stop.abort();
    expect(await outcome).toBe('resolved');
    expect(ends).toEqual([]);
  });

  it('makes no connection when it was aborted before', async () => {
    let dials = 0;
    const states: string[] = [];
    await supervise({
      clock: createManualClock(),
      signal: AbortSignal.abort(),
      policy: () => ({ enabled: true, intervalMs: 1, maxMs: 1, maxAttempts: -1 }),
      run: async () => {
        dials += 1;
      },
      onState: ({ kind }) => states.push(kind),
      onEnd: () => undefined,
      onRetry: () => undefined,
    });
    expect([dials, states]).toEqual([0, ['closed']]);
  });

  it('ignores what an old connection says after its end', async () => {
    const { clock, stop, states, retries, latest, outcome } = setUp();
    const old = latest();
    old.hooks.connected();
    old.end(lost());
    await clock.advance(1000);
    const before = states.length;
    old.hooks.connected();
    old.hooks.healthy();
    expect(states.length).toBe(before);
    latest().end(refused());
    await clock.advance(0);
    expect(retries.map(({ attempt }) => attempt)).toEqual([1, 2]);
    stop.abort();
    await outcome;
  });

  it('says once that a connection is up', async () => {
    const { stop, states, latest, outcome } = setUp();
    latest().hooks.connected();
    latest().hooks.connected();
    expect(states.filter(({ kind }) => kind === 'connected').length).toBe(1);
    stop.abort();
    await outcome;
  });

  it('schedules the next attempt when dialling throws instead of rejecting', async () => {
    const { clock, stop, always, retries, latest, outcome } = setUp();
    always(() => {
      throw new TypeError('invalid header');
    });
    latest().end(refused());
    await clock.advance(1000);
    expect(retries.map(({ attempt }) => attempt)).toEqual([1, 2]);
    stop.abort();
    await outcome;
  });
});
