import type { MetricFamily, MetricObject } from '../port/metric-objects.ts';
import type { TaskStatus } from '../port/status.ts';
import type { GroupMetrics } from './group-metrics.ts';
import type { TaskMetrics } from './task-metrics.ts';
import { orZero, type StartCounts, type WorkerCounts } from './worker-counts.ts';

/** A worker as a whole. */
export interface MeasuredWorker extends WorkerCounts {
  readonly connectors: number;
  readonly tasks: number;
}

/** A task with its status in the status topic; what it measures is there from its first start on. */
export interface MeasuredTask {
  readonly status: string;
  readonly metrics: TaskMetrics | undefined;
}

/** A worker as a member of its group. */
export interface MeasuredMember {
  readonly group: GroupMetrics;
  readonly counts: MeasuredWorker;
}

/** Who the worker is. */
export interface WorkerIdentity {
  readonly version: string;
  readonly commit: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** The descriptor of a connector, and its status. */
export interface MeasuredDescriptor {
  readonly status: string;
  readonly type: string;
  readonly className: string;
  readonly version: string;
}

const domain = 'kafka.connect';

function starts<S>(what: 'connector' | 'task', of: (source: S) => StartCounts) {
  return {
    [`${what}-startup-attempts-total`]: {
      help: `Starts of ${what}s that this worker attempted`,
      read: (source: S) => of(source).attempts,
    },
    [`${what}-startup-success-total`]: {
      help: `Starts of ${what}s that succeeded`,
      read: (source: S) => of(source).successes,
    },
    [`${what}-startup-success-percentage`]: {
      help: `Share of recent starts of ${what}s that succeeded, from 0 to 1`,
      read: (source: S) => of(source).successShare,
    },
    [`${what}-startup-failure-total`]: {
      help: `Starts of ${what}s that failed`,
      read: (source: S) => of(source).failures,
    },
    [`${what}-startup-failure-percentage`]: {
      help: `Share of recent starts of ${what}s that failed, from 0 to 1`,
      read: (source: S) => of(source).failureShare,
    },
  };
}

const workerFamily: MetricFamily<MeasuredWorker> = {
  domain,
  type: 'connect-worker-metrics',
  keys: [],
  series: 'kafka_connect_worker',
  help: 'The worker',
  attributes: {
    'connector-count': { help: 'Connectors of this worker', read: ({ connectors }) => connectors },
    'task-count': { help: 'Tasks of this worker', read: ({ tasks }) => tasks },
    ...starts<MeasuredWorker>('connector', ({ connectorStarts }) => connectorStarts),
    ...starts<MeasuredWorker>('task', ({ taskStarts }) => taskStarts),
  },
};

const tasksIn = (state: TaskStatus['state']) => (tasks: readonly TaskStatus[]) =>
  tasks.reduce((count, task) => count + Number(task.state === state), 0);

const workerConnectorFamily: MetricFamily<readonly TaskStatus[]> = {
  domain,
  type: 'connect-worker-metrics',
  keys: ['connector'],
  series: 'kafka_connect_worker',
  help: 'A connector, by the states of its tasks on the worker',
  attributes: {
    'connector-total-task-count': { help: 'Tasks of the connector', read: ({ length }) => length },
    'connector-running-task-count': { help: 'Tasks of the connector that run', read: tasksIn('RUNNING') },
    'connector-paused-task-count': {
      help: 'Tasks of the connector that are paused',
      read: tasksIn('PAUSED'),
    },
    'connector-failed-task-count': { help: 'Tasks of the connector that failed', read: tasksIn('FAILED') },
    'connector-unassigned-task-count': {
      help: 'Tasks of the connector that no worker runs',
      read: tasksIn('UNASSIGNED'),
    },
    'connector-destroyed-task-count': {
      help: 'Tasks of the connector that are about to be removed; always 0, they are removed at once',
      read: () => 0,
    },
    'connector-restarting-task-count': {
      help: 'Tasks of the connector that are being restarted',
      read: tasksIn('RESTARTING'),
    },
  },
};

const connectorFamily: MetricFamily<MeasuredDescriptor> = {
  domain,
  type: 'connector-metrics',
  keys: ['connector'],
  series: 'kafka_connect_connector',
  help: 'A connector',
  attributes: {
    status: { help: 'Status of the connector', read: ({ status }) => status },
    'connector-type': { help: 'Type of the connector', read: ({ type }) => type },
    'connector-class': { help: 'Class of the connector', read: ({ className }) => className },
    'connector-version': { help: 'Version of the class of the connector', read: ({ version }) => version },
  },
};

const task = (read: (metrics: TaskMetrics) => number) => (source: MeasuredTask) =>
  source.metrics === undefined ? Number.NaN : read(source.metrics);

const taskFamily: MetricFamily<MeasuredTask> = {
  domain,
  type: 'connector-task-metrics',
  keys: ['connector', 'task'],
  series: 'kafka_connect_connector_task',
  help: 'A task',
  attributes: {
    status: { help: 'Status of the task', read: ({ status }) => status },
    'running-ratio': {
      help: 'Share of its life that the task has been running, from 0 to 1',
      read: task((metrics) => metrics.ratio('running')),
    },
    'pause-ratio': {
      help: 'Share of its life that the task has been paused, from 0 to 1',
      read: task((metrics) => metrics.ratio('paused')),
    },
    'offset-commit-max-time-ms': {
      help: 'Longest time of a recent commit of offsets, in milliseconds',
      read: task(({ commitMs }) => commitMs.maximum()),
    },
    'offset-commit-avg-time-ms': {
      help: 'Average time of recent commits of offsets, in milliseconds',
      read: task(({ commitMs }) => commitMs.average()),
    },
    'offset-commit-failure-percentage': {
      help: 'Share of recent commits of offsets that failed, from 0 to 1',
      read: task(({ commits }) => orZero(1 - commits.average())),
    },
    'offset-commit-success-percentage': {
      help: 'Share of recent commits of offsets that succeeded, from 0 to 1',
      read: task(({ commits }) => orZero(commits.average())),
    },
    'batch-size-max': {
      help: 'Records of the largest recent batch',
      read: task(({ batches }) => batches.maximum()),
    },
    'batch-size-avg': {
      help: 'Average number of records of recent batches',
      read: task(({ batches }) => batches.average()),
    },
  },
};

const sourceTaskFamily: MetricFamily<TaskMetrics> = {
  domain,
  type: 'source-task-metrics',
  keys: ['connector', 'task'],
  series: 'kafka_connect_source_task',
  help: 'A task of a source that was started',
  attributes: {
    'source-record-poll-rate': {
      help: 'Records by second that the task has handed out lately',
      read: ({ batches }) => batches.perSecond(),
    },
    'source-record-poll-total': {
      help: 'Records that the task has handed out since it was started',
      read: ({ polledTotal }) => polledTotal,
    },
    'source-record-write-rate': {
      help: 'Records by second of the task that the log has stored lately',
      read: ({ writes }) => writes.perSecond(),
    },
    'source-record-write-total': {
      help: 'Records of the task that the log has stored since it was started',
      read: ({ writtenTotal }) => writtenTotal,
    },
    'source-record-active-count': {
      help: 'Records that the task has handed out and the log has not stored yet',
      read: ({ activeNow }) => activeNow,
    },
    'source-record-active-count-max': {
      help: 'Most records on their way to the log lately',
      read: ({ active }) => active.maximum(),
    },
    'source-record-active-count-avg': {
      help: 'Average number of records on their way to the log lately',
      read: ({ active }) => active.average(),
    },
    'poll-batch-max-time-ms': {
      help: 'Longest time to get a batch from the task lately, in milliseconds',
      read: ({ pollMs }) => pollMs.maximum(),
    },
    'poll-batch-avg-time-ms': {
      help: 'Average time to get a batch from the task lately, in milliseconds',
      read: ({ pollMs }) => pollMs.average(),
    },
  },
};

const taskErrorFamily: MetricFamily<TaskMetrics> = {
  domain,
  type: 'task-error-metrics',
  keys: ['connector', 'task'],
  series: 'kafka_connect_task_error',
  help: 'A task that was started, by what went wrong with its records',
  attributes: {
    'total-record-failures': {
      help: 'Failed attempts to convert, transform or produce a record, repeated ones included',
      read: ({ errors }) => errors.failures,
    },
    'total-record-errors': {
      help: 'Records whose failure was not tolerated',
      read: ({ errors }) => errors.errors,
    },
    'total-records-skipped': {
      help: 'Records left out because failures are tolerated',
      read: ({ errors }) => errors.skipped,
    },
    'total-retries': { help: 'Attempts that were repeated', read: ({ errors }) => errors.retries },
    'total-errors-logged': { help: 'Failures written to the log', read: ({ errors }) => errors.logged },
    'deadletterqueue-produce-requests': {
      help: 'Records handed to the dead letter topic',
      read: ({ errors }) => errors.deadLetters,
    },
    'deadletterqueue-produce-failures': {
      help: 'Records that the dead letter topic did not take',
      read: ({ errors }) => errors.deadLetterFailures,
    },
    'last-error-timestamp': {
      help: 'Time of the last failure, in milliseconds since 1970; 0: there was none',
      read: ({ errors }) => errors.lastErrorAt,
    },
  },
};

const rebalanceFamily: MetricFamily<GroupMetrics> = {
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

const coordinatorFamily: MetricFamily<MeasuredMember> = {
  domain,
  type: 'connect-coordinator-metrics',
  keys: ['client-id'],
  series: 'kafka_connect_coordinator',
  help: 'The worker as a client of the group coordinator, on a Kafka cluster',
  attributes: {
    'assigned-connectors': {
      help: 'Connectors assigned to this worker',
      read: ({ counts }) => counts.connectors,
    },
    'assigned-tasks': { help: 'Tasks assigned to this worker', read: ({ counts }) => counts.tasks },
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
    'last-rebalance-seconds-ago': {
      help: 'Seconds since the last completed rebalance; infinite before the first',
      read: ({ group }) => Math.floor(group.msSinceRebalance / 1000),
    },
  },
};

const appInfoFamily: MetricFamily<WorkerIdentity> = {
  domain,
  type: 'app-info',
  keys: ['client-id'],
  series: 'kafka_connect',
  help: 'The program',
  attributes: {
    version: { help: 'Version of the worker', read: ({ version }) => version },
    'commit-id': { help: 'What the worker was built from', read: ({ commit }) => commit },
    'start-time-ms': {
      help: 'Start of the worker, in milliseconds since 1970',
      read: ({ startedAt }) => startedAt,
    },
  },
};

/** Kafka Connect's metrics, by what they are read from. The names of types and attributes are Connect's, to the letter. */
export const connectFamilies = {
  worker: workerFamily,
  workerConnector: workerConnectorFamily,
  connector: connectorFamily,
  task: taskFamily,
  sourceTask: sourceTaskFamily,
  taskError: taskErrorFamily,
  rebalance: rebalanceFamily,
  coordinator: coordinatorFamily,
  appInfo: appInfoFamily,
} as const;

/** An object of a family. */
export function metricObject<S>(
  family: MetricFamily<S>,
  source: S,
  keys: readonly string[] = [],
): MetricObject {
  return { family, keys, read: (attribute) => family.attributes[attribute]?.read(source) ?? Number.NaN };
}
