/** What a worker is to run in this generation. */
export interface GroupAssignment {
  readonly generation: number;
  readonly isLeader: boolean;
  /** Base URL of the leader's REST interface, with trailing slash. */
  readonly leaderUrl: string;
  /** `all`: this worker runs every connector and task there is. Otherwise the names and `<connector>-<task>` ids. */
  readonly connectors: 'all' | readonly string[];
  readonly tasks: 'all' | readonly { readonly connector: string; readonly task: number }[];
}

/** Who hears about the group. */
export interface GroupMembershipOptions {
  readonly groupId: string;
  /** Base URL of this worker's REST interface, with trailing slash; the other members get it. */
  readonly url: string;
  /** A member that was silent for so long is removed from the group. Connect's `session.timeout.ms`, in milliseconds. */
  readonly sessionTimeoutMs: number;
  /** Time between two signs of life, in milliseconds; less than the session time-out. Connect's `heartbeat.interval.ms`. */
  readonly heartbeatIntervalMs: number;
  /** How long the group waits for its members to rejoin. Connect's `rebalance.timeout.ms`, in milliseconds. */
  readonly rebalanceTimeoutMs: number;
  /** Called with each new assignment, the first one included. */
  readonly onAssigned: (assignment: GroupAssignment) => void;
  /**
   * Called when this worker may not run anything: it could not become a member, or is none any more. The reason is for
   * people. Resolves when nothing runs any more. May be called before the first assignment, and again with another reason.
   */
  readonly onExcluded: (reason: string) => Promise<void>;
}

/** Membership of a group of workers. One implementation per way of forming a group. */
export interface GroupMembership {
  /** Joins, and stays a member until {@link leave}; resolves after the first assignment. Rejects for what cannot be retried. */
  join(signal?: AbortSignal): Promise<void>;
  /** False while it is unsure that this worker is still a member; then nothing may be produced. */
  readonly confirmed: boolean;
  /** Leaves the group. Idempotent. */
  leave(): Promise<void>;
}

/** The membership of a worker that is alone: it leads, and runs everything. */
export function singleMembership(options: GroupMembershipOptions): GroupMembership {
  return {
    confirmed: true,
    join: async () => {
      options.onAssigned({
        generation: 0,
        isLeader: true,
        leaderUrl: options.url,
        connectors: 'all',
        tasks: 'all',
      });
    },
    leave: async () => {
      // there is no other member to notify
    },
  };
}
