import { chmod, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Document, isMap, parseDocument } from 'yaml';
import { CommandError, exitCodes } from '../output/command-error.ts';
import type { Terminal } from '../output/terminal.ts';

/** One context as the file has it. Texts may refer to the environment as `${env:NAME}`. */
export interface ConnectionContext {
  readonly url?: string | undefined;
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** PEM file of authorities to trust. */
  readonly ca?: string | undefined;
  /** PEM file of the client's certificate. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly key_password?: string | undefined;
}

/** Keys of a context whose value is one text. */
const textKeys = ['url', 'token', 'user', 'password', 'ca', 'cert', 'key', 'key_password'] as const;

/** The file of contexts. */
export interface Contexts {
  /** Its path, also while it does not exist. */
  readonly file: string;
  readonly current: string | undefined;
  readonly contexts: Readonly<Record<string, ConnectionContext>>;
}

/**
 * Where contexts are kept: `LEVADA_CONFIG`, else `levada/config.yaml` in `XDG_CONFIG_HOME`, else in `.config` of the home folder
 * (`AppData` on Windows).
 */
export function contextFile({ env, cwd }: Pick<Terminal, 'env' | 'cwd'>): string {
  const own = env['LEVADA_CONFIG'] ?? '';
  if (own !== '') return resolve(cwd, own);
  const set = env['XDG_CONFIG_HOME'] ?? env['APPDATA'] ?? '';
  const home = env['HOME'] ?? env['USERPROFILE'] ?? '';
  const folder = set !== '' ? set : join(home !== '' ? home : homedir(), '.config');
  return join(folder, 'levada', 'config.yaml');
}

/** Reads the contexts as they are written; none when the file does not exist. */
export async function readContexts(terminal: Pick<Terminal, 'env' | 'cwd' | 'err'>): Promise<Contexts> {
  const file = contextFile(terminal);
  const document = await documentOf(file);
  const { current, contexts = {} } = (document.toJS() ?? {}) as {
    readonly current?: unknown;
    readonly contexts?: Readonly<Record<string, unknown>> | null;
  };
  const read = Object.entries(contexts ?? {}).map(
    ([name, value]) => [name, contextOf(value, { file, name })] as const,
  );
  if (await isOpen(file)) {
    terminal.err(
      `levada: other users can read ${file}, which may hold secrets; "chmod 600 ${file}" closes it\n`,
    );
  }
  return {
    file,
    current: typeof current === 'string' && current !== '' ? current : undefined,
    contexts: Object.fromEntries(read),
  };
}

/** Changes the file; what it says otherwise, comments included, stays. Only its owner can read it afterwards. */
export async function changeContexts(
  terminal: Pick<Terminal, 'env' | 'cwd'>,
  change: (document: Document) => void,
): Promise<void> {
  const file = contextFile(terminal);
  const document = await documentOf(file);
  change(document);
  // A link, as tools for such files make them, stays one.
  const target = await realpath(file).catch(() => file);
  const folder = dirname(target);
  const draft = `${target}.${process.pid}`;
  try {
    // Loaded here, since every command of a worker reads this file and few change it
    const { makeFolders } = await import('@levada/stream-project-compiler/node');
    await makeFolders(folder, 0o700);
    await writeFile(draft, String(document), { mode: 0o600 });
    await chmod(draft, 0o600);
    await rename(draft, target);
  } catch (thrown) {
    await rm(draft, { force: true });
    throw new CommandError(exitCodes.unreachable, `cannot write ${file}: ${textOf(thrown)}`);
  }
}

/** Whether users other than its owner can read it; never on Windows, which has no such modes. */
export async function isOpen(file: string): Promise<boolean> {
  if (process.platform === 'win32') return false;
  try {
    return ((await stat(file)).mode & 0o077) !== 0;
  } catch {
    return false; // it does not exist
  }
}

async function documentOf(file: string): Promise<Document> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new CommandError(exitCodes.unreachable, `cannot read ${file}: ${textOf(thrown)}`);
    }
    text = '';
  }
  const document = parseDocument(text);
  const [error] = document.errors;
  // Only the first line: what follows quotes the file, which may hold secrets.
  if (error !== undefined) throw broken(file, error.message.split('\n', 1)[0]?.replace(/:$/, '') ?? '');
  if (document.contents === null) return new (document.constructor as new (value: object) => Document)({});
  if (!isMap(document.contents)) throw broken(file, 'expected a map with "current" and "contexts"');
  return document;
}

function contextOf(
  value: unknown,
  { file, name }: { readonly file: string; readonly name: string },
): ConnectionContext {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw broken(file, `the context "${name}" is not a map`);
  }
  const { headers, ...rest } = value as Readonly<Record<string, unknown>>;
  const text = (key: string, one: unknown): string => {
    if (typeof one === 'string') return one;
    throw broken(file, `"${key}" of the context "${name}" is not text`);
  };
  const unknown = Object.keys(rest).find((key) => !(textKeys as readonly string[]).includes(key));
  if (unknown !== undefined) {
    const expected = `${textKeys.join(', ')} or headers`;
    throw broken(file, `the context "${name}" has the unknown key "${unknown}", expected ${expected}`);
  }
  return {
    ...Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, text(key, one)])),
    headers: Object.fromEntries(
      Object.entries((headers ?? {}) as object).map(([key, one]) => [key.toLowerCase(), text(key, one)]),
    ),
  };
}

/** A context with the values of the environment that it refers to. */
export function resolvedContext(
  { file, contexts }: Contexts,
  name: string,
  env: Terminal['env'],
): ConnectionContext {
  const { headers = {}, ...rest } = contexts[name] ?? {};
  const resolved = (texts: object) =>
    Object.fromEntries(
      Object.entries(texts).map(([key, text]) => [key, withEnvironment(String(text), { file, name, env })]),
    );
  return { ...resolved(rest), headers: resolved(headers) };
}

function withEnvironment(
  text: string,
  { file, name, env }: { readonly file: string; readonly name: string; readonly env: Terminal['env'] },
): string {
  return text.replace(/\$\{env:([^}]+)\}/g, (_, variable: string) => {
    const value = env[variable];
    if (value !== undefined) return value;
    throw broken(file, `the context "${name}" needs the environment variable ${variable}, which is not set`);
  });
}

function broken(file: string, reason: string): CommandError {
  return new CommandError(exitCodes.problems, `${file}: ${reason}`);
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
