import { adminRoutes } from './admin-routes.ts';
import { forward, isElsewhere } from './call-worker.ts';
import { connectorRoutes } from './connector-routes.ts';
import { acceptedType, isJsonContent } from './content-type.ts';
import { toErrorResponse } from './error-response.ts';
import {
  encodeSegment,
  matchPattern,
  type PathPattern,
  pathPattern,
  pathSegments,
  splitTarget,
} from './match-path.ts';
import { pluginRoutes } from './plugin-routes.ts';
import { frameworkMessage, RestError } from './rest-error.ts';
import type { RestHandler, RestRequest, RestResponse } from './rest-message.ts';
import type { AnsweredRequest, Reply, RestCall, RestContext, Route } from './route.ts';
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
  const handle: RestHandler = async (request) => {
    try {
      return await answer(request, compiled, context);
    } catch (error) {
      const response = toErrorResponse(error, context.strict);
      if (response.status === 500) {
        context.log('rest_request_failed', { method: request.method, path: shownPath(request), error });
      }
      return response;
    }
  };
  const { onAnswered } = context;
  return onAnswered === undefined ? handle : observed(handle, { compiled, onAnswered, context });
}

/** Reports each answer. */
function observed(
  handle: RestHandler,
  {
    compiled,
    onAnswered,
    context,
  }: {
    readonly compiled: readonly CompiledRoute[];
    readonly onAnswered: (answered: AnsweredRequest) => void;
    readonly context: RestContext;
  },
): RestHandler {
  return async (request) => {
    const begun = context.clock.monotonic();
    const response = await handle(request);
    onAnswered({
      method: request.method,
      route: routeOf(request, compiled),
      status: response.status,
      ms: context.clock.monotonic() - begun,
      traceparent: request.headers.get('traceparent'),
    });
    return response;
  };
}

function routeOf(request: RestRequest, compiled: readonly CompiledRoute[]): string | undefined {
  try {
    return findMatches(compiled, pathSegments(splitTarget(request.target).path))[0]?.route.path;
  } catch {
    // A path that cannot be decoded belongs to no route, and was answered with 400.
    return undefined;
  }
}

async function answer(
  request: RestRequest,
  compiled: readonly CompiledRoute[],
  context: RestContext,
): Promise<RestResponse> {
  const { path, query } = splitTarget(request.target);
  const matches = findMatches(compiled, pathSegments(path));
  if (matches.length === 0) throw new RestError(404, frameworkMessage(404));
  if (request.method === 'OPTIONS') return allowedMethods(matches);
  const { route, path: values } = chooseRoute(matches, request.method);
  const contentType = acceptedTypeOf(request, route);
  if (contentType === undefined) throw new RestError(406, frameworkMessage(406));
  checkContentType(request);
  const call = { path: values, query, headers: request.headers, body: request.body };
  try {
    const reply = await withinTime(route, call, context);
    return toResponse({ contentType, ...reply }, route, request);
  } catch (thrown) {
    if (!isElsewhere(thrown)) throw thrown;
    return await forward(request, thrown.target);
  }
}

function acceptedTypeOf({ headers }: RestRequest, route: Route): string | undefined {
  const accept = headers.get('accept');
  const types = route.produces ?? ['application/json'];
  return types.map((type) => acceptedType(accept, type)).find((type) => type !== undefined);
}

function findMatches(
  compiled: readonly CompiledRoute[],
  segments: readonly string[] | undefined,
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

/** Bodies are JSON. A POST or PUT of another type is refused even without a body: browsers send those without asking. */
function checkContentType({ method, headers, body }: RestRequest): void {
  const type = headers.get('content-type');
  const changing = method === 'POST' || method === 'PUT' || method === 'PATCH';
  const counts = body.length > 0 || (changing && type !== undefined);
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
  ...taskRoutes,
  ...pluginRoutes,
  ...adminRoutes,
];
