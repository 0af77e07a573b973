import { createRequire } from 'node:module';
import type { Clock, ConfigIssue, Logger, RawConfig } from '@levada/connect-runtime-core';
import type { ConfigProvider } from '@levada/connect-runtime-core/config';
import { builtInConfigProviders } from '@levada/connect-runtime-core/host';
import type { GroupProtocol, LogPlatform } from '@levada/connect-runtime-core/platform';
import { connectPredicates, connectTransformations } from '@levada/connect-transforms';
import {
  type ConnectRuntime,
  type ConnectRuntimeOptions,
  createConnectRuntime,
  type DeferredConnector,
  type ExactlyOnceSourceSupport,
  type RuntimeOperation,
  type TaskThreads,
} from '@levada/connect-worker';
import { embeddedFolder, storageOf, type WorkerConfig } from './config/worker-config.ts';
import { workerConverters } from './config/worker-converters.ts';
import type { Plugins } from './host/plugin-shapes.ts';
import { askWorker, callWorker } from './rest/call-worker.ts';
import type { WorkerTls } from './rest/exchange.ts';
import { version } from './version.ts';

/**
 * How Node loads a package at once. Bundlers do not see through it: they follow `require` itself, which a module has only as part of
 * a bundle.
 */
const requireHere = createRequire(import.meta.url);
const isBundled = typeof require === 'function';

/**
 * The connectors that every worker has. Their packages are half of a worker's code, so each is loaded when the first connector of
 * its kind is.
 */
export const builtInConnectors: readonly DeferredConnector[] = [
  {
    className: 'io.vendor.connect.grpc.GrpcSourceConnector',
    aliases: ['io.conduktor.connect.grpc.GrpcSourceConnector'],
    version: '0.1.0',
    load: () => {
      type Package = typeof import('@levada/source-grpc');
      const { grpcSourceConnector }: Package = isBundled
        ? require('@levada/source-grpc')
        : requireHere('@levada/source-grpc');
      return grpcSourceConnector;
    },
  },
  {
    className: 'io.vendor.connect.otel.OpenTelemetrySourceConnector',
    aliases: ['io.conduktor.connect.otel.OpenTelemetrySourceConnector'],
    version: '0.1.0',
    load: () => {
      type Package = typeof import('@levada/source-otlp');
      const { otlpSourceConnector }: Package = isBundled
        ? require('@levada/source-otlp')
        : requireHere('@levada/source-otlp');
      return otlpSourceConnector;
    },
  },
  {
    className: 'io.vendor.connect.websocket.WebSocketSourceConnector',
    aliases: ['io.conduktor.connect.websocket.WebSocketSourceConnector'],
    version: '0.1.0',
    load: () => {
      type Package = typeof import('@levada/source-websocket');
      const { webSocketSourceConnector }: Package = isBundled
        ? require('@levada/source-websocket')
        : requireHere('@levada/source-websocket');
      return webSocketSourceConnector;
    },
  },
];

/** Their class names. */
export const connectorClasses: readonly string[] = builtInConnectors.map(({ className }) => className);

/** The plugins that every worker has. */
export function builtInPlugins(environment: Readonly<Record<string, string | undefined>>): Plugins {
  return {
    connectors: builtInConnectors,
    transformations: connectTransformations,
    predicates: connectPredicates,
    converters: workerConverters,
    configProviders: builtInConfigProviders(environment),
  };
}

/** Findings of a platform about a configuration. */
export interface PlatformFindings {
  readonly issues: readonly ConfigIssue[];
  /** Keys of Kafka's clients without effect, which the platform logs when it is opened. */
  readonly warnings: readonly ConfigIssue[];
}

/**
 * What {@link openPlatform} would refuse in a configuration, without contacting a broker or taking the folder of the log.
 * Values that the worker's own table refuses are not looked at.
 */
export async function platformFindings(raw: RawConfig): Promise<PlatformFindings> {
  if (storageOf(raw) === 'kafka') {
    const { ignoredKeys, kafkaConfigIssues } = await import('@levada/platform-kafka');
    const warnings = ignoredKeys(raw).map(({ key, suggestion }) => ({
      key,
      message: ignoredText(suggestion),
    }));
    return { issues: await kafkaConfigIssues(raw), warnings };
  }
  const { folderProblem } = await import('@levada/platform-embedded');
  const message = folderProblem(embeddedFolder(raw));
  const issues = message === undefined ? [] : [{ key: 'embedded.storage.folder', message }];
  return { issues, warnings: [] };
}

function ignoredText(suggestion: string | undefined): string {
  const hint = suggestion === undefined ? '' : `, did you mean ${suggestion}?`;
  return `has no effect on the Kafka clients of this worker${hint}`;
}

/** Opens the log: a Kafka cluster with `bootstrap.servers`, else the embedded one. Loads only the one that is wanted. */
export async function openPlatform(
  config: WorkerConfig,
  context: { readonly logger: Logger; readonly clock: Clock },
): Promise<LogPlatform> {
  if (config.storage === 'kafka') {
    const { openKafkaPlatform } = await import('@levada/platform-kafka');
    return openKafkaPlatform({ config: config.raw, ...context });
  }
  const { openEmbeddedPlatform } = await import('@levada/platform-embedded');
  return openEmbeddedPlatform({ folder: config.values['embedded.storage.folder'], ...context });
}

export interface RuntimeParts {
  readonly platform: LogPlatform;
  readonly logger: Logger;
  readonly clock: Clock;
  /** `<advertised host>:<port>`. */
  readonly workerId: string;
  /** How other workers reach this one. */
  readonly scheme: 'http' | 'https';
  readonly workerTls?: WorkerTls | undefined;
  /** Beside the built-in ones. Default: none. */
  readonly plugins?: Partial<Plugins> | undefined;
  readonly configProviders: ReadonlyMap<string, ConfigProvider>;
  /** A worker of the group has set the level of a logger for all of them. */
  readonly onLoggerLevel?: ((logger: string, level: string) => void) | undefined;
  /** Whether lines of level debug of a connector are written. Default: always. */
  readonly writesDebug?: ((connector: string) => boolean) | undefined;
  /** For connectors that look for proxies in it. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly onOperation?: ((operation: RuntimeOperation) => void) | undefined;
}

/** The runtime of a checked configuration, not started. */
export function composeRuntime(config: WorkerConfig, parts: RuntimeParts): ConnectRuntime {
  return createConnectRuntime({ ...runtimeOptions(config, parts), taskThreads: taskThreads(config, parts) });
}

/** What the module that threads run needs of the worker. */
export interface TaskThreadHost {
  /** The worker's configuration, references resolved. */
  readonly raw: RawConfig;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Threads for tasks; undefined with the embedded log, which has one writer. */
function taskThreads(
  { storage, raw, values }: WorkerConfig,
  { environment = {}, writesDebug }: RuntimeParts,
): TaskThreads | undefined {
  if (storage !== 'kafka') return undefined;
  // Run from the sources, in tests, the thread is TypeScript too.
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const host: TaskThreadHost = { raw, environment: { ...environment } };
  return {
    host,
    writesDebug,
    entry: new URL(`task-thread-main.${extension}`, import.meta.url),
    byDefault: values['task.isolation'] === 'thread',
    heapMb: values['task.thread.heap.mb'],
  };
}

/** The link of a task in a thread to the brokers. What the worker has logged of the configuration is not logged again. */
export async function openTaskPlatform(
  raw: RawConfig,
  context: { readonly logger: Logger; readonly clock: Clock },
): Promise<LogPlatform> {
  const { ignoredKeys, openKafkaPlatform } = await import('@levada/platform-kafka');
  const ignored = new Set(ignoredKeys(raw).map(({ key }) => key));
  const config = Object.fromEntries(Object.entries(raw).filter(([key]) => !ignored.has(key)));
  return openKafkaPlatform({ config, ...context });
}

/** What the runtime of a configuration is made of; that of a thread as well as the worker's own. */
export function runtimeOptions(config: WorkerConfig, parts: RuntimeParts): ConnectRuntimeOptions {
  const { values, topics } = config;
  const { plugins = {} } = parts;
  return {
    platform: parts.platform,
    logger: parts.logger,
    clock: parts.clock,
    workerId: parts.workerId,
    workerUrl: `${parts.scheme}://${parts.workerId}/`,
    groupId: config.groupId,
    sessionTimeoutMs: values['session.timeout.ms'],
    heartbeatIntervalMs: values['heartbeat.interval.ms'],
    rebalanceTimeoutMs: values['rebalance.timeout.ms'],
    groupProtocol: values['connect.protocol'].toLowerCase() as GroupProtocol,
    scheduledRebalanceMaxDelayMs: values['scheduled.rebalance.max.delay.ms'],
    workerSyncTimeoutMs: values['worker.sync.timeout.ms'],
    workerUnsyncBackoffMs: values['worker.unsync.backoff.ms'],
    requestSigning: {
      keyAlgorithm: values['inter.worker.key.generation.algorithm'],
      keyBits: values['inter.worker.key.size'],
      signatureAlgorithm: values['inter.worker.signature.algorithm'],
      verificationAlgorithms: values['inter.worker.verification.algorithms'],
      keyTtlMs: values['inter.worker.key.ttl.ms'],
    },
    onLoggerLevel: parts.onLoggerLevel,
    callWorker: (request) => callWorker(request, parts.workerTls),
    askWorker: (question) => askWorker(question, parts.workerTls),
    version,
    connectors: [...builtInConnectors, ...(plugins.connectors ?? [])],
    converters: [...workerConverters, ...(plugins.converters ?? [])],
    transformations: [...connectTransformations, ...(plugins.transformations ?? [])],
    predicates: [...connectPredicates, ...(plugins.predicates ?? [])],
    configProviders: parts.configProviders,
    keyConverter: config.converters.key,
    valueConverter: config.converters.value,
    headerConverter: config.converters.header,
    configTopic: {
      name: topics.config,
      partitions: 1,
      replicationFactor: values['config.storage.replication.factor'],
    },
    offsetTopic: {
      name: topics.offset,
      partitions: values['offset.storage.partitions'],
      replicationFactor: values['offset.storage.replication.factor'],
    },
    statusTopic: {
      name: topics.status,
      partitions: values['status.storage.partitions'],
      replicationFactor: values['status.storage.replication.factor'],
    },
    offsetFlushIntervalMs: values['offset.flush.interval.ms'],
    offsetFlushTimeoutMs: values['offset.flush.timeout.ms'],
    taskShutdownGracefulTimeoutMs: values['task.shutdown.graceful.timeout.ms'],
    topicTrackingEnabled: values['topic.tracking.enable'],
    topicTrackingAllowReset: values['topic.tracking.allow.reset'],
    topicCreationEnabled: values['topic.creation.enable'],
    producerConfig: producerConfig(config.raw),
    overridePolicy: config.overridePolicy,
    exactlyOnceSourceSupport: values['exactly.once.source.support'].toLowerCase() as ExactlyOnceSourceSupport,
    metricsSampleWindowMs: values['metrics.sample.window.ms'],
    metricsNumSamples: values['metrics.num.samples'],
    environment: parts.environment,
    onOperation: parts.onOperation,
  };
}

function producerConfig(raw: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const prefix = 'producer.';
  return Object.fromEntries(
    Object.entries(raw).flatMap(([key, value]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), value] as const] : [],
    ),
  );
}
