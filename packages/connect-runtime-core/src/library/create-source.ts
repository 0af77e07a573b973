import type { RawConfig } from '../config/config-key.ts';
import { optionIssues } from '../config/option-checks.ts';
import type { OffsetStore } from '../contract/offset-store.ts';
import type { AnySourceConnector, SourceConnector } from '../contract/source-connector.ts';
import type { SourceEventName } from '../contract/source-event.ts';
import type { SourceTask } from '../contract/source-task.ts';
import type { OffsetReader } from '../contract/task-context.ts';
import { silentLogger } from '../diagnostics/logger.ts';
import type { MetricTable } from '../diagnostics/metric-def.ts';
import { type ServiceLogger, serviceLogger } from '../diagnostics/service-logger.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import { checkIsObject, configError, configIssues, libraryConfig, unknownKeys } from './config-issues.ts';
import { handleOf } from './handle-of.ts';
import { LibraryRun } from './library-run.ts';
import { sourceChecks } from './service-options.ts';
import type { SourceHandle } from './source-handle.ts';

/** Options of a library source in addition to its configuration. */
export interface SourceOptions {
  /** Aborting closes the source with the default time-out: the loop gets what is queued, then ends. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Where log lines go: `pino()`, `app.log` of Fastify, bunyan, `console`; `messageFirst(logger)` for winston. Default: silent.
   */
  readonly logger?: ServiceLogger | undefined;
  /** Default: the machine's. */
  readonly clock?: Clock | undefined;
  /** Names the source in log lines and metrics. Default: `name` of the configuration, or else the connector's simple class name. */
  readonly name?: string | undefined;
  /**
   * Where a source that can resume continues. A store, such as `fileOffsets(path)`, is also written: each second, and when the source
   * closes, with the offsets of the records that were delivered. A reader is only read. Default: at the beginning, nothing is stored.
   */
  readonly offsets?: OffsetStore | OffsetReader | undefined;
  /** Variables that name proxies, such as `HTTPS_PROXY`. Default: those of the process; `{}`: none. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A connector with this metric table and these events, whatever its configuration rows. */
// biome-ignore lint/suspicious/noExplicitAny: the task's configuration type is that of a parameter, so no common type but this fits
type ConnectorWith<M extends MetricTable, E extends SourceEventName> = SourceConnector<any, M, E>;

/**
 * A source from a connector and the configuration that REST would take. Keys that only a worker knows (`tasks.max`,
 * converters) have no effect. Unknown keys are refused. Throws one `config_invalid` ConnectorError that lists every problem. Nothing is opened
 * yet, see {@link SourceHandle}.
 */
export function createSource<M extends MetricTable, E extends SourceEventName>(
  connector: ConnectorWith<M, E>,
  rawConfig: RawConfig,
  options: SourceOptions = {},
): SourceHandle<unknown, M, E> {
  checkIsObject(connector, 'configuration', rawConfig);
  return openSource(connector, rawConfig, options);
}

/** What a source from options has beside its configuration. */
interface FromOptions {
  /** The configuration before each connection, when parts of it may change. */
  readonly resolve?: (() => Promise<RawConfig>) | undefined;
  /** The task in the words of the options. */
  readonly asOptions?: (task: SourceTask) => SourceTask;
}

/** See {@link createSource}. */
export function openSource<M extends MetricTable, E extends SourceEventName>(
  connector: ConnectorWith<M, E>,
  rawConfig: RawConfig,
  options: SourceOptions,
  { resolve, asOptions = (task) => task }: FromOptions = {},
): SourceHandle<unknown, M, E> {
  const raw = libraryConfig(connector, rawConfig);
  const issues = [
    ...unknownKeys(connector, raw),
    ...configIssues(connector, raw),
    ...optionIssues(sourceChecks, options),
  ];
  if (issues.length > 0) throw configError(issues);
  const name = options.name ?? raw['name'] ?? simpleName(connector);
  const clock = options.clock ?? systemClock;
  const untyped: AnySourceConnector = connector;
  const run = new LibraryRun({
    connector,
    createTask: () => asOptions(untyped.createTask()),
    raw,
    resolve,
    name,
    logger: serviceLogger(options.logger ?? silentLogger, { connector: name, task: 0 }),
    clock,
    offsets: options.offsets,
    environment: options.environment ?? process.env,
  });
  closeOn(options.signal, run);
  return handleOf(run, {
    name,
    clock,
    produces: connector.produces?.(connector.config.parse(raw)) ?? {},
  });
}

function closeOn(signal: AbortSignal | undefined, run: LibraryRun): void {
  if (signal === undefined) return;
  const abort = (): void => run.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  void run.closed.then(() => signal.removeEventListener('abort', abort));
}

function simpleName({ className }: AnySourceConnector): string {
  return className.slice(className.lastIndexOf('.') + 1);
}
