import type { Clock, EventLog } from '@levada/connect-runtime-core';
import type { RuntimeOperation, WorkerMetrics } from '@levada/connect-worker';
import type { WorkerConfig } from './config/worker-config.ts';
import { OtlpExporter } from './otel/otlp-exporter.ts';
import type { AnsweredRequest } from './rest/route.ts';
import type { SeriesNames } from './telemetry/connect-series.ts';
import {
  createExposition,
  type ExpositionRequest,
  type ExpositionSources,
  everything,
  readProcess,
  requestedFamilies,
} from './telemetry/exposition.ts';
import type { workerEvents } from './telemetry/worker-events.ts';
import { version } from './version.ts';

export interface WorkerTelemetryOptions {
  readonly config: WorkerConfig;
  readonly workerId: string;
  readonly metrics: WorkerMetrics;
  readonly logHealth: ExpositionSources['logHealth'];
  readonly groupFindings: () => number;
  readonly descriptorsExhausted: () => number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly clock: Clock;
  readonly log: EventLog<typeof workerEvents>;
}

/** What a worker reports of itself in numbers and spans: at `/metrics`, and to a receiver of OTLP where one is configured. */
export class WorkerTelemetry {
  readonly exposition: (request: ExpositionRequest) => AsyncIterable<string>;
  readonly #exporter: OtlpExporter | undefined;
  readonly #clock: Clock;

  constructor(options: WorkerTelemetryOptions) {
    const { config, workerId, metrics, logHealth, groupFindings, descriptorsExhausted, clock } = options;
    const sources: ExpositionSources = {
      metrics,
      names: config.values['metrics.prometheus.names'] as SeriesNames,
      maxSeries: config.values['metrics.prometheus.max.series'],
      labels: { version, worker_id: workerId },
      process: readProcess,
      logHealth,
      groupFindings,
      descriptorsExhausted,
    };
    this.#clock = clock;
    this.#exporter = createExporter(options, sources);
    this.exposition = createExposition({ ...sources, exporter: this.#exporter });
  }

  start(): void {
    this.#exporter?.start();
  }

  /** Sends what there is, within the time. Always resolves. */
  async stop(withinMs: number): Promise<void> {
    await this.#exporter?.stop(withinMs);
  }

  /** A request was answered. */
  readonly onAnswered = ({ method, route, status, ms, traceparent }: AnsweredRequest): void => {
    this.#exporter?.record({
      name: route === undefined ? method : `${method} ${route}`,
      kind: 'server',
      startedAt: this.#clock.now() - ms,
      ms,
      // Names of OpenTelemetry's semantic conventions.
      attributes: {
        'http.request.method': method,
        'http.response.status_code': status,
        ...(route === undefined ? {} : { 'http.route': route }),
      },
      failed: status >= 500,
      traceparent,
    });
  };

  /** The runtime did something for a task. */
  readonly onOperation = ({ name, connector, task, ms, succeeded }: RuntimeOperation): void => {
    this.#exporter?.record({
      name,
      kind: 'internal',
      startedAt: this.#clock.now() - ms,
      ms,
      attributes: { connector, task },
      failed: !succeeded,
    });
  };
}

function createExporter(
  { config, workerId, startedAt, clock, log }: WorkerTelemetryOptions,
  sources: ExpositionSources,
): OtlpExporter | undefined {
  const { values, otel } = config;
  if (otel === undefined) return undefined;
  const { endpoint, headers, attributes } = otel;
  const identity = {
    'service.name': values['otel.service.name'],
    'service.version': version,
    'service.instance.id': workerId,
  };
  return new OtlpExporter({
    target: { endpoint, headers, timeoutMs: values['otel.exporter.otlp.timeout'] },
    resource: { attributes: { ...identity, ...attributes }, version },
    intervalMs: values['otel.metric.export.interval'],
    metrics: values['otel.metrics.exporter'] === 'otlp',
    traces: values['otel.traces.exporter'] === 'otlp',
    // Sent in parts, so that there is no need of a limit.
    families: () => requestedFamilies({ ...sources, maxSeries: Number.POSITIVE_INFINITY }, everything),
    startedAt,
    clock,
    log,
  });
}
