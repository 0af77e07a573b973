import type { Clock } from '@levada/connect-runtime-core';
import { errorResponse } from '../rest/message/error-response.ts';
import { splitTarget } from '../rest/message/match-path.ts';
import type { RestHandler, RestRequest, RestResponse } from '../rest/message/rest-message.ts';
import { errorFields, JolokiaError } from './jolokia-error.ts';
import { type JolokiaRequest, requestOfJson, requestOfPath } from './jolokia-request.ts';
import { type JolokiaSources, perform } from './operations.ts';

/** Beginning of every path. */
const BASE = '/jolokia';
/** Most requests of one POST. */
const MAX_REQUESTS = 1000;

/** A Jolokia agent that only reads: GET with the request in the path, POST with one or several in the body. */
export function jolokiaHandler(sources: JolokiaSources & { readonly clock: Clock }): RestHandler {
  return async (request) => {
    const { path, query } = splitTarget(request.target);
    if (path !== BASE && !path.startsWith(`${BASE}/`))
      return errorResponse({ status: 404, message: `Nothing is here, the agent answers below ${BASE}` });
    if (request.method === 'POST') return json(await answerBody(request, query, sources));
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return errorResponse({
        status: 405,
        message: 'Only GET and POST are answered',
        headers: { allow: 'GET,HEAD,POST' },
      });
    const rest = query.get('p') ?? path.slice(BASE.length);
    return json(await answer(() => requestOfPath(query.has('p') ? rest : decoded(rest), query), sources));
  };
}

async function answerBody(
  { body }: RestRequest,
  query: URLSearchParams,
  sources: JolokiaSources & { readonly clock: Clock },
): Promise<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return await answer(() => {
      throw new JolokiaError(400, 'java.lang.IllegalArgumentException', 'The body is no JSON');
    }, sources);
  }
  if (!Array.isArray(value)) return await answer(() => requestOfJson(value, query), sources);
  const { length } = value;
  if (length > MAX_REQUESTS)
    return await answer(() => {
      const message = `At most ${MAX_REQUESTS} requests are answered at once, there are ${length}`;
      throw new JolokiaError(400, 'java.lang.IllegalArgumentException', message);
    }, sources);
  const answers: unknown[] = [];
  for (const one of value) answers.push(await answer(() => requestOfJson(one, query), sources));
  return answers;
}

/** One answer: a value, or why there is none. */
async function answer(
  read: () => JolokiaRequest,
  sources: JolokiaSources & { readonly clock: Clock },
): Promise<unknown> {
  const timestamp = Math.floor(sources.clock.now() / 1000);
  let request: JolokiaRequest | undefined;
  try {
    request = read();
    const value = await perform(request, sources);
    return { request: request.shown, value, status: 200, timestamp };
  } catch (thrown) {
    return { request: request?.shown, ...errorFields(thrown), timestamp };
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function json(value: unknown): RestResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(value),
  };
}
