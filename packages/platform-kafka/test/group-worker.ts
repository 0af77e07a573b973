import { ConnectorError, systemClock } from '@levada/connect-runtime-core';
import type {
  GroupAssignment,
  GroupMembership,
  GroupObservation,
  GroupProtocol,
} from '@levada/connect-runtime-core/platform';
import { createRecordingLogger, type RecordingLogger, waitFor } from '@levada/connect-runtime-core/testing';
import { type ReachableBroker, withAdmin } from '@levada/kafka-testkit';
import { Cluster } from '../src/cluster/cluster.ts';
import { GroupCoordinator, type MemberOptions } from '../src/group/group-coordinator.ts';
import { noWork } from '../src/group/work.ts';
import { openKafkaPlatform } from '../src/kafka-platform.ts';
import { brokerAddress } from '../src/wire/link-options.ts';

/** Everything that a test opened. */
const closing: (() => Promise<unknown>)[] = [];

/** Closes it at the end of the test. */
export function closeLater(close: () => Promise<unknown>): void {
  closing.push(close);
}

/** For `afterEach`. */
export async function closeAll(): Promise<void> {
  await Promise.all(closing.splice(0).map((close) => close()));
}

/** A worker as its group sees it. It runs its assignment, and stops at once. */
export interface TestWorker {
  readonly membership: GroupMembership;
  readonly assigned: GroupAssignment[];
  readonly observed: GroupObservation[];
  readonly lost: string[];
  /** The config topic, as far as this worker has read it. */
  configured: { offset: number; connectors: ReadonlySet<string>; tasks: ReadonlySet<string> };
  /** Reads of the config topic to its end. */
  reads: number;
  /** If true, reading the config topic never ends. */
  unreadable: boolean;
  /** If set, an assignment is applied when this resolves. */
  stopping: Promise<void> | undefined;
  /** Number of failing attempts to stop when its membership is lost. */
  stopFailures: number;
  readonly logger: RecordingLogger;
  running(): ReadonlySet<string>;
  close(): Promise<void>;
}

let groups = 0;

/** A separate group, even on a broker that other files share. */
export function newGroup(): string {
  groups += 1;
  return `group-${process.pid}-${groups}`;
}

/** Opens a worker that is not a member yet. Its session is longer than a busy machine may stall. */
export async function openWorker(
  bootstrap: string,
  groupId: string,
  {
    port = 8083,
    sessionTimeoutMs = 10_000,
    heartbeatIntervalMs = 200,
    rebalanceTimeoutMs = 5_000,
    maxDelayMs = 0,
    protocol = 'sessioned' as GroupProtocol,
    config = {} as Readonly<Record<string, string>>,
  } = {},
): Promise<TestWorker> {
  const logger = createRecordingLogger();
  const keys = { 'bootstrap.servers': bootstrap, ...config };
  const platform = await openKafkaPlatform({ config: keys, logger, clock: systemClock });
  const worker: Pick<TestWorker, 'configured' | 'reads' | 'unreadable' | 'stopping' | 'stopFailures'> = {
    configured: { offset: 1, connectors: new Set(['a', 'b']), tasks: new Set(['a-0', 'b-0']) },
    reads: 0,
    unreadable: false,
    stopping: undefined,
    stopFailures: 0,
  };
  const assigned: GroupAssignment[] = [];
  const observed: GroupObservation[] = [];
  const lost: string[] = [];
  let running: GroupAssignment['work'] | undefined;
  const membership = platform.membership({
    groupId,
    url: `http://127.0.0.1:${port}/`,
    protocol,
    sessionTimeoutMs,
    heartbeatIntervalMs,
    rebalanceTimeoutMs,
    maxDelayMs,
    syncTimeoutMs: 500,
    unsyncBackoffMs: 1_000,
    configured: () => worker.configured,
    readConfigs: async () => {
      worker.reads += 1;
      if (worker.unreadable) await new Promise(() => undefined);
      worker.configured = { ...worker.configured, offset: worker.configured.offset + 1 };
    },
    onAssigned: async (assignment) => {
      assigned.push(assignment);
      await worker.stopping;
      running = assignment.work;
    },
    onObserved: (observation) => observed.push(observation),
    onLost: async (reason) => {
      lost.push(reason);
      worker.stopFailures -= 1;
      if (worker.stopFailures >= 0) throw new ConnectorError('timeout', 'tasks do not stop');
      running = undefined;
    },
  });
  const close = (): Promise<void> => platform.close({ timeoutMs: 1_000 });
  closeLater(close);
  return Object.assign(worker, {
    membership,
    assigned,
    observed,
    lost,
    logger,
    close,
    running: () => {
      const { connectors, tasks } = running === 'all' ? worker.configured : (running ?? noWork);
      return connectors.union(tasks);
    },
  });
}

/** The group as the broker sees it. */
export async function describeGroup(broker: ReachableBroker, groupId: string) {
  return await withAdmin(broker, async (admin) => {
    const { groups: found } = await admin.describeGroups([groupId]);
    return found[0];
  });
}

/** For waits that include the end of a session. */
export const slow = { timeoutMs: 20_000 };

/** A member that has joined and then sends nothing, not even heartbeats. */
export async function silentMember(broker: ReachableBroker, groupId: string): Promise<GroupCoordinator> {
  const member = memberOf(broker, groupId);
  const join = () => member.join({ configOffset: -1, allocation: undefined });
  // A young broker has no coordinator yet
  await waitFor(() =>
    join().then(
      () => true,
      () => false,
    ),
  );
  return member;
}

/** Another worker of the group, reduced to its requests to the coordinator. */
function memberOf(broker: ReachableBroker, groupId: string): GroupCoordinator {
  const cluster = otherCluster(broker);
  const options: MemberOptions = {
    groupId,
    url: 'http://127.0.0.1:9999/',
    protocol: 'sessioned',
    sessionTimeoutMs: 60_000,
    heartbeatIntervalMs: 3_000,
    rebalanceTimeoutMs: 60_000,
  };
  const member = new GroupCoordinator(async () => cluster, options, systemClock);
  closeLater(() => member.close());
  return member;
}

/** Separate connections. */
export function otherCluster(broker: ReachableBroker): Cluster {
  const at = brokerAddress(broker.bootstrap);
  const bootstrap = at === undefined ? [] : [at];
  return new Cluster({ bootstrap, link: { clientId: 'other', clock: systemClock } });
}
