import { hostname } from 'node:os';
import { type Clock, type EventLog, eventLog } from '@levada/connect-runtime-core';
import type { LogPlatform } from '@levada/connect-runtime-core/platform';
import {
  builtInConfigProviders,
  type ConnectRuntime,
  closingShare,
  createConfigProviders,
  type Herder,
  type StopReport,
} from '@levada/connect-runtime-core/runtime';
import { clusterIdReader } from './cluster-id.ts';
import { composeRuntime, openPlatform } from './compose.ts';
import { isLoopback, type ListenerAddress } from './config/listener-address.ts';
import type { WorkerConfig } from './config/worker-config.ts';
import { DescriptorWatch } from './descriptor-watch.ts';
import { issueText } from './load-worker-config.ts';
import type { Logging } from './logging/create-logging.ts';
import { expose } from './metrics/exposition.ts';
import { processReader } from './metrics/process-reader.ts';
import type { BrokenPlugin } from './plugins/find-packages.ts';
import { loadPlugins } from './plugins/load-plugins.ts';
import { openRest, type RestServer } from './rest/open-rest.ts';
import { connectApiLevel, version } from './version.ts';
import { localUrl, workerAddress } from './worker-address.ts';
import { workerEvents } from './worker-events.ts';

/** Longest that requests under way, and then the log, are waited for. */
const CLOSE_TIMEOUT_MS = 1000;
/** A stop gets at least this long, however short its time-out is. */
const LEAST_STOP_MS = 100;

/** What a worker is started with. */
export interface WorkerOptions {
  readonly logging: Logging;
  readonly clock: Clock;
  /** For the `env` config provider. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Aborted: nobody wants the worker any more, so a start that is under way waits for no plugin. */
  readonly signal?: AbortSignal;
}

/** A worker that answers REST. */
export interface RunningWorker {
  /** URL of the first listener, for this machine. */
  readonly url: string;
  /** `<advertised host>:<port>`: `worker_id` in statuses. */
  readonly workerId: string;
  readonly herder: Herder;
  /** Plugins of `plugin.path` that could not be loaded. */
  readonly brokenPlugins: readonly BrokenPlugin[];
  /** Resolves when connectors run as they should; rejects when that can never be. */
  readonly started: Promise<void>;
  /**
   * Ends intake, hands queued records to the log, commits offsets, closes REST and the log. Always resolves, with what
   * could not be delivered; idempotent.
   */
  stop(): Promise<StopReport>;
  /** As {@link ConnectRuntime.blame}: fails the connector's task whose error nobody could catch; false when it is no task's. */
  blame(thrown: unknown): boolean;
}

/**
 * Starts a worker: REST answers when this resolves, connectors follow in the background, for as long as the log is away.
 * Rejects with `address_in_use`, `log_in_use`, `log_corrupt` or `config_invalid`.
 */
export async function startWorker(config: WorkerConfig, options: WorkerOptions): Promise<RunningWorker> {
  const { logging, clock } = options;
  const log = eventLog(workerEvents, logging.logger('levada.worker'), clock);
  const startedAt = clock.now();
  logKeys(config, log);
  const rest = await openRest({
    listeners: config.listeners,
    adminListeners: config.adminListeners,
    admission: admissionOf(config),
    headers: [['Server', `levada/${version}`], ...config.responseHeaders],
    clock,
  });
  try {
    const platform = await openPlatform(config, { logger: logging.logger('levada.log'), clock });
    try {
      return await runOn({ config, options, log, startedAt, rest, platform });
    } catch (error) {
      await platform.close({ timeoutMs: CLOSE_TIMEOUT_MS });
      throw error;
    }
  } catch (error) {
    await rest.close(0);
    throw error;
  }
}

interface Parts {
  readonly config: WorkerConfig;
  readonly options: WorkerOptions;
  readonly log: EventLog<typeof workerEvents>;
  readonly startedAt: number;
  readonly rest: RestServer;
  readonly platform: LogPlatform;
}

async function runOn(parts: Parts): Promise<RunningWorker> {
  const { config, options, log, startedAt, rest, platform } = parts;
  const { logging, clock } = options;
  const listener = rest.listeners[0] as ListenerAddress;
  const workerId = workerAddress(config, listener, hostname());
  const plugins = await loadPlugins(config.values['plugin.path'], options);
  for (const plugin of plugins.broken) log('plugin_broken', { ...plugin });
  const runtime = composeRuntime(config, {
    platform,
    clock,
    workerId,
    logger: logging.logger('levada.runtime'),
    plugins: plugins.connectors,
    configProviders: createConfigProviders(config.raw, builtInConfigProviders(options.environment ?? {})),
    environment: options.environment ?? {},
  });
  const descriptors = new DescriptorWatch({ clock, log });
  serve({ ...parts, runtime, workerId, descriptors });
  descriptors.start();
  const url = localUrl(listener);
  log('rest_listening', { url, worker_id: workerId, storage: config.storage });
  if (!rest.listeners.every(isLoopback)) {
    log('rest_unauthenticated', { listeners: config.values.listeners.join(',') });
  }
  const abort = new AbortController();
  const started = runtime.start(abort.signal).then(
    () => {
      if (!abort.signal.aborted) log('worker_ready', { ms: clock.now() - startedAt });
    },
    (error: unknown) => {
      if (!abort.signal.aborted) log('worker_start_failed', { error });
      throw error;
    },
  );
  // Logged above; whoever waits for `started` is told, and that nobody does must not end the process.
  started.catch(() => undefined);
  const withinMs = Math.max(LEAST_STOP_MS, config.values['task.shutdown.graceful.timeout.ms']);
  const stop = stopper({ runtime, rest, platform, descriptors, abort, log, clock, withinMs });
  return {
    url,
    workerId,
    herder: runtime.herder,
    brokenPlugins: plugins.broken,
    started,
    stop,
    blame: (thrown) => runtime.blame(thrown),
  };
}

interface Served extends Parts {
  readonly runtime: ConnectRuntime;
  readonly workerId: string;
  readonly descriptors: DescriptorWatch;
}

function serve(parts: Served): void {
  const { config, options, rest, platform, runtime, workerId, startedAt, descriptors } = parts;
  const { logging, clock } = options;
  const clusterId = clusterIdReader(platform, clock);
  const { herder } = runtime;
  rest.serve({
    herder,
    clock,
    log: eventLog(workerEvents, logging.logger('levada.rest'), clock),
    serverInfo: async () => ({
      version: connectApiLevel,
      commit: `levada-${version}`,
      clusterId: await clusterId(),
    }),
    platformHealth: () => platform.health(),
    levels: logging.levels,
    exposition: () =>
      expose({
        herder,
        labels: { version, worker_id: workerId },
        process: processReader(startedAt),
        logUp: () => platform.health().status !== 'down',
        descriptorsExhausted: () => descriptors.found,
      }),
    statusConnection: config.values['rest.status.connection'] === 'always',
    strict: config.values['rest.compat.strict'],
  });
}

interface Stoppable {
  readonly runtime: ConnectRuntime;
  readonly rest: RestServer;
  readonly platform: LogPlatform;
  readonly descriptors: DescriptorWatch;
  readonly abort: AbortController;
  readonly log: EventLog<typeof workerEvents>;
  readonly clock: Clock;
  /** Longest that a stop may take. */
  readonly withinMs: number;
}

function stopper(stoppable: Stoppable): () => Promise<StopReport> {
  const { runtime, rest, platform, descriptors, abort, log, clock, withinMs } = stoppable;
  let stopping: Promise<StopReport> | undefined;
  const stop = async (): Promise<StopReport> => {
    log('worker_stopping');
    const end = clock.monotonic() + withinMs;
    const left = (): number => Math.max(0, Math.min(CLOSE_TIMEOUT_MS, end - clock.monotonic()));
    abort.abort();
    const report = await runtime.stop({ timeoutMs: withinMs - closingShare(withinMs) });
    await rest.close(left() / 2);
    descriptors.stop();
    await platform.close({ timeoutMs: left() });
    for (const { connector, task, count } of report.undelivered) {
      log('records_undelivered', { connector, task, count });
    }
    log('worker_closed');
    return report;
  };
  return () => {
    stopping ??= stop();
    return stopping;
  };
}

function admissionOf(config: WorkerConfig) {
  const { values } = config;
  const advertised = values['rest.advertised.host.name'];
  const hosts = [...values['rest.allowed.hosts'], hostname(), ...(advertised === null ? [] : [advertised])];
  const methods = values['access.control.allow.methods'];
  return {
    allowedHosts: new Set(hosts.map((host) => host.toLowerCase())),
    allowedOrigins: new Set(values['access.control.allow.origin'].map((origin) => origin.toLowerCase())),
    allowedMethods: methods.length === 0 ? ['GET', 'POST', 'HEAD'] : methods,
  };
}

function logKeys(config: WorkerConfig, log: EventLog<typeof workerEvents>): void {
  const { unknownKeys, meaninglessKeys, warnings } = config;
  for (const warning of warnings) log('config_warning', { warning: issueText(warning) });
  if (unknownKeys.length > 0) {
    const keys = unknownKeys.map(({ key, suggestion }) =>
      suggestion === undefined ? key : `${key} (did you mean ${suggestion}?)`,
    );
    log('config_unknown_keys', { keys: keys.join(', ') });
  }
  if (meaninglessKeys.length > 0) {
    const keys = meaninglessKeys.map(({ key }) => key).join(', ');
    log('config_ignored_keys', { keys });
  }
}
