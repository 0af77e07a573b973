// Assigns connectors and tasks to the members of a worker group. The rules are those of Kafka Connect's incremental cooperative
// assignor (KIP-415, KIP-878): work stays in place if possible, work that must move is revoked in one round and assigned in the
// next, and work of a departed member waits for its return before others take it over. One difference: once as many members have
// joined as had departed, the work no longer waits.

import { type GroupWork, parseTaskKey } from '@levada/connect-runtime-core/platform';
import { difference, intersection, isEmpty, noWork, union, type WorkKind, workKinds } from './work.ts';

/** A member of a round, and the running work that it reported when it joined. */
export interface MemberWork extends GroupWork {
  readonly id: string;
}

/** The leader's knowledge of earlier rounds. A worker starts with {@link emptyMemory}, and so does a new leader. */
export interface AssignorMemory {
  /** Group generation of the last assignment; -1: none. */
  readonly generation: number;
  readonly members: ReadonlySet<string>;
  /** All work assigned then, including lost work that waited. */
  readonly assigned: GroupWork;
  /** Lost work and the end of its wait; undefined if none waits. */
  readonly waiting: Waiting | undefined;
  /** Consecutive rounds that revoked work for balance, and the earliest time of the next one. */
  readonly revoking: { readonly rounds: number; readonly notBefore: number | undefined };
}

/** A wait for departed members. */
export interface Waiting {
  /** On the clock of {@link Round.now}. */
  readonly until: number;
  /** Departed members, minus those that joined without work since. */
  readonly awaited: number;
}

/** One round of assignment. The leader makes it when all members have joined. */
export interface Round {
  readonly members: readonly MemberWork[];
  /** All connectors and tasks that should run. */
  readonly configured: GroupWork;
  /** Generation that the members have joined. */
  readonly generation: number;
  /** Generation of this member's last assignment. The memory is valid only if it belongs to that one. */
  readonly lastGeneration: number;
  /** Milliseconds on any monotonic clock. */
  readonly now: number;
  /** Connect's `scheduled.rebalance.max.delay.ms`; 0: lost work never waits. */
  readonly maxDelayMs: number;
  /** Whether a member can run a connector and its tasks. Default: every member can. Work that no member can run is assigned to any. */
  readonly canRun?: (id: string, connector: string) => boolean;
}

/** Work that a member starts in addition to the work it keeps, and work that it stops, which it confirms by joining again. */
export interface MemberChange {
  readonly assigned: GroupWork;
  readonly revoked: GroupWork;
}

/** Outcome of a round. */
export interface RoundOutcome {
  /** By member id; every member of the round has a row. */
  readonly changes: ReadonlyMap<string, MemberChange>;
  /** Time after which all members join again; 0: not needed. */
  readonly delayMs: number;
  readonly memory: AssignorMemory;
}

/** Connect's wait between two rounds that revoke: 10 ms times 40 to the power of the rounds. */
const REVOKING_DELAY_MS = 10;
const REVOKING_GROWTH = 40;

/** The memory of a worker that has made no assignment yet. */
export const emptyMemory: AssignorMemory = {
  generation: -1,
  members: new Set(),
  assigned: noWork,
  waiting: undefined,
  revoking: { rounds: 0, notBefore: undefined },
};

/**
 * Makes the assignment of one round. Work that a member reported as running is not assigned to another member in the same round,
 * so nothing runs twice if members stop all work before the group loses them. Deterministic.
 */
export function assignWork(memory: AssignorMemory, round: Round): RoundOutcome {
  const shares = round.members.map((member) => new Share(member));
  const able = findAbleMembers(round, shares);
  for (const kind of workKinds) revokeUnfit(shares, kind, { configured: round.configured[kind], able });
  const active = union(round.members);
  const remembered = memory.generation === round.lastGeneration ? memory.assigned : noWork;
  const lost = intersection(difference(remembered, active), round.configured);
  const waiting = waitForDeparted(memory, round, lost);
  const revoking =
    waiting === undefined ? balance(memory.revoking, round, { shares, able }) : memory.revoking;
  const waitingWork = waiting === undefined ? noWork : lost;
  const free = difference(difference(round.configured, active), waitingWork);
  for (const kind of workKinds) assign(shares, kind, { items: free[kind], able });
  const wakeAt = waiting?.until ?? revoking.notBefore;
  return {
    changes: new Map(shares.map((share) => [share.id, share.change()])),
    delayMs: wakeAt === undefined ? 0 : Math.max(1, wakeAt - round.now),
    memory: {
      generation: round.generation,
      members: new Set(round.members.map(({ id }) => id)),
      assigned: union([...shares, waitingWork]),
      waiting,
      revoking,
    },
  };
}

/** The work of one member after the round. */
class Share implements MemberWork {
  readonly id: string;
  readonly connectors: Set<string>;
  readonly tasks: Set<string>;
  readonly #reported: MemberWork;

  constructor(member: MemberWork) {
    this.id = member.id;
    this.connectors = new Set(member.connectors);
    this.tasks = new Set(member.tasks);
    this.#reported = member;
  }

  change(): MemberChange {
    return { assigned: difference(this, this.#reported), revoked: difference(this.#reported, this) };
  }
}

/** The members that can run an item; undefined if all can, or none. */
type AbleMembers = (kind: WorkKind, item: string) => readonly Share[] | undefined;

function findAbleMembers({ canRun }: Round, shares: readonly Share[]): AbleMembers {
  if (canRun === undefined) return () => undefined;
  const known = new Map<string, readonly Share[] | undefined>();
  return (kind, item) => {
    const connector = kind === 'connectors' ? item : parseTaskKey(item).connector;
    if (!known.has(connector)) {
      const able = shares.filter(({ id }) => canRun(id, connector));
      known.set(connector, able.length === 0 || able.length === shares.length ? undefined : able);
    }
    return known.get(connector);
  };
}

/** Revokes work that is not configured, that runs on several members (from each of them), or that a member cannot run. */
function revokeUnfit(
  shares: readonly Share[],
  kind: WorkKind,
  { configured, able }: { readonly configured: ReadonlySet<string>; readonly able: AbleMembers },
): void {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const share of shares) for (const item of share[kind]) (seen.has(item) ? repeated : seen).add(item);
  for (const share of shares)
    for (const item of share[kind]) {
      const isUnable = able(kind, item)?.includes(share) === false;
      if (!configured.has(item) || repeated.has(item) || isUnable) share[kind].delete(item);
    }
}

/** Whether lost work waits: only if a member departed, and until as many have come back or the delay is over. */
function waitForDeparted(memory: AssignorMemory, round: Round, lost: GroupWork): Waiting | undefined {
  if (isEmpty(lost) || round.maxDelayMs === 0) return undefined;
  const ids = new Set(round.members.map(({ id }) => id));
  const departed = [...memory.members].filter((id) => !ids.has(id)).length;
  const arrived = round.members.filter((member) => !memory.members.has(member.id) && isEmpty(member)).length;
  const awaited = (memory.waiting?.awaited ?? 0) + departed - arrived;
  const until = memory.waiting?.until ?? round.now + round.maxDelayMs;
  return awaited <= 0 || round.now >= until ? undefined : { until, awaited };
}

/**
 * Revokes work beyond a member's share of all configured work. Consecutive rounds do not revoke: the second one waits, so that a
 * group whose members join one by one does not move the same work repeatedly.
 */
function balance(
  { rounds, notBefore }: AssignorMemory['revoking'],
  { configured, now, maxDelayMs }: Round,
  { shares, able }: { readonly shares: readonly Share[]; readonly able: AbleMembers },
): AssignorMemory['revoking'] {
  const surplus = shares.flatMap((share) =>
    workKinds.map((kind) => ({ share, kind, items: [] as string[] })),
  );
  for (const kind of workKinds) {
    const rows = surplus.filter((row) => row.kind === kind);
    if ([...configured[kind]].some((item) => able(kind, item) !== undefined)) {
      for (const { share, item } of chooseMoves(shares, kind, able))
        rows.find((row) => row.share === share)?.items.push(item);
      continue;
    }
    const least = Math.floor(configured[kind].size / shares.length);
    let larger = configured[kind].size % shares.length;
    for (const row of rows) {
      const { size } = row.share[kind];
      const keep = size > least && larger > 0 ? least + 1 : least;
      if (size > least) larger -= 1;
      row.items.push(...[...row.share[kind]].slice(keep));
    }
  }
  if (surplus.every(({ items }) => items.length === 0)) return { rounds: 0, notBefore: undefined };
  const delayMs = Math.min(REVOKING_DELAY_MS * REVOKING_GROWTH ** rounds, maxDelayMs);
  const due = rounds === 0 ? now : (notBefore ?? now + delayMs);
  if (now < due) return { rounds, notBefore: due };
  for (const { share, kind, items } of surplus) for (const item of items) share[kind].delete(item);
  return { rounds: rounds + 1, notBefore: undefined };
}

/** An item that leaves a member. */
interface Move {
  readonly share: Share;
  readonly item: string;
}

/**
 * Chooses the moves if members can run different work. Perfect balance may not exist then, so each choice must make the loads
 * more even; this terminates. A single move always does so.
 */
function chooseMoves(shares: readonly Share[], kind: WorkKind, able: AbleMembers): readonly Move[] {
  const moves = findMoves(shares, kind, able);
  if (moves.length <= 1 || evensLoads(shares, kind, { moves, able })) return moves;
  return moves.slice(0, 1);
}

/** Whether the next round, which assigns the moved work, would make the loads more even. */
function evensLoads(
  shares: readonly Share[],
  kind: WorkKind,
  { moves, able }: { readonly moves: readonly Move[]; readonly able: AbleMembers },
): boolean {
  const unevenness = (): number => shares.reduce((sum, share) => sum + share[kind].size ** 2, 0);
  const before = unevenness();
  const kept = shares.map((share) => [...share[kind]]);
  for (const { share, item } of moves) share[kind].delete(item);
  assign(shares, kind, { items: new Set(moves.map(({ item }) => item)), able });
  const after = unevenness();
  for (const [at, share] of shares.entries()) {
    share[kind].clear();
    for (const item of kept[at] ?? []) share[kind].add(item);
  }
  return after < before;
}

/** Items that would run on members with at least two fewer. */
function findMoves(shares: readonly Share[], kind: WorkKind, able: AbleMembers): readonly Move[] {
  const loads = new Map(shares.map((share) => [share, share[kind].size]));
  const load = (share: Share): number => loads.get(share) ?? 0;
  const moves: Move[] = [];
  for (const share of shares.toSorted((a, b) => b[kind].size - a[kind].size)) {
    for (const item of [...share[kind]].reverse()) {
      const target = leastLoaded(able(kind, item) ?? shares, load);
      if (target === undefined || load(target) > load(share) - 2) continue;
      loads.set(share, load(share) - 1).set(target, load(target) + 1);
      moves.push({ share, item });
    }
  }
  return moves;
}

function leastLoaded(shares: readonly Share[], load: (share: Share) => number): Share | undefined {
  return shares.reduce<Share | undefined>(
    (least, share) => (least === undefined || load(share) < load(least) ? share : least),
    undefined,
  );
}

/** Assigns each item to the member that can run it and has the fewest of its kind; the first one on a tie. */
function assign(
  shares: readonly Share[],
  kind: WorkKind,
  { items, able }: { readonly items: ReadonlySet<string>; readonly able: AbleMembers },
): void {
  // Work that few members can run comes first, so that the rest balances it
  const special = [...items].flatMap((item) => {
    const members = able(kind, item);
    return members === undefined ? [] : [{ item, members }];
  });
  for (const { item, members } of special.toSorted((a, b) => a.members.length - b.members.length))
    leastLoaded(members, (share) => share[kind].size)?.[kind].add(item);
  const byLoad = shares.toSorted((a, b) => a[kind].size - b[kind].size);
  let next = 0;
  for (const item of items) {
    if (able(kind, item) !== undefined) continue;
    const share = byLoad[next];
    if (share === undefined) return;
    share[kind].add(item);
    // All members before `next` have one item more than the current level; the others have at least that level
    const following = byLoad[next + 1];
    next = following !== undefined && following[kind].size < share[kind].size ? next + 1 : 0;
  }
}
