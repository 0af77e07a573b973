import type { GroupWork } from '@levada/connect-runtime-core/platform';
import { describe, expect, it } from 'vitest';
import { type AssignorMemory, assignWork, emptyMemory, type MemberWork } from './assignor.ts';

const MAX_DELAY_MS = 60_000;

function work(connectors: readonly string[], tasks: readonly string[] = []): GroupWork {
  return { connectors: new Set(connectors), tasks: new Set(tasks) };
}

function member(id: string, connectors: readonly string[] = [], tasks: readonly string[] = []): MemberWork {
  return { id, ...work(connectors, tasks) };
}

/** Each member's assigned and revoked items of both kinds, as text. */
function shown(memory: AssignorMemory, members: readonly MemberWork[], configured: GroupWork, now = 0) {
  const lastGeneration = memory.generation;
  const generation = lastGeneration + 1;
  const outcome = assignWork(memory, {
    members,
    configured,
    generation,
    lastGeneration,
    now,
    maxDelayMs: MAX_DELAY_MS,
  });
  const text = (items: GroupWork): string => [...items.connectors, ...items.tasks].join(' ');
  const changes = Object.fromEntries(
    [...outcome.changes].map(([id, { assigned, revoked }]) => [
      id,
      { assigned: text(assigned), revoked: text(revoked) },
    ]),
  );
  return { ...outcome, changes };
}

const none = { assigned: '', revoked: '' };

describe('the assignment of work to members', () => {
  const abc = work(['a', 'b', 'c'], ['a-0', 'b-0', 'c-0', 'c-1']);

  it('new connectors and tasks are balanced separately', () => {
    const { changes, delayMs } = shown(emptyMemory, [member('m'), member('n')], abc);
    expect(changes).toEqual({
      m: { assigned: 'a c a-0 c-0', revoked: '' },
      n: { assigned: 'b b-0 c-1', revoked: '' },
    });
    expect(delayMs).toBe(0);
  });

  it('work for a new member is revoked in one round and assigned in the next', () => {
    const first = shown(emptyMemory, [member('m')], work(['a', 'b', 'c']));
    const second = shown(first.memory, [member('m', ['a', 'b', 'c']), member('n')], work(['a', 'b', 'c']));
    expect(second.changes).toEqual({ m: { assigned: '', revoked: 'c' }, n: none });
    const third = shown(second.memory, [member('m', ['a', 'b']), member('n')], work(['a', 'b', 'c']));
    expect(third.changes).toEqual({ m: none, n: { assigned: 'c', revoked: '' } });
  });

  it('a connector is assigned to members that can run it, and the rest balances the load', () => {
    const members = [member('java'), member('ours')];
    const canRun = (id: string, connector: string): boolean => id === 'java' || connector !== 'file';
    const configured = work(['file', 'a', 'b', 'c'], ['file-0', 'file-1', 'a-0']);
    const round = { members, configured, generation: 1, lastGeneration: -1, now: 0, maxDelayMs: 0, canRun };
    const { changes } = assignWork(emptyMemory, round);
    expect(changes.get('java')?.assigned).toEqual(work(['file', 'c'], ['file-0', 'file-1']));
    expect(changes.get('ours')?.assigned).toEqual(work(['a', 'b'], ['a-0']));
  });

  it('a connector is revoked from a member that cannot run it', () => {
    const members = [member('java'), member('ours', ['file'], ['file-0'])];
    const canRun = (id: string): boolean => id === 'java';
    const configured = work(['file'], ['file-0']);
    const round = { members, configured, generation: 1, lastGeneration: -1, now: 0, maxDelayMs: 0, canRun };
    const { changes } = assignWork(emptyMemory, round);
    expect(changes.get('ours')?.revoked).toEqual(work(['file'], ['file-0']));
    expect(changes.get('java')?.assigned).toEqual(work([]));
  });

  it('a connector that no member can run is assigned anyway, so that its failure is visible', () => {
    const round = { generation: 1, lastGeneration: -1, now: 0, maxDelayMs: 0, canRun: () => false };
    const { changes } = assignWork(emptyMemory, {
      ...round,
      members: [member('m')],
      configured: work(['a']),
    });
    expect(changes.get('m')?.assigned).toEqual(work(['a']));
  });

  it('nothing moves if nothing changed', () => {
    const members = [member('m', ['a', 'c']), member('n', ['b'])];
    const { changes, memory } = shown(emptyMemory, members, work(['a', 'b', 'c']));
    expect(changes).toEqual({ m: none, n: none });
    expect(shown(memory, members, work(['a', 'b', 'c'])).changes).toEqual({ m: none, n: none });
  });

  it('deleted connectors and tasks are revoked', () => {
    const { changes } = shown(
      emptyMemory,
      [member('m', ['a', 'b'], ['a-0', 'a-1', 'b-0'])],
      work(['a'], ['a-0']),
    );
    expect(changes).toEqual({ m: { assigned: '', revoked: 'b a-1 b-0' } });
  });

  it('work that two members run is revoked from both and assigned in the next round', () => {
    const { changes, memory } = shown(
      emptyMemory,
      [member('m', ['a', 'b']), member('n', ['a'])],
      work(['a', 'b']),
    );
    expect(changes).toEqual({ m: { assigned: '', revoked: 'a' }, n: { assigned: '', revoked: 'a' } });
    expect(shown(memory, [member('m', ['b']), member('n')], work(['a', 'b'])).changes).toEqual({
      m: none,
      n: { assigned: 'a', revoked: '' },
    });
  });

  describe('with a departed member', () => {
    const configured = work(['a', 'b', 'c', 'd']);
    const { memory } = shown(emptyMemory, [member('m'), member('n')], configured);
    const left = [member('m', ['a', 'c'])];

    it('lost work stays unassigned until the delay is over', () => {
      const waiting = shown(memory, left, configured, 1000);
      expect(waiting).toMatchObject({ changes: { m: none }, delayMs: MAX_DELAY_MS });
      const still = shown(waiting.memory, left, configured, 1000 + MAX_DELAY_MS - 1);
      expect(still).toMatchObject({ changes: { m: none }, delayMs: 1 });
      const over = shown(still.memory, left, configured, 1000 + MAX_DELAY_MS);
      expect(over).toMatchObject({ changes: { m: { assigned: 'b d', revoked: '' } }, delayMs: 0 });
    });

    it('new connectors are assigned while lost work waits', () => {
      const more = work([...configured.connectors, 'e']);
      expect(shown(memory, left, more).changes).toEqual({ m: { assigned: 'e', revoked: '' } });
    });

    it('a replacement member gets the lost work at once', () => {
      const waiting = shown(memory, left, configured);
      const back = shown(waiting.memory, [...left, member('o')], configured, 1);
      expect(back).toMatchObject({ changes: { m: none, o: { assigned: 'b d', revoked: '' } }, delayMs: 0 });
    });

    it('lost work does not wait if the maximum delay is 0', () => {
      const { generation: lastGeneration } = memory;
      const round = { members: left, configured, generation: 9, lastGeneration, now: 0, maxDelayMs: 0 };
      expect(assignWork(memory, round).changes.get('m')?.assigned.connectors).toEqual(new Set(['b', 'd']));
    });

    it('a new leader, which does not know the lost work, assigns it at once', () => {
      expect(shown(emptyMemory, left, configured).changes).toEqual({ m: { assigned: 'b d', revoked: '' } });
    });
  });

  it('work that a member did not receive is assigned again at once', () => {
    const { memory } = shown(emptyMemory, [member('m'), member('n')], work(['a', 'b']));
    expect(shown(memory, [member('m', ['a']), member('n')], work(['a', 'b']))).toMatchObject({
      changes: { m: none, n: { assigned: 'b', revoked: '' } },
      delayMs: 0,
    });
  });

  it('the wait between revoking rounds grows', () => {
    const configured = work('abcdefgh'.split(''));
    const first = shown(emptyMemory, [member('m', 'abcdefgh'.split('')), member('n')], configured, 0);
    expect(first.changes['m']?.revoked).toBe('e f g h');
    const members = [member('m', 'abcd'.split('')), member('n', 'efgh'.split('')), member('o')];
    const second = shown(first.memory, members, configured, 10);
    expect(second).toMatchObject({ changes: { m: none, n: none, o: none }, delayMs: 400 });
    const third = shown(second.memory, members, configured, 410);
    expect(third.changes).toMatchObject({ m: { revoked: 'd' }, n: { revoked: 'h' } });
    const fourth = shown(third.memory, [...members, member('p')], configured, 420);
    expect(fourth.delayMs).toBe(16_000);
  });

  it('50,000 connectors are spread over 1,000 members, and a new member moves only its share', () => {
    const names = Array.from({ length: 50_000 }, (_, at) => `connector-${at}`);
    const configured = work(
      names,
      names.map((name) => `${name}-0`),
    );
    const ids = Array.from({ length: 1_000 }, (_, at) => `member-${at}`);
    const first = assignWork(emptyMemory, {
      members: ids.map((id) => member(id)),
      configured,
      generation: 1,
      lastGeneration: -1,
      now: 0,
      maxDelayMs: MAX_DELAY_MS,
    });
    const running = [...first.changes].map(([id, { assigned }]) => ({ id, ...assigned }));
    expect(new Set(running.map(({ connectors, tasks }) => `${connectors.size} ${tasks.size}`))).toEqual(
      new Set(['50 50']),
    );
    const joined = assignWork(first.memory, {
      members: [...running, member('late')],
      configured,
      generation: 2,
      lastGeneration: 1,
      now: 0,
      maxDelayMs: MAX_DELAY_MS,
    });
    const moved = [...joined.changes.values()].reduce((sum, { revoked }) => sum + revoked.tasks.size, 0);
    expect(moved).toBe(49);
  });
});
