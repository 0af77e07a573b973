import type { ConfigKey } from '@levada/connect-runtime-core';
import {
  atLeast,
  between,
  nonEmpty,
  oneOf,
  oneOfIgnoringCase,
  optional,
  url,
} from '@levada/connect-runtime-core/config';

const metricKeys = [
  {
    name: 'metrics.sample.window.ms',
    type: 'long',
    default: 30_000,
    importance: 'low',
    documentation:
      'Length of one sample of rates, averages and maxima, in milliseconds. Each is computed from metrics.num.samples of them.',
    validator: atLeast(1),
  },
  {
    name: 'metrics.num.samples',
    type: 'int',
    default: 2,
    importance: 'low',
    documentation: 'Samples that rates, averages and maxima are computed from.',
    validator: between(1, 100),
  },
  {
    name: 'metrics.prometheus.names',
    type: 'string',
    default: 'strimzi',
    importance: 'low',
    documentation:
      "How `GET /metrics` names the metrics of Kafka Connect: by Strimzi's rules of the JMX exporter (`kafka_connect_worker_connector_count`), or as version 1 of that exporter does without rules (`kafka_connect_connect_worker_metrics_connector_count`, and no `_total` at the end of counters).",
    validator: oneOf('strimzi', 'jmx_exporter'),
  },
  {
    name: 'metrics.prometheus.max.series',
    type: 'int',
    default: 100_000,
    importance: 'low',
    documentation:
      'Most series of connectors in one text of `GET /metrics`, about 10 MB by default. Beyond it connectors are left out, those without trouble first, and `connect_worker_connectors_left_out` says how many; `?shard=1/4` to `?shard=4/4` show all of them in four texts.',
    validator: atLeast(1),
  },
  {
    name: 'jolokia.listeners',
    type: 'list',
    default: [],
    importance: 'low',
    documentation:
      'Addresses of a Jolokia agent that only reads, `http://host:port` each, 8778 being the usual port. Default: none.',
  },
] as const satisfies readonly ConfigKey[];

/** Export of the worker's own telemetry. Names and defaults are OpenTelemetry's. */
const otelKeys = [
  {
    name: 'otel.exporter.otlp.endpoint',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      "Base URL of an OTLP/HTTP receiver that gets the worker's own metrics and spans as JSON: `/v1/metrics` and `/v1/traces` are added. Absent: nothing is sent.",
    validator: optional(url('http', 'https')),
  },
  {
    name: 'otel.exporter.otlp.headers',
    type: 'password',
    default: null,
    importance: 'low',
    documentation: 'Headers of those requests: `name=value,name=value`, values percent-encoded.',
  },
  {
    name: 'otel.exporter.otlp.timeout',
    type: 'int',
    default: 10_000,
    importance: 'low',
    documentation: 'Longest that one of those requests may take, in milliseconds.',
    validator: atLeast(1),
  },
  {
    name: 'otel.metric.export.interval',
    type: 'int',
    default: 60_000,
    importance: 'low',
    documentation: 'Time between two exports of metrics, in milliseconds.',
    validator: atLeast(100),
  },
  {
    name: 'otel.metrics.exporter',
    type: 'string',
    default: 'otlp',
    importance: 'low',
    documentation: 'Whether metrics are sent to that receiver.',
    validator: oneOf('otlp', 'none'),
  },
  {
    name: 'otel.traces.exporter',
    type: 'string',
    default: 'otlp',
    importance: 'low',
    documentation:
      'Whether spans are sent to that receiver: of REST requests, starts of tasks and commits of offsets.',
    validator: oneOf('otlp', 'none'),
  },
  {
    name: 'otel.service.name',
    type: 'string',
    default: 'levada-worker',
    importance: 'low',
    documentation: 'Value of the resource attribute service.name.',
    validator: nonEmpty,
  },
  {
    name: 'otel.resource.attributes',
    type: 'string',
    default: '',
    importance: 'low',
    documentation: 'Further resource attributes: `name=value,name=value`, values percent-encoded.',
  },
] as const satisfies readonly ConfigKey[];

const logKeys = [
  {
    name: 'log.level',
    type: 'string',
    default: 'INFO',
    importance: 'low',
    documentation:
      'Minimum level of log lines that are written; changeable at run time through /admin/loggers.',
    validator: oneOfIgnoringCase('TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'OFF'),
  },
  {
    name: 'log.format',
    type: 'string',
    default: 'auto',
    importance: 'low',
    documentation: 'Form of log lines: text, json, or auto (text on a terminal, JSON otherwise).',
    validator: oneOf('auto', 'text', 'json'),
  },
] as const satisfies readonly ConfigKey[];

/** Keys of what a worker reports of itself: metrics, spans, log lines. */
export const telemetryKeys = [...metricKeys, ...otelKeys, ...logKeys] as const satisfies readonly ConfigKey[];
