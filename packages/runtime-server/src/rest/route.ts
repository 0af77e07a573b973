import type { Clock, EventLog } from '@levada/connect-runtime-core';
import type { PlatformHealth, RecordPage, RecordQuery } from '@levada/connect-runtime-core/platform';
import type { Herder } from '@levada/connect-worker';
import type { AccessControl } from '../access/access-control.ts';
import type { Role } from '../config/access-config.ts';
import type { ExpositionRequest } from '../telemetry/exposition.ts';
import type { LoggerLevels } from '../telemetry/logger-levels.ts';
import type { RecentLines } from '../telemetry/recent-lines.ts';
import type { workerEvents } from '../telemetry/worker-events.ts';
import type { WorkerTls } from './exchange.ts';
import type { SchemaName } from './schemas.ts';

/** What `GET /` says of the worker. */
export interface ServerInfo {
  /** Level of the Connect API that is offered, `<int>.<int>...`: clients compare it to decide what they may ask. */
  readonly version: string;
  readonly commit: string;
  /** Empty until the log has answered with its id. */
  readonly clusterId: string;
}

/** What handlers work with. Everything is handed in; nothing is looked up. */
export interface RestContext {
  readonly herder: Herder;
  readonly clock: Clock;
  readonly log: EventLog<typeof workerEvents>;
  readonly serverInfo: () => Promise<ServerInfo>;
  readonly platformHealth: () => PlatformHealth;
  /** What keeps the workers of the group from working together, as sentences. */
  readonly groupFindings: () => readonly string[];
  /** Undefined: the log is read in another way. */
  readonly readRecords?: ((query: RecordQuery) => Promise<RecordPage>) | undefined;
  /** Anyone could read records, so they are not shown. */
  readonly hidesRecords?: boolean;
  readonly levels: LoggerLevels;
  /** The last log lines. */
  readonly recentLines: RecentLines;
  /** Makes the text of `GET /metrics`. */
  readonly exposition: (request: ExpositionRequest) => AsyncIterable<string>;
  /** Called with each answer. */
  readonly onAnswered?: ((answered: AnsweredRequest) => void) | undefined;
  /** True: every status carries `connection`; false: only on `expand=connection`. */
  readonly statusConnection: boolean;
  /** `rest.dialect`. */
  readonly dialect: '3.9' | '4.x';
  /** `rest.compat.strict`. */
  readonly strict: boolean;
  /** Who may do what. Undefined: everyone everything. */
  readonly access?: AccessControl | undefined;
  /** `rest.request.log`. */
  readonly logRequests: boolean;
  /** For requests that another worker carries out. */
  readonly workerTls?: WorkerTls | undefined;
}

/** A request and how long it took to answer it. */
export interface AnsweredRequest {
  readonly method: string;
  /** Pattern of the route; undefined: there is none. */
  readonly route: string | undefined;
  readonly status: number;
  readonly ms: number;
  /** Header of W3C Trace Context. */
  readonly traceparent: string | undefined;
}

/** One call of a route, its path values decoded. */
export interface RestCall {
  readonly path: ReadonlyMap<string, string>;
  readonly query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

/** Answer of a handler. Default: the route's success status, and JSON. */
export interface Reply {
  readonly body?: unknown;
  readonly status?: number;
  /** Connector to whose URL `Location` points. */
  readonly location?: string;
  /** For answers that are not JSON: `body` is then text. */
  readonly contentType?: string;
  /** The body in parts, in place of `body`. */
  readonly stream?: AsyncIterable<string>;
}

/** What the OpenAPI document says of a route, beside what the row says anyway. */
export interface RouteDoc {
  /** `operationId`: verb and noun in camel case. */
  readonly id: string;
  /** One short sentence. */
  readonly summary: string;
  /** Query parameters and their meanings. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: SchemaName;
  /** Absent: success has no body. */
  readonly answer?: SchemaName;
  /** Other statuses of success. */
  readonly also?: Readonly<Record<number, string>>;
  /** Statuses among them without a body. */
  readonly empty?: readonly number[];
  /** Statuses of refusals that only some routes have, and why. */
  readonly errors?: Readonly<Record<number, string>>;
  /** Statuses of refusals with the body of success. */
  readonly failure?: readonly number[];
}

/** One row of the route table. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Pattern with `{names}`, each standing for one segment. */
  readonly path: string;
  /** Status of success. */
  readonly status: number;
  readonly doc: RouteDoc;
  /** What a caller must be allowed. Default: `read` for GET, `admin` for everything else. */
  readonly role?: Role;
  /** For other workers, which sign what they send: no password is asked for, and the herder checks the signature. */
  readonly internal?: true;
  /** For probes of an orchestrator, which know no password: everyone may ask, and the answer says nothing but a state. */
  readonly anonymous?: true;
  /** Served on the admin listener. */
  readonly admin?: boolean;
  /** Media types of the answer, compared with `Accept`. Default `application/json`. */
  readonly produces?: readonly string[];
  /** Longest that the answer may take, in milliseconds. Default 90000. */
  readonly timeoutMs?: number;
  readonly handle: (call: RestCall, context: RestContext) => Promise<Reply> | Reply;
}

/** Value of a path name; the pattern guarantees that it is there. */
export function pathValue(call: RestCall, name: string): string {
  return call.path.get(name) as string;
}

/** Name of the connector that a call is about. */
export function connectorName(call: RestCall): string {
  return pathValue(call, 'connector');
}

/** As in Connect: only the text `true`, in any case, is true. */
export function queryFlag(call: RestCall, name: string): boolean {
  return call.query.get(name)?.toLowerCase() === 'true';
}

/** Version of a connector's plugin where answers show it; null when it is not known. */
export async function shownVersion(
  name: string,
  { dialect, herder }: RestContext,
): Promise<string | null | undefined> {
  if (dialect === '3.9') return undefined;
  const { config } = await herder.connector(name);
  const className = config['connector.class']?.trim() ?? '';
  const short = `.${className.replace(/Connector$/, '')}`;
  const found = herder
    .plugins(true)
    .find(
      (plugin) =>
        plugin.className === className || plugin.className.replace(/Connector$/, '').endsWith(short),
    );
  return found?.version ?? null;
}
