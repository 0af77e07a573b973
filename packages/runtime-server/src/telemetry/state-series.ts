import type { ConnectorStatus, RunState, TaskErrors } from '@levada/connect-runtime-core/runtime';
import type { FamilyCollector } from './prometheus-text.ts';

const connectorStates: readonly RunState[] = [
  'UNASSIGNED',
  'RUNNING',
  'PAUSED',
  'FAILED',
  'RESTARTING',
  'STOPPED',
];
const taskStates = connectorStates.filter((state) => state !== 'STOPPED');

const families = {
  connectorState: 'connect_connector_state',
  taskState: 'connect_task_state',
  connectorStatus: 'kafka_connect_connector_status',
  taskStatus: 'kafka_connect_connector_task_status',
} as const;

const help: Readonly<Record<keyof typeof families, string>> = {
  connectorState: 'State of the connector: 1 for the present state, 0 for every other',
  taskState: 'State of the task: 1 for the present state, 0 for every other',
  connectorStatus: 'Status of the connector, as a label',
  taskStatus: 'Status of the task, as a label',
};

/** Connector and task states, in our convention (each state 0 or 1) and in the one that existing alert rules key on. */
export function addStateSeries(to: FamilyCollector, plugin: string, status: ConnectorStatus): void {
  const connector = status.name;
  const gauge = (family: keyof typeof families, labels: Readonly<Record<string, string>>, value: number) =>
    to.add({ name: families[family], type: 'gauge', help: help[family] }, { labels, value });

  for (const state of connectorStates) {
    gauge('connectorState', { connector, plugin, state }, Number(state === status.connector.state));
  }
  gauge('connectorStatus', { connector, status: status.connector.state.toLowerCase() }, 1);
  for (const task of status.tasks) {
    const labels = { connector, task: String(task.id) };
    for (const state of taskStates)
      gauge('taskState', { ...labels, plugin, state }, Number(state === task.state));
    gauge('taskStatus', { ...labels, status: task.state.toLowerCase() }, 1);
  }
  addTaskCounts(to, status);
}

function addTaskCounts(to: FamilyCollector, { name, tasks }: ConnectorStatus): void {
  const count = (word: string, value: number): void =>
    to.add(
      {
        name: `kafka_connect_worker_connector_${word}_task_count`,
        type: 'gauge',
        help: `Tasks of the connector: ${word}`,
      },
      { labels: { connector: name }, value },
    );
  count('total', tasks.length);
  for (const state of taskStates)
    count(state.toLowerCase(), tasks.filter((task) => task.state === state).length);
}

const errorCounters = {
  total_record_failures: [
    'failures',
    'Attempts of the task to transform, convert or store a record that failed',
  ],
  total_record_errors: ['errors', 'Records of the task that failed'],
  total_records_skipped: ['skipped', 'Records of the task that were dropped because they failed'],
  total_retries: ['retries', 'Attempts of the task after one that failed'],
  total_errors_logged: ['logged', 'Failed records of the task that were logged'],
} as const satisfies Readonly<Record<string, readonly [keyof TaskErrors, string]>>;

/** Connect's `task-error-metrics` of the tasks that run here, by the names that alert rules know. */
export function addErrorSeries(to: FamilyCollector, connector: string, errors: readonly TaskErrors[]): void {
  for (const counts of errors) {
    const labels = { connector, task: String(counts.task) };
    for (const [attribute, [member, text]] of Object.entries(errorCounters)) {
      const name = `kafka_connect_task_error_${attribute}`;
      to.add({ name, type: 'counter', help: text }, { labels, value: counts[member] });
    }
    to.add(
      {
        name: 'kafka_connect_task_error_last_error_timestamp',
        type: 'gauge',
        help: 'Time of the last failed record, milliseconds since 1970; 0 before the first',
      },
      { labels, value: counts.lastErrorAt },
    );
  }
}
