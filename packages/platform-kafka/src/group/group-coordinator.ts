import { ConnectorError } from '@levada/connect-runtime-core';
import { brokerError } from '../broker-errors.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { KafkaCalls } from '../wire/kafka-calls.ts';
import {
  decodeMetadata,
  encodeAssignment,
  encodeMetadata,
  PROTOCOL_TYPE,
  type ProtocolName,
  protocolVersions,
} from './connect-protocol.ts';
import { noWork } from './work.ts';

/** Kafka's error codes that decide what a member does next. */
const codes = {
  none: 0,
  notAvailable: 15,
  notCoordinator: 16,
  illegalGeneration: 22,
  inconsistentProtocol: 23,
  unknownMember: 25,
  rebalanceInProgress: 27,
  memberIdRequired: 79,
} as const;

/** Who joins which group, and within which times (milliseconds). */
export interface MemberOptions {
  readonly groupId: string;
  /** Base URL of this worker's REST interface, with trailing slash. */
  readonly url: string;
  /** Connect's `session.timeout.ms`. */
  readonly sessionTimeoutMs: number;
  /** Connect's `rebalance.timeout.ms`. */
  readonly rebalanceTimeoutMs: number;
}

/** The group after a join. */
export interface Joined {
  readonly generation: number;
  readonly protocol: ProtocolName;
  /** The coordinator made this member the leader, which assigns work to all members. */
  readonly leads: boolean;
  /** The other members, by URL. The coordinator sends them to the leader only; for a follower it is empty. */
  readonly others: readonly string[];
}

/**
 * How a member stands with its group. `rejoin`: still a member, but the group is rebalancing. `expelled`: the group no longer
 * knows this member.
 */
export type Standing = 'member' | 'rejoin' | 'expelled';

type GroupCall = 'DescribeGroups' | 'JoinGroup' | 'SyncGroup' | 'Heartbeat' | 'LeaveGroup';

/** Name of a cluster's topic, asked for when only brokers matter: with no topic, kafkajs asks for every one there is. */
const ANY_TOPIC = '__consumer_offsets';

/**
 * The coordinator of one group, as a member talks to it. Nothing is retried here; after a failure the coordinator is looked up
 * again. Every method rejects with a ConnectorError, which is retriable when the coordinator is away, moves or loads.
 */
export class GroupCoordinator {
  readonly #open: () => Promise<Cluster>;
  readonly #options: MemberOptions;
  #cluster: Promise<Cluster> | undefined;
  #node: number | undefined;
  #memberId = '';

  /** Connections are opened with the first request, and belong to this coordinator alone. */
  constructor(open: () => Promise<Cluster>, options: MemberOptions) {
    this.#open = open;
    this.#options = options;
  }

  /** Whether the coordinator has given this worker a member id that it was not told to forget. */
  get isMember(): boolean {
    return this.#memberId !== '';
  }

  /** The members of the group, by URL, or by client and host while the group hides their URLs. */
  async members(): Promise<readonly string[]> {
    const { groupId } = this.#options;
    const { groups } = await this.#call('DescribeGroups', { groupIds: [groupId] });
    const { errorCode = codes.notAvailable, protocolType, members = [] } = groups[0] ?? {};
    if (errorCode !== codes.none) throw this.#error(errorCode, 'cannot describe');
    if (members.length > 0 && protocolType !== PROTOCOL_TYPE) throw this.#foreignGroup();
    return members.map(({ clientId, clientHost, memberMetadata }) =>
      memberName(memberMetadata, `${clientId} at ${clientHost.replace('/', '')}`),
    );
  }

  /**
   * Joins, again if this worker is a member already. Resolves when the group has gathered its members; `expelled`: the group no
   * longer knows this member, and others may have joined since.
   */
  async join(): Promise<Joined | 'expelled'> {
    const answer = await this.#call('JoinGroup', this.#joinRequest(), 'join');
    const { errorCode, memberId } = answer;
    if (errorCode === codes.memberIdRequired) {
      this.#memberId = memberId;
      return await this.join();
    }
    if (errorCode === codes.unknownMember && this.isMember) {
      this.#memberId = '';
      return 'expelled';
    }
    if (errorCode === codes.inconsistentProtocol) throw this.#foreignGroup();
    if (errorCode !== codes.none) throw this.#error(errorCode, 'cannot join');
    this.#memberId = memberId;
    const others = answer.members.filter((member) => member.memberId !== memberId);
    return {
      generation: answer.generationId,
      protocol: answer.groupProtocol as ProtocolName,
      leads: answer.leaderId === memberId,
      others: others.map((member) => memberName(member.memberMetadata, member.memberId)),
    };
  }

  /** As the leader of a group without other members: assigns everything to this worker. */
  async takeAll({ generation, protocol }: Joined): Promise<Standing> {
    const memberId = this.#memberId;
    const assignment = {
      configMatches: true,
      leader: memberId,
      leaderUrl: this.#options.url,
      configOffset: -1,
      assigned: noWork,
      revoked: noWork,
      delayMs: 0,
    };
    const memberAssignment = encodeAssignment(protocolVersions[protocol], assignment);
    const { errorCode } = await this.#call('SyncGroup', {
      groupId: this.#options.groupId,
      generationId: generation,
      memberId,
      groupAssignment: [{ memberId, memberAssignment }],
    });
    return this.#standing(errorCode, 'cannot take the work of');
  }

  /** Tells the coordinator that this member is alive. */
  async heartbeat({ generation }: Joined): Promise<Standing> {
    const { groupId } = this.#options;
    const request = { groupId, groupGenerationId: generation, memberId: this.#memberId };
    const { errorCode } = await this.#call('Heartbeat', request);
    return this.#standing(errorCode, 'cannot send a heartbeat to');
  }

  /** Leaves the group, so that others need not wait for the session to expire. Does nothing when it is no member. */
  async leave(): Promise<void> {
    if (!this.isMember) return;
    const { groupId } = this.#options;
    const memberId = this.#memberId;
    this.#memberId = '';
    const { errorCode } = await this.#call('LeaveGroup', { groupId, memberId });
    if (errorCode !== codes.none && errorCode !== codes.unknownMember) {
      throw this.#error(errorCode, 'cannot leave');
    }
  }

  /** Ends the connections; requests under way fail with `closed`. Idempotent. */
  async close(): Promise<void> {
    const cluster = await this.#cluster?.catch(() => undefined);
    cluster?.close();
  }

  #joinRequest(): KafkaCalls['JoinGroup']['args'] {
    const { groupId, url, sessionTimeoutMs, rebalanceTimeoutMs } = this.#options;
    return {
      groupId,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: rebalanceTimeoutMs,
      memberId: this.#memberId,
      protocolType: PROTOCOL_TYPE,
      groupProtocols: Object.entries(protocolVersions).map(([name, version]) => ({
        name,
        metadata: encodeMetadata(version, { url, configOffset: -1, allocation: undefined }),
      })),
    };
  }

  #standing(errorCode: number, what: string): Standing {
    if (errorCode === codes.none) return 'member';
    if (errorCode === codes.rebalanceInProgress || errorCode === codes.illegalGeneration) return 'rejoin';
    if (errorCode !== codes.unknownMember) throw this.#error(errorCode, what);
    this.#memberId = '';
    return 'expelled';
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
    if (errorCode !== codes.none) throw this.#error(errorCode, 'cannot find the coordinator of');
    return coordinator.nodeId;
  }

  #error(errorCode: number, what: string): ConnectorError {
    if (errorCode === codes.notCoordinator || errorCode === codes.notAvailable) this.#node = undefined;
    return brokerError({ errorCode, what: `${what} the worker group "${this.#options.groupId}"` });
  }

  #foreignGroup(): ConnectorError {
    const text = `the group "${this.#options.groupId}" is used by clients that are not Connect workers: choose another group.id`;
    return new ConnectorError('config_invalid', text);
  }
}

/** The URL that a member tells, or another name when it tells none: a group that is rebalancing hides the metadata. */
function memberName(metadata: Buffer, otherwise: string): string {
  try {
    return decodeMetadata(metadata).url;
  } catch {
    return otherwise;
  }
}
