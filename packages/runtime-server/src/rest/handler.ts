import type { Caller } from '../access/roles.ts';
import { adminRoutes } from './admin-routes.ts';
import { forward, isElsewhere } from './call-worker.ts';
import { checkAccess } from './check-access.ts';
import { connectorRoutes } from './connector-routes.ts';
import { acceptedType, isJsonContent } from './message/content-type.ts';
import { toErrorResponse } from './message/error-response.ts';
import {
  encodeSegment,
  matchPattern,
  type PathPattern,
  type PathSegment,
  pathPattern,
  pathSegments,
  splitTarget,
} from './message/match-path.ts';
import { frameworkMessage, RestError } from './message/rest-error.ts';
import type { RestHandler, RestRequest, RestResponse } from './message/rest-message.ts';
import { openApiOf } from './openapi.ts';
import { pluginRoutes } from './plugin-routes.ts';
import { recordsRoute } from './records-route.ts';
import type { Reply, RestCall, RestContext, Route } from './route.ts';
import { taskRoutes } from './task-routes.ts';
import { stage, workerRoutes } from './worker-routes.ts';

/** Longest that an answer may take, as in Kafka Connect. */
const REQUEST_TIMEOUT_MS = 90_000;

interface CompiledRoute {
  readonly route: Route;
  readonly pattern: PathPattern;
}

interface Match {
  readonly route: Route;
  readonly path: ReadonlyMap<string, string>;
}

/** The REST interface as a function: a request value in, a response value out. */
export function createRestHandler(served: readonly Route[], context: RestContext): RestHandler {
  const compiled = served.map((route) => ({ route, pattern: pathPattern(route.path) }));
  return async (request) => {
    const began = context.clock.monotonic();
    const { response, caller, route } = await answered(request, compiled, context);
    const ms = context.clock.monotonic() - began;
    const { method } = request;
    const { status } = response;
    context.onAnswered?.({
      method,
      route: route?.path,
      status,
      ms,
      traceparent: request.headers.get('traceparent'),
    });
    if (route === undefined) return response;
    logAnswer(context, {
      method,
      path: shownPath(request),
      status,
      ...(caller === undefined ? {} : { user: caller.name }),
      client: request.client,
      ms: Math.round(ms),
    });
    return response;
  };
}

interface Answered {
  readonly response: RestResponse;
  readonly caller?: Caller | undefined;
  /** Undefined: there is none. */
  readonly route?: Route | undefined;
}

async function answered(
  request: RestRequest,
  compiled: readonly CompiledRoute[],
  context: RestContext,
): Promise<Answered> {
  let caller: Caller | undefined;
  let route: Route | undefined;
  try {
    const chosen = choose(request, compiled);
    if ('status' in chosen) return { response: chosen };
    ({ route } = chosen);
    const access = await checkAccess(chosen.route, request, context);
    caller = access.caller;
    return { caller, route, response: access.refusal ?? (await handled(request, chosen, context)) };
  } catch (error) {
    const response = toErrorResponse(error, context.strict);
    if (response.status === 500) {
      context.log('rest_request_failed', { method: request.method, path: shownPath(request), error });
    }
    return { caller, route, response };
  }
}

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Who changed what is logged always, also when it was refused. */
function logAnswer(
  context: RestContext,
  fields: Readonly<Record<string, unknown>> & { method: string },
): void {
  if (!reading.has(fields.method)) context.log('rest_change', fields);
  if (context.logRequests) context.log('rest_request', fields);
}

interface Chosen extends Match {
  readonly query: URLSearchParams;
  readonly contentType: string;
}

/** The route of a request, or the answer to OPTIONS. Throws for what Kafka Connect's HTTP framework refuses before any handler. */
function choose(request: RestRequest, compiled: readonly CompiledRoute[]): Chosen | RestResponse {
  const { path, query } = splitTarget(request.target);
  const matches = findMatches(compiled, pathSegments(path));
  if (matches.length === 0) throw new RestError(404, frameworkMessage(404));
  if (request.method === 'OPTIONS') return allowedMethods(matches);
  const match = chooseRoute(matches, request.method);
  const contentType = acceptedTypeOf(request, match.route);
  if (contentType === undefined) throw new RestError(406, frameworkMessage(406));
  checkContentType(request, match.route);
  return { ...match, query, contentType };
}

async function handled(
  request: RestRequest,
  { route, path, query, contentType }: Chosen,
  context: RestContext,
): Promise<RestResponse> {
  const call = { path, query, headers: request.headers, body: request.body };
  try {
    const reply = await withinTime(route, call, context);
    return toResponse({ contentType, ...reply }, route, request);
  } catch (thrown) {
    if (!isElsewhere(thrown)) throw thrown;
    return await forward(request, thrown.target, {
      tls: context.workerTls,
      onFailure: (url, reason) =>
        context.log('forward_failed', { method: request.method, path: shownPath(request), url, reason }),
    });
  }
}

function acceptedTypeOf({ headers }: RestRequest, route: Route): string | undefined {
  const accept = headers.get('accept');
  const types = route.produces ?? ['application/json'];
  return types.map((type) => acceptedType(accept, type)).find((type) => type !== undefined);
}

function findMatches(
  compiled: readonly CompiledRoute[],
  segments: readonly PathSegment[] | undefined,
): readonly Match[] {
  if (segments === undefined) return [];
  return compiled.flatMap(({ route, pattern }) => {
    const path = matchPattern(pattern, segments);
    return path === undefined ? [] : [{ route, path }];
  });
}

function chooseRoute(matches: readonly Match[], method: string): Match {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const match = matches.find(({ route }) => route.method === wanted);
  if (match !== undefined) return match;
  throw new RestError(405, frameworkMessage(405), { allow: methodsOf(matches).join(',') });
}

/** In the order of Kafka Connect's answers. */
const methodOrder = ['HEAD', 'DELETE', 'POST', 'GET', 'OPTIONS', 'PUT', 'PATCH'];

function methodsOf(matches: readonly Match[]): readonly string[] {
  const methods = new Set<string>(['OPTIONS', ...matches.map(({ route }) => route.method)]);
  if (methods.has('GET')) methods.add('HEAD');
  return methodOrder.filter((method) => methods.has(method));
}

function allowedMethods(matches: readonly Match[]): RestResponse {
  const methods = methodsOf(matches);
  const headers = { 'content-type': 'text/plain', allow: methods.join(',') };
  return { status: 200, headers, body: methods.join(', ') };
}

/** Where Kafka Connect takes JSON only, and so refuses any other type also without a body. */
const jsonPaths = /^\/(?:connectors|connector-plugins|admin\/loggers)(?:\/|$)/;

/** Bodies are JSON. A change of another type is refused also without a body: browsers send those without asking. */
function checkContentType({ headers, body }: RestRequest, { method, path }: Route): void {
  const type = headers.get('content-type');
  const counts = body.length > 0 || (type !== undefined && (method !== 'GET' || jsonPaths.test(path)));
  if (counts && !isJsonContent(type)) throw new RestError(415, frameworkMessage(415));
}

async function withinTime(route: Route, call: RestCall, context: RestContext): Promise<Reply> {
  const limit = Promise.withResolvers<never>();
  const timer = context.clock.after(route.timeoutMs ?? REQUEST_TIMEOUT_MS, () => {
    limit.reject(new RestError(500, timeoutMessage(context)));
  });
  try {
    return await Promise.race([route.handle(call, context), limit.promise]);
  } finally {
    timer.cancel();
  }
}

function timeoutMessage({ herder }: RestContext): string {
  const worker = herder.health();
  return worker.status === 'healthy' ? 'Request timed out' : `Request timed out. ${stage(worker)}`;
}

function toResponse(reply: Reply, route: Route, request: RestRequest): RestResponse {
  const status = reply.status ?? route.status;
  const headers: Record<string, string> = {};
  if (reply.location !== undefined) {
    headers['location'] = `${request.baseUrl}/connectors/${encodeSegment(reply.location)}`;
  }
  if (reply.stream !== undefined) {
    headers['content-type'] = reply.contentType ?? 'text/plain';
    return { status, headers, body: '', stream: reply.stream };
  }
  if (reply.body === undefined) return { status, headers, body: '' };
  headers['content-type'] = reply.contentType ?? 'application/json';
  return { status, headers, body: typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body) };
}

function shownPath(request: RestRequest): string {
  return splitTarget(request.target).path.slice(0, 200);
}

/** Every route of the REST interface. */
export const routes: readonly Route[] = [
  ...workerRoutes,
  ...connectorRoutes,
  recordsRoute,
  ...taskRoutes,
  ...pluginRoutes,
  ...adminRoutes,
  {
    method: 'GET',
    path: '/openapi.json',
    status: 200,
    doc: { id: 'getOpenApi', summary: 'Describe this interface', answer: 'OpenApi' },
    handle: () => ({ body: openApi() }),
  },
];

/** The OpenAPI 3.1 document of all routes. */
export function openApi(): object {
  return openApiOf(routes);
}
