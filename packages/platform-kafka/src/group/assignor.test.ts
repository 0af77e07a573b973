import type { GroupWork } from '@levada/connect-runtime-core/platform';
import fc from 'fast-check';
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

  it('balances connectors and tasks separately when nothing runs', () => {
    const { changes, delayMs } = shown(emptyMemory, [member('m'), member('n')], abc);
    expect(changes).toEqual({
      m: { assigned: 'a c a-0 c-0', revoked: '' },
      n: { assigned: 'b b-0 c-1', revoked: '' },
    });
    expect(delayMs).toBe(0);
  });

  it('revokes in one round, and assigns to the new member in the next', () => {
    const first = shown(emptyMemory, [member('m')], work(['a', 'b', 'c']));
    const second = shown(first.memory, [member('m', ['a', 'b', 'c']), member('n')], work(['a', 'b', 'c']));
    expect(second.changes).toEqual({ m: { assigned: '', revoked: 'c' }, n: none });
    const third = shown(second.memory, [member('m', ['a', 'b']), member('n')], work(['a', 'b', 'c']));
    expect(third.changes).toEqual({ m: none, n: { assigned: 'c', revoked: '' } });
  });

  it('gives a connector to the members that can run it, and shares the rest out so that all have as much', () => {
    const members = [member('java'), member('ours')];
    const canRun = (id: string, connector: string): boolean => id === 'java' || connector !== 'file';
    const configured = work(['file', 'a', 'b', 'c'], ['file-0', 'file-1', 'a-0']);
    const round = { members, configured, generation: 1, lastGeneration: -1, now: 0, maxDelayMs: 0, canRun };
    const { changes } = assignWork(emptyMemory, round);
    expect(changes.get('java')?.assigned).toEqual(work(['file', 'c'], ['file-0', 'file-1']));
    expect(changes.get('ours')?.assigned).toEqual(work(['a', 'b'], ['a-0']));
  });

  it('takes a connector away from a member that cannot run it', () => {
    const members = [member('java'), member('ours', ['file'], ['file-0'])];
    const canRun = (id: string): boolean => id === 'java';
    const configured = work(['file'], ['file-0']);
    const round = { members, configured, generation: 1, lastGeneration: -1, now: 0, maxDelayMs: 0, canRun };
    const { changes } = assignWork(emptyMemory, round);
    expect(changes.get('ours')?.revoked).toEqual(work(['file'], ['file-0']));
    expect(changes.get('java')?.assigned).toEqual(work([]));
  });

  it('gives a connector that no member can run to any, where its failure shows', () => {
    const round = { generation: 1, lastGeneration: -1, now: 0, maxDelayMs: 0, canRun: () => false };
    const { changes } = assignWork(emptyMemory, {
      ...round,
      members: [member('m')],
      configured: work(['a']),
    });
    expect(changes.get('m')?.assigned).toEqual(work(['a']));
  });

  it('leaves everything in place when nothing changed', () => {
    const members = [member('m', ['a', 'c']), member('n', ['b'])];
    const { changes, memory } = shown(emptyMemory, members, work(['a', 'b', 'c']));
    expect(changes).toEqual({ m: none, n: none });
    expect(shown(memory, members, work(['a', 'b', 'c'])).changes).toEqual({ m: none, n: none });
  });

  it('revokes deleted connectors and tasks', () => {
    const { changes } = shown(
      emptyMemory,
      [member('m', ['a', 'b'], ['a-0', 'a-1', 'b-0'])],
      work(['a'], ['a-0']),
    );
    expect(changes).toEqual({ m: { assigned: '', revoked: 'b a-1 b-0' } });
  });

  it('revokes from both what two members run, and assigns it in the next round', () => {
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

    it('keeps lost work unassigned until the delay is over', () => {
      const waiting = shown(memory, left, configured, 1000);
      expect(waiting).toMatchObject({ changes: { m: none }, delayMs: MAX_DELAY_MS });
      const still = shown(waiting.memory, left, configured, 1000 + MAX_DELAY_MS - 1);
      expect(still).toMatchObject({ changes: { m: none }, delayMs: 1 });
      const over = shown(still.memory, left, configured, 1000 + MAX_DELAY_MS);
      expect(over).toMatchObject({ changes: { m: { assigned: 'b d', revoked: '' } }, delayMs: 0 });
    });

    it('assigns new connectors while lost work waits', () => {
      const more = work([...configured.connectors, 'e']);
      expect(shown(memory, left, more).changes).toEqual({ m: { assigned: 'e', revoked: '' } });
    });

    it('gives lost work to a member that joins in its place at once', () => {
      const waiting = shown(memory, left, configured);
      const back = shown(waiting.memory, [...left, member('o')], configured, 1);
      expect(back).toMatchObject({ changes: { m: none, o: { assigned: 'b d', revoked: '' } }, delayMs: 0 });
    });

    it('does not wait when the maximum delay is 0', () => {
      const { generation: lastGeneration } = memory;
      const round = { members: left, configured, generation: 9, lastGeneration, now: 0, maxDelayMs: 0 };
      expect(assignWork(memory, round).changes.get('m')?.assigned.connectors).toEqual(new Set(['b', 'd']));
    });

    it('assigns at once when the leader has changed and does not know what was lost', () => {
      expect(shown(emptyMemory, left, configured).changes).toEqual({ m: { assigned: 'b d', revoked: '' } });
    });
  });

  it('assigns work again at once that a member did not receive', () => {
    const { memory } = shown(emptyMemory, [member('m'), member('n')], work(['a', 'b']));
    expect(shown(memory, [member('m', ['a']), member('n')], work(['a', 'b']))).toMatchObject({
      changes: { m: none, n: { assigned: 'b', revoked: '' } },
      delayMs: 0,
    });
  });

  it('waits longer each time between rounds that revoke', () => {
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

  it('spreads 50,000 connectors over 1,000 members, and moves no more than the share of one that joins', () => {
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

/**
 * A group as the coordinator and its members see it. Members apply what they receive one after the other, at any time before the next
 * round; what they have not applied by then is void. A departed member has stopped everything: that is what its lease is for.
 */
class ModelGroup {
  readonly members = new Map<
    string,
    { readonly running: Record<keyof GroupWork, Set<string>>; memory: AssignorMemory; generation: number }
  >();
  readonly configured = { connectors: new Set<string>(), tasks: new Set<string>() };
  now = 0;
  generation = 0;
  delayMs = 0;
  leader: string | undefined;
  /** Assignments of this generation that members have not applied. */
  readonly sent = new Map<string, { readonly assigned: GroupWork; readonly revoked: GroupWork }>();
  #joined = 0;
  readonly #classes: number;

  /** Each member has one class of so many, and runs the connectors of that class. 1: all can run all. */
  constructor(classes = 1) {
    this.#classes = classes;
  }

  /** The first member that joined has all classes. */
  readonly canRun = (id: string, connector: string): boolean => {
    const number = Number(id.slice(1));
    return number <= 1 || number % this.#classes === Number(connector.slice(1)) % this.#classes;
  };

  join(): void {
    this.#joined += 1;
    const running = { connectors: new Set<string>(), tasks: new Set<string>() };
    this.members.set(`m${this.#joined}`, { running, memory: emptyMemory, generation: -1 });
  }

  leave(at: number): void {
    const id = [...this.members.keys()][at % Math.max(1, this.members.size)];
    if (id === undefined) return;
    this.members.delete(id);
    if (this.leader === id) this.leader = undefined;
  }

  configure(at: number): void {
    const name = `c${at % 7}`;
    if (this.configured.connectors.delete(name)) {
      for (const task of this.configured.tasks)
        if (task.startsWith(`${name}-`)) this.configured.tasks.delete(task);
      return;
    }
    this.configured.connectors.add(name);
    for (let task = 0; task <= at % 4; task += 1) this.configured.tasks.add(`${name}-${task}`);
  }

  /** All members join, and the leader assigns. */
  rebalance(): void {
    this.sent.clear();
    this.leader ??= this.members.keys().next().value;
    const leader = this.leader === undefined ? undefined : this.members.get(this.leader);
    if (leader === undefined) return;
    this.generation += 1;
    const members = [...this.members].map(([id, { running }]) => ({
      id,
      connectors: new Set(running.connectors),
      tasks: new Set(running.tasks),
    }));
    const { memory, changes, delayMs } = assignWork(leader.memory, {
      members,
      configured: { connectors: new Set(this.configured.connectors), tasks: new Set(this.configured.tasks) },
      generation: this.generation,
      lastGeneration: leader.generation,
      now: this.now,
      maxDelayMs: MAX_DELAY_MS,
      ...(this.#classes > 1 ? { canRun: this.canRun } : {}),
    });
    leader.memory = memory;
    this.delayMs = delayMs;
    for (const [id, change] of changes) this.sent.set(id, change);
  }

  /** One member receives and applies its assignment. Returns whether it revoked something, so that the group rebalances again. */
  apply(at: number): boolean {
    const id = [...this.sent.keys()][at % Math.max(1, this.sent.size)];
    const change = id === undefined ? undefined : this.sent.get(id);
    const receiver = id === undefined ? undefined : this.members.get(id);
    if (id !== undefined) this.sent.delete(id);
    if (change === undefined || receiver === undefined) return false;
    receiver.generation = this.generation;
    for (const kind of ['connectors', 'tasks'] as const) {
      for (const item of change.revoked[kind]) receiver.running[kind].delete(item);
      for (const item of change.assigned[kind]) receiver.running[kind].add(item);
    }
    return change.revoked.connectors.size + change.revoked.tasks.size > 0;
  }

  repeated(): readonly string[] {
    const all = [...this.members.values()].flatMap(({ running }) => [
      ...running.connectors,
      ...running.tasks,
    ]);
    return all.filter((item, at) => all.indexOf(item) !== at);
  }

  /** Rounds without further events until nothing changes, waiting for delays. */
  settle(): number {
    for (let rounds = 1; rounds < 50; rounds += 1) {
      this.rebalance();
      const changed = [...this.sent.values()].some(({ assigned, revoked }) =>
        [assigned, revoked].some(({ connectors, tasks }) => connectors.size + tasks.size > 0),
      );
      while (this.sent.size > 0) this.apply(0);
      if (!changed && this.delayMs === 0) return rounds;
      this.now += this.delayMs;
    }
    return Number.POSITIVE_INFINITY;
  }
}

/** The requirement of 100,000 is checked with LEVADA_PROPERTY_RUNS=100000. */
const numRuns = Number(process.env['LEVADA_PROPERTY_RUNS'] ?? 2_000);
/** Milliseconds for a property. */
const timeLimit = Math.max(60_000, numRuns * 20);

describe('any history of a group', { timeout: timeLimit }, () => {
  const event = fc.record({
    kind: fc.constantFrom('join', 'leave', 'configure', 'rebalance', 'apply', 'time', 'lead'),
    at: fc.nat(100),
  });

  function act(group: ModelGroup, { kind, at }: { readonly kind: string; readonly at: number }): void {
    if (kind === 'join') group.join();
    if (kind === 'leave') group.leave(at);
    if (kind === 'configure') group.configure(at);
    if (kind === 'rebalance') group.rebalance();
    if (kind === 'apply') group.apply(at);
    if (kind === 'time') group.now += at * 1000;
    if (kind === 'lead') group.leader = [...group.members.keys()][at % Math.max(1, group.members.size)];
  }

  it('runs nothing twice, and ends balanced with all that is configured', () => {
    const property = fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const group = new ModelGroup();
      group.join();
      for (const happening of events) {
        act(group, happening);
        expect(group.repeated()).toEqual([]);
      }
      if (group.members.size === 0) group.join();
      expect(group.settle()).toBeLessThan(50);
      expect(group.repeated()).toEqual([]);
      for (const kind of ['connectors', 'tasks'] as const) {
        const sizes = [...group.members.values()].map(({ running }) => running[kind].size);
        const all = [...group.members.values()].flatMap(({ running }) => [...running[kind]]);
        expect(new Set(all)).toEqual(group.configured[kind]);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }
    });
    fc.assert(property, { numRuns });
  });

  it('runs a connector where its class is, runs nothing twice, and comes to rest', () => {
    const property = fc.property(
      fc.integer({ min: 2, max: 4 }),
      fc.array(event, { maxLength: 60 }),
      (classes, events) => {
        const group = new ModelGroup(classes);
        group.join();
        for (const happening of events) {
          act(group, happening);
          expect(group.repeated()).toEqual([]);
        }
        if (group.members.size === 0) group.join();
        expect(group.settle()).toBeLessThan(50);
        expect(group.repeated()).toEqual([]);
        const ids = [...group.members.keys()];
        for (const [id, { running }] of group.members) {
          for (const connector of [...running.connectors, ...running.tasks].map((item) =>
            item.replace(/-.*/, ''),
          )) {
            const able = ids.filter((one) => group.canRun(one, connector));
            expect(able.length === 0 || able.includes(id)).toBe(true);
          }
        }
        for (const kind of ['connectors', 'tasks'] as const) {
          const all = [...group.members.values()].flatMap(({ running }) => [...running[kind]]);
          expect(new Set(all)).toEqual(group.configured[kind]);
        }
      },
    );
    fc.assert(property, { numRuns });
  });

  it('gives lost work to members that were there before only when the delay is over', () => {
    const property = fc.property(
      fc.integer({ min: 2, max: 6 }),
      fc.nat(100),
      fc.nat(MAX_DELAY_MS - 1),
      (size, at, pause) => {
        const group = new ModelGroup();
        for (let count = 0; count < size; count += 1) group.join();
        for (let connector = 0; connector < 7; connector += 1) group.configure(connector);
        group.settle();
        const [, ...followers] = [...group.members];
        const [departed, { running }] = followers[at % followers.length] as (typeof followers)[number];
        group.members.delete(departed);
        const ran = (): boolean =>
          [...group.members.values()].some((member) =>
            [...running.connectors, ...running.tasks].some(
              (item) => member.running.connectors.has(item) || member.running.tasks.has(item),
            ),
          );
        for (const step of [0, pause]) {
          group.now += step;
          group.rebalance();
          while (group.sent.size > 0) group.apply(0);
          expect(ran()).toBe(false);
        }
        expect(group.delayMs).toBe(MAX_DELAY_MS - pause);
        group.settle();
        expect(ran()).toBe(running.connectors.size + running.tasks.size > 0);
      },
    );
    fc.assert(property, { numRuns });
  });
});
