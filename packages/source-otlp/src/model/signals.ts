/** The kinds of telemetry that OTLP carries. */
export type SignalName = 'traces' | 'metrics' | 'logs' | 'profiles';

/** What differs between the signals. Names are those of the OTLP specification and its .proto files. */
export interface Signal {
  readonly name: SignalName;
  /** Path of OTLP/HTTP unless overridden. */
  readonly path: string;
  /** Full name of the gRPC service; its one method is Export. */
  readonly service: string;
  /** Full names of the messages. */
  readonly request: string;
  readonly response: string;
  /** JSON name of the count in `partialSuccess` of the response; its field number is 1, that of the message 2. */
  readonly rejected: string;
  /** What is counted as an item: spans, data points, log records, profiles. */
  readonly items: string;
}

const collector = 'opentelemetry.proto.collector';

/** One row per signal, in the order in which queues are emptied. */
export const signals: Readonly<Record<SignalName, Signal>> = {
  traces: {
    name: 'traces',
    path: '/v1/traces',
    service: `${collector}.trace.v1.TraceService`,
    request: `${collector}.trace.v1.ExportTraceServiceRequest`,
    response: `${collector}.trace.v1.ExportTraceServiceResponse`,
    rejected: 'rejectedSpans',
    items: 'spans',
  },
  metrics: {
    name: 'metrics',
    path: '/v1/metrics',
    service: `${collector}.metrics.v1.MetricsService`,
    request: `${collector}.metrics.v1.ExportMetricsServiceRequest`,
    response: `${collector}.metrics.v1.ExportMetricsServiceResponse`,
    rejected: 'rejectedDataPoints',
    items: 'data points',
  },
  logs: {
    name: 'logs',
    path: '/v1/logs',
    service: `${collector}.logs.v1.LogsService`,
    request: `${collector}.logs.v1.ExportLogsServiceRequest`,
    response: `${collector}.logs.v1.ExportLogsServiceResponse`,
    rejected: 'rejectedLogRecords',
    items: 'log records',
  },
  profiles: {
    name: 'profiles',
    path: '/v1development/profiles',
    service: `${collector}.profiles.v1development.ProfilesService`,
    request: `${collector}.profiles.v1development.ExportProfilesServiceRequest`,
    response: `${collector}.profiles.v1development.ExportProfilesServiceResponse`,
    rejected: 'rejectedProfiles',
    items: 'profiles',
  },
};

/** The signals in the order of {@link signals}. */
export const signalNames: readonly SignalName[] = ['traces', 'metrics', 'logs', 'profiles'];
