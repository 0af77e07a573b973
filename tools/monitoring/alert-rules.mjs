// Alert rules over the series of /metrics. `fires` and `silent` are the unit tests of each: series of one sample a minute, and the
// minute at which the alert is looked at.

const received = 'connect_source_messages_received_total';
const dropped = 'connect_source_messages_dropped_total';
const otlp = 'plugin="OpenTelemetrySourceConnector"';
const running = 'connect_connector_state{connector="a",state="RUNNING"}';

/** Rows in the order of the file. `expects` names labels of the alert that fires. */
export const alertRules = [
  {
    alert: 'WorkerGone',
    expr: 'max_over_time(kafka_connect_up[1h]) unless on (instance) kafka_connect_up',
    for: '2m',
    severity: 'critical',
    summary: 'The worker {{ $labels.instance }} does not answer',
    description:
      'It answered within the last hour. Its connectors do not run, unless other workers of its group have taken them over. Look at the end of its log.',
    fires: { at: 8, expects: { instance: 'w' }, series: { 'kafka_connect_up{instance="w"}': '1 1 1 stale' } },
    silent: { at: 8, series: { 'kafka_connect_up{instance="w"}': '1x10' } },
  },
  {
    alert: 'LogUnreachable',
    expr: 'connect_worker_log_state{state="away",partial="false"} == 1',
    for: '1m',
    severity: 'critical',
    summary: 'The worker {{ $labels.instance }} cannot reach its log',
    description:
      'Nothing is stored, and queues fill. Look at the brokers and at log_unavailable lines of the worker.',
    fires: {
      at: 3,
      expects: { state: 'away', partial: 'false' },
      series: { 'connect_worker_log_state{state="away",partial="false"}': '1x5' },
    },
    silent: {
      at: 3,
      series: {
        'connect_worker_log_state{state="away",partial="false"}': '1 0 0 0',
        'connect_worker_log_state{state="away",partial="true"}': '0 1 1 1',
      },
    },
  },
  {
    alert: 'LogPartlyUnreachable',
    expr: 'connect_worker_log_state{state="away",partial="true"} == 1',
    for: '1m',
    severity: 'warning',
    summary: 'The worker {{ $labels.instance }} cannot reach a part of its log',
    description:
      'Some topic, some producer or the tasks in some thread have no log; the rest is stored. GET /health says which, and why.',
    fires: {
      at: 3,
      expects: { state: 'away', partial: 'true' },
      series: { 'connect_worker_log_state{state="away",partial="true"}': '1x5' },
    },
    silent: {
      at: 3,
      series: {
        'connect_worker_log_state{state="away",partial="true"}': '1 0 0 0',
        'connect_worker_log_state{state="away",partial="false"}': '0 1 1 1',
      },
    },
  },
  {
    alert: 'ConnectorFailed',
    expr: 'connect_connector_state{state="FAILED"} == 1',
    for: '1m',
    severity: 'critical',
    summary: 'Connector {{ $labels.connector }} failed',
    description: 'Its status holds the reason: GET /connectors/{{ $labels.connector }}/status.',
    fires: {
      at: 3,
      expects: { connector: 'a', state: 'FAILED' },
      series: { 'connect_connector_state{connector="a",state="FAILED"}': '1x5' },
    },
    silent: { at: 3, series: { 'connect_connector_state{connector="a",state="FAILED"}': '0x5' } },
  },
  {
    alert: 'TaskFailed',
    expr: 'connect_task_state{state="FAILED"} == 1',
    for: '1m',
    severity: 'critical',
    summary: 'Task {{ $labels.task }} of connector {{ $labels.connector }} failed',
    description:
      'Nothing is received for it until it is restarted. Its status holds the reason: GET /connectors/{{ $labels.connector }}/status.',
    fires: {
      at: 3,
      expects: { connector: 'a', task: '0', state: 'FAILED' },
      series: { 'connect_task_state{connector="a",task="0",state="FAILED"}': '1x5' },
    },
    silent: { at: 3, series: { 'connect_task_state{connector="a",task="0",state="FAILED"}': '0x5' } },
  },
  {
    alert: 'SourceDisconnected',
    expr: 'connect_source_connected == 0 and on (connector) connect_connector_state{state="RUNNING"} == 1',
    for: '2m',
    severity: 'warning',
    summary: 'Connector {{ $labels.connector }} is not connected',
    description:
      'It runs, and tries to connect again. GET /connectors/{{ $labels.connector }}/status?expand=connection shows the last error and the next attempt.',
    fires: {
      at: 4,
      expects: { connector: 'a' },
      series: { 'connect_source_connected{connector="a"}': '0x5', [running]: '1x5' },
    },
    silent: { at: 4, series: { 'connect_source_connected{connector="a"}': '0x5', [running]: '0x5' } },
  },
  {
    alert: 'SourceDropping',
    expr: `sum by (connector) (rate(${dropped}[5m])) / sum by (connector) (rate(${received}[5m])) > 0.01`,
    for: '2m',
    severity: 'warning',
    summary: 'Connector {{ $labels.connector }} drops {{ $value | humanizePercentage }} of its messages',
    description:
      'The label cause of connect_source_messages_dropped_total says why: a full queue means that the log is slower than the source.',
    fires: {
      at: 10,
      expects: { connector: 'a' },
      series: {
        [`${dropped}{connector="a",cause="queue_full"}`]: '0+2x15',
        [`${received}{connector="a"}`]: '0+100x15',
      },
    },
    silent: {
      at: 10,
      series: {
        [`${dropped}{connector="a",cause="queue_full"}`]: '0x15',
        [`${received}{connector="a"}`]: '0x15',
      },
    },
  },
  {
    alert: 'SourceLag',
    expr: 'connect_source_lag_messages > 10000',
    for: '5m',
    severity: 'warning',
    summary: 'Connector {{ $labels.connector }} has {{ $value }} messages waiting',
    description: 'So many messages wait for the log. Compare the rates of received and produced messages.',
    fires: {
      at: 7,
      expects: { connector: 'a' },
      series: { 'connect_source_lag_messages{connector="a"}': '10001x10' },
    },
    silent: { at: 7, series: { 'connect_source_lag_messages{connector="a"}': '10000x10' } },
  },
  {
    alert: 'SourceQueueHigh',
    expr: 'max by (connector) (connect_source_queue_utilization_ratio) > 0.8',
    for: '5m',
    severity: 'warning',
    summary: 'The queue of connector {{ $labels.connector }} is {{ $value | humanizePercentage }} full',
    description: 'When it is full, messages are dropped or refused, depending on the connector.',
    fires: {
      at: 7,
      expects: { connector: 'a' },
      series: {
        'connect_source_queue_utilization_ratio{connector="a",signal="logs"}': '0.9x10',
        'connect_source_queue_utilization_ratio{connector="a",signal="traces"}': '0x10',
      },
    },
    silent: { at: 7, series: { 'connect_source_queue_utilization_ratio{connector="a"}': '0.8x10' } },
  },
  {
    alert: 'SourceStale',
    expr: 'connect_source_last_message_age_seconds > 300 and on (connector) connect_source_connected == 1',
    for: '0m',
    severity: 'warning',
    summary: 'Connector {{ $labels.connector }} has received nothing for {{ $value | humanizeDuration }}',
    description:
      'It is connected. Silence the alert for sources that are quiet by nature, or look at what the peer sends.',
    fires: {
      at: 2,
      expects: { connector: 'a' },
      series: {
        'connect_source_last_message_age_seconds{connector="a"}': '301x5',
        'connect_source_connected{connector="a"}': '1x5',
      },
    },
    silent: {
      at: 2,
      series: {
        'connect_source_last_message_age_seconds{connector="a"}': '301x5',
        'connect_source_connected{connector="a"}': '0x5',
      },
    },
  },
  {
    alert: 'SourceFlapping',
    expr: 'increase(connect_source_reconnect_attempts_total[5m]) > 10',
    for: '0m',
    severity: 'warning',
    summary:
      'Connector {{ $labels.connector }} has connected again {{ $value | humanize }} times in five minutes',
    description: 'Connections do not last. The log has the reason of each end.',
    fires: {
      at: 6,
      expects: { connector: 'a' },
      series: { 'connect_source_reconnect_attempts_total{connector="a"}': '0+3x10' },
    },
    silent: { at: 6, series: { 'connect_source_reconnect_attempts_total{connector="a"}': '0+1x10' } },
  },
  {
    alert: 'SequenceGap',
    expr: 'increase(connect_source_sequence_gaps_total[5m]) > 0',
    for: '0m',
    severity: 'warning',
    summary: 'Messages of connector {{ $labels.connector }} are missing',
    description:
      'Sequence numbers were left out: messages were lost before they were received, or dropped here.',
    fires: {
      at: 3,
      expects: { connector: 'a' },
      series: { 'connect_source_sequence_gaps_total{connector="a"}': '0 0 1 1' },
    },
    silent: { at: 3, series: { 'connect_source_sequence_gaps_total{connector="a"}': '5x5' } },
  },
  {
    alert: 'OtlpSilent',
    expr: `sum by (connector) (rate(${received}{${otlp}}[5m])) == 0`,
    for: '5m',
    severity: 'warning',
    summary: 'Connector {{ $labels.connector }} receives no telemetry',
    description: 'No application sends to it, or none reaches its ports.',
    fires: {
      at: 12,
      expects: { connector: 'a' },
      series: { [`${received}{connector="a",signal="logs",${otlp}}`]: '7x15' },
    },
    silent: { at: 12, series: { [`${received}{connector="a",signal="logs",${otlp}}`]: '0+1x15' } },
  },
  {
    alert: 'OtlpDropped',
    expr: `sum by (connector) (increase(${dropped}{${otlp}}[5m])) > 0`,
    for: '0m',
    severity: 'warning',
    summary: 'Connector {{ $labels.connector }} dropped telemetry',
    description: 'The labels cause and signal of connect_source_messages_dropped_total say what, and why.',
    fires: {
      at: 3,
      expects: { connector: 'a' },
      series: { [`${dropped}{connector="a",cause="queue_full",${otlp}}`]: '0 0 1 1' },
    },
    silent: { at: 3, series: { [`${dropped}{connector="a",cause="queue_full",${otlp}}`]: '4x5' } },
  },
  {
    alert: 'OffsetCommitsFail',
    expr: 'kafka_connect_connector_task_offset_commit_failure_percentage > 0.5',
    for: '5m',
    severity: 'warning',
    summary: 'Task {{ $labels.task }} of connector {{ $labels.connector }} cannot commit its offsets',
    description: 'After a restart it would read again what it has produced since the last commit.',
    fires: {
      at: 7,
      expects: { connector: 'a', task: '0' },
      series: {
        'kafka_connect_connector_task_offset_commit_failure_percentage{connector="a",task="0"}': '1x10',
      },
    },
    silent: {
      at: 7,
      series: {
        'kafka_connect_connector_task_offset_commit_failure_percentage{connector="a",task="0"}': '0x10',
      },
    },
  },
  {
    alert: 'RebalanceStuck',
    expr: 'kafka_connect_worker_rebalance_rebalancing == 1',
    for: '10m',
    severity: 'warning',
    summary: 'The worker {{ $labels.instance }} has been rebalancing for ten minutes',
    description:
      'No connector is moved or created until it ends. Look for a worker of the group that does not join.',
    fires: { at: 12, expects: {}, series: { kafka_connect_worker_rebalance_rebalancing: '1x15' } },
    silent: { at: 12, series: { kafka_connect_worker_rebalance_rebalancing: '1 1 0 1x10' } },
  },
  {
    alert: 'DescriptorsExhausted',
    expr: 'increase(connect_worker_descriptors_exhausted_total[5m]) > 0',
    for: '0m',
    severity: 'critical',
    summary: 'The worker {{ $labels.instance }} had no free file descriptor',
    description: 'It refused connections then. Raise its limit of open files (ulimit -n).',
    fires: { at: 3, expects: {}, series: { connect_worker_descriptors_exhausted_total: '0 0 5 5' } },
    silent: { at: 3, series: { connect_worker_descriptors_exhausted_total: '5x5' } },
  },
  {
    alert: 'SeriesLeftOut',
    expr: 'connect_worker_connectors_left_out > 0',
    for: '10m',
    severity: 'warning',
    summary: 'The worker {{ $labels.instance }} shows no series of {{ $value }} connectors',
    description:
      'It has more series than metrics.prometheus.max.series. Connectors with trouble are still shown. Scrape it in several texts (?shard=1/2 and ?shard=2/2), or raise the limit.',
    fires: { at: 12, expects: {}, series: { connect_worker_connectors_left_out: '7x15' } },
    silent: { at: 12, series: { connect_worker_connectors_left_out: '7 0x15' } },
  },
];
