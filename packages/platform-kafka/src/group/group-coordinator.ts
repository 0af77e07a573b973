import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import type { GroupObservation, GroupProtocol } from '@levada/connect-runtime-core/platform';
import type { Cluster } from '../cluster/cluster.ts';
import { brokerError, errorCodes } from '../model/broker-errors.ts';
import type { KafkaCalls } from '../wire/kafka-calls.ts';
import {
  encodeMetadata,
  type MemberMetadata,
  modeOf,
  offeredProtocols,
  PROTOCOL_TYPE,
  type ProtocolName,
  protocolVersions,
} from './connect-protocol.ts';

/** Who joins which group. Times are in milliseconds. */
export interface MemberOptions {
  readonly groupId: string;
  /** Base URL of this worker's REST interface, with trailing slash. */
  readonly url: string;
  /** Connect's `connect.protocol`. */
  readonly protocol: GroupProtocol;
  /** Connect's `session.timeout.ms`. */
  readonly sessionTimeoutMs: number;
  /** Connect's `rebalance.timeout.ms`. */
  readonly rebalanceTimeoutMs: number;
  /** Called with each answer. */
  readonly onObserved?: ((observation: GroupObservation) => void) | undefined;
}

/** The group after a join. */
export interface Joined {
  readonly generation: number;
  readonly protocol: ProtocolName;
  readonly memberId: string;
  /** Equal to `memberId`: this member is to assign work to all. */
  readonly leaderId: string;
  /** All members with what they sent, for the leader; empty for others. */
  readonly members: readonly { readonly id: string; readonly metadata: Buffer }[];
}

/**
 * What the coordinator says of a member. `rebalancing`: it is a member and is to join again. `outdated`: the group has a newer generation
 * than the one asked about. `expelled`: the group does not know this member any more.
 */
export type Standing = 'member' | 'rebalancing' | 'outdated' | 'expelled';

/** Outcome of a synchronization: the member's assignment, or why there is none. */
export type Synced =
  | { readonly standing: 'member'; readonly assignment: Buffer }
  | { readonly standing: Exclude<Standing, 'member'> };

type GroupCall = 'JoinGroup' | 'SyncGroup' | 'Heartbeat' | 'LeaveGroup';

/** Name of a cluster's topic, asked for when only brokers matter: with no topic, kafkajs asks for every one there is. */
const ANY_TOPIC = '__consumer_offsets';

/**
 * The coordinator of one group, as a member talks to it. Nothing is retried here; after a failure the coordinator is looked up
 * again. Every method rejects with a ConnectorError, which is retriable when the coordinator is away, moves or loads.
 */
export class GroupCoordinator {
  readonly #open: () => Promise<Cluster>;
  readonly #options: MemberOptions;
  readonly #clock: Clock;
  #cluster: Promise<Cluster> | undefined;
  #node: number | undefined;
  #memberId = '';

  /** Connections are opened with the first request, and belong to this coordinator alone. */
  constructor(open: () => Promise<Cluster>, options: MemberOptions, clock: Clock) {
    this.#open = open;
    this.#clock = clock;
    this.#options = options;
  }

  /**
   * Joins, or joins again. Resolves when all members of the group have joined, which the coordinator waits for no longer than the rebalance
   * time-out of the members. `expelled`: the group did not know this member any more.
   */
  async join(reported: Omit<MemberMetadata, 'url'>): Promise<Joined | 'expelled'> {
    const wasMember = this.#memberId !== '';
    const sentAt = this.#now();
    this.#observe({ kind: 'rebalance-started' });
    const answer = await this.#call('JoinGroup', this.#joinRequest(reported), 'join');
    const { errorCode, memberId } = answer;
    if (errorCode === errorCodes.MEMBER_ID_REQUIRED && !wasMember) {
      this.#memberId = memberId;
      return await this.join(reported);
    }
    if (errorCode === errorCodes.UNKNOWN_MEMBER_ID && wasMember) return 'expelled';
    if (errorCode === errorCodes.INCONSISTENT_GROUP_PROTOCOL) throw this.#foreignGroup();
    if (errorCode !== errorCodes.NONE) throw this.#error(errorCode, 'cannot join');
    this.#memberId = memberId;
    const protocol = answer.groupProtocol as ProtocolName;
    this.#observe({ kind: 'join', ms: this.#now() - sentAt, protocol: modeOf(protocol) });
    return {
      generation: answer.generationId,
      protocol,
      memberId,
      leaderId: answer.leaderId,
      members: answer.members.map((member) => ({ id: member.memberId, metadata: member.memberMetadata })),
    };
  }

  /**
   * Resolves with this member's assignment when the leader has made it. The leader hands the assignments of all members over; other
   * members hand over none.
   */
  async sync({ generation, memberId }: Joined, assignments: ReadonlyMap<string, Buffer>): Promise<Synced> {
    const sentAt = this.#now();
    const answer = await this.#call(
      'SyncGroup',
      {
        groupId: this.#options.groupId,
        generationId: generation,
        memberId,
        groupAssignment: [...assignments].map(([id, bytes]) => ({ memberId: id, memberAssignment: bytes })),
      },
      'join',
    );
    const standing = this.#standing(answer.errorCode, 'cannot get an assignment of');
    this.#observe({ kind: 'sync', ms: this.#now() - sentAt });
    return standing === 'member' ? { standing, assignment: answer.memberAssignment } : { standing };
  }

  /** Shows the coordinator that this member is alive. Can be sent while a join or a synchronization waits. */
  async heartbeat({ generation, memberId }: Joined): Promise<Standing> {
    const { groupId } = this.#options;
    const sentAt = this.#now();
    const { errorCode } = await this.#call('Heartbeat', { groupId, groupGenerationId: generation, memberId });
    const standing = this.#standing(errorCode, 'cannot send a heartbeat to');
    this.#observe({ kind: 'heartbeat', ms: this.#now() - sentAt });
    return standing;
  }

  /** The next join is that of a new member. */
  forget(): void {
    this.#memberId = '';
  }

  /** Leaves the group, so that others need not wait for the session to expire. Does nothing when it is no member. */
  async leave(): Promise<void> {
    if (this.#memberId === '') return;
    const { groupId } = this.#options;
    const memberId = this.#memberId;
    this.#memberId = '';
    const { errorCode } = await this.#call('LeaveGroup', { groupId, memberId });
    if (errorCode !== errorCodes.NONE && errorCode !== errorCodes.UNKNOWN_MEMBER_ID) {
      throw this.#error(errorCode, 'cannot leave');
    }
  }

  #now(): number {
    return this.#clock.monotonic();
  }

  #observe(observation: GroupObservation): void {
    this.#options.onObserved?.(observation);
  }

  /** Ends the connections; requests under way fail with `closed`. Idempotent. */
  async close(): Promise<void> {
    const cluster = await this.#cluster?.catch(() => undefined);
    cluster?.close();
  }

  #joinRequest(reported: Omit<MemberMetadata, 'url'>): KafkaCalls['JoinGroup']['args'] {
    const { groupId, url, protocol, sessionTimeoutMs, rebalanceTimeoutMs } = this.#options;
    return {
      groupId,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: rebalanceTimeoutMs,
      memberId: this.#memberId,
      protocolType: PROTOCOL_TYPE,
      groupProtocols: offeredProtocols(protocol).map((name) => ({
        name,
        metadata: encodeMetadata(protocolVersions[name], { ...reported, url }),
      })),
    };
  }

  #standing(errorCode: number, what: string): Standing {
    if (errorCode === errorCodes.NONE) return 'member';
    if (errorCode === errorCodes.REBALANCE_IN_PROGRESS) return 'rebalancing';
    if (errorCode === errorCodes.ILLEGAL_GENERATION) return 'outdated';
    if (errorCode === errorCodes.UNKNOWN_MEMBER_ID) return 'expelled';
    throw this.#error(errorCode, what);
  }

  async #call<Name extends GroupCall>(
    name: Name,
    args: KafkaCalls[Name]['args'],
    purpose: 'ask' | 'join' = 'ask',
  ): Promise<KafkaCalls[Name]['answer']> {
    try {
      const cluster = await this.#connected();
      this.#node ??= await this.#find(cluster);
      const link = await cluster.link(this.#node, purpose);
      return await link.call(name, args);
    } catch (thrown) {
      this.#node = undefined;
      if (name === 'JoinGroup' || name === 'SyncGroup') this.#observe({ kind: 'rebalance-failed' });
      throw thrown;
    }
  }

  async #connected(): Promise<Cluster> {
    this.#cluster ??= this.#open();
    try {
      return await this.#cluster;
    } catch (thrown) {
      this.#cluster = undefined;
      throw thrown;
    }
  }

  async #find(cluster: Cluster): Promise<number> {
    await cluster.metadata([ANY_TOPIC]);
    const { groupId } = this.#options;
    const { errorCode, coordinator } = await cluster.ask('GroupCoordinator', { groupId });
    if (errorCode !== errorCodes.NONE) throw this.#error(errorCode, 'cannot find the coordinator of');
    return coordinator.nodeId;
  }

  #error(errorCode: number, what: string): ConnectorError {
    if (errorCode === errorCodes.NOT_COORDINATOR || errorCode === errorCodes.COORDINATOR_NOT_AVAILABLE)
      this.#node = undefined;
    return brokerError({ errorCode, what: `${what} the worker group "${this.#options.groupId}"` });
  }

  #foreignGroup(): ConnectorError {
    const text = `the group "${this.#options.groupId}" is used by clients that are not Connect workers: choose another group.id`;
    return new ConnectorError('config_invalid', text);
  }
}
