import type { GroupWork } from '@levada/connect-runtime-core/platform';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AssignorMemory, assignWork, emptyMemory } from './assignor.ts';

const MAX_DELAY_MS = 60_000;

/**
 * A model of a group. Members apply their assignments one after another, at any time before the next round; unapplied ones are
 * void then. A departed member has stopped everything, as its lease ensures.
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
  /** Unapplied assignments of this generation. */
  readonly sent = new Map<string, { readonly assigned: GroupWork; readonly revoked: GroupWork }>();
  #joined = 0;
  readonly #classes: number;

  /** Each member has one of this number of classes, and runs the connectors of that class. 1: all can run everything. */
  constructor(classes = 1) {
    this.#classes = classes;
  }

  /** The first member that joined has all classes. */
  readonly canRun = (id: string, connector: string): boolean => {
    if (this.#classes === 1) return true;
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

  /** One member applies its assignment. Returns whether it revoked work, so that the group rebalances again. */
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

  /** Work that could run on another member with at least two fewer items. */
  misplaced(): readonly string[] {
    const all = [...this.members];
    return (['connectors', 'tasks'] as const).flatMap((kind) =>
      all.flatMap(([, { running }]) =>
        [...running[kind]].filter((item) => {
          const connector = item.replace(/-.*/, '');
          const able = all.filter(([id]) => this.canRun(id, connector));
          return (able.length === 0 ? all : able).some(
            ([, other]) => other.running[kind].size <= running[kind].size - 2,
          );
        }),
      ),
    );
  }

  /** Rounds without further events until nothing changes, including delays. */
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

/** LEVADA_PROPERTY_RUNS=100000 checks the requirement of 100,000. */
const numRuns = Number(process.env['LEVADA_PROPERTY_RUNS'] ?? 2_000);
/** Timeout of a property in milliseconds. */
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

  it('no work runs twice, and all configured work ends up balanced', () => {
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

  it('a connector runs where its class is installed, no work runs twice, and the group settles', () => {
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
        expect(group.misplaced()).toEqual([]);
        // A member that joins gets its share, no matter how often the group was balanced before
        group.join();
        expect(group.settle()).toBeLessThan(50);
        expect(group.misplaced()).toEqual([]);
      },
    );
    fc.assert(property, { numRuns });
  });

  it.each([1, 2])(
    'a group that members join in every round is balanced, with members of %s kinds',
    (classes) => {
      const group = new ModelGroup(classes);
      for (let connector = 0; connector < 7; connector += 1) group.configure(connector);
      for (let count = 0; count < 10; count += 1) {
        group.join();
        group.rebalance();
        while (group.sent.size > 0) group.apply(0);
        group.now += MAX_DELAY_MS;
      }
      expect(group.settle()).toBeLessThan(50);
      expect(group.misplaced()).toEqual([]);
    },
  );

  it('earlier members get lost work only after the delay', () => {
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
