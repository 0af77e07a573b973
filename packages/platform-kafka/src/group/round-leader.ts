import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import type {
  ConfiguredWork,
  GroupAssignment,
  GroupMembershipOptions,
} from '@levada/connect-runtime-core/platform';
import type { KafkaEventLog } from '../model/kafka-events.ts';
import { type AssignorMemory, assignWork, emptyMemory } from './assignor.ts';
import type { ConfigSync } from './config-sync.ts';
import {
  decodeMetadata,
  encodeAssignment,
  type MemberMetadata,
  protocolVersions,
} from './connect-protocol.ts';
import type { Joined } from './group-coordinator.ts';
import { difference, noWork, selectShareable, union } from './work.ts';

export interface RoundLeaderOptions {
  readonly member: Pick<
    GroupMembershipOptions,
    'groupId' | 'url' | 'maxDelayMs' | 'configured' | 'askNewMembers' | 'hasClassOf'
  >;
  readonly sync: ConfigSync;
  readonly clock: Clock;
  readonly log: KafkaEventLog;
}

/** The leader's knowledge of the previous round. */
export interface RoundBefore {
  /** Generation of this worker's last assignment; -1: none. */
  readonly generation: number;
  /** Whether all earlier members are known to have stopped everything before they joined. */
  readonly eager: boolean;
}

/** Outcome of a round for its leader. */
export interface LedRound {
  /** By member id. */
  readonly assignments: ReadonlyMap<string, Buffer>;
  /** Work of the other members. */
  readonly others: GroupAssignment['members'];
  /** Nothing was assigned, and all members must join again at once. */
  readonly again: boolean;
}

/** A member's row of a round, decoded from its metadata. */
interface Reported extends MemberMetadata {
  readonly id: string;
}

/** Whether this member assigns the work. */
export function isLeader({ leaderId, memberId }: Joined): boolean {
  return leaderId === memberId;
}

/** The leader's part of a round: decodes the members' metadata and makes their assignments. */
export class RoundLeader {
  readonly #options: RoundLeaderOptions;
  #memory: AssignorMemory = emptyMemory;

  constructor(options: RoundLeaderOptions) {
    this.#options = options;
  }

  /** This worker is no longer a member: its assignments are not valid for the next round. */
  forget(): void {
    this.#memory = emptyMemory;
  }

  /** The configured work, without names that do not fit into the group's messages. */
  configuredWork(): ConfiguredWork {
    const { member, log } = this.#options;
    const { work, unfit } = selectShareable(member.configured());
    for (const name of unfit) {
      const bytes = Buffer.byteLength(name);
      log('kafka_group_name_too_long', { group: member.groupId, connector: name.slice(0, 80), bytes });
    }
    return work;
  }

  async lead(joined: Joined, before: RoundBefore): Promise<LedRound> {
    const members = joined.members.flatMap((one) => this.#reportedBy(one) ?? []);
    const newest = Math.max(...members.map(({ configOffset }) => configOffset));
    // At the end of the topic nothing newer exists, no matter what a member claims
    const isLagging = this.configuredWork().offset < newest && !(await this.#options.sync.read());
    // Members that used another protocol until now still run their old work, and the eager protocol does not report it: an empty
    // assignment makes them stop it before they join the next round
    const falls = joined.protocol === 'default' && !before.eager && joined.members.length > 1;
    if (isLagging || falls) return this.#nothing(joined, members, !isLagging);
    if (members.length > 1)
      await this.#options.member.askNewMembers?.(members.map(({ id, url }) => ({ id, url })));
    return this.#share(joined, members, before.generation);
  }

  #share(joined: Joined, members: readonly Reported[], lastGeneration: number): LedRound {
    const { member, clock } = this.#options;
    const outcome = assignWork(this.#memory, {
      members: members.map(({ id, allocation }) => ({ id, ...(allocation?.assigned ?? noWork) })),
      configured: this.configuredWork(),
      generation: joined.generation,
      lastGeneration,
      now: clock.monotonic(),
      maxDelayMs: member.maxDelayMs,
      canRun: (id, connector) => {
        const url = members.find((one) => one.id === id)?.url ?? '';
        return member.hasClassOf?.(url, connector) !== false;
      },
    });
    this.#memory = outcome.memory;
    const others = members.flatMap(({ id, url, allocation }) => {
      const change = outcome.changes.get(id);
      if (id === joined.memberId || change === undefined) return [];
      const reported = allocation?.assigned ?? noWork;
      const work = union([difference(reported, change.revoked), change.assigned]);
      return [{ url, work, stopping: change.revoked }];
    });
    const delayMs = Math.ceil(outcome.delayMs);
    const nothing = { assigned: noWork, revoked: noWork };
    const assignments = joined.members.map(
      ({ id }) => [id, this.#encode(joined, { ...(outcome.changes.get(id) ?? nothing), delayMs })] as const,
    );
    return { assignments: new Map(assignments), others, again: false };
  }

  /** Assigns nothing. With `configMatches` false, members keep their work, read the config topic and join again. */
  #nothing(joined: Joined, members: readonly Reported[], configMatches: boolean): LedRound {
    const given = { assigned: noWork, revoked: noWork, delayMs: 0, configMatches };
    return {
      assignments: new Map(joined.members.map(({ id }) => [id, this.#encode(joined, given)] as const)),
      // In the eager protocol they do not report the work that they still have to stop
      others: members.flatMap(({ id, url, allocation }) =>
        id === joined.memberId
          ? []
          : [{ url, work: allocation?.assigned ?? noWork, stopping: this.#memory.assigned }],
      ),
      again: configMatches,
    };
  }

  #encode(
    { protocol, memberId }: Joined,
    change: {
      readonly assigned: GroupAssignment['members'][number]['work'];
      readonly revoked: GroupAssignment['members'][number]['work'];
      readonly delayMs: number;
      readonly configMatches?: boolean;
    },
  ): Buffer {
    const { member } = this.#options;
    return encodeAssignment(protocolVersions[protocol], {
      configMatches: true,
      leader: memberId,
      leaderUrl: member.url,
      configOffset: this.#options.member.configured().offset,
      ...change,
    });
  }

  /** A member's metadata; undefined if it is invalid, and the member gets no work. */
  #reportedBy({ id, metadata }: Joined['members'][number]): Reported | undefined {
    try {
      return { id, ...decodeMetadata(metadata) };
    } catch (thrown) {
      const { message } = ConnectorError.from(thrown);
      const { member, log } = this.#options;
      log('kafka_group_member_unreadable', { group: member.groupId, member: id, reason: message });
      return undefined;
    }
  }
}
