// The assignor alone, as in the leader of a large group: the CPU time of a round, and the number of moved tasks.
import type { GroupWork } from '@levada/connect-runtime-core/platform';
import { type AssignorMemory, assignWork, emptyMemory, type MemberWork } from '../src/group/assignor.ts';

const WORKERS = 1_000;
const CONNECTORS = 50_000;
const TASKS_EACH = 2;
const MAX_DELAY_MS = 300_000;

const names = Array.from({ length: CONNECTORS }, (_, at) => `connector-${at}`);
const configured: { connectors: ReadonlySet<string>; tasks: ReadonlySet<string> } = {
  connectors: new Set(names),
  tasks: new Set(names.flatMap((name) => Array.from({ length: TASKS_EACH }, (_, at) => `${name}-${at}`))),
};

/** A group whose members apply their assignments at once. */
class SimulatedGroup {
  readonly members = new Map<string, GroupWork>();
  readonly rows: {
    readonly what: string;
    readonly rounds: number;
    readonly ms: string;
    readonly moved: number;
  }[] = [];
  #memory: AssignorMemory = emptyMemory;
  #generation = 0;
  now = 0;

  join(id: string): void {
    this.members.set(id, { connectors: new Set(), tasks: new Set() });
  }

  /** Rounds until nothing changes. `lost`: tasks of workers that have departed. */
  settle(what: string, lost = 0): void {
    let rounds = 0;
    let longestMs = 0;
    let revoked = 0;
    for (let changed = true; changed; ) {
      const before = process.cpuUsage();
      const { changes, memory, delayMs } = this.#round();
      const { user, system } = process.cpuUsage(before);
      longestMs = Math.max(longestMs, (user + system) / 1_000);
      this.#memory = memory;
      rounds += 1;
      changed = delayMs > 0;
      for (const [id, change] of changes) {
        const ran = this.members.get(id) as GroupWork;
        this.members.set(id, {
          connectors: ran.connectors.difference(change.revoked.connectors).union(change.assigned.connectors),
          tasks: ran.tasks.difference(change.revoked.tasks).union(change.assigned.tasks),
        });
        revoked += change.revoked.tasks.size;
        changed ||= change.assigned.tasks.size + change.revoked.tasks.size > 0;
      }
      this.now += delayMs;
    }
    this.rows.push({ what, rounds, ms: longestMs.toFixed(0), moved: revoked + lost });
  }

  #round() {
    const members: readonly MemberWork[] = [...this.members].map(([id, work]) => ({ id, ...work }));
    this.#generation += 1;
    return assignWork(this.#memory, {
      members,
      configured,
      generation: this.#generation,
      lastGeneration: this.#memory.generation,
      now: this.now,
      maxDelayMs: MAX_DELAY_MS,
    });
  }
}

const group = new SimulatedGroup();
for (let at = 0; at < WORKERS; at += 1) group.join(`worker-${at}`);
group.settle('start of all workers', configured.tasks.size);
group.settle('a rebalance in which nothing changed');

group.join('late');
group.settle('a worker joins');

const gone = group.members.get('worker-7')?.tasks.size ?? 0;
group.members.delete('worker-7');
group.settle('a worker departs for good', gone);

const departed = Array.from({ length: WORKERS / 10 }, (_, at) => `worker-${100 + at}`);
const lost = departed.reduce((sum, id) => sum + (group.members.get(id)?.tasks.size ?? 0), 0);
for (const id of departed) group.members.delete(id);
for (const id of departed) group.join(`${id}-again`);
group.settle('a tenth of the workers is replaced', lost);

console.log(`${WORKERS} workers, ${CONNECTORS} connectors, ${configured.tasks.size} tasks`);
console.table(
  group.rows.map(({ what, rounds, ms, moved }) => ({
    what,
    rounds,
    'CPU time of the longest round': `${ms} ms`,
    'tasks that moved': moved,
  })),
);
const sizes = [...group.members.values()].map(({ tasks }) => tasks.size);
console.log(`tasks of a worker at the end: ${Math.min(...sizes)} to ${Math.max(...sizes)}`);
