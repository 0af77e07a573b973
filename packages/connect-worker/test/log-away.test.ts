import type { CompactedLog, LogPlatform } from '@levada/connect-runtime-core/platform';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import type { Herder } from '../src/port/herder.ts';
import { configOf, type RuntimeHarness, runtimeHarness } from './runtime-harness.ts';

const open: RuntimeHarness[] = [];

function harnessOf(...given: Parameters<typeof runtimeHarness>): RuntimeHarness {
  const harness = runtimeHarness(...given);
  open.push(harness);
  return harness;
}

function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
}

/** Every read that the snapshot answers. */
function readsOf(herder: Herder) {
  return {
    connectors: herder.connectors(),
    connector: herder.connector('a'),
    config: herder.config('a'),
    tasks: herder.tasks('a'),
    status: herder.status('a'),
    taskStatus: herder.taskStatus('a', 0),
    connections: herder.connections('a'),
    metrics: herder.metrics('a'),
    offsets: herder.offsets('a'),
    activeTopics: herder.activeTopics('a'),
    configUpdate: herder.configUpdate('test.ArraySourceConnector', configOf('a')),
  };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(({ runtime, advanceUntil }) => advanceUntil(runtime.stop())));
});

describe('a worker whose log is away at its start', () => {
  it('keeps trying, says so, and starts when the log is there', async () => {
    const { log, clock, runtime, herder, logger, running } = harnessOf();
    log.faults.goAway('connect ECONNREFUSED');
    const started = runtime.start();
    await clock.advance(3_000);
    expect(herder.health()).toMatchObject({
      status: 'starting',
      stage: 'initializing and reading to the end of internal topics',
    });
    const lines = logger.withEvent('store_unavailable');
    expect(lines.length).toBeGreaterThanOrEqual(3);
    expect(lines.length).toBeLessThanOrEqual(6);
    log.faults.comeBack();
    await clock.advance(5_000);
    await started;
    expect(herder.health()).toEqual({ status: 'healthy' });
    await running('a');
  });

  it('refuses reads and changes within two seconds, and answers what needs no connectors', async () => {
    const { log, clock, runtime, herder } = harnessOf();
    log.faults.goAway();
    void runtime.start();
    expect(herder.plugins(true)).toHaveLength(1);
    expect(herder.knownConnectors()).toEqual([]);
    expect(await herder.validate('test.ArraySourceConnector', configOf('a'))).toMatchObject({
      errorCount: 0,
    });
    const refused = [
      ...Object.values(readsOf(herder)),
      herder.resetActiveTopics('a'),
      herder.create('a', configOf('a')),
    ].map(failureOf);
    await clock.advance(2_000);
    expect(await Promise.all(refused)).toEqual(
      refused.map(() =>
        expect.objectContaining({
          kind: 'unavailable',
          message:
            'Worker is still starting up. The worker is currently initializing and reading to the end of internal topics',
        }),
      ),
    );
  });

  it('refuses reads and changes at once when the log has been away for longer than they would wait', async () => {
    const { log, clock, runtime, herder } = harnessOf();
    log.faults.goAway();
    void runtime.start();
    const first = failureOf(herder.connectors());
    await clock.advance(1_500);
    expect(await first).toMatchObject({ kind: 'unavailable' });
    const refused = [...Object.values(readsOf(herder)), herder.create('a', configOf('a'))].map(failureOf);
    // No time passes.
    expect(await Promise.all(refused)).toEqual(
      refused.map(() => expect.objectContaining({ kind: 'unavailable' })),
    );
    log.faults.comeBack();
    await clock.advance(5_000);
    expect(await herder.connectors()).toEqual([]);
  });

  it('answers a read that came before the log was read as soon as it is', async () => {
    const first = harnessOf();
    await first.runtime.start();
    await first.running('a');
    await first.advanceUntil(first.runtime.stop());
    const { log, clock, runtime, herder } = harnessOf({}, { log: first.log, clock: first.clock });
    log.faults.goAway();
    void runtime.start();
    const names = herder.connectors();
    await clock.advance(100);
    log.faults.comeBack();
    await clock.advance(1_000);
    expect(await names).toEqual(['a']);
  });

  it('refuses the reads that wait for it as soon as it is stopped', async () => {
    const { log, clock, runtime, herder } = harnessOf();
    log.faults.goAway();
    void runtime.start();
    const refused = failureOf(herder.connectors());
    await clock.advance(100);
    void runtime.stop();
    expect(await refused).toMatchObject({ kind: 'unavailable', message: 'The worker is shutting down' });
  });

  it('can be stopped', async () => {
    const { log, clock, runtime } = harnessOf();
    log.faults.goAway();
    const started = runtime.start();
    await clock.advance(100);
    const stopped = runtime.stop();
    await clock.advance(2_000);
    expect(await stopped).toEqual({ undelivered: [] });
    expect(await started).toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  it('opens nothing when it was stopped before', async () => {
    const { log, runtime } = harnessOf();
    await runtime.stop();
    await runtime.start();
    expect(log.topicNames()).toEqual([]);
  });

  it('does not try again when an internal topic is not usable', async () => {
    const { log, runtime } = harnessOf();
    log.createTopic({ name: 'connect-configs', partitions: 2, config: { 'cleanup.policy': 'compact' } });
    await expect(runtime.start()).rejects.toMatchObject({ code: 'config_invalid' });
  });

  it('rejects its start when the signal of the start aborts', async () => {
    const { log, clock, runtime } = harnessOf();
    log.faults.goAway();
    const abort = new AbortController();
    const failed = failureOf(runtime.start(abort.signal));
    await clock.advance(100);
    abort.abort();
    expect(await failed).toMatchObject({ code: 'aborted' });
  });
});

describe('a worker whose log goes away', () => {
  it('answers from what it knows, and refuses changes', async () => {
    const { log, runtime, herder, running } = harnessOf();
    await runtime.start();
    await running('a');
    log.faults.goAway('the log is away');
    const reads = readsOf(herder);
    await Promise.all(Object.values(reads));
    expect(await reads.connectors).toEqual(['a']);
    expect((await reads.status).connector.state).toBe('RUNNING');
    expect(await reads.offsets).toEqual([]);
    await expect(herder.setTargetState('a', 'PAUSED')).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'the log is away',
    });
    log.faults.comeBack();
  });

  it('carries out later what it could not store at once', async () => {
    const { log, clock, runtime, herder, source, states, logger } = harnessOf();
    await runtime.start();
    source.script.taskConfigs = (raw) => {
      log.faults.goAway();
      return [raw];
    };
    await herder.create('a', configOf('a'));
    await waitFor(() => logger.withEvent('effect_failed').length > 0);
    source.script.taskConfigs = (raw) => [raw];
    log.faults.comeBack();
    await clock.advance(20_000);
    await states('a', 'RUNNING', 'RUNNING');
    expect(await herder.tasks('a')).toHaveLength(1);
  });

  it("times out with Kafka Connect's message when a write gets no answer", async () => {
    let stuck = false;
    const hanging = (log: CompactedLog): CompactedLog => ({
      put: (key, value) => (stuck ? new Promise(() => {}) : log.put(key, value)),
      readToEnd: (signal) => log.readToEnd(signal),
      close: () => log.close(),
    });
    const base = runtimeHarness();
    const platform = base.options.platform;
    const slow: LogPlatform = {
      ...platform,
      compactedLog: async (options, signal) => hanging(await platform.compactedLog(options, signal)),
    };
    const { runtime, herder, advanceUntil, clock } = harnessOf({ platform: slow }, base);
    await runtime.start();
    stuck = true;
    const put = herder.putConfig('q', configOf('q'));
    const later = herder.putConfig('q', configOf('q'));
    const message =
      /^Request timed out\. The worker is currently writing a config for connector q to the config topic, which began at 2026-01-01T00:00:\d\d\.\d{3}Z\.$/;
    const both = Promise.all([failureOf(put), failureOf(later)]);
    await clock.advance(15_000);
    expect(herder.health()).toMatchObject({ status: 'unhealthy', since: Date.UTC(2026, 0, 1) });
    const [first, second] = await advanceUntil(both);
    expect(first).toMatchObject({ kind: 'timeout', message: expect.stringMatching(message) });
    expect(second).toMatchObject({ kind: 'timeout' });
  });
});
