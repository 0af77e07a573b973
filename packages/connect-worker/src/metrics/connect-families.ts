import type { MetricFamily, MetricObject } from '../port/metric-objects.ts';
import type { TaskStatus } from '../port/status.ts';
import { coordinatorFamily, rebalanceFamily } from './group-families.ts';
import type { TaskMetrics } from './task-metrics.ts';
import { type MeasuredWorker, orZero, type StartCounts } from './worker-counts.ts';

/** A task with its status in the status topic; what it measures is there from its first start on. */
export interface MeasuredTask {
  readonly status: string;
  readonly metrics: TaskMetrics | undefined;
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
      help: 'Records that failed, also those left out because failures are tolerated',
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

const producerFamily: MetricFamily<TaskMetrics> = {
  domain: 'kafka.producer',
  type: 'producer-metrics',
  keys: ['client-id'],
  series: 'kafka_producer',
  help: 'The producer of a task, on a Kafka cluster',
  attributes: {
    'record-send-rate': {
      help: 'Records by second that the producer has sent lately',
      read: ({ writes, unstored }) => writes.perSecond() + unstored.perSecond(),
    },
    'record-send-total': {
      help: 'Records that the producer has sent, and whose outcome is known',
      read: ({ sentTotal }) => sentTotal,
    },
    'record-error-rate': {
      help: 'Records by second that were sent lately and not stored',
      read: ({ unstored }) => unstored.perSecond(),
    },
    'record-error-total': {
      help: 'Records that were sent and not stored',
      read: ({ sentTotal, writtenTotal }) => sentTotal - writtenTotal,
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
  producer: producerFamily,
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
