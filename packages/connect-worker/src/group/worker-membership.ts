import {
  type ConfiguredWork,
  type GroupAssignment,
  type GroupMembership,
  type GroupMembershipOptions,
  taskKey,
} from '@levada/connect-runtime-core/platform';
import type { GroupMetrics } from '../metrics/group-metrics.ts';
import type { ConnectRuntimeOptions } from '../port/connect-runtime.ts';
import type { ConfigStore } from '../stores/config-store.ts';
import type { GroupCheck } from './group-check.ts';

/** Acts on what the group decides. */
export interface MembershipListener {
  /** Resolves when everything that is not in the assignment has stopped. */
  onAssigned(assignment: GroupAssignment): Promise<void>;
  /** Others may run what runs here, for a reason that is for people. Resolves when nothing runs here. */
  onLost(reason: string): Promise<void>;
}

/** This worker's place in its group. It can be asked before there is somebody who acts on it. */
export class WorkerMembership {
  readonly #group: GroupMembership;
  readonly #check: GroupCheck;
  #listener: MembershipListener | undefined;
  #term = 0;

  constructor(
    { platform, groupId, workerUrl, ...group }: ConnectRuntimeOptions,
    {
      configs,
      metrics,
      check,
      onConfirmed,
    }: {
      readonly configs: ConfigStore;
      readonly metrics: GroupMetrics;
      readonly check: GroupCheck;
      readonly onConfirmed: NonNullable<GroupMembershipOptions['onConfirmed']>;
    },
  ) {
    this.#check = check;
    this.#group = platform.membership({
      groupId,
      url: workerUrl,
      protocol: group.groupProtocol,
      sessionTimeoutMs: group.sessionTimeoutMs,
      heartbeatIntervalMs: group.heartbeatIntervalMs,
      rebalanceTimeoutMs: group.rebalanceTimeoutMs,
      maxDelayMs: group.scheduledRebalanceMaxDelayMs,
      configured: () => configuredWork(configs),
      syncTimeoutMs: group.workerSyncTimeoutMs,
      unsyncBackoffMs: group.workerUnsyncBackoffMs,
      readConfigs: (signal) => configs.readToEnd(signal),
      askNewMembers: (members) => check.askNewMembers(members),
      hasClassOf: (url, connector) => check.hasClassOf(url, connector),
      onAssigned: async (assignment) => {
        metrics.assigned(assignment);
        check.noteAssignment(assignment);
        await this.#listener?.onAssigned(assignment);
        // Offsets that a stopped task could not write yet must not replace those of its next owner.
        this.#term += 1;
        metrics.carriedOut();
      },
      onLost: async (reason) => {
        metrics.assigned(undefined);
        check.noteAssignment(undefined);
        await this.#listener?.onLost(reason);
      },
      onConfirmed: (until) => {
        if (until === undefined) this.#term += 1;
        onConfirmed(until);
      },
      onObserved: (observation) => metrics.observe(observation),
    });
  }

  /** False while another worker may own what runs here. */
  get confirmed(): boolean {
    return this.#group.confirmed;
  }

  /** Number of the time from one assignment, or one loss of the membership, to the next; undefined while it is not {@link confirmed}. */
  get term(): number | undefined {
    return this.confirmed ? this.#term : undefined;
  }

  /** Joins, and reports to the listener from now on; see `GroupMembership.join`. */
  async join(listener: MembershipListener, signal: AbortSignal): Promise<void> {
    this.#listener = listener;
    await this.#group.join(signal);
  }

  /** Other connectors or tasks are configured than before. */
  rebalance(): void {
    this.#group.rebalance();
  }

  /** See `GroupMembership.expectRebalance`. */
  expectRebalance(): void {
    this.#group.expectRebalance();
  }

  async leave(): Promise<void> {
    this.#check.close();
    await this.#group.leave();
  }
}

/** All connectors and tasks of the config topic. */
function configuredWork(configs: ConfigStore): ConfiguredWork {
  const names = configs.names();
  const tasks = names.flatMap((name) =>
    (configs.get(name)?.tasks ?? []).map((_, task) => taskKey(name, task)),
  );
  return { offset: configs.offset, connectors: new Set(names), tasks: new Set(tasks) };
}
