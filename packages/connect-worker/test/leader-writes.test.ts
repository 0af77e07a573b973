import { ConnectorError } from '@levada/connect-runtime-core';
import { type ManualClock, type ScriptedLog, waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import type { HerderError } from '../src/port/herder-error.ts';
import { elsewhere, member, stopAll, work } from './group-member.ts';
import { configOf } from './runtime-harness.ts';

afterEach(stopAll);

const never = new AbortController().signal;

/** What a leader that takes the group over does first. */
function takeOver(log: ScriptedLog) {
  const { transactions } = log.connect();
  return transactions?.producer({ clientId: 'other', transactionalId: 'connect-cluster-g' }, never);
}

/** Keys in the config topic, in order. */
function keysIn(log: ScriptedLog): readonly string[] {
  return log.records('connect-configs').map(({ key }) => String(Buffer.from(key ?? [])));
}

const refused = {
  kind: 'unavailable',
  message:
    'Failed to write to config topic; this may be due to a transient error and the request can be safely retried',
};

describe.each(['preparing', 'enabled'] as const)('a leader with exactly-once support %s', (support) => {
  it('writes nothing after another one has taken over, and again when it still leads', async () => {
    const { herder, log } = await member({ exactlyOnceSourceSupport: support });
    await herder.create('a', configOf('a'), 'STOPPED');
    const before = ['target-state-a', 'connector-a'];
    expect(keysIn(log)).toEqual(before);
    await takeOver(log);
    await expect(herder.delete('a')).rejects.toMatchObject(refused);
    expect(keysIn(log)).toEqual(before);
    await herder.delete('a');
    expect(keysIn(log)).toEqual([...before, 'connector-a', 'target-state-a']);
  });

  it('takes over when it becomes the leader, and gives up when it is not any more', async () => {
    const { assign, lose, log, herder, running } = await member({ exactlyOnceSourceSupport: support });
    await running('a');
    await assign({ ...elsewhere, generation: 2, work: work([], []) });
    const other = await takeOver(log);
    await other?.commit();
    await assign({ generation: 3, work: work(['a'], ['a-0']) });
    await expect(other?.commit()).rejects.toMatchObject({ code: 'fenced' });
    await waitFor(() => keysIn(log).includes('session-key'));
    await lose('the group removed this worker');
    await expect(herder.create('b', configOf('b'))).rejects.toMatchObject({ kind: 'elsewhere' });
    expect(keysIn(log)).not.toContain('connector-b');
  });
});

describe('a leader whose log does not take its writes', () => {
  it('fails a write within its time, and stores nothing of it later', async () => {
    const { herder, log, clock, advanceUntil } = await member({ exactlyOnceSourceSupport: 'enabled' });
    log.faults.goAway();
    const created = herder.create('a', configOf('a'), 'STOPPED').then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(await advanceUntil(created)).toMatchObject({ kind: 'timeout' });
    log.faults.comeBack();
    await clock.advance(60_000);
    expect(keysIn(log)).toEqual([]);
    await herder.create('a', configOf('a'), 'STOPPED');
    expect(keysIn(log)).toEqual(['target-state-a', 'connector-a']);
  });

  it('refuses what the log does not take, and stores what waited beside it', async () => {
    const { herder, log, states, clock } = await member({ exactlyOnceSourceSupport: 'enabled' });
    const tooLarge = new ConnectorError('record_too_large', 'record of 1048577 bytes is larger than 1048576');
    log.faults.refuse(({ key }) =>
      ['connector-b', 'task-d-0'].includes(String(Buffer.from(key ?? []))) ? tooLarge : undefined,
    );
    log.faults.slow(10);
    const created = ['a', 'b', 'c'].map((name) =>
      herder.create(name, configOf(name), 'STOPPED').then(
        () => 'created',
        (error: HerderError) => `${error.kind}: ${error.message}`,
      ),
    );
    const outcomes = await waitForAll(created, clock);
    expect(outcomes).toEqual(['created', `too_large: ${tooLarge.message}`, 'created']);
    log.faults.slow(0);
    await herder.create('d', configOf('d'));
    await states('d', 'FAILED');
    expect((await herder.status('d')).connector.trace).toContain(tooLarge.message);
  });
});

async function waitForAll<T>(promises: readonly Promise<T>[], clock: ManualClock): Promise<readonly T[]> {
  const results: T[] = [];
  for (const promise of promises) void promise.then((result) => results.push(result));
  await waitFor(async () => {
    await clock.advance(10);
    return results.length === promises.length;
  });
  return await Promise.all(promises);
}
