import type { Clock, Logger } from '@levada/connect-runtime-core';
import type { ConfigProvider } from '@levada/connect-runtime-core/config';
import type {
  AnySourceConnector,
  PredicatePlugin,
  TransformationPlugin,
} from '@levada/connect-runtime-core/contract';
import type { ConverterPlugin } from '@levada/connect-runtime-core/converter';
import type {
  GroupProtocol,
  LogPlatform,
  PlatformHealth,
  TopicSpec,
} from '@levada/connect-runtime-core/platform';
import type { Herder } from './herder.ts';
import type { WorkerMetrics } from './metric-objects.ts';
import type { RequestSigning } from './request-signing.ts';

/** A converter class and its keys, prefix removed. */
export interface ConverterChoice {
  readonly className: string;
  readonly config: Readonly<Record<string, string>>;
}

/** What connectors may override of the worker's producer: nothing, sign-on keys, a list of harmless keys, anything. */
export type ClientOverridePolicy = 'None' | 'Principal' | 'Allowlist' | 'All';

/**
 * Connect's `exactly.once.source.support`. `enabled`: tasks of connectors that can write transactions, and fence their predecessors.
 * `preparing`: they do not, but this worker fences as a leader, while others of its group are enabled already.
 */
export type ExactlyOnceSourceSupport = 'disabled' | 'preparing' | 'enabled';

/** A request to another worker of the group. */
export interface WorkerRequest {
  readonly method: 'POST' | 'PUT';
  /** Base URL of the other worker's REST interface, with trailing slash. */
  readonly baseUrl: string;
  /** Decoded parts of the path. */
  readonly path: readonly string[];
  /** JSON; empty: none. */
  readonly body: string;
  readonly signature: RequestSignature | undefined;
}

/**
 * Asks another worker of the group for something that it says of itself; `body` is undefined unless it is JSON. Rejects when the worker
 * cannot be reached at that URL.
 */
export type AskWorker = (question: {
  /** Base URL of its REST interface, with trailing slash. */
  readonly baseUrl: string;
  /** Below it, with query, encoded. */
  readonly path: string;
  readonly timeoutMs: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}) => Promise<{ readonly status: number; readonly body: unknown }>;

/** What a signed request carries, as Kafka Connect's `X-Connect-Authorization` and `X-Connect-Request-Signature-Algorithm`. */
export interface RequestSignature {
  /** Java's name of an algorithm, such as `HmacSHA256`. */
  readonly algorithm: string;
  /** Signature of the body. */
  readonly signature: Uint8Array;
}

/** A connector by its names. The rest of it is loaded when it is asked for the first time. */
export interface DeferredConnector extends Pick<AnySourceConnector, 'className' | 'aliases' | 'version'> {
  /** The connector, the same at each call. What it throws fails what needs the connector. */
  load(): AnySourceConnector;
}

/** A connector that is there, or can be loaded. */
export type ConnectorPlugin = AnySourceConnector | DeferredConnector;

/** Everything that a runtime is made of. The host that composes it reads configuration; nothing in here does. */
export interface ConnectRuntimeOptions {
  readonly platform: LogPlatform;
  readonly logger: Logger;
  readonly clock: Clock;
  /** `<advertised host>:<port>`: `worker_id` in statuses. */
  readonly workerId: string;
  /** Base URL of this worker's REST interface, with trailing slash. */
  readonly workerUrl: string;
  readonly groupId: string;
  /** Connect's `session.timeout.ms`: a worker that was silent for so long loses its connectors. */
  readonly sessionTimeoutMs: number;
  /** Connect's `heartbeat.interval.ms`; less than the session time-out. */
  readonly heartbeatIntervalMs: number;
  /** Connect's `rebalance.timeout.ms`. */
  readonly rebalanceTimeoutMs: number;
  /** Connect's `connect.protocol`. */
  readonly groupProtocol: GroupProtocol;
  /** Connect's `scheduled.rebalance.max.delay.ms`. */
  readonly scheduledRebalanceMaxDelayMs: number;
  /** Connect's `worker.sync.timeout.ms`. */
  readonly workerSyncTimeoutMs: number;
  /** Connect's `worker.unsync.backoff.ms`. */
  readonly workerUnsyncBackoffMs: number;
  readonly requestSigning: RequestSigning;
  /** Sends a request to another worker of the group; rejects unless it answers with success. Absent where groups have one member. */
  readonly callWorker?: ((request: WorkerRequest) => Promise<void>) | undefined;
  /** Absent where groups have one member. */
  readonly askWorker?: AskWorker | undefined;
  /** Of the runtime; version of the built-in converters in `/connector-plugins`. */
  readonly version: string;
  readonly connectors: readonly ConnectorPlugin[];
  readonly converters: readonly ConverterPlugin[];
  /** Default: none. */
  readonly transformations?: readonly TransformationPlugin[] | undefined;
  /** Default: none. */
  readonly predicates?: readonly PredicatePlugin[] | undefined;
  /** By the name that references use. */
  readonly configProviders: ReadonlyMap<string, ConfigProvider>;
  readonly keyConverter: ConverterChoice;
  readonly valueConverter: ConverterChoice;
  readonly headerConverter: ConverterChoice;
  /** The three internal topics (partitions 1, 25 and 5 unless configured). */
  readonly configTopic: TopicSpec & { readonly partitions: number };
  readonly offsetTopic: TopicSpec & { readonly partitions: number };
  readonly statusTopic: TopicSpec & { readonly partitions: number };
  readonly offsetFlushIntervalMs: number;
  readonly offsetFlushTimeoutMs: number;
  /** Longest that a stop may take, from the tasks' drain to the closed stores. */
  readonly taskShutdownGracefulTimeoutMs: number;
  readonly topicTrackingEnabled: boolean;
  readonly topicTrackingAllowReset: boolean;
  readonly topicCreationEnabled: boolean;
  /** The worker's `producer.*` keys, prefix removed. */
  readonly producerConfig: Readonly<Record<string, string>>;
  readonly overridePolicy: ClientOverridePolicy;
  /** Default: disabled. Has an effect on platforms with transactions only. */
  readonly exactlyOnceSourceSupport?: ExactlyOnceSourceSupport;
  /** Absent: every task runs in the thread of the worker. */
  readonly taskThreads?: TaskThreads | undefined;
  /** A worker of the group has set the level of a logger, and of all below it, for all workers. Must not throw. */
  readonly onLoggerLevel?: ((logger: string, level: string) => void) | undefined;
  /** Connect's `metrics.sample.window.ms`. Default 30000. */
  readonly metricsSampleWindowMs?: number;
  /** Connect's `metrics.num.samples`. Default 2. */
  readonly metricsNumSamples?: number;
  /** Called at the end of each operation. Must not throw. */
  readonly onOperation?: ((operation: RuntimeOperation) => void) | undefined;
  /** Variables of the environment that tasks are handed, for those that name proxies. Absent: none. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Something that the runtime did for a task, with how long it took. */
export interface RuntimeOperation {
  readonly name: 'task start' | 'offset commit';
  readonly connector: string;
  readonly task: number;
  readonly ms: number;
  readonly succeeded: boolean;
}

/** Threads in which tasks can run, each with a link of its own to the log. */
export interface TaskThreads {
  /** The module that a thread runs. It calls `runTaskThread`. */
  readonly entry: URL;
  /** What that module gets from the host: plain data. */
  readonly host: unknown;
  /** Whether tasks run in threads unless their connector says something else: the worker's `task.isolation`. */
  readonly byDefault: boolean;
  /** Whether lines of level debug of a connector are written. Asked twice a second. Default: always. */
  readonly writesDebug?: ((connector: string) => boolean) | undefined;
  /** Most JavaScript objects that a thread may keep, in MiB; with more it ends, and its task fails. */
  readonly heapMb: number;
}

/** The records that a stop could not deliver. Empty when all were delivered. */
export interface StopReport {
  readonly undelivered: readonly {
    readonly connector: string;
    readonly task: number;
    readonly count: number;
  }[];
}

/** A worker without its REST interface: stores, herder and running tasks. */
export interface ConnectRuntime {
  readonly herder: Herder;
  readonly metrics: WorkerMetrics;
  /**
   * Reads the stores, joins the group and starts what is assigned. While the log is away it tries again, and
   * `herder.health()` says `starting`. Rejects only for what trying again cannot mend, such as an internal topic with a
   * wrong partition count.
   */
  start(signal?: AbortSignal): Promise<void>;
  /**
   * Stops intake, hands queued records to the log, commits offsets and closes the stores, all within `timeoutMs` (default: the
   * graceful time-out). Target states stay, so connectors return at the next start. Always resolves; idempotent.
   */
  stop(options?: { readonly timeoutMs?: number }): Promise<StopReport>;
  /**
   * Fails the task that owns what threw this: a timer, a listener, a promise that is not awaited. False when it
   * was no task. For the process's `uncaughtException` and `unhandledRejection` listeners, and only within them.
   */
  blame(thrown: unknown): boolean;
  /**
   * How the log is doing for this worker, the links of tasks in threads of their own included: `degraded` when only such a one is down,
   * with the task in its reason. The last that is known; costs nothing.
   */
  platformHealth(): PlatformHealth;
  /** What keeps the workers of the group from working together, as sentences; empty when they fit. The last that is known. */
  groupFindings(): readonly string[];
}
