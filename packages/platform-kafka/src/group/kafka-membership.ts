import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import {
  type BackoffPolicy,
  backoffDelay,
  type GroupAssignment,
  type GroupMembership,
  type GroupMembershipOptions,
} from '@levada/connect-runtime-core/platform';
import type { KafkaEventLog } from '../model/kafka-events.ts';
import { ConfigSync } from './config-sync.ts';
import {
  decodeAssignment,
  type MemberAssignment,
  type MemberMetadata,
  type ProtocolName,
  workAfter,
} from './connect-protocol.ts';
import { GroupCoordinator, type Joined, type OpenGroupCluster, type Standing } from './group-coordinator.ts';
import { KeepAlive } from './keep-alive.ts';
import { Lease, type Moment } from './lease.ts';
import { isLeader, RoundLeader } from './round-leader.ts';
import { isEmpty, noWork, type Running } from './work.ts';

export interface KafkaMembershipOptions {
  readonly member: GroupMembershipOptions;
  readonly openCluster: OpenGroupCluster;
  readonly clock: Clock;
  readonly log: KafkaEventLog;
}

/** Wait between attempts to reach the coordinator, and before a worker joins again after an empty assignment, in milliseconds. */
const RETRY_MS = 1_000;
/** Wait between refused attempts. It grows, because only people can fix the cause. */
const refusedBackoff: BackoffPolicy = { intervalMs: 1_000, maxMs: 60_000 };

const EXPELLED = 'the worker group removed this worker, which was silent for too long';
const UNSYNCED = 'it could not read the config topic to its end in time';

/**
 * Membership in a group of Connect workers through Kafka's group coordinator, with incremental cooperative assignment: work that
 * stays with this worker keeps running during a rebalance. Membership is a {@link Lease}: a process that was frozen finds it expired.
 *
 * A round is one rebalance: all members join and report their work, the leader assigns, each receives its assignment. A member that
 * must give up work stops it and joins again, and the next round assigns that work to others.
 */
export class KafkaMembership implements GroupMembership {
  readonly #options: KafkaMembershipOptions;
  readonly #coordinator: GroupCoordinator;
  readonly #lease: Lease;
  readonly #keepAlive: KeepAlive;
  readonly #leader: RoundLeader;
  readonly #sync: ConfigSync;
  readonly #ending = new AbortController();
  readonly #first = Promise.withResolvers<void>();
  #loops: Promise<unknown> | undefined;
  #leaving: Promise<void> | undefined;
  /** The membership that heartbeats keep alive; undefined if this worker is not a member. */
  #joined: Joined | undefined;
  /** The membership whose assignment was received. */
  #synced: Joined | undefined;
  /** Generation in which this worker runs everything as the only member; undefined if there are others. */
  #alone: number | undefined;
  /** Generation in which this only member was removed from the group; its tasks still exist. */
  #suspended: number | undefined;
  /** When the group last waited only for heartbeats of this member. */
  #settledAt: Moment;
  #running: Running = noWork;
  /** Metadata of the assignment behind {@link #running}. */
  #assignment: Omit<MemberAssignment, 'assigned' | 'revoked'> | undefined;
  /** Generation of the last assignment. */
  #generation = -1;
  /** Protocol of that generation. */
  #protocol: ProtocolName | undefined;
  /** The config topic could not be read to its end; it is read before this worker joins again. */
  #lagging = false;
  /** Work of the other members after this worker's assignment; empty unless it leads. */
  #others: GroupAssignment['members'] = [];
  /** Connectors or tasks changed since the leader's last assignment. */
  #outdated = false;
  /** Ends the wait between two rounds; undefined during a round. */
  #wake: (() => void) | undefined;

  constructor(options: KafkaMembershipOptions) {
    this.#options = options;
    this.#coordinator = new GroupCoordinator(options.openCluster, options.member, options.clock);
    const { clock, log, member } = options;
    const { signal } = this.#ending;
    this.#lease = new Lease({ clock, ...member });
    this.#sync = new ConfigSync({ member, clock, signal });
    this.#leader = new RoundLeader({ member, clock, log, sync: this.#sync });
    this.#keepAlive = new KeepAlive({
      coordinator: this.#coordinator,
      clock,
      signal,
      intervalMs: member.heartbeatIntervalMs,
      now: () => this.#lease.now(),
      joined: () => this.#joined,
      onAnswer: (standing, sentAt) => this.#judge(standing, sentAt),
      onTrouble: (error) => {
        this.#reportTrouble(error);
        // The next join is refused for the same reason, and handled there
        if (!error.retriable) this.#wake?.();
      },
    });
    this.#settledAt = this.#lease.now();
    this.#first.promise.catch(() => undefined); // join reports it, if it is called
  }

  get confirmed(): boolean {
    return this.#lease.valid;
  }

  async join(signal: AbortSignal = this.#ending.signal): Promise<void> {
    this.#loops ??= Promise.all([this.#run(), this.#keepAlive.run()]);
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(new ConnectorError('aborted', 'the join was cancelled'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    await Promise.race([aborted.promise, this.#first.promise]).finally(() =>
      signal.removeEventListener('abort', abort),
    );
  }

  rebalance(): void {
    this.#outdated = true;
    if (this.#assigns) this.#wake?.();
    else this.expectRebalance();
  }

  expectRebalance(): void {
    // A heartbeat instead of a join, which would itself start a rebalance, even after the leader has had one
    if (this.#alone === undefined) this.#keepAlive.hurry();
  }

  leave(): Promise<void> {
    this.#leaving ??= this.#leave();
    return this.#leaving;
  }

  /** Closes the connections at once. The coordinator removes this member when its session expires. Idempotent. */
  async close(): Promise<void> {
    this.#end();
    await this.#coordinator.close();
    await this.#loops;
  }

  async #leave(): Promise<void> {
    this.#end();
    // A failure needs no handling: the session expires
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
    let refusals = 0;
    while (!signal.aborted) {
      try {
        const outcome = await this.#round();
        refusals = 0;
        if (outcome === 'expelled') await this.#handleExpulsion();
        else if (outcome !== 'again') await this.#untilNext(outcome.delayMs);
      } catch (thrown) {
        if (signal.aborted) return;
        const error = ConnectorError.from(thrown);
        this.#reportTrouble(error);
        refusals = error.retriable && error.code !== 'protocol_error' ? 0 : refusals + 1;
        const nextTryInMs = backoffDelay(refusedBackoff, Math.max(1, refusals), Math.random);
        if (!error.retriable) await this.#handleRefusal(error, nextTryInMs);
        await this.#pause(nextTryInMs);
      }
    }
  }

  /** The coordinator refuses this worker. It leaves, so that the group does not wait for it. The next round stops the remaining work. */
  async #handleRefusal(error: ConnectorError, nextTryInMs: number): Promise<void> {
    const { member, log } = this.#options;
    this.#first.reject(error);
    log('kafka_group_refused', { group: member.groupId, error, nextTryInMs });
    await this.#depart(error.message).catch((failure: unknown) =>
      this.#reportTrouble(ConnectorError.from(failure)),
    );
  }

  /** Stops everything and leaves the group, to join later as a new member. */
  async #depart(reason: string): Promise<void> {
    this.#joined = undefined;
    // The next round stops the remaining work, even if this worker was the only member
    this.#alone = undefined;
    this.#lease.end();
    if (!this.#ending.signal.aborted) await this.#options.member.onLost(reason);
    // A failure needs no handling: the session expires
    await this.#coordinator.leave().catch(() => undefined);
    this.#forget();
  }

  /** One rebalance. Afterwards the worker waits for the next one, joins again at once, or is no longer a member. */
  async #round(): Promise<{ readonly delayMs: number } | 'again' | 'expelled'> {
    const { member } = this.#options;
    if (this.#joined === undefined && this.#assignment !== undefined) return 'expelled';
    if (this.#lagging && !(await this.#catchUp())) return 'again';
    const reported = await this.#report();
    const joinedAt = this.#lease.now();
    const joined = await this.#keepAlive.during(this.#coordinator.join(reported));
    if (joined === 'expelled' || this.#ending.signal.aborted) return 'expelled';
    const leads = isLeader(joined);
    const isOnly = leads && joined.members.length === 1;
    if (this.#suspended !== undefined) {
      // The group was empty meanwhile: an empty group is one generation, and this join the next
      if (!isOnly || joined.generation > this.#suspended + 2) await member.onLost(EXPELLED);
      this.#suspended = undefined;
    }
    this.#settledAt = joinedAt;
    this.#joined = joined;
    // The eager protocol assigns everything as if nothing ran
    const falls = joined.protocol === 'default' && this.#protocol !== 'default' && !isOnly;
    if (falls && this.#assignment !== undefined) await this.#take(joined, noWork);
    this.#outdated &&= !leads;
    const before = { generation: this.#generation, eager: this.#protocol === 'default' };
    const led = leads ? await this.#leader.lead(joined, before) : undefined;
    this.#others = led?.others ?? [];
    const syncedAt = this.#lease.now();
    const synced = await this.#keepAlive.during(
      this.#coordinator.sync(joined, led?.assignments ?? new Map()),
    );
    // A heartbeat may have shown meanwhile that the group removed this member
    if (synced.standing === 'expelled' || this.#joined !== joined) return 'expelled';
    if (synced.standing !== 'member' || this.#ending.signal.aborted) return 'again';
    this.#synced = joined;
    this.#settledAt = syncedAt;
    this.#lease.renew(syncedAt, syncedAt);
    const assignment = await this.#read(joined, synced.assignment);
    if (!assignment.configMatches) return await this.#mismatch(leads, assignment);
    return await this.#settle(joined, assignment, { isOnly, again: led?.again === true });
  }

  /** Applies an assignment. */
  async #settle(
    joined: Joined,
    assignment: MemberAssignment,
    { isOnly, again }: { readonly isOnly: boolean; readonly again: boolean },
  ): Promise<{ readonly delayMs: number } | 'again'> {
    const { member, log } = this.#options;
    const leads = isLeader(joined);
    log('kafka_group_joined', {
      group: member.groupId,
      generation: joined.generation,
      leader: assignment.leaderUrl,
      members: leads ? joined.members.length : undefined,
    });
    const isAlone = isOnly && assignment.delayMs === 0;
    this.#alone = isAlone ? joined.generation : undefined;
    this.#generation = joined.generation;
    this.#protocol = joined.protocol;
    this.#assignment = assignment;
    await this.#take(joined, isAlone ? 'all' : workAfter(assignment, this.#running, joined.protocol));
    this.#first.resolve();
    // A member that must give up work starts another round
    this.expectRebalance();
    if (again || (!isAlone && !isEmpty(assignment.revoked))) return 'again';
    return { delayMs: leads ? assignment.delayMs : 0 };
  }

  /** Decodes the assignment of the leader. If it is invalid, others may have been assigned anything, so everything stops here. */
  async #read(joined: Joined, bytes: Buffer): Promise<MemberAssignment> {
    try {
      return decodeAssignment(bytes);
    } catch (thrown) {
      const { member, log } = this.#options;
      const reason = ConnectorError.from(thrown).message;
      log('kafka_group_assignment_unreadable', { group: member.groupId, leader: joined.leaderId, reason });
      await this.#take(joined, noWork);
      throw new ConnectorError('protocol_error', `cannot read the assignment: ${reason}`, { cause: thrown });
    }
  }

  /** The leader has an older state of the config topic than a member: members with an older state read it before all join again. */
  async #mismatch(leads: boolean, { configOffset }: MemberAssignment): Promise<'again'> {
    this.#lagging = leads || this.#leader.configuredWork().offset < configOffset;
    if (!this.#lagging) await this.#pause(RETRY_MS);
    return 'again';
  }

  /** False if the config topic could not be read to its end; this worker has left the group for a while then. */
  async #catchUp(): Promise<boolean> {
    const { member, log } = this.#options;
    this.#lagging = !(await this.#sync.read());
    if (!this.#lagging || this.#ending.signal.aborted) return true;
    const nextTryInMs = this.#sync.nextBackoffMs(this.#joined?.protocol);
    log('kafka_group_unsynced', { group: member.groupId, nextTryInMs });
    if (this.#joined !== undefined) await this.#depart(UNSYNCED);
    await this.#pause(nextTryInMs);
    return false;
  }

  /**
   * The work that this worker reports when it joins. Until the next assignment it starts nothing new, because another member may
   * get that work. In the eager protocol it stops everything first.
   */
  async #report(): Promise<Omit<MemberMetadata, 'url'>> {
    const { offset, connectors, tasks } = this.#leader.configuredWork();
    const joined = this.#joined;
    if (joined === undefined || this.#assignment === undefined)
      return { configOffset: offset, allocation: undefined };
    const eager = joined.protocol === 'default';
    const kept = this.#running === 'all' ? { connectors, tasks } : this.#running;
    if (eager || this.#running === 'all') await this.#take(joined, eager ? noWork : kept);
    const allocation = { ...this.#assignment, assigned: eager ? noWork : kept, revoked: noWork, delayMs: 0 };
    return { configOffset: offset, allocation };
  }

  /** Resolves when only the work in `running` runs here. */
  async #take(joined: Joined, running: Running): Promise<void> {
    this.#running = running;
    await this.#options.member.onAssigned({
      generation: this.#generation,
      isLeader: isLeader(joined),
      leaderUrl: this.#assignment?.leaderUrl ?? '',
      signed: joined.protocol === 'sessioned',
      work: running,
      members: this.#others,
    });
  }

  /**
   * The group removed this member: nothing may be produced. A worker that was the only member keeps its tasks and their queued
   * records until it knows whether there was another member since. Any other worker stops everything before it becomes a new
   * member.
   */
  async #handleExpulsion(): Promise<void> {
    const alone = this.#alone;
    this.#joined = undefined;
    this.#lease.end();
    if (alone === undefined && !this.#ending.signal.aborted) await this.#options.member.onLost(EXPELLED);
    this.#forget();
    this.#suspended = alone;
  }

  #forget(): void {
    this.#lease.end();
    this.#coordinator.forget();
    this.#joined = undefined;
    this.#synced = undefined;
    this.#assignment = undefined;
    this.#alone = undefined;
    this.#suspended = undefined;
    this.#running = noWork;
    this.#generation = -1;
    this.#protocol = undefined;
    this.#leader.forget();
  }

  /** Waits for a rebalance, the end of the assignment's delay, or new work to assign. */
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

  /** Whether this worker must assign new connectors and tasks. */
  get #assigns(): boolean {
    return this.#joined !== undefined && isLeader(this.#joined) && this.#running !== 'all';
  }

  #judge(standing: Standing, sentAt: Moment): void {
    // Before the assignment is received, the group still waits for this member's request
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
    await this.#options.clock.sleep(ms, this.#ending.signal).catch(() => undefined);
  }
}
