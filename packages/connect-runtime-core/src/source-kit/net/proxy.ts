import { type ConfigIssue, ConnectorError } from '../../diagnostics/connector-error.ts';
import { isLoopback, namesTarget, type ProxyTarget } from './no-proxy.ts';
import { proxyUrlProblem } from './proxy-keys.ts';

/** Variables of an environment by name. Of them only those that name proxies are looked at. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/** An HTTP proxy that tunnels with CONNECT. */
export interface HttpProxy {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  /** Value of `Proxy-Authorization`. */
  readonly authorization: string | undefined;
  /** For texts: without credentials. */
  readonly shown: string;
  /** Where it comes from: a configuration key, or a variable of the environment. */
  readonly source: string;
  /** Where its credentials belong, for texts. */
  readonly credentials: string;
  /** The key for authorities that are trusted beside the built-in ones, for texts. */
  readonly ca: string;
}

export interface ProxySettings {
  /** `websocket` for keys such as `websocket.proxy.url`. */
  readonly prefix: string;
  /** A URL, `none` or blank for no proxy at all, null for that of the environment. */
  readonly url: string | null;
  readonly username: string | null;
  readonly password: string | null;
  readonly environment: ProxyEnvironment | undefined;
}

export interface TunnelTarget extends ProxyTarget {
  readonly secure: boolean;
}

/** What a URL is connected to: host without the brackets of a URL, and port. */
export function tunnelTarget({ protocol, hostname, port }: URL): TunnelTarget {
  const secure = protocol === 'https:' || protocol === 'wss:';
  const standard = secure ? 443 : 80;
  return {
    secure,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? standard : Number(port),
  };
}

/**
 * The proxy to reach a target by; undefined when it is to be reached directly. A configured one is used for every target. Of the
 * environment `HTTPS_PROXY` counts for targets with TLS, `HTTP_PROXY` for others, `ALL_PROXY` for both, in lower case before
 * upper case; not for what `NO_PROXY` names, and not for this machine. Throws `config_invalid` for a variable that is no URL of
 * an HTTP proxy; its value is not shown.
 */
export function proxyFor(target: TunnelTarget, settings: ProxySettings): HttpProxy | undefined {
  const { prefix, url, username, password, environment = {} } = settings;
  const ca = `${prefix}.tls.ca.cert`;
  if (url !== null) {
    if (isNone(url)) return undefined;
    const keys = {
      ca,
      source: `${prefix}.proxy.url`,
      credentials: `${prefix}.proxy.username and ${prefix}.proxy.password`,
    };
    const user = username === null && password === null ? undefined : `${username ?? ''}:${password ?? ''}`;
    return proxyAt(url, user, keys);
  }
  const names = [target.secure ? 'https_proxy' : 'http_proxy', 'all_proxy'];
  const found = names.map((name) => variable(environment, name)).find((each) => each !== undefined);
  if (found === undefined || isLoopback(target.host)) return undefined;
  if (namesTarget(variable(environment, 'no_proxy')?.value ?? '', target)) return undefined;
  return environmentProxy(found, ca);
}

/** What is wrong with the keys of a proxy together. Credentials of a proxy in the environment are in its URL. */
export function proxyProblems(settings: ProxySettings): readonly ConfigIssue[] {
  const given = (['username', 'password'] as const).find((name) => (settings[name] ?? '') !== '');
  if (settings.url !== null || given === undefined) return [];
  const key = `${settings.prefix}.proxy.url`;
  return [{ key, message: `${key} is required with ${settings.prefix}.proxy.${given}` }];
}

/** Whether a configured URL stands for no proxy. */
export function isNone(url: string): boolean {
  return url === '' || url.toLowerCase() === 'none';
}

interface Variable {
  readonly name: string;
  readonly value: string;
}

function variable(environment: ProxyEnvironment, lower: string): Variable | undefined {
  for (const name of [lower, lower.toUpperCase()]) {
    const value = environment[name]?.trim();
    if (value !== undefined && value !== '') return { name, value };
  }
  return undefined;
}

/** Scheme, which may be left out as with curl; credentials up to the last @ before a slash, as they are seldom escaped; the rest. */
const urlParts = /^([a-z][a-z0-9+.-]*:\/\/)?(?:([^/]*)@)?(.*)$/is;

function environmentProxy({ name, value }: Variable, ca: string): HttpProxy {
  const [, scheme = 'http://', credentials = '', rest = ''] = urlParts.exec(value) ?? [];
  const text = `${scheme}${rest}`;
  const problem = proxyUrlProblem(text);
  if (problem !== undefined) {
    throw new ConnectorError(
      'config_invalid',
      `environment variable ${name} names no HTTP proxy: ${problem}`,
    );
  }
  const [user = '', ...password] = credentials.split(':');
  const login = credentials === '' ? undefined : `${decoded(user)}:${decoded(password.join(':'))}`;
  return proxyAt(text, login, { source: name, credentials: `the user and password in ${name}`, ca });
}

function proxyAt(
  text: string,
  user: string | undefined,
  origin: Pick<HttpProxy, 'source' | 'credentials' | 'ca'>,
): HttpProxy {
  const url = new URL(text);
  return {
    ...origin,
    ...tunnelTarget(url),
    authorization: user === undefined ? undefined : `Basic ${Buffer.from(user).toString('base64')}`,
    shown: url.origin,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a broken escape: what is written is meant
  }
}
