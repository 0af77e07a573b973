import { IssuerUnavailable } from '../access/bearer-tokens.ts';
import { type Caller, includesRole } from '../access/roles.ts';
import { errorResponse } from './message/error-response.ts';
import type { RestRequest, RestResponse } from './message/rest-message.ts';
import type { RestContext, Route } from './route.ts';

/** What {@link checkAccess} found: who asks, and the answer when they may not. */
export interface Access {
  /** Undefined: not known, or no one has to be. */
  readonly caller?: Caller;
  readonly refusal?: RestResponse;
}

/** Whether the sender of a request may use a route. */
export async function checkAccess(
  route: Route,
  { headers, method }: RestRequest,
  { access }: RestContext,
): Promise<Access> {
  if (access === undefined || route.internal === true || route.anonymous === true) return {};
  let caller: Caller | undefined;
  try {
    caller = await access.caller(headers.get('authorization'));
  } catch (thrown) {
    if (!(thrown instanceof IssuerUnavailable)) throw thrown;
    return { refusal: errorResponse({ status: 503, message: thrown.message }) };
  }
  if (caller === undefined) return { refusal: unauthorized(access) };
  const needed = route.role ?? (route.method === 'GET' ? 'read' : 'admin');
  if (includesRole(caller.role, needed)) return { caller };
  const has = caller.role === undefined ? 'no role' : `the role ${caller.role}`;
  const message = `${method} of this path needs the role ${needed}, and ${caller.name} has ${has}`;
  return { caller, refusal: errorResponse({ status: 403, message }) };
}

/** Kafka Connect's answer, where callers have passwords; browsers ask for one only when a header offers it. Tokens are offered as RFC 6750 asks. */
function unauthorized({ passwords, tokens }: { readonly passwords: boolean; readonly tokens: boolean }) {
  const text = 'User cannot access the resource.';
  const offer = tokens ? { 'www-authenticate': 'Bearer' } : {};
  const answer = errorResponse({ status: 401, message: text, headers: offer });
  return passwords ? { ...answer, body: text } : answer;
}
