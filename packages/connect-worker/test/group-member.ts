import type {
  GroupAssignment,
  GroupMembershipOptions,
  GroupWork,
} from '@levada/connect-runtime-core/platform';
import type { ConnectRuntimeOptions } from '../src/port/connect-runtime.ts';
import { type RuntimeHarness, runtimeHarness } from './runtime-harness.ts';

/** What a worker without others is assigned. */
export const everything: GroupAssignment = {
  generation: 1,
  isLeader: true,
  leaderUrl: 'http://127.0.0.1:8083/',
  signed: true,
  work: 'all',
  members: [],
};
/** The leader is another worker. */
export const elsewhere = { isLeader: false, leaderUrl: 'http://other:8083/' };

/** Connectors, and tasks by their keys. */
export function work(connectors: readonly string[], tasks: readonly string[]): GroupWork {
  return { connectors: new Set(connectors), tasks: new Set(tasks) };
}

/** Workers that are stopped after the test. */
export const open: RuntimeHarness[] = [];

/** A worker in a group that the test plays. */
export async function member(more: Partial<ConnectRuntimeOptions> = {}) {
  const group = { confirmed: true, left: false, rebalances: 0 };
  let options: GroupMembershipOptions | undefined;
  const base = runtimeHarness();
  const platform = {
    ...base.options.platform,
    membership: (given: GroupMembershipOptions) => {
      options = given;
      return {
        get confirmed() {
          return group.confirmed;
        },
        join: () => given.onAssigned(everything),
        rebalance: () => {
          group.rebalances += 1;
        },
        expectRebalance: () => undefined,
        leave: async () => {
          group.left = true;
        },
      };
    },
  };
  const harness = runtimeHarness({ platform, ...more }, base);
  open.push(harness);
  await harness.runtime.start();
  const membership = options as unknown as GroupMembershipOptions;
  return {
    ...harness,
    group,
    configured: () => membership.configured(),
    assign: (assignment: Partial<GroupAssignment>) => membership.onAssigned({ ...everything, ...assignment }),
    lose: (reason: string) => membership.onLost(reason),
  };
}

/** For `afterEach`. */
export async function stopAll(): Promise<void> {
  await Promise.all(open.splice(0).map(({ runtime, advanceUntil }) => advanceUntil(runtime.stop())));
}
