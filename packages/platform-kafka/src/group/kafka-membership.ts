import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import type { GroupMembership, GroupMembershipOptions } from '@levada/connect-runtime-core/platform';
import type { Cluster } from '../cluster/cluster.ts';
import type { KafkaEventLog } from '../model/kafka-events.ts';
import { GroupCoordinator, type Joined, type Standing } from './group-coordinator.ts';
import { Lease, type Moment } from './lease.ts';

export interface KafkaMembershipOptions {
  readonly member: GroupMembershipOptions;
  /** Opens connections that belong to this membership alone. */
  readonly openCluster: () => Promise<Cluster>;
  readonly clock: Clock;
  readonly log: KafkaEventLog;
}

/** Between two looks at a group that has other members, and between two attempts to reach the coordinator. */
const LOOK_MS = 1_000;
/** Two workers that join at the same moment both leave again: they come back at different times. */
const SPREAD_MS = 2_000;

/**
 * Membership of a group through Kafka's group coordinator, for a worker that runs everything or nothing: it stays in the group
 * as long as it is the only member, and leaves it when another worker joins. Membership is a {@link Lease}: a process that was
 * frozen finds it expired when it wakes.
 */
export class KafkaMembership implements GroupMembership {
  readonly #options: KafkaMembershipOptions;
  readonly #coordinator: GroupCoordinator;
  readonly #ending = new AbortController();
  readonly #first = Promise.withResolvers<void>();
  #running: Promise<void> | undefined;
  #leaving: Promise<void> | undefined;
  readonly #lease: Lease;
  /** Why nothing may run here, as it was last said. */
  #excludedBy: string | undefined;

  constructor(options: KafkaMembershipOptions) {
    this.#options = options;
    this.#coordinator = new GroupCoordinator(options.openCluster, options.member);
    this.#lease = new Lease({ clock: options.clock, ...options.member });
    this.#first.promise.catch(() => undefined); // join hands it on, if anybody joins
  }

  get confirmed(): boolean {
    return this.#lease.valid;
  }

  async join(signal?: AbortSignal): Promise<void> {
    this.#running ??= this.#run();
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

  leave(): Promise<void> {
    this.#leaving ??= this.#leave();
    return this.#leaving;
  }

  /** Ends the connections at once; the coordinator removes this member when its session expires. Idempotent. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.#lease.end();
    await this.#coordinator.close();
    await this.#running;
  }

  async #leave(): Promise<void> {
    this.#ending.abort();
    this.#lease.end();
    // What fails here ends by itself when the session expires.
    await this.#coordinator.leave().catch(() => undefined);
    await this.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        await this.#round();
      } catch (thrown) {
        if (signal.aborted) return;
        const error = ConnectorError.from(thrown);
        this.#noteTrouble(error);
        if (!error.retriable) {
          this.#first.reject(error);
          await this.#exclude(error.message);
        }
        await this.#pause(LOOK_MS);
      }
    }
  }

  /** From outside the group, or from a rebalance of it, until the next rebalance or expulsion. */
  async #round(): Promise<void> {
    const coordinator = this.#coordinator;
    if (!coordinator.isMember) {
      const members = await coordinator.members();
      if (members.length > 0) {
        await this.#exclude(this.#sharedWith(members));
        await this.#pause(LOOK_MS);
        return;
      }
    }
    const wasMember = coordinator.isMember;
    const sentAt = this.#lease.now();
    const joined = await coordinator.join();
    if (joined === 'expelled') this.#lease.end();
    else if (joined.leads && joined.others.length === 0) await this.#serve(joined);
    else await this.#withdraw(joined, wasMember && joined.leads ? sentAt : undefined);
  }

  /** Runs everything, and keeps the membership alive, until the group changes. */
  async #serve(joined: Joined): Promise<void> {
    const { member, log } = this.#options;
    let sentAt = this.#lease.now();
    let standing = await this.#coordinator.takeAll(joined);
    if (this.#ending.signal.aborted) return;
    let settledAt = sentAt;
    if (standing === 'member') {
      this.#renew(sentAt, settledAt);
      this.#excludedBy = undefined;
      log('kafka_group_joined', { group: member.groupId, generation: joined.generation });
      member.onAssigned({
        generation: joined.generation,
        isLeader: true,
        leaderUrl: member.url,
        connectors: 'all',
        tasks: 'all',
      });
      this.#first.resolve();
    }
    while (standing === 'member' && !this.#ending.signal.aborted) {
      await this.#pause(member.heartbeatIntervalMs);
      ({ standing, sentAt } = await this.#heartbeat(joined));
      if (standing === 'member') settledAt = sentAt;
      if (standing !== 'expelled') this.#renew(sentAt, settledAt);
    }
    if (standing === 'expelled') this.#lease.end();
  }

  /**
   * Another worker has joined: stops everything, then leaves the group to it. A leader that was a member before stays confirmed
   * until everything has stopped, because no other member is given work before the leader assigns some; but the group waits
   * for that no longer than a rebalance may take, counted from when the leader asked to join.
   */
  async #withdraw(joined: Joined, leadsSince: Moment | undefined): Promise<void> {
    const { member } = this.#options;
    if (leadsSince === undefined) this.#lease.end();
    const others = joined.others.length > 0 ? joined.others : ['the leader of the group'];
    const stop = { over: false };
    const stopped = this.#exclude(this.#sharedWith(others)).finally(() => {
      stop.over = true;
    });
    while (leadsSince !== undefined && !stop.over && !this.#ending.signal.aborted) {
      const { standing, sentAt } = await this.#heartbeat(joined);
      if (standing === 'expelled') break;
      this.#renew(sentAt, leadsSince);
      await Promise.race([stopped, this.#pause(member.heartbeatIntervalMs)]);
    }
    this.#lease.end();
    await stopped;
    await this.#coordinator.leave();
    await this.#pause(LOOK_MS + Math.random() * SPREAD_MS);
  }

  /** Repeated until the coordinator answers: whether this worker is still a member is unknown meanwhile. */
  async #heartbeat(joined: Joined): Promise<{ readonly standing: Standing; readonly sentAt: Moment }> {
    for (;;) {
      const sentAt = this.#lease.now();
      try {
        return { standing: await this.#coordinator.heartbeat(joined), sentAt };
      } catch (thrown) {
        const error = ConnectorError.from(thrown);
        if (!error.retriable || this.#ending.signal.aborted) throw error;
        this.#noteTrouble(error);
        await this.#pause(LOOK_MS);
      }
    }
  }

  /** An answer that comes after the end of the membership confirms nothing. */
  #renew(sentAt: Moment, settledAt: Moment): void {
    if (!this.#ending.signal.aborted) this.#lease.renew(sentAt, settledAt);
  }

  /** Resolves when nothing runs here any more. */
  async #exclude(reason: string): Promise<void> {
    if (this.#excludedBy === reason) return;
    this.#excludedBy = reason;
    await this.#options.member.onExcluded(reason);
  }

  #sharedWith(members: readonly string[]): string {
    const { groupId } = this.#options.member;
    return `the worker group "${groupId}" has other members (${members.join(', ')}), and this version cannot share connectors with them: stop them, or give this worker another group.id and other internal topics`;
  }

  #noteTrouble(error: ConnectorError): void {
    if (!this.confirmed) {
      this.#options.log('kafka_group_unconfirmed', { group: this.#options.member.groupId, error });
    }
  }

  async #pause(ms: number): Promise<void> {
    // An end of the membership ends the pause.
    await this.#options.clock.sleep(ms, this.#ending.signal).catch(() => undefined);
  }
}
