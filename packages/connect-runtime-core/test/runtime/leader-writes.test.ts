import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptedLog } from '../../src/testing/scripted-log.ts';
import { waitFor } from '../../src/testing/wait-for.ts';
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

describe('a leader whose log is away', () => {
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
});
