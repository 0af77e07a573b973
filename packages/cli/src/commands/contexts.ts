import { resolve } from 'node:path';
import {
  baseUrl,
  type ConnectionOptions,
  headersOf,
  userAndPassword,
  userOfUrl,
} from '../client/connection.ts';
import { type ConnectionContext, changeContexts, readContexts } from '../client/context-file.ts';
import { withoutCredentials } from '../client/worker-client.ts';
import { CommandError, exitCodes } from '../output/command-error.ts';
import type { OutputForm } from '../output/forms.ts';
import { render } from '../output/render.ts';
import type { Terminal } from '../output/terminal.ts';

/** Options of `levada context set`. */
export interface SetContextOptions extends Omit<ConnectionOptions, 'context'> {
  /** Keys to remove. */
  readonly unset: readonly string[];
}

/** Options of `levada context list`. */
export interface ListContextsOptions {
  readonly output: OutputForm;
}

/** `levada context set <name>`: writes what is given and leaves the rest. The first context is used from then on. */
export async function setContext(
  name: string,
  { unset, ...options }: SetContextOptions,
  terminal: Terminal,
): Promise<void> {
  if (name === '') throw new CommandError(exitCodes.usage, 'a context needs a name');
  const { contexts, current, file } = await readContexts(terminal);
  const given = contextGiven(options, terminal);
  if (contexts[name]?.url === undefined && given['url'] === undefined) {
    throw new CommandError(
      exitCodes.usage,
      `the context "${name}" has no URL`,
      'give it as --url http://host:port',
    );
  }
  await changeContexts(terminal, (document) => {
    for (const key of unset) document.deleteIn(['contexts', name, key]);
    for (const [key, value] of Object.entries(given)) {
      if (key === 'headers') {
        for (const [header, text] of Object.entries(value as object)) {
          document.setIn(['contexts', name, 'headers', header], text);
        }
      } else document.setIn(['contexts', name, key], value);
    }
    // Only one of them can count.
    if (given['token'] !== undefined)
      for (const key of ['user', 'password']) document.deleteIn(['contexts', name, key]);
    if (given['user'] !== undefined) document.deleteIn(['contexts', name, 'token']);
    if (current === undefined) document.set('current', name);
  });
  terminal.err(
    `the context "${name}" is written to ${file}${current === undefined ? ', and used from now on' : ''}\n`,
  );
}

/** `levada context use <name>`. */
export async function useContext(name: string, terminal: Terminal): Promise<void> {
  const { contexts, file } = await readContexts(terminal);
  assertKnown(name, { contexts, file });
  await changeContexts(terminal, (document) => document.set('current', name));
  terminal.err(`commands use the context "${name}" from now on\n`);
}

/** `levada context remove <name>`. */
export async function removeContext(name: string, terminal: Terminal): Promise<void> {
  const { contexts, current, file } = await readContexts(terminal);
  assertKnown(name, { contexts, file });
  await changeContexts(terminal, (document) => {
    document.deleteIn(['contexts', name]);
    if (current === name) document.delete('current');
  });
  const rest = current === name ? '; no context is used now, "levada context use <name>" chooses one' : '';
  terminal.err(`the context "${name}" is removed${rest}\n`);
}

/** `levada context list`: never shows a secret. */
export async function listContexts({ output }: ListContextsOptions, terminal: Terminal): Promise<void> {
  const { contexts, current, file } = await readContexts(terminal);
  const found = Object.entries(contexts).map(([name, context]) => ({
    name,
    current: name === current,
    url: withoutCredentials(context.url ?? ''),
    authentication: authenticationOf(context),
  }));
  const value = { schema: 'levada.contexts/1', file, contexts: found };
  terminal.out(
    render(output, value, () =>
      found.map((one) => ({
        current: one.current ? '*' : '',
        name: one.name,
        url: one.url,
        authentication: one.authentication,
      })),
    ),
  );
  if (output === 'table' && found.length === 0) {
    terminal.err(`no contexts; "levada context set <name> --url <url>" writes one to ${file}\n`);
  }
}

function authenticationOf({ token, user, cert, headers = {} }: ConnectionContext): string {
  const kinds = [
    token === undefined ? [] : ['token'],
    user === undefined ? [] : [`user ${user}`],
    cert === undefined ? [] : ['certificate'],
    Object.keys(headers).length === 0 ? [] : [`headers ${Object.keys(headers).join(', ')}`],
  ].flat();
  return kinds.length === 0 ? 'none' : kinds.join(', ');
}

/** Options as the file has them: credentials of the URL are apart from it. */
function contextGiven(
  { url, user, header = [], ...rest }: Omit<ConnectionOptions, 'context'>,
  { cwd }: Terminal,
): Readonly<Record<string, unknown>> {
  const base = url === undefined ? undefined : baseUrl(url);
  const absolute = (file: string | undefined) => (file === undefined ? undefined : resolve(cwd, file));
  const values = {
    url: base?.url,
    token: rest.token,
    ...(base === undefined ? {} : userOfUrl(base.base)),
    ...userAndPassword(user),
    // Commands run in other folders later.
    ca: absolute(rest.ca),
    cert: absolute(rest.cert),
    key: absolute(rest.key),
    headers: header.length === 0 ? undefined : headersOf(header),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function assertKnown(
  name: string,
  { contexts, file }: { readonly contexts: Readonly<Record<string, unknown>>; readonly file: string },
): void {
  if (Object.hasOwn(contexts, name)) return;
  const known = Object.keys(contexts);
  throw new CommandError(
    exitCodes.problems,
    `there is no context "${name}" in ${file}`,
    known.length === 0 ? undefined : `expected one of ${known.join(', ')}`,
  );
}
