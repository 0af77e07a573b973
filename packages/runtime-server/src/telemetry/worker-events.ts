import type { LogEventTable } from '@levada/connect-runtime-core';

/** Log events of the worker itself; its runtime, log and connectors have their own. */
export const workerEvents = {
  config_unknown_keys: { level: 'warn', help: 'The worker configuration has unknown keys' },
  config_ignored_keys: {
    level: 'info',
    help: 'The worker configuration has keys of Kafka Connect that have no effect here',
  },
  config_warning: {
    level: 'warn',
    help: 'A value of the worker configuration is allowed, but probably a mistake',
  },
  plugin_broken: {
    level: 'error',
    help: 'A package of plugin.path, or one of its plugins, could not be loaded',
  },
  rest_listening: { level: 'info', help: 'The REST interface is available at the URL that is logged' },
  jolokia_listening: { level: 'info', help: 'The Jolokia agent is available at the URL that is logged' },
  rest_unauthenticated: {
    level: 'warn',
    help: 'Other machines can use the REST interface without authentication',
  },
  rest_tls_renewed: { level: 'info', help: 'Certificates of REST were read again' },
  rest_tls_unusable: {
    level: 'error',
    help: 'Changed certificates of REST cannot be used; those before stay, and the files are read again in 5 s',
    everyMs: 60_000,
  },
  rest_users_renewed: { level: 'info', help: 'The file of users of REST was read again' },
  rest_users_unusable: {
    level: 'error',
    help: 'The changed file of users of REST cannot be used; the users before stay, and it is read again in 5 s',
    everyMs: 60_000,
  },
  rest_change: {
    level: 'info',
    help: 'A request that changes something: who sent it (`user`, `client`), what it was, and the `status` of its answer',
  },
  rest_request: { level: 'info', help: 'A request and its answer, with `rest.request.log=true`' },
  rest_request_failed: {
    level: 'error',
    help: 'A REST request failed by an unexpected error and was answered with status 500',
  },
  forward_failed: {
    level: 'error',
    help: 'A request could not be forwarded to another worker of the group: nothing answered in time at the `url` that the other worker advertises',
  },
  descriptors_exhausted: {
    level: 'warn',
    help: 'The process has no file descriptor left, so REST closes new connections at once, and connectors cannot connect. Raise the limit (`ulimit -n`)',
    everyMs: 10_000,
  },
  telemetry_export_failed: {
    level: 'warn',
    help: 'Metrics or spans of the worker were not taken by the receiver at otel.exporter.otlp.endpoint',
    everyMs: 60_000,
  },
  logger_level_unknown: {
    level: 'warn',
    help: 'The config topic has a level for loggers of all workers that does not exist; it is passed over',
    everyMs: 10_000,
  },
  worker_ready: {
    level: 'info',
    help: 'All connectors are in the state that they had before the worker stopped; the time that this took, in milliseconds',
  },
  free_memory_kept: {
    level: 'debug',
    help: 'Free memory of the C library cannot be returned to the system here, for the logged reason; the process keeps it for its own use',
  },
  worker_start_failed: { level: 'error', help: 'The worker cannot start with this configuration' },
  worker_stopping: {
    level: 'info',
    help: 'The worker stops: connectors receive nothing more, and what is queued is written to topics',
  },
  records_undelivered: {
    level: 'error',
    help: 'Records were received, but could not be written to their topics',
  },
  worker_closed: {
    level: 'info',
    help: 'The worker has closed the REST interface and its connections to topics',
  },
  signal_received: { level: 'info', help: 'The process received a signal that asks it to end' },
  uncaught_exception: { level: 'error', help: 'An exception that no code caught: a bug. The worker stops' },
  unhandled_rejection: {
    level: 'error',
    help: 'A promise was rejected and no code handled it: a bug. The worker continues',
  },
} as const satisfies LogEventTable;
