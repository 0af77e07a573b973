// The dashboard for Grafana: one panel a row of the table, help from the metric tables.

const ofConnector = '{connector=~"$connector"}';
const rate = (name, by) => `sum by (${by}) (rate(${name}${ofConnector}[$__rate_interval]))`;
const sum = (name, by) => `sum by (${by}) (${name}${ofConnector})`;

/** Rows of panels. A query is an expression with the text of its legend. */
const rows = [
  {
    title: 'Fleet',
    panels: [
      {
        title: 'Connectors by state',
        queries: [['sum by (state) (connect_worker_connectors)', '{{state}}']],
        stack: true,
      },
      {
        title: 'Tasks by state',
        queries: [['sum by (state) (connect_worker_tasks)', '{{state}}']],
        stack: true,
      },
      {
        title: 'Failed tasks',
        kind: 'table',
        queries: [[`connect_task_state{state="FAILED",connector=~"$connector"} == 1`, '']],
      },
      {
        title: 'Connectors without series',
        queries: [['connect_worker_connectors_left_out', '{{instance}} {{shard}}']],
      },
    ],
  },
  {
    title: 'Flow',
    panels: [
      {
        title: 'Received, produced and dropped by second',
        queries: [
          [`sum(rate(connect_source_messages_received_total${ofConnector}[$__rate_interval]))`, 'received'],
          [`sum(rate(connect_source_records_produced_total${ofConnector}[$__rate_interval]))`, 'produced'],
          [`sum(rate(connect_source_messages_dropped_total${ofConnector}[$__rate_interval]))`, 'dropped'],
        ],
        unit: 'ops',
      },
      {
        title: 'Received by connector',
        queries: [[rate('connect_source_messages_received_total', 'connector'), '{{connector}}']],
        unit: 'ops',
      },
      {
        title: 'Dropped by cause',
        queries: [
          [rate('connect_source_messages_dropped_total', 'connector, cause'), '{{connector}} {{cause}}'],
        ],
        unit: 'ops',
      },
    ],
  },
  {
    title: 'Queues',
    panels: [
      {
        title: 'Utilization',
        queries: [
          [`max by (connector) (connect_source_queue_utilization_ratio${ofConnector})`, '{{connector}}'],
        ],
        unit: 'percentunit',
        max: 1,
      },
      {
        title: 'Messages in queues',
        queries: [
          [sum('connect_source_queue_size', 'connector'), '{{connector}}'],
          [`sum(connect_source_queue_capacity${ofConnector})`, 'capacity of all'],
        ],
      },
      {
        title: 'Messages that wait for the log',
        queries: [[sum('connect_source_lag_messages', 'connector'), '{{connector}}']],
      },
    ],
  },
  {
    title: 'Connections',
    panels: [
      {
        title: 'Connected',
        kind: 'state-timeline',
        queries: [[`min by (connector) (connect_source_connected${ofConnector})`, '{{connector}}']],
      },
      {
        title: 'Attempts to connect again in five minutes',
        queries: [
          [
            `sum by (connector) (increase(connect_source_reconnect_attempts_total${ofConnector}[5m]))`,
            '{{connector}}',
          ],
        ],
      },
      {
        title: 'Time since the last message',
        queries: [
          [`max by (connector) (connect_source_last_message_age_seconds${ofConnector})`, '{{connector}}'],
        ],
        unit: 's',
      },
    ],
  },
  {
    title: 'OTLP signals',
    panels: [
      {
        title: 'Received by signal',
        queries: [
          [rate('connect_source_items_received_total', 'connector, signal'), '{{connector}} {{signal}}'],
        ],
        unit: 'ops',
      },
      {
        title: 'Rejected items by signal',
        queries: [
          [rate('connect_source_items_rejected_total', 'connector, signal'), '{{connector}} {{signal}}'],
        ],
        unit: 'ops',
      },
      {
        title: 'Rejected requests',
        queries: [[rate('connect_source_rejected_requests_total', 'connector'), '{{connector}}']],
        unit: 'ops',
      },
    ],
  },
  {
    title: 'Tasks',
    panels: [
      {
        title: 'Records written',
        queries: [
          [`kafka_connect_source_task_source_record_write_rate${ofConnector}`, '{{connector}}-{{task}}'],
        ],
        unit: 'ops',
      },
      {
        title: 'Average size of batches',
        queries: [[`kafka_connect_connector_task_batch_size_avg${ofConnector}`, '{{connector}}-{{task}}']],
      },
      {
        title: 'Time of offset commits',
        queries: [
          [`kafka_connect_connector_task_offset_commit_max_time_ms${ofConnector}`, '{{connector}}-{{task}}'],
        ],
        unit: 'ms',
      },
      {
        title: 'Failures of records in five minutes',
        queries: [
          [
            `increase(kafka_connect_task_error_total_record_failures${ofConnector}[5m])`,
            '{{connector}}-{{task}}',
          ],
        ],
      },
    ],
  },
  {
    title: 'Workers',
    panels: [
      {
        title: 'Log reachable',
        kind: 'state-timeline',
        queries: [['connect_worker_log_state == 1', '{{instance}} {{state}}, partial: {{partial}}']],
      },
      {
        title: 'Tasks by worker',
        queries: [['kafka_connect_worker_task_count', '{{instance}}']],
        stack: true,
      },
      {
        title: 'Failed starts in five minutes',
        queries: [
          ['increase(kafka_connect_worker_connector_startup_failure_total[5m])', '{{instance}} connectors'],
          ['increase(kafka_connect_worker_task_startup_failure_total[5m])', '{{instance}} tasks'],
        ],
      },
      {
        title: 'Rebalances in an hour',
        queries: [
          ['increase(kafka_connect_worker_rebalance_completed_rebalances_total[1h])', '{{instance}}'],
        ],
      },
      { title: 'Memory', queries: [['process_resident_memory_bytes', '{{instance}}']], unit: 'bytes' },
      {
        title: 'Processor time',
        queries: [['rate(process_cpu_seconds_total[$__rate_interval])', '{{instance}}']],
        unit: 'percentunit',
      },
    ],
  },
];

/** Every expression of the dashboard. */
export const dashboardQueries = rows.flatMap(({ panels }) =>
  panels.flatMap(({ queries }) => queries.map(([expr]) => expr)),
);

/** The dashboard as Grafana imports it. `helpOf` gives the help of a series; it throws for one that does not exist. */
export function dashboardFile(helpOf) {
  const panels = [];
  let y = 0;
  for (const row of rows) {
    panels.push({ id: panels.length + 1, type: 'row', title: row.title, gridPos: { h: 1, w: 24, x: 0, y } });
    y += 1;
    for (const [at, panel] of row.panels.entries()) {
      const gridPos = { h: 8, w: 8, x: (at % 3) * 8, y: y + Math.floor(at / 3) * 8 };
      panels.push(panelOf(panel, { id: panels.length + 1, gridPos }, helpOf));
    }
    y += Math.ceil(row.panels.length / 3) * 8;
  }
  const dashboard = {
    title: 'Levada',
    uid: 'levada',
    tags: ['levada', 'kafka-connect'],
    schemaVersion: 39,
    version: 1,
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    templating: { list: [dataSource, connectorVariable] },
    panels,
  };
  return `${JSON.stringify(dashboard, undefined, 2)}\n`;
}

const datasource = { type: 'prometheus', uid: '$datasource' };
const dataSource = { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' };
const connectorVariable = {
  name: 'connector',
  label: 'Connector',
  type: 'query',
  datasource,
  query: { query: 'label_values(connect_connector_state, connector)', refId: 'connector' },
  refresh: 2,
  includeAll: true,
  multi: true,
  allValue: '.*',
  current: { text: 'All', value: '$__all' },
};

function panelOf({ title, queries, kind = 'timeseries', unit = 'short', stack = false, max }, place, helpOf) {
  const names = [...new Set(queries.flatMap(([expr]) => seriesIn(expr)))];
  const custom = { stacking: { mode: stack ? 'normal' : 'none' }, fillOpacity: stack ? 60 : 10 };
  return {
    ...place,
    type: kind,
    title,
    description: names.map((name) => `${name}: ${helpOf(name)}`).join('\n\n'),
    datasource,
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        ...(max === undefined ? {} : { max }),
        ...(kind === 'timeseries' ? { custom } : {}),
      },
      overrides: [],
    },
    targets: queries.map(([expr, legendFormat], at) => ({
      refId: String.fromCharCode(65 + at),
      datasource,
      expr,
      legendFormat,
      ...(kind === 'table' ? { format: 'table', instant: true } : {}),
    })),
  };
}

/** The names of series in an expression. */
export function seriesIn(expr) {
  return expr.match(/\b(?:connect|kafka_connect|process)_\w+/g) ?? [];
}
