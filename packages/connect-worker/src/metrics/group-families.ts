import type { MetricFamily } from '../port/metric-objects.ts';
import type { GroupMetrics } from './group-metrics.ts';

const domain = 'kafka.connect';

/** A worker as a member of its group. */
export interface MeasuredMember {
  readonly group: GroupMetrics;
  readonly connectors: number;
  readonly tasks: number;
}

/** Rebalances, and the assignment that the last one led to. */
export const rebalanceFamily: MetricFamily<GroupMetrics> = {
  domain,
  type: 'connect-worker-rebalance-metrics',
  keys: [],
  series: 'kafka_connect_worker_rebalance',
  help: 'The worker as a member of a group, on a Kafka cluster',
  attributes: {
    'connect-protocol': { help: 'How the group shares its work', read: ({ protocol }) => protocol },
    'leader-name': {
      help: 'URL of the leader of the group',
      read: ({ assignment }) => assignment?.leaderUrl ?? '',
    },
    epoch: {
      help: 'Generation of the group',
      read: ({ assignment }) => assignment?.generation ?? Number.NaN,
    },
    'completed-rebalances-total': {
      help: 'Rebalances that this worker took part in to their end',
      read: ({ rebalances }) => rebalances.total,
    },
    rebalancing: { help: 'Whether a rebalance is under way', read: ({ rebalancing }) => Number(rebalancing) },
    'rebalance-max-time-ms': {
      help: 'Longest time of a recent rebalance, in milliseconds',
      read: ({ rebalances }) => rebalances.maxMs,
    },
    'rebalance-avg-time-ms': {
      help: 'Average time of recent rebalances, in milliseconds',
      read: ({ rebalances }) => rebalances.averageMs,
    },
    'time-since-last-rebalance-ms': {
      help: 'Time since the last completed rebalance, in milliseconds; infinite before the first',
      read: ({ msSinceRebalance }) => msSinceRebalance,
    },
  },
};

const SECONDS_PER_HOUR = 3600;

type RequestName = 'heartbeats' | 'joins' | 'syncs';

const requests = (name: RequestName, what: string, word: string) => ({
  [`${word}-rate`]: {
    help: `${what} by second lately`,
    read: ({ group }: MeasuredMember) => group[name].perSecond,
  },
  [`${word}-total`]: { help: what, read: ({ group }: MeasuredMember) => group[name].total },
});

const durations = (name: RequestName, what: string, word: string) => ({
  [`${word}-time-avg`]: {
    help: `Average time until ${what} was answered lately, in milliseconds`,
    read: ({ group }: MeasuredMember) => group[name].averageMs,
  },
  [`${word}-time-max`]: {
    help: `Longest time until ${what} was answered lately, in milliseconds`,
    read: ({ group }: MeasuredMember) => group[name].maxMs,
  },
});

/** Requests to the group coordinator. */
export const coordinatorFamily: MetricFamily<MeasuredMember> = {
  domain,
  type: 'connect-coordinator-metrics',
  keys: ['client-id'],
  series: 'kafka_connect_coordinator',
  help: 'The worker as a client of the group coordinator, on a Kafka cluster',
  attributes: {
    'assigned-connectors': {
      help: 'Connectors assigned to this worker',
      read: ({ connectors }) => connectors,
    },
    'assigned-tasks': { help: 'Tasks assigned to this worker', read: ({ tasks }) => tasks },
    ...requests('heartbeats', 'Heartbeats answered', 'heartbeat'),
    'heartbeat-response-time-max': {
      help: 'Longest time until a heartbeat was answered lately, in milliseconds',
      read: ({ group }) => group.heartbeats.maxMs,
    },
    'last-heartbeat-seconds-ago': {
      help: 'Seconds since the last heartbeat was answered',
      read: ({ group }) => Math.floor(group.msSinceHeartbeat / 1000),
    },
    ...requests('joins', 'Joins of the group', 'join'),
    ...durations('joins', 'a join', 'join'),
    ...requests('syncs', 'Requests for an assignment', 'sync'),
    ...durations('syncs', 'a request for an assignment', 'sync'),
    'rebalance-total': { help: 'Completed rebalances', read: ({ group }) => group.rebalances.total },
    'rebalance-rate-per-hour': {
      help: 'Completed rebalances by hour lately',
      read: ({ group }) => group.rebalances.perSecond * SECONDS_PER_HOUR,
    },
    'rebalance-latency-avg': {
      help: 'Average time of recent rebalances, in milliseconds',
      read: ({ group }) => group.rebalances.averageMs,
    },
    'rebalance-latency-max': {
      help: 'Longest time of a recent rebalance, in milliseconds',
      read: ({ group }) => group.rebalances.maxMs,
    },
    'rebalance-latency-total': {
      help: 'Time of all rebalances together, in milliseconds',
      read: ({ group }) => group.rebalanceMsTotal,
    },
    'failed-rebalance-total': {
      help: 'Rebalances that did not come to an end',
      read: ({ group }) => group.failedRebalances,
    },
    'failed-rebalance-rate-per-hour': {
      help: 'Rebalances by hour lately that did not come to an end',
      read: ({ group }) => group.failedRebalancesPerSecond * SECONDS_PER_HOUR,
    },
    'last-rebalance-seconds-ago': {
      help: 'Seconds since the last completed rebalance; infinite before the first',
      read: ({ group }) => Math.floor(group.msSinceRebalance / 1000),
    },
  },
};
