/** Connectors by name, and tasks by {@link taskKey}. */
export interface GroupWork {
  readonly connectors: ReadonlySet<string>;
  readonly tasks: ReadonlySet<string>;
}

/** Connect's text of a task id: the connector's name, a dash and the task's number. */
export function taskKey(connector: string, task: number): string {
  return `${connector}-${task}`;
}

/** Reverses {@link taskKey}; names may hold dashes. */
export function parseTaskKey(key: string): { readonly connector: string; readonly task: number } {
  const dash = key.lastIndexOf('-');
  return { connector: key.slice(0, dash), task: Number(key.slice(dash + 1)) };
}

/** Part of a worker in its group, from one rebalance to the next. */
export interface GroupAssignment {
  readonly generation: number;
  readonly isLeader: boolean;
  /** Base URL of the leader's REST interface, with trailing slash. */
  readonly leaderUrl: string;
  /** Whether the members sign their requests to each other: they do when all of them offer the protocol `sessioned`. */
  readonly signed: boolean;
  /** `all`: this worker has no other members beside it, and runs every connector and task that exists or is created. */
  readonly work: 'all' | GroupWork;
  /** The other members. Only the leader gets them; empty for others. */
  readonly members: readonly GroupMember[];
}

/** Another member of the group, as the leader sees it. */
export interface GroupMember {
  readonly url: string;
  readonly work: GroupWork;
  /** What it may still run because this very assignment takes it away. The next one is made when it has stopped. */
  readonly stopping: GroupWork;
}

/** The config topic, as far as a worker has read it. */
export interface ConfiguredWork extends GroupWork {
  /** Offset after the last record; -1: none was read. */
  readonly offset: number;
}

/** Connect's `connect.protocol`: which of the group protocols a worker offers, the later ones included. */
export const groupProtocols = ['sessioned', 'compatible', 'eager'] as const;

/** One of {@link groupProtocols}. */
export type GroupProtocol = (typeof groupProtocols)[number];

/** What a membership reports for its metrics; a rebalance ends with the assignment. `ms`: from a request to the coordinator until its answer. */
export type GroupObservation =
  | { readonly kind: 'heartbeat' | 'sync'; readonly ms: number }
  | { readonly kind: 'join'; readonly ms: number; readonly protocol: GroupProtocol }
  | { readonly kind: 'rebalance-started' | 'rebalance-failed' };

/** A moment by both clocks, in milliseconds: whichever is there first ends what holds until then. */
export interface ConfirmedUntil {
  /** As `Clock.monotonic`. */
  readonly monotonic: number;
  /** As `Clock.now`. */
  readonly wall: number;
}

/** A worker as a member of its group. Times are in milliseconds. */
export interface GroupMembershipOptions {
  readonly groupId: string;
  /** Base URL of this worker's REST interface, with trailing slash; sent to the other members. */
  readonly url: string;
  readonly protocol: GroupProtocol;
  /** A member that is silent for so long is removed from the group. Connect's `session.timeout.ms`. */
  readonly sessionTimeoutMs: number;
  /** Time between two heartbeats; less than the session time-out. Connect's `heartbeat.interval.ms`. */
  readonly heartbeatIntervalMs: number;
  /** How long the group waits for its members to rejoin. Connect's `rebalance.timeout.ms`. */
  readonly rebalanceTimeoutMs: number;
  /** How long work of a departed member waits for its return. Connect's `scheduled.rebalance.max.delay.ms`. */
  readonly maxDelayMs: number;
  /** Longest wait for the end of the config topic in a rebalance. Connect's `worker.sync.timeout.ms`. */
  readonly syncTimeoutMs: number;
  /** How long a worker stays out of an eager group after that. Connect's `worker.unsync.backoff.ms`. */
  readonly unsyncBackoffMs: number;
  /** The work that should run somewhere in the group. */
  readonly configured: () => ConfiguredWork;
  /** Called on the leader with all members before it assigns, which waits for it. Gets ready to answer {@link hasClassOf}. */
  readonly askNewMembers?: (
    members: readonly { readonly id: string; readonly url: string }[],
  ) => Promise<void>;
  /** Whether the worker at a URL can run a connector. Default: each can run all. */
  readonly hasClassOf?: (url: string, connector: string) => boolean;
  /** Reads the config topic to its end, before {@link configured} is asked again. The signal ends the wait. */
  readonly readConfigs: (signal: AbortSignal) => Promise<void>;
  /**
   * Called with each new assignment, the first one included. Resolves when everything that is not in it has stopped; what is new in it
   * may start later. Called again only after that.
   */
  readonly onAssigned: (assignment: GroupAssignment) => Promise<void>;
  /**
   * Called when this worker is not a member any more, or could not become one for a reason that trying again does not change. Others may
   * run its work already. Resolves when nothing runs here. The reason is for people.
   */
  readonly onLost: (reason: string) => Promise<void>;
  /**
   * Called when {@link GroupMembership.confirmed} is to be true until a later moment, by both clocks of the machine, or is false from now on
   * (undefined). For what cannot ask, such as another thread.
   */
  readonly onConfirmed?: (until: ConfirmedUntil | undefined) => void;
  /** Called for each of these, if there is a coordinator. */
  readonly onObserved?: (observation: GroupObservation) => void;
}

/** Membership of a group of workers. One implementation per way of forming a group. */
export interface GroupMembership {
  /** Joins, and stays a member until {@link leave}; resolves after the first assignment. Rejects for what cannot be retried. */
  join(signal?: AbortSignal): Promise<void>;
  /** False while it is uncertain that this worker is still a member; then nothing may be produced. */
  readonly confirmed: boolean;
  /** Other connectors or tasks are configured than before: the leader assigns them, and other members {@link expectRebalance}. */
  rebalance(): void;
  /**
   * What was read from the config topic may make another member begin a rebalance: this one finds out, and joins it, before its next
   * heartbeat is due.
   */
  expectRebalance(): void;
  /** Leaves the group. What this member ran must have stopped. Idempotent. */
  leave(): Promise<void>;
}

/** The membership of a worker that is alone: it leads, and runs everything. */
export function singleMembership({ url, onAssigned, onConfirmed }: GroupMembershipOptions): GroupMembership {
  return {
    confirmed: true,
    join: () => {
      onConfirmed?.({ monotonic: Number.POSITIVE_INFINITY, wall: Number.POSITIVE_INFINITY });
      const place = { generation: 0, isLeader: true, leaderUrl: url, signed: true } as const;
      return onAssigned({ ...place, work: 'all', members: [] });
    },
    rebalance: () => undefined,
    expectRebalance: () => undefined,
    leave: () => Promise.resolve(),
  };
}
