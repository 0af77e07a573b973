import type { PlatformHealth } from '@levada/connect-runtime-core/platform';
import type { WorkerMetrics } from '@levada/connect-worker';
import { describe, expect, it } from 'vitest';
import { createExposition, type ExpositionRequest, everything } from './exposition.ts';

/** A worker with so many paused connectors that its text has several parts. */
const metrics: WorkerMetrics = {
  objects: () => [],
  objectsOf: () => [],
  connectors: () =>
    Array.from({ length: 500 }, (_, at) => ({
      name: `connector-${at}`,
      className: 'x.X',
      status: { state: 'PAUSED', workerId: 'w', generation: 0 },
      tasks: [],
      group: undefined,
    })),
};

function exposition(logHealth: () => PlatformHealth = () => ({ status: 'ok' })) {
  return createExposition({
    metrics,
    names: 'strimzi',
    maxSeries: 100_000,
    labels: {},
    process: () => ({ residentBytes: 1, cpuSeconds: 1 }),
    logHealth,
    groupFindings: () => 0,
    descriptorsExhausted: () => 0,
  });
}

const request: ExpositionRequest = { format: 'prometheus', ...everything };

function open(expose: ReturnType<typeof exposition>): AsyncIterator<string> {
  return expose(request)[Symbol.asyncIterator]();
}

describe('the state of the log', () => {
  async function logRows(health: PlatformHealth) {
    let readings = 0;
    const expose = exposition(() => {
      readings += 1;
      return health;
    });
    let text = '';
    for await (const part of expose({ ...request, families: ['connect_worker_log_state'] })) text += part;
    const rows = text.matchAll(/^connect_worker_log_state\{(.*)\} 1$/gm);
    return { readings, rows: [...rows].map(([, labels]) => labels) };
  }

  const since = Date.UTC(2026, 0, 1);

  it.each<[string, PlatformHealth]>([
    ['state="ok",partial="false"', { status: 'ok' }],
    ['state="throttled",partial="false"', { status: 'throttled', reason: 'quota', since }],
    ['state="throttled",partial="true"', { status: 'throttled', reason: 'quota', since, isPartial: true }],
    ['state="away",partial="false"', { status: 'away', reason: 'gone', since }],
    ['state="away",partial="true"', { status: 'away', reason: 'one topic is gone', since, isPartial: true }],
  ])('is the one series %s, from one reading', async (labels, health) => {
    expect(await logRows(health)).toEqual({ readings: 1, rows: [labels] });
  });
});

describe('texts of metrics', () => {
  it('are written a few at a time, and the next one begins when a client leaves', async () => {
    const expose = exposition();
    const first = Array.from({ length: 4 }, () => open(expose));
    await Promise.all(first.map((text) => text.next()));
    const waiting = open(expose);
    let began = false;
    const part = waiting.next().then((result) => {
      began = true;
      return result;
    });
    // Each of the others gets further, and this one does not.
    await first[0]?.next();
    expect(began).toBe(false);
    await first[1]?.return?.();
    expect((await part).value).toContain('connect_worker_info');
  });

  it('hold no place for a client that left while it was waiting', async () => {
    const expose = exposition();
    const first = Array.from({ length: 4 }, () => open(expose));
    await Promise.all(first.map((text) => text.next()));
    const left = open(expose);
    const part = left.next();
    const ended = left.return?.();
    await first[0]?.return?.();
    await Promise.all([part, ended]);
    const next = await open(expose).next();
    expect(next.value).toContain('connect_worker_info');
  });

  it('let everything else have its turn between their parts', async () => {
    let turns = 0;
    let over = false;
    const count = (): void => {
      turns += 1;
      if (!over) setImmediate(count);
    };
    setImmediate(count);
    let parts = 0;
    for await (const part of exposition()(request)) parts += Number(part.length > 0);
    over = true;
    expect(parts).toBeGreaterThan(2);
    expect(turns).toBeGreaterThanOrEqual(parts - 1);
  });
});
