import type { LogEventTable } from '@levada/connect-runtime-core';

/** Log events of the worker itself; its runtime, log and connectors have their own. */
export const workerEvents = {
  config_unknown_keys: { level: 'warn', help: 'Unknown keys of the worker configuration' },
  config_ignored_keys: { level: 'info', help: 'Keys of Kafka Connect that mean nothing here' },
  config_warning: { level: 'warn', help: 'A value of the worker configuration that is probably not meant' },
  plugin_broken: { level: 'error', help: 'A package of plugin.path could not be loaded' },
  rest_listening: { level: 'info', help: 'REST answers at this URL' },
  jolokia_listening: { level: 'info', help: 'The Jolokia agent answers at this URL' },
  rest_unauthenticated: { level: 'warn', help: 'REST is open to other machines without authentication' },
  rest_request_failed: { level: 'error', help: 'A request was answered with 500' },
  descriptors_exhausted: {
    level: 'warn',
    help: 'No file descriptor is left: REST closes new connections at once, connectors cannot connect. Raise the limit (`ulimit -n`)',
    everyMs: 10_000,
  },
  telemetry_export_failed: {
    level: 'warn',
    help: 'Metrics or spans of the worker were not taken by the receiver at otel.exporter.otlp.endpoint',
    everyMs: 60_000,
  },
  worker_ready: { level: 'info', help: 'Connectors are back in their target states, after this many ms' },
  worker_start_failed: { level: 'error', help: 'The worker can never run as it is configured' },
  worker_stopping: { level: 'info', help: 'Intake ends, queues drain' },
  records_undelivered: {
    level: 'error',
    help: 'Records that were received and could not be handed to the log',
  },
  worker_closed: { level: 'info', help: 'REST and the log are closed' },
  signal_received: { level: 'info', help: 'The process is asked to end' },
  uncaught_exception: { level: 'error', help: 'A bug; the worker stops' },
  unhandled_rejection: {
    level: 'error',
    help: 'A bug in the code that waited for the promise; the worker continues',
  },
} as const satisfies LogEventTable;
