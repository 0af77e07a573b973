import type { GroupAssignment, GroupMembership } from '../../platform/group-membership.ts';
import type { ConnectRuntimeOptions } from '../port/connect-runtime.ts';

/** Who acts on what the group decides. */
export interface MembershipListener {
  onAssigned(assignment: GroupAssignment): void;
  /** Nothing may run here, for a reason that is for people. Resolves when nothing runs any more. */
  onExcluded(reason: string): Promise<void>;
}

/** This worker's place in its group. It can be asked before there is somebody who acts on it. */
export class WorkerMembership {
  readonly #group: GroupMembership;
  #listener: MembershipListener | undefined;

  constructor({ platform, groupId, workerUrl, ...group }: ConnectRuntimeOptions) {
    this.#group = platform.membership({
      groupId,
      url: workerUrl,
      sessionTimeoutMs: group.sessionTimeoutMs,
      heartbeatIntervalMs: group.heartbeatIntervalMs,
      rebalanceTimeoutMs: group.rebalanceTimeoutMs,
      onAssigned: (assignment) => this.#listener?.onAssigned(assignment),
      onExcluded: async (reason) => this.#listener?.onExcluded(reason),
    });
  }

  /** False while another worker may own what runs here. */
  get confirmed(): boolean {
    return this.#group.confirmed;
  }

  /** Joins, and reports to the listener from now on; see `GroupMembership.join`. */
  async join(listener: MembershipListener, signal: AbortSignal): Promise<void> {
    this.#listener = listener;
    await this.#group.join(signal);
  }

  async leave(): Promise<void> {
    await this.#group.leave();
  }
}
