import { isIP } from 'node:net';
import { isJsonContent } from '../rest/message/content-type.ts';
import { RestError } from '../rest/message/rest-error.ts';

/** Who may talk to the REST interface, as far as request headers tell. */
export interface AdmissionRules {
  /** Host names beside local ones, lower case; `*` for any. */
  readonly allowedHosts: ReadonlySet<string>;
  /** Origins of web pages that may call (`access.control.allow.origin`); `*` for any. */
  readonly allowedOrigins: ReadonlySet<string>;
  /** `access.control.allow.methods`; Connect's default is GET, POST and HEAD. */
  readonly allowedMethods: readonly string[];
}

/** What of a request admission looks at. */
export interface AdmissionRequest {
  readonly method: string;
  readonly scheme: 'http' | 'https';
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly contentType: string | undefined;
  /** `X-Forwarded-Host`, which a browser sends to another site only after asking. */
  readonly forwardedHost: string | undefined;
  /** `X-Requested-With`, of which the same is true. */
  readonly requestedWith: string | undefined;
  readonly preflight: boolean;
}

/** Suffixes that cannot be registered, so no page on the internet can point such a name at this machine. */
const privateSuffixes = ['.localhost', '.local', '.internal'];

/**
 * Refuses requests that a web page may have tricked a browser into: names that DNS rebinding could use, and changes that a browser
 * sends to another site without a preflight, which are POSTs that are not JSON. Every other request of a foreign `Origin` is answered
 * without CORS headers, as in Kafka Connect: a browser asks before it sends one that changes something and hides the answer from the
 * page, and user interfaces hand the `Origin` of their own page on. Returns the CORS headers of the answer.
 */
export function admit(request: AdmissionRequest, rules: AdmissionRules): Readonly<Record<string, string>> {
  const name = hostName(request.host);
  if (!isAllowedHost(name, rules.allowedHosts)) {
    throw new RestError(403, `Host "${name.slice(0, 80)}" is not allowed, add it to rest.allowed.hosts`);
  }
  const { origin } = request;
  if (origin !== undefined && isAllowedOrigin(origin, rules)) return corsHeaders(origin, request, rules);
  const withoutPreflight =
    request.method === 'POST' && !isJsonContent(request.contentType) && request.requestedWith === undefined;
  if (withoutPreflight && isForeign(request)) {
    throw new RestError(
      403,
      'Requests from other web sites are not allowed, see access.control.allow.origin',
    );
  }
  return {};
}

/** Whether a page of another origin made the browser send it. A browser that says so counts more than names that a proxy may have changed. */
function isForeign({ scheme, host, origin, fetchSite, forwardedHost }: AdmissionRequest): boolean {
  if (fetchSite === 'same-origin' || fetchSite === 'none') return false;
  if (fetchSite === 'cross-site') return true;
  if (origin === undefined || origin === `${scheme}://${host}`) return false;
  // The proxy of a user interface: what matters is which page asked the proxy.
  const page = URL.canParse(origin) ? new URL(origin).host : undefined;
  return page === undefined || page !== forwardedHost;
}

function hostName(host: string | undefined): string {
  const parts = /^(\[[0-9a-f:.%]+\]|[^:/?#@\s]+)(?::(\d{1,5}))?$/i.exec(host ?? '');
  const [, name, port] = parts ?? [];
  if (name === undefined || Number(port ?? 0) > 65535)
    throw new RestError(400, 'The Host header is not valid');
  return name.toLowerCase();
}

/** Names without a dot cannot come from public DNS: `localhost`, and the service names of container networks. */
function isAllowedHost(name: string, allowed: ReadonlySet<string>): boolean {
  if (name.startsWith('[') || isIP(name) !== 0 || !name.includes('.')) return true;
  if (privateSuffixes.some((suffix) => name.endsWith(suffix))) return true;
  return allowed.has('*') || allowed.has(name);
}

function isAllowedOrigin(origin: string, { allowedOrigins }: AdmissionRules): boolean {
  return allowedOrigins.has('*') || allowedOrigins.has(origin.toLowerCase());
}

function corsHeaders(
  origin: string,
  request: AdmissionRequest,
  rules: AdmissionRules,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { 'access-control-allow-origin': origin, vary: 'Origin' };
  if (request.preflight) {
    headers['access-control-allow-methods'] = rules.allowedMethods.join(',');
    headers['access-control-allow-headers'] = 'X-Requested-With,Content-Type,Accept,Origin,Authorization';
    headers['access-control-max-age'] = '1800';
  }
  return headers;
}
