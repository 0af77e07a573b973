import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import type { GroupObservation, GroupProtocol } from '@levada/connect-runtime-core/platform';
import type { Cluster } from '../cluster/cluster.ts';
import { brokerError, errorCodes } from '../model/broker-errors.ts';
import type { BrokerLink } from '../wire/broker-link.ts';
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
import { Patience } from './patience.ts';

/** The group and the member. Times are in milliseconds. */
export interface MemberOptions {
  readonly groupId: string;
  /** Base URL of this worker's REST interface, with trailing slash. */
  readonly url: string;
  /** Connect's `connect.protocol`. */
  readonly protocol: GroupProtocol;
  /** Connect's `session.timeout.ms`. */
  readonly sessionTimeoutMs: number;
  /** Connect's `heartbeat.interval.ms`. */
  readonly heartbeatIntervalMs: number;
  /** Connect's `rebalance.timeout.ms`. */
  readonly rebalanceTimeoutMs: number;
  /** Called with each answer. */
  readonly onObserved?: ((observation: GroupObservation) => void) | undefined;
}

/**
 * Opens connections to the cluster for one coordinator. A connection, and an answer to any request but a join, may take this
 * number of milliseconds, or less if so configured.
 */
export type OpenGroupCluster = (limitMs: number) => Promise<Cluster>;

/** The group after a join. */
export interface Joined {
  readonly generation: number;
  readonly protocol: ProtocolName;
  readonly memberId: string;
  readonly leaderId: string;
  /** All members with their metadata, for the leader; empty for others. */
  readonly members: readonly { readonly id: string; readonly metadata: Buffer }[];
}

/**
 * The coordinator's view of a member. `rebalancing`: it must join again. `outdated`: the group has a newer generation.
 * `expelled`: the group no longer knows this member.
 */
export type Standing = 'member' | 'rebalancing' | 'outdated' | 'expelled';

/** Outcome of a synchronization: the member's assignment, or the reason why there is none. */
export type Synced =
  | { readonly standing: 'member'; readonly assignment: Buffer }
  | { readonly standing: Exclude<Standing, 'member'> };

type GroupCall = 'JoinGroup' | 'SyncGroup' | 'Heartbeat' | 'LeaveGroup' | 'FindCoordinator';

/** Consecutive failures before all connections are opened again, including those of waiting requests. */
const MOST_FAILURES = 2;

/** Connections with a common timeout. */
interface Opened {
  readonly cluster: Promise<Cluster>;
  readonly limitMs: number;
}

/**
 * A member's client of the group coordinator. Nothing is retried here; after a failure the coordinator is looked up again. A
 * silent coordinator is given up early enough to ask again within the session; a join that waits there fails too. Methods reject
 * with a ConnectorError, which is retriable if the coordinator is unreachable, moves or loads.
 */
export class GroupCoordinator {
  readonly #open: OpenGroupCluster;
  readonly #options: MemberOptions;
  readonly #clock: Clock;
  readonly #patience: Patience;
  #opened: Opened | undefined;
  #closed = false;
  #node: number | undefined;
  /** Broker at which a join or synchronization waits. */
  #waitsAt: number | undefined;
  /** Consecutive requests without an answer. */
  #failures = 0;
  #memberId = '';

  /** The first request opens the connections. */
  constructor(open: OpenGroupCluster, options: MemberOptions, clock: Clock) {
    this.#open = open;
    this.#clock = clock;
    this.#options = options;
    this.#patience = new Patience(patienceOf(options));
  }

  /**
   * Joins, or joins again. Resolves when all members have joined, or after their rebalance timeout. `expelled`: the group no
   * longer knew this member.
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
    const protocol = answer.protocolName as ProtocolName;
    this.#observe({ kind: 'join', ms: this.#now() - sentAt, protocol: modeOf(protocol) });
    return {
      generation: answer.generationId,
      protocol,
      memberId,
      leaderId: answer.leader,
      members: answer.members.map((member) => ({ id: member.memberId, metadata: member.metadata })),
    };
  }

  /**
   * Resolves with this member's assignment once the leader has made it. The leader passes the assignments of all members, other
   * members pass none.
   */
  async sync(
    { generation, memberId, protocol }: Joined,
    assignments: ReadonlyMap<string, Buffer>,
  ): Promise<Synced> {
    const sentAt = this.#now();
    const answer = await this.#call(
      'SyncGroup',
      {
        groupId: this.#options.groupId,
        generationId: generation,
        memberId,
        protocolType: PROTOCOL_TYPE,
        protocolName: protocol,
        assignments: [...assignments].map(([id, assignment]) => ({ memberId: id, assignment })),
      },
      'join',
    );
    const standing = this.#standing(answer.errorCode, 'cannot get an assignment of');
    this.#observe({ kind: 'sync', ms: this.#now() - sentAt });
    return standing === 'member' ? { standing, assignment: answer.assignment } : { standing };
  }

  /** Sends a heartbeat. Allowed while a join or a synchronization waits. */
  async heartbeat({ generation, memberId }: Joined): Promise<Standing> {
    const { groupId } = this.#options;
    const sentAt = this.#now();
    const { errorCode } = await this.#call('Heartbeat', { groupId, generationId: generation, memberId });
    const standing = this.#standing(errorCode, 'cannot send a heartbeat to');
    this.#observe({ kind: 'heartbeat', ms: this.#now() - sentAt });
    return standing;
  }

  /**
   * Checks that the coordinator is alive and still the coordinator, while a request of a non-member waits there. Rejects if it
   * does not answer; a join at the wrong coordinator fails.
   */
  async probe(): Promise<void> {
    const node = this.#waitsAt;
    if (node === undefined) return;
    const { errorCode, nodeId } = await this.#call('FindCoordinator', { key: this.#options.groupId });
    if (errorCode === errorCodes.NONE && nodeId !== node) this.abandon();
  }

  /** Closes all connections, so that waiting requests fail. The next request looks up the coordinator. */
  abandon(): void {
    const opened = this.#opened;
    this.#opened = undefined;
    this.#node = undefined;
    this.#waitsAt = undefined;
    opened?.cluster.then(
      (cluster) => cluster.close(),
      () => undefined,
    );
  }

  /** The next join is that of a new member. */
  forget(): void {
    this.#memberId = '';
  }

  /** Leaves the group, so that others need not wait for the session to expire. Does nothing if it is not a member. */
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

  /** Closes the connections; pending requests fail. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    const opened = this.#opened;
    this.abandon();
    await opened?.cluster.catch(() => undefined);
  }

  #joinRequest(reported: Omit<MemberMetadata, 'url'>): KafkaCalls['JoinGroup']['args'] {
    const { groupId, url, protocol, sessionTimeoutMs, rebalanceTimeoutMs } = this.#options;
    return {
      groupId,
      sessionTimeoutMs,
      rebalanceTimeoutMs,
      memberId: this.#memberId,
      protocolType: PROTOCOL_TYPE,
      protocols: offeredProtocols(protocol).map((name) => ({
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
    const opened = this.#connections();
    try {
      const cluster = await opened.cluster;
      const node = this.#node ?? (await this.#find(cluster));
      this.#node = node;
      const link = await cluster.link(node, purpose);
      if (purpose === 'join') this.#waitsAt = node;
      const call = (): Promise<KafkaCalls[Name]['answer']> => link.call(name, args);
      const answer = purpose === 'join' ? await call() : await this.#inTime(cluster, link, call);
      if (purpose === 'join') this.#waitsAt = undefined;
      if (this.#opened === opened) this.#failures = 0;
      // The coordinator has moved, and the broker where a request waits does not know it
      if (this.#waitsAt !== undefined && this.#waitsAt !== node) this.abandon();
      return answer;
    } catch (thrown) {
      if (purpose === 'join') this.#waitsAt = undefined;
      if (this.#opened !== opened && !this.#closed) throw this.#givenUp(thrown);
      this.#node = undefined;
      if (name === 'JoinGroup' || name === 'SyncGroup') this.#observe({ kind: 'rebalance-failed' });
      // A refusal is also an answer
      if (ConnectorError.from(thrown).code !== 'log_unavailable') this.#handleTimeout(opened);
      throw thrown;
    }
  }

  /** The answer to a request within its timeout. On a timeout the connection is closed, because its answers arrive in order. */
  async #inTime<T>({ clock }: Cluster, link: BrokerLink, call: () => Promise<T>): Promise<T> {
    const { limitMs } = this.#patience;
    const since = clock.monotonic();
    let late = false;
    const timer = clock.after(limitMs, () => {
      late = true;
      link.close();
    });
    try {
      const answer = await call();
      this.#patience.noteAnswer(clock.monotonic() - since);
      return answer;
    } catch (thrown) {
      if (!late) throw thrown;
      const text = `the coordinator of the worker group "${this.#options.groupId}" did not answer within ${limitMs} ms`;
      throw new ConnectorError('timeout', text, { cause: thrown });
    } finally {
      timer.cancel();
    }
  }

  #connections(): Opened {
    if (this.#closed) throw new ConnectorError('closed', 'the client was closed');
    if (this.#opened !== undefined) return this.#opened;
    const { limitMs } = this.#patience;
    const opened = { cluster: this.#open(limitMs), limitMs };
    this.#opened = opened;
    // The next request opens them again, for example with a certificate file that exists by then
    opened.cluster.catch(() => {
      if (this.#opened === opened) this.#opened = undefined;
    });
    return opened;
  }

  #handleTimeout(opened: Opened): void {
    this.#failures += 1;
    const isPatient = opened.limitMs > this.#patience.limitMs;
    if (this.#failures < MOST_FAILURES && !isPatient) return;
    if (this.#failures >= MOST_FAILURES) this.#patience.noteTimeout();
    this.abandon();
  }

  #givenUp(cause: unknown): ConnectorError {
    const text = `the coordinator of the worker group "${this.#options.groupId}" is silent or has moved`;
    return new ConnectorError('connection_lost', text, { cause });
  }

  async #find(cluster: Cluster): Promise<number> {
    await cluster.metadata([]);
    const { errorCode, nodeId } = await cluster.ask('FindCoordinator', { key: this.#options.groupId });
    if (errorCode !== errorCodes.NONE) throw this.#error(errorCode, 'cannot find the coordinator of');
    return nodeId;
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

/** Three requests without an answer fit between a heartbeat and the end of the previous confirmation. */
function patienceOf({ sessionTimeoutMs, heartbeatIntervalMs }: MemberOptions) {
  const spareMs = sessionTimeoutMs - 2 * heartbeatIntervalMs;
  return { leastMs: Math.ceil(Math.max(spareMs / 3, sessionTimeoutMs / 10)), mostMs: sessionTimeoutMs };
}
