import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { CommandError, exitCodes } from '../output/command-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { type ConnectionContext, readContexts, resolvedContext } from './context-file.ts';
import type { TlsMaterial } from './http-exchange.ts';

/** Where a worker is expected when nothing else is said. */
export const DEFAULT_URL = 'http://127.0.0.1:8083';

/** Options of every command that asks a worker. */
export interface ConnectionOptions {
  readonly context?: string;
  readonly url?: string;
  /** Lines such as `X-Team: shop`. */
  readonly header?: readonly string[];
  readonly token?: string;
  /** `name:password`, or the name alone. */
  readonly user?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** How to reach a worker. */
export interface Connection {
  /** Base URL as it may be shown: without credentials, and without trailing slash. */
  readonly url: string;
  readonly base: URL;
  /** Those that carry credentials among them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: TlsMaterial;
  /** The context that named the URL, if one did. */
  readonly context?: string | undefined;
}

/** Values of one source: options, environment, or a context. */
type Settings = Omit<ConnectionContext, 'headers'> & {
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/**
 * The connection that options, then the environment, then the current context name. A context given as an option precedes the
 * environment. A URL without a context uses no context, so that credentials never reach a server that they were not meant for.
 */
export async function connectionOf(options: ConnectionOptions, terminal: Terminal): Promise<Connection> {
  const { env } = terminal;
  const given = settingsOfOptions(options);
  const around = settingsOfEnvironment(env);
  const named = options.context ?? (given.url === undefined ? nonEmpty(env['LEVADA_CONTEXT']) : undefined);
  const chosen = await chosenContext(named, given.url ?? around.url, terminal);
  const context = chosen?.settings ?? {};
  const sources = (options.context === undefined ? [given, around, context] : [given, context]).map(
    withUserOfUrl,
  );
  const url = sources.find((one) => one.url !== undefined)?.url ?? DEFAULT_URL;
  const parsed = baseUrl(url);
  const fromContext = given.url === undefined && url === context.url;
  return {
    url: parsed.url,
    base: parsed.base,
    headers: {
      ...Object.assign({}, ...sources.map(({ headers }) => headers ?? {}).toReversed()),
      ...authorization(sources),
    },
    tls: await tlsMaterial(sources, terminal),
    context: fromContext ? chosen?.name : undefined,
  };
}

async function chosenContext(
  named: string | undefined,
  url: string | undefined,
  terminal: Terminal,
): Promise<{ readonly name: string; readonly settings: ConnectionContext } | undefined> {
  if (named === undefined && url !== undefined) return undefined;
  const contexts = await readContexts(terminal);
  const name = named ?? contexts.current;
  if (name === undefined) return undefined;
  const known = Object.keys(contexts.contexts);
  if (known.includes(name)) return { name, settings: resolvedContext(contexts, name, terminal.env) };
  throw new CommandError(
    exitCodes.usage,
    `there is no context "${name}" in ${contexts.file}`,
    known.length === 0
      ? `"levada context set ${name} --url <url>" makes it`
      : `expected one of ${known.join(', ')}`,
  );
}

function settingsOfOptions({ user, header = [], ...rest }: ConnectionOptions): Settings {
  if (rest.token !== undefined && user !== undefined) {
    throw new CommandError(exitCodes.usage, '--token and --user exclude each other');
  }
  return { ...rest, ...userAndPassword(user), headers: headersOf(header) };
}

/** `name:password` as two; a name alone has none. */
export function userAndPassword(text: string | undefined): {
  readonly user?: string;
  readonly password?: string;
} {
  if (text === undefined) return {};
  const colon = text.indexOf(':');
  return colon < 0 ? { user: text } : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Lines `Name: value` as a map. Messages never show values, which may be secrets. */
export function headersOf(lines: readonly string[]): Readonly<Record<string, string>> {
  const entries = lines.map((line, at) => {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new CommandError(
        exitCodes.usage,
        `header ${at + 1} is not valid${name === undefined ? '' : ` ("${name}")`}, expected "Name: value" in one line`,
      );
    }
    return [name.toLowerCase(), value.trim()] as const;
  });
  return Object.fromEntries(entries);
}

function settingsOfEnvironment(env: Terminal['env']): Settings {
  const read = (name: string) => nonEmpty(env[name]);
  const lines = (env['LEVADA_HEADERS'] ?? '').split('\n').filter((line) => line.trim() !== '');
  const { user, password } = userAndPassword(read('LEVADA_USER'));
  return {
    url: read('LEVADA_URL'),
    token: read('LEVADA_TOKEN'),
    user,
    password: password ?? read('LEVADA_PASSWORD'),
    ca: read('LEVADA_CA'),
    cert: read('LEVADA_CERT'),
    key: read('LEVADA_KEY'),
    key_password: read('LEVADA_KEY_PASSWORD'),
    headers: headersOf(lines),
  };
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

interface ParsedUrl {
  readonly base: URL;
  readonly url: string;
}

/** Reads a base URL, and refuses what cannot be one without showing credentials in it. */
export function baseUrl(text: string): ParsedUrl {
  const base = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (base === null || base.search !== '' || base.hash !== '') {
    const shown = text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1***@').replace(/[?#].*$/s, '?***');
    throw new CommandError(exitCodes.usage, `"${shown}" is no URL of a worker, expected http://host:port`);
  }
  const url = `${base.protocol}//${base.host}${base.pathname.replace(/\/+$/, '')}`;
  return { base, url };
}

/** User information of a URL counts as the user of its source. */
function withUserOfUrl(settings: Settings): Settings {
  if (settings.url === undefined) return settings;
  const given = Object.entries(settings).filter(([, one]) => one !== undefined);
  return { ...userOfUrl(baseUrl(settings.url).base), ...Object.fromEntries(given) };
}

/** User and password in a URL. */
export function userOfUrl({ username, password }: URL): Pick<ConnectionContext, 'user' | 'password'> {
  return username === '' ? {} : { user: decoded(username), password: decoded(password) };
}

/** The first source with credentials counts. */
function authorization(sources: readonly Settings[]): Readonly<Record<string, string>> {
  for (const [at, { token, user, password }] of sources.entries()) {
    if (token !== undefined) return { authorization: `Bearer ${headerText(token, 'the token')}` };
    if (user === undefined) continue;
    const secret = password ?? sources.slice(at + 1).find((one) => one.password !== undefined)?.password;
    if (secret !== undefined) return basic(user, secret);
    throw new CommandError(
      exitCodes.usage,
      `there is no password for the user "${user}"`,
      'give it as --user name:password, or in LEVADA_PASSWORD',
    );
  }
  return {};
}

function basic(user: string, password: string): Readonly<Record<string, string>> {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone percent sign stands for itself
  }
}

function headerText(text: string, what: string): string {
  const trimmed = text.trim();
  if (/^[\x21-\x7e]+$/.test(trimmed)) return trimmed;
  throw new CommandError(exitCodes.usage, `${what} has characters that a header cannot hold`);
}

/** Certificate and key are taken from one source: half of one and half of another never fit. */
async function tlsMaterial(sources: readonly Settings[], terminal: Terminal): Promise<TlsMaterial> {
  const caFile = sources.find(({ ca }) => ca !== undefined)?.ca;
  const own = sources.find(({ cert, key }) => cert !== undefined || key !== undefined);
  if (caFile === undefined && own === undefined) return {};
  if (own !== undefined && (own.cert === undefined || own.key === undefined)) {
    throw new CommandError(
      exitCodes.usage,
      own.cert === undefined ? 'a client key needs its certificate' : 'a client certificate needs its key',
      'give both --cert and --key',
    );
  }
  const read = (file: string | undefined, what: string) =>
    file === undefined ? undefined : textOf(resolve(terminal.cwd, file), what);
  const passphrase = sources.find((one) => one.key_password !== undefined)?.key_password;
  const tls = {
    ...given('ca', await read(caFile, '--ca')),
    ...given('cert', await read(own?.cert, '--cert')),
    ...given('key', await read(own?.key, '--key')),
    ...given('passphrase', passphrase),
  };
  try {
    // The authorities are read by no check of the context itself.
    if (tls.ca !== undefined) new X509Certificate(tls.ca);
    createSecureContext(tls);
  } catch (thrown) {
    const files = [caFile, own?.cert, own?.key].filter((file) => file !== undefined).join(', ');
    throw new CommandError(
      exitCodes.usage,
      `certificates cannot be used (${files}): ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      'expected PEM files, of which the key belongs to the certificate; LEVADA_KEY_PASSWORD is that of the key',
    );
  }
  return tls;
}

function given(name: keyof TlsMaterial, value: string | undefined): TlsMaterial {
  return value === undefined ? {} : { [name]: value };
}

async function textOf(file: string, what: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    throw new CommandError(
      exitCodes.usage,
      `${what}: cannot read ${file}: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    );
  }
}
