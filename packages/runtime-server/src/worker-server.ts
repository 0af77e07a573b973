import { hostname } from 'node:os';
import { type Clock, type EventLog, eventLog } from '@levada/connect-runtime-core';
import { closingShare, createConfigProviders } from '@levada/connect-runtime-core/host';
import type { LogPlatform } from '@levada/connect-runtime-core/platform';
import type { ConnectRuntime, Herder, StopReport } from '@levada/connect-worker';
import { AccessControl } from './access/access-control.ts';
import { builtInPlugins, composeRuntime, openPlatform } from './compose.ts';
import { isLoopback, isWildcard, type ListenerAddress } from './config/listener-address.ts';
import { withoutNames } from './config/response-headers.ts';
import type { RestTls } from './config/rest-tls.ts';
import type { WorkerConfig } from './config/worker-config.ts';
import { DescriptorWatch } from './host/descriptor-watch.ts';
import type { BrokenPlugin } from './host/find-packages.ts';
import { type LoadedPlugins, loadPlugins } from './host/load-plugins.ts';
import { type AgentServer, openAgent } from './http/open-agent.ts';
import { openRest, type RestServer } from './http/open-rest.ts';
import { TlsRenewal } from './http/tls-renewal.ts';
import { jolokiaHandler } from './jolokia/jolokia-handler.ts';
import { issueText } from './load-worker-config.ts';
import { setClusterLevel } from './rest/admin-routes.ts';
import type { WorkerTls } from './rest/exchange.ts';
import type { Logging } from './telemetry/create-logging.ts';
import { connectorLogger } from './telemetry/logger-levels.ts';
import { workerEvents } from './telemetry/worker-events.ts';
import { connectApiLevel, version } from './version.ts';
import { WorkerTelemetry } from './worker-telemetry.ts';

/** Longest that requests under way, and then the log, are waited for. */
const CLOSE_TIMEOUT_MS = 1000;
/** A stop gets at least this long, however short its time-out is. */
const LEAST_STOP_MS = 100;

export interface WorkerOptions {
  readonly logging: Logging;
  readonly clock: Clock;
  /** For the `env` config provider. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Aborted: the worker is not wanted any more, so a start in progress waits for no plugin. */
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
  /** As {@link ConnectRuntime.blame}: fails the connector's task whose error was not caught; false when it is no task's. */
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
  const access =
    config.access === undefined ? undefined : new AccessControl({ config: config.access, clock, log });
  const renewal = async (tls: RestTls | undefined): Promise<TlsRenewal | undefined> =>
    tls === undefined ? undefined : await TlsRenewal.start({ tls, clock, log });
  const tls = await renewal(config.tls);
  const adminTls = await renewal(config.adminTls);
  const rest = await openRest({
    tls,
    adminTls,
    listeners: config.listeners,
    adminListeners: config.adminListeners,
    admission: admissionOf(config),
    headers: [
      ...withoutNames([['Server', `levada/${version}`]], config.responseHeaders),
      ...config.responseHeaders,
    ],
    clock,
  });
  const closing: (() => Promise<unknown>)[] = [() => rest.close(0)];
  try {
    const jolokia = await openAgent({
      listeners: config.jolokiaListeners,
      admission: admissionOf(config),
      clock,
    });
    closing.push(() => jolokia.close(0));
    const platform = await openPlatform(config, { logger: logging.logger('levada.log'), clock });
    closing.push(() => platform.close({ timeoutMs: CLOSE_TIMEOUT_MS }));
    const builtIn = builtInPlugins(options.environment ?? {});
    const plugins = await loadPlugins(config.values['plugin.path'], { ...options, builtIn });
    const worker = new WorkerServer({
      config,
      options,
      log,
      startedAt,
      rest,
      jolokia,
      platform,
      plugins,
      tls,
      access,
    });
    await worker.start();
    return worker;
  } catch (error) {
    for (const close of closing.toReversed()) await close();
    throw error;
  }
}

interface WorkerParts {
  readonly config: WorkerConfig;
  readonly options: WorkerOptions;
  readonly log: EventLog<typeof workerEvents>;
  readonly startedAt: number;
  /** The worker closes it, and the platform. */
  readonly rest: RestServer;
  readonly jolokia: AgentServer;
  readonly platform: LogPlatform;
  readonly plugins: LoadedPlugins;
  readonly tls: TlsRenewal | undefined;
  readonly access: AccessControl | undefined;
}

class WorkerServer implements RunningWorker {
  readonly url: string;
  readonly workerId: string;
  readonly brokenPlugins: readonly BrokenPlugin[];
  readonly #parts: WorkerParts;
  readonly #workerTls: WorkerTls | undefined;
  readonly #runtime: ConnectRuntime;
  readonly #descriptors: DescriptorWatch;
  readonly #telemetry: WorkerTelemetry;
  readonly #ready = Promise.withResolvers<void>();
  readonly #abort = new AbortController();
  #stopping: Promise<StopReport> | undefined;

  constructor(parts: WorkerParts) {
    const { config, options, log, rest, platform, plugins } = parts;
    const { logging, clock, environment = {} } = options;
    const listener = rest.listeners[config.advertised] as ListenerAddress;
    this.#parts = parts;
    const { tls } = parts;
    this.#workerTls = tls === undefined ? undefined : () => tls.loaded.client;
    this.url = localUrl(listener);
    this.workerId = workerAddress(config, listener, hostname());
    this.brokenPlugins = plugins.broken;
    this.#descriptors = new DescriptorWatch({ clock, log });
    this.#runtime = composeRuntime(config, {
      platform,
      clock,
      workerId: this.workerId,
      scheme: listener.scheme,
      workerTls: this.#workerTls,
      logger: logging.logger('levada.runtime'),
      plugins,
      configProviders: createConfigProviders(config.raw, [
        ...builtInPlugins(environment).configProviders,
        ...plugins.configProviders,
      ]),
      environment,
      writesDebug: (connector) => logging.levels.enabled(connectorLogger(connector), 'debug'),
      onLoggerLevel: (logger, level) => {
        const known = setClusterLevel({ levels: logging.levels, herder: this.herder }, logger, level);
        if (!known) log('logger_level_unknown', { logger, level: level.slice(0, 80) });
      },
      onOperation: (operation) => this.#telemetry.onOperation(operation),
    });
    this.#telemetry = new WorkerTelemetry({
      ...parts,
      clock,
      workerId: this.workerId,
      metrics: this.#runtime.metrics,
      logHealth: () => this.#runtime.platformHealth(),
      groupFindings: () => this.#runtime.groupFindings().length,
      descriptorsExhausted: () => this.#descriptors.found,
    });
  }

  get herder(): Herder {
    return this.#runtime.herder;
  }

  get started(): Promise<void> {
    return this.#ready.promise;
  }

  /** Answers REST, and starts connectors in the background. */
  async start(): Promise<void> {
    const { config, log, access } = this.#parts;
    await access?.start();
    for (const plugin of this.brokenPlugins) log('plugin_broken', { ...plugin });
    this.#serve();
    this.#descriptors.start();
    this.#telemetry.start();
    log('rest_listening', { url: this.url, worker_id: this.workerId, storage: config.storage });
    const open = this.#openListeners();
    if (open.length > 0) {
      const listeners = open.map(({ scheme, host, port }) => `${scheme}://${bracketed(host)}:${port}`);
      log('rest_unauthenticated', { listeners: listeners.join(',') });
    }
    void this.#startConnectors();
    // Logged already; it must not end the process when nothing waits for `started`.
    this.started.catch(() => undefined);
  }

  blame(thrown: unknown): boolean {
    return this.#runtime.blame(thrown);
  }

  stop(): Promise<StopReport> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #startConnectors(): Promise<void> {
    const { options, log, startedAt } = this.#parts;
    const { signal } = this.#abort;
    try {
      await this.#runtime.start(signal);
      if (!signal.aborted) log('worker_ready', { ms: options.clock.now() - startedAt });
      this.#ready.resolve();
    } catch (error) {
      if (!signal.aborted) log('worker_start_failed', { error });
      this.#ready.reject(error);
    }
  }

  /** Where other machines can ask without authentication. */
  #openListeners(): readonly ListenerAddress[] {
    const { config, rest } = this.#parts;
    if (config.access !== undefined) return [];
    return [
      ...rest.listeners.filter((listener) => !isMutual(config.tls, listener)),
      ...rest.adminListeners.filter((listener) => !isMutual(config.adminTls, listener)),
    ].filter((listener) => !isLoopback(listener));
  }

  #serve(): void {
    const { config, options, log, rest, jolokia, platform } = this.#parts;
    const { logging, clock } = options;
    const { herder } = this.#runtime;
    const clusterId = clusterIdReader(platform, clock);
    rest.serve({
      herder,
      clock,
      log: eventLog(workerEvents, logging.logger('levada.rest'), clock),
      serverInfo: async () => ({
        version: connectApiLevel,
        commit: `levada-${version}`,
        clusterId: await clusterId(),
      }),
      platformHealth: () => this.#runtime.platformHealth(),
      groupFindings: () => this.#runtime.groupFindings(),
      readRecords: platform.readRecords?.bind(platform),
      hidesRecords: this.#openListeners().length > 0,
      levels: logging.levels,
      recentLines: logging.recent,
      exposition: this.#telemetry.exposition,
      onAnswered: config.otel === undefined ? undefined : this.#telemetry.onAnswered,
      statusConnection: config.values['rest.status.connection'] === 'always',
      dialect: config.values['rest.dialect'] as '3.9' | '4.x',
      strict: config.values['rest.compat.strict'],
      workerTls: this.#workerTls,
      access: this.#parts.access,
      logRequests: config.values['rest.request.log'],
    });
    jolokia.serve(jolokiaHandler({ herder, metrics: this.#runtime.metrics, version, clock }));
    for (const address of jolokia.listeners) {
      const open = isLoopback(address) ? {} : { warning: 'open to other machines without authentication' };
      log('jolokia_listening', { url: `${localUrl(address)}/jolokia/`, ...open });
    }
  }

  async #stop(): Promise<StopReport> {
    const { config, options, log, rest, jolokia, platform } = this.#parts;
    const { clock } = options;
    log('worker_stopping');
    const withinMs = Math.max(LEAST_STOP_MS, config.values['task.shutdown.graceful.timeout.ms']);
    const end = clock.monotonic() + withinMs;
    const left = (): number => Math.max(0, Math.min(CLOSE_TIMEOUT_MS, end - clock.monotonic()));
    this.#abort.abort();
    const report = await this.#runtime.stop({ timeoutMs: withinMs - closingShare(withinMs) });
    await Promise.all([rest.close(left() / 2), jolokia.close(left() / 2)]);
    this.#descriptors.stop();
    this.#parts.access?.stop();
    await this.#telemetry.stop(left() / 2);
    await platform.close({ timeoutMs: left() });
    for (const { connector, task, count } of report.undelivered) {
      log('records_undelivered', { connector, task, count });
    }
    log('worker_closed');
    return report;
  }
}

/** Clients of a listener that requires certificates are known by them. */
function isMutual(tls: RestTls | undefined, { scheme }: ListenerAddress): boolean {
  return scheme === 'https' && tls?.values['ssl.client.auth'].toLowerCase() === 'required';
}

function admissionOf(config: WorkerConfig) {
  const { values } = config;
  const advertised = values['rest.advertised.host.name'];
  // A page that reaches this machine by DNS rebinding knows no password, and with TLS its name is in no certificate.
  const { listeners, adminListeners } = config;
  const all = adminListeners === 'same' ? listeners : [...listeners, ...adminListeners];
  const safe = config.access !== undefined || all.every(({ scheme }) => scheme === 'https');
  const hosts = [
    ...values['rest.allowed.hosts'],
    hostname(),
    ...(advertised === null ? [] : [advertised]),
    ...(safe ? ['*'] : []),
  ];
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

/** Longest that `GET /` waits for the log. */
const WAIT_MS = 1000;

/** Reads the cluster id once; while the log is away it answers the empty text within a second and asks again next time. */
function clusterIdReader(platform: LogPlatform, clock: Clock): () => Promise<string> {
  let known = '';
  let asking: Promise<void> | undefined;
  const ask = async (): Promise<void> => {
    try {
      known = await platform.clusterId();
    } catch {
      // Away: the id is not known yet, and the platform has logged why.
    } finally {
      asking = undefined;
    }
  };
  return async () => {
    if (known !== '') return known;
    asking ??= ask();
    const late = Promise.withResolvers<void>();
    const timer = clock.after(WAIT_MS, late.resolve);
    await Promise.race([asking, late.promise]);
    timer.cancel();
    return known;
  };
}

/** `<advertised host>:<port>`: how people and statuses name the worker. */
function workerAddress(config: WorkerConfig, listener: ListenerAddress, hostName: string): string {
  const host =
    config.values['rest.advertised.host.name'] ?? (isWildcard(listener) ? hostName : listener.host);
  const port = config.values['rest.advertised.port'] ?? listener.port;
  return `${bracketed(host)}:${port}`;
}

/** URL at which a listener can be reached from this machine. */
function localUrl(listener: ListenerAddress): string {
  return `${listener.scheme}://${bracketed(isWildcard(listener) ? 'localhost' : listener.host)}:${listener.port}`;
}

/** IPv6 addresses are in brackets wherever a port may follow. */
function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
