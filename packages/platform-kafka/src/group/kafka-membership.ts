import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import type {
  GroupAssignment,
  GroupMembership,
  GroupMembershipOptions,
  GroupWork,
} from '@levada/connect-runtime-core/platform';
import type { Cluster } from '../cluster/cluster.ts';
import type { KafkaEventLog } from '../model/kafka-events.ts';
import { type AssignorMemory, assignWork, emptyMemory } from './assignor.ts';
import {
  decodeAssignment,
  decodeMetadata,
  encodeAssignment,
  type MemberAssignment,
  type MemberMetadata,
  protocolVersions,
} from './connect-protocol.ts';
import { GroupCoordinator, type Joined, type Standing } from './group-coordinator.ts';
import { Lease, type Moment } from './lease.ts';
import { difference, isEmpty, noWork, union } from './work.ts';

/** Makes a {@link KafkaMembership}. */
export interface KafkaMembershipOptions {
  readonly member: GroupMembershipOptions;
  /** Opens connections that belong to this membership alone. */
  readonly openCluster: () => Promise<Cluster>;
  readonly clock: Clock;
  readonly log: KafkaEventLog;
}

/** Wait between attempts to reach the coordinator, and before a worker that has not caught up with the config topic joins again. */
const RETRY_MS = 1_000;

const EXPELLED = 'the worker group removed this worker, which was silent for too long';

/** What this worker runs: nothing, what it was assigned, or everything, because it has no other members beside it. */
type Running = 'all' | GroupWork;

/** A member's row of a round, read from what it sent. */
interface Reported extends MemberMetadata {
  readonly id: string;
}

/**
 * Membership of a group of Connect workers through Kafka's group coordinator, with incremental cooperative assignment: what stays with
 * this worker keeps running through a rebalance. Membership is a {@link Lease}: a process that was frozen finds it expired when it wakes.
 *
 * A round is one rebalance: all members join and report what they run, the leader assigns, each gets its assignment. A member that has to
 * give work back stops it and joins again, and the next round assigns that work to others.
 */
export class KafkaMembership implements GroupMembership {
  readonly #options: KafkaMembershipOptions;
  readonly #coordinator: GroupCoordinator;
  readonly #lease: Lease;
  readonly #ending = new AbortController();
  readonly #first = Promise.withResolvers<void>();
  #loops: Promise<unknown> | undefined;
  #leaving: Promise<void> | undefined;
  /** The membership that heartbeats keep alive; undefined: this worker is not a member. */
  #joined: Joined | undefined;
  /** The membership whose assignment was received. */
  #synced: Joined | undefined;
  /** Generation in which this worker runs everything, without other members; undefined: it has some. */
  #alone: number | undefined;
  /** Set after the group removed this member while it was alone: that generation. Its tasks are still there. */
  #suspended: number | undefined;
  /** When the group last waited for nothing but heartbeats from this member. */
  #settledAt: Moment;
  #running: Running = noWork;
  /** Metadata of the assignment that {@link #running} comes from. */
  #assignment: Omit<MemberAssignment, 'assigned' | 'revoked'> | undefined;
  /** Generation whose assignment was received last. */
  #generation = -1;
  #memory: AssignorMemory = emptyMemory;
  /** What the other members run after the assignment that this worker made; empty unless it leads. */
  #others: GroupAssignment['members'] = [];
  /** Connectors or tasks changed since the leader last assigned. */
  #outdated = false;
  /** Ends the time between two rounds; undefined while a round is under way. */
  #wake: (() => void) | undefined;

  constructor(options: KafkaMembershipOptions) {
    this.#options = options;
    this.#coordinator = new GroupCoordinator(options.openCluster, options.member, options.clock);
    this.#lease = new Lease({ clock: options.clock, ...options.member });
    this.#settledAt = this.#lease.now();
    this.#first.promise.catch(() => undefined); // join reports it, if it is called
  }

  get confirmed(): boolean {
    return this.#lease.valid;
  }

  async join(signal?: AbortSignal): Promise<void> {
    this.#loops ??= Promise.all([this.#run(), this.#keepAlive()]);
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(new ConnectorError('aborted', 'the join was cancelled'));
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      await Promise.race([this.#first.promise, aborted.promise]);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  rebalance(): void {
    this.#outdated = true;
    if (this.#assigns) this.#wake?.();
  }

  leave(): Promise<void> {
    this.#leaving ??= this.#leave();
    return this.#leaving;
  }

  /** Ends the connections at once; the coordinator removes this member when its session expires. Idempotent. */
  async close(): Promise<void> {
    this.#end();
    await this.#coordinator.close();
    await this.#loops;
  }

  async #leave(): Promise<void> {
    this.#end();
    // A failure needs no answer: the session expires.
    await this.#coordinator.leave().catch(() => undefined);
    await this.close();
  }

  #end(): void {
    this.#ending.abort();
    this.#lease.end();
    this.#wake?.();
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        const outcome = await this.#round();
        if (outcome === 'expelled') await this.#expelled();
        else if (outcome !== 'again') await this.#untilNext(outcome.delayMs);
      } catch (thrown) {
        if (signal.aborted) return;
        const error = ConnectorError.from(thrown);
        this.#reportTrouble(error);
        if (!error.retriable) {
          this.#first.reject(error);
          await this.#lose(error.message);
        }
        await this.#pause(RETRY_MS);
      }
    }
  }

  /** One rebalance. Afterwards the worker waits for the next one, joins again at once, or is not a member any more. */
  async #round(): Promise<{ readonly delayMs: number } | 'again' | 'expelled'> {
    const { member, log } = this.#options;
    if (this.#joined === undefined && this.#assignment !== undefined) return 'expelled';
    const reported = await this.#report();
    const joinedAt = this.#lease.now();
    const joined = await this.#coordinator.join(reported);
    if (joined === 'expelled' || this.#ending.signal.aborted) return 'expelled';
    const leads = joined.leaderId === joined.memberId;
    const isOnly = leads && joined.members.length === 1;
    if (this.#suspended !== undefined) {
      // The group was empty meanwhile: an empty group is one generation, and this join the next.
      if (!isOnly || joined.generation > this.#suspended + 2) await member.onLost(EXPELLED);
      this.#suspended = undefined;
    }
    this.#settledAt = joinedAt;
    this.#joined = joined;
    this.#others = [];
    const round = leads ? await this.#assign(joined) : undefined;
    const syncedAt = this.#lease.now();
    const synced = await this.#coordinator.sync(joined, round?.assignments ?? new Map());
    // A heartbeat may have said meanwhile that the group removed this member.
    if (synced.standing === 'expelled' || this.#joined !== joined) return 'expelled';
    if (synced.standing !== 'member' || this.#ending.signal.aborted) return 'again';
    const assignment = decodeAssignment(synced.assignment);
    this.#synced = joined;
    this.#settledAt = syncedAt;
    this.#lease.renew(syncedAt, syncedAt);
    if (!assignment.configMatches) {
      await this.#pause(RETRY_MS);
      await member.readConfigs();
      return 'again';
    }
    log('kafka_group_joined', {
      group: member.groupId,
      generation: joined.generation,
      leader: assignment.leaderUrl,
      members: leads ? joined.members.length : undefined,
    });
    const isAlone = isOnly && assignment.delayMs === 0;
    this.#alone = isAlone ? joined.generation : undefined;
    this.#generation = joined.generation;
    this.#assignment = assignment;
    await this.#take(joined, isAlone ? 'all' : this.#merged(joined, assignment));
    this.#first.resolve();
    if (!isAlone && !isEmpty(assignment.revoked)) return 'again';
    return { delayMs: leads ? assignment.delayMs : 0 };
  }

  /**
   * What this worker reports when it joins. From here until the next assignment it starts nothing new, because another member may be
   * assigned it. In the eager protocol it stops everything first.
   */
  async #report(): Promise<Omit<MemberMetadata, 'url'>> {
    const { offset, connectors, tasks } = this.#options.member.configured();
    const joined = this.#joined;
    if (joined === undefined || this.#assignment === undefined)
      return { configOffset: offset, allocation: undefined };
    const eager = joined.protocol === 'default';
    const kept = this.#running === 'all' ? { connectors, tasks } : this.#running;
    if (eager || this.#running === 'all') await this.#take(joined, eager ? noWork : kept);
    const allocation = { ...this.#assignment, assigned: eager ? noWork : kept, revoked: noWork, delayMs: 0 };
    return { configOffset: offset, allocation };
  }

  /** As the leader: reads what the members sent, and makes the assignment of each. */
  async #assign(joined: Joined): Promise<{ readonly assignments: ReadonlyMap<string, Buffer> }> {
    const { member, clock } = this.#options;
    const members = joined.members.flatMap((one) => this.#reportedBy(one) ?? []);
    const newest = Math.max(...members.map(({ configOffset }) => configOffset));
    // At the end of the topic there is nothing newer, whatever a member claims.
    if (member.configured().offset < newest) await member.readConfigs();
    this.#outdated = false;
    const configured = member.configured();
    const head = {
      configMatches: true,
      leader: joined.memberId,
      leaderUrl: member.url,
      configOffset: configured.offset,
    };
    const version = protocolVersions[joined.protocol];
    const outcome = assignWork(this.#memory, {
      members: members.map(({ id, allocation }) => ({ id, ...(allocation?.assigned ?? noWork) })),
      configured,
      generation: joined.generation,
      lastGeneration: this.#generation,
      now: clock.monotonic(),
      maxDelayMs: member.maxDelayMs,
    });
    this.#memory = outcome.memory;
    this.#others = members.flatMap(({ id, url, allocation }) => {
      const change = outcome.changes.get(id);
      if (id === joined.memberId || change === undefined) return [];
      const kept = difference(allocation?.assigned ?? noWork, change.revoked);
      return [{ url, work: union([kept, change.assigned]) }];
    });
    const delayMs = Math.ceil(outcome.delayMs);
    const nothing = { assigned: noWork, revoked: noWork };
    const assignments = joined.members.map(
      ({ id }) =>
        [
          id,
          encodeAssignment(version, { ...head, ...(outcome.changes.get(id) ?? nothing), delayMs }),
        ] as const,
    );
    return { assignments: new Map(assignments) };
  }

  /** What a member sent; undefined when it cannot be read, and then it is assigned nothing. */
  #reportedBy({ id, metadata }: Joined['members'][number]): Reported | undefined {
    try {
      return { id, ...decodeMetadata(metadata) };
    } catch (thrown) {
      const { message } = ConnectorError.from(thrown);
      this.#options.log('kafka_group_member_unreadable', {
        group: this.#options.member.groupId,
        member: id,
        reason: message,
      });
      return undefined;
    }
  }

  /** What this worker is to run after an assignment. */
  #merged({ protocol }: Joined, { assigned, revoked }: MemberAssignment): GroupWork {
    if (protocol === 'default') return assigned;
    const kept = this.#running === 'all' ? noWork : this.#running;
    return union([difference(kept, revoked), assigned]);
  }

  /** Resolves when nothing runs here that is not in `running`. */
  async #take(joined: Joined, running: Running): Promise<void> {
    this.#running = running;
    await this.#options.member.onAssigned({
      generation: this.#generation,
      isLeader: joined.leaderId === joined.memberId,
      leaderUrl: this.#assignment?.leaderUrl ?? '',
      signed: joined.protocol === 'sessioned',
      work: running,
      members: this.#others,
    });
  }

  /**
   * The group removed this member: nothing may be produced. A worker that had no other members beside it keeps its tasks and what they
   * have queued until it knows whether there was another member since; any other one stops everything.
   */
  async #expelled(): Promise<void> {
    if (this.#alone === undefined) {
      await this.#lose(EXPELLED);
      return;
    }
    this.#suspended = this.#alone;
    this.#forget();
  }

  /** Other members may run what this worker ran: nothing may be produced, and everything stops. */
  async #lose(reason: string): Promise<void> {
    this.#forget();
    this.#suspended = undefined;
    if (!this.#ending.signal.aborted) await this.#options.member.onLost(reason);
  }

  #forget(): void {
    this.#lease.end();
    this.#coordinator.forget();
    this.#joined = undefined;
    this.#synced = undefined;
    this.#assignment = undefined;
    this.#alone = undefined;
    this.#running = noWork;
    this.#generation = -1;
    this.#memory = emptyMemory;
  }

  /** Until the group rebalances, the delay of the assignment is over, or the leader has other work to assign. */
  async #untilNext(delayMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const due = delayMs > 0 ? this.#options.clock.after(delayMs, resolve) : undefined;
    if ((this.#outdated && this.#assigns) || this.#joined === undefined || this.#ending.signal.aborted)
      resolve();
    await promise;
    this.#wake = undefined;
    due?.cancel();
  }

  /** Whether new connectors and tasks need an assignment by this worker. */
  get #assigns(): boolean {
    return (
      this.#joined !== undefined && this.#joined.leaderId === this.#joined.memberId && this.#running !== 'all'
    );
  }

  /** Sends heartbeats as long as this worker is a member, also while a round waits for others. */
  async #keepAlive(): Promise<void> {
    const { member } = this.#options;
    while (!this.#ending.signal.aborted) {
      await this.#pause(member.heartbeatIntervalMs);
      if (this.#joined !== undefined) await this.#beat(this.#joined);
    }
  }

  /** One heartbeat, repeated until the coordinator answers. */
  async #beat(joined: Joined): Promise<void> {
    const { signal } = this.#ending;
    // Another generation begins a new heartbeat.
    while (this.#joined === joined && !signal.aborted) {
      const sentAt = this.#lease.now();
      try {
        const standing = await this.#coordinator.heartbeat(joined);
        if (this.#joined === joined && !signal.aborted) this.#judge(standing, sentAt);
        return;
      } catch (thrown) {
        if (signal.aborted) return;
        this.#reportTrouble(ConnectorError.from(thrown));
        await this.#pause(RETRY_MS);
      }
    }
  }

  #judge(standing: Standing, sentAt: Moment): void {
    // Before the assignment was received, the group still waits for this member's request for it.
    if (standing === 'member' && this.#synced === this.#joined) this.#settledAt = sentAt;
    if (standing === 'member' || standing === 'rebalancing') this.#lease.renew(sentAt, this.#settledAt);
    if (standing === 'expelled') {
      this.#lease.end();
      this.#joined = undefined;
    }
    if (standing !== 'member') this.#wake?.();
  }

  #reportTrouble(error: ConnectorError): void {
    if (!this.confirmed) {
      this.#options.log('kafka_group_unconfirmed', { group: this.#options.member.groupId, error });
    }
  }

  async #pause(ms: number): Promise<void> {
    // An end of the membership ends the pause.
    await this.#options.clock.sleep(ms, this.#ending.signal).catch(() => undefined);
  }
}
