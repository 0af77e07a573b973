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
  /** This worker's own REST URL, told to the others. */
  readonly url: string;
  /** Called with each new assignment, the first one included. */
  readonly onAssigned: (assignment: GroupAssignment) => void;
  /** Called when the membership is lost: everything must stop producing. */
  readonly onLost: () => void;
}

/** Membership of a group of workers. One implementation per way of forming a group. */
export interface GroupMembership {
  /** Joins; resolves with the first assignment made. */
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
      // nobody else is there to be told
    },
  };
}
