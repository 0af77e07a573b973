import { readdir, readFile } from 'node:fs/promises';
import {
  type ConfigIssue,
  type ConfigKey,
  ConnectorError,
  isConnectorError,
  type RawConfig,
  systemClock,
} from '@levada/connect-runtime-core';
import { configProviderWarnings, createConfigProviders } from '@levada/connect-runtime-core/host';
import { configResolver, converterRows, SecretMask } from '@levada/connect-worker';
import { usersFile } from './access/access-control.ts';
import { readUsers } from './access/password-users.ts';
import { builtInPlugins, platformFindings } from './compose.ts';
import { parseConfigFile } from './config/parse-config-file.ts';
import {
  foreignKeysOf,
  pluginFolders,
  readWorkerConfig,
  type WorkerConfig,
  workerConfigDef,
} from './config/worker-config.ts';
import { loadPlugins } from './host/load-plugins.ts';
import { namesOf, type Plugins } from './host/plugin-shapes.ts';
import { loadRestTls } from './host/tls-files.ts';

/** Where a worker configuration comes from; later ones win. */
export interface ConfigSources {
  /** Values that hold unless something else is said. */
  readonly defaults?: RawConfig;
  /** Properties, YAML or JSON file. */
  readonly file?: string | undefined;
  /** `CONNECT_*` variables count. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** From the command line. */
  readonly overrides?: RawConfig;
}

/** What was found in a worker configuration, in the order of its file. */
export interface WorkerConfigCheck {
  /** What can be started; undefined when there are problems. */
  readonly config: WorkerConfig | undefined;
  /** One for each wrong value. A worker with problems does not start. */
  readonly problems: readonly ConfigIssue[];
  /** Keys that neither Kafka Connect nor this worker knows. A worker starts with them, and logs them. */
  readonly unknownKeys: readonly ConfigIssue[];
  /** Probable mistakes: repeated keys, references without a value, keys of Kafka's clients without effect. A worker logs it. */
  readonly warnings: readonly ConfigIssue[];
  /** Keys of Kafka Connect without effect here. */
  readonly meaninglessKeys: readonly ConfigIssue[];
}

/**
 * As {@link checkWorkerConfig}, for starting a worker. Throws `file_unreadable` or one `config_invalid` error that lists
 * every problem.
 */
export async function loadWorkerConfig(sources: ConfigSources): Promise<WorkerConfig> {
  const { config, problems } = await checkWorkerConfig(sources);
  if (config !== undefined) return config;
  const message = problems.map((issue) => issue.message).join('\n');
  throw new ConnectorError('config_invalid', message, { issues: problems });
}

/**
 * Reads and merges the sources, resolves references through the worker's own config providers, and checks everything that
 * can be checked without a network and without taking what only one worker may have: keys, files and folders that they
 * name. Not checked: whether brokers answer and accept the login, whether ports are free, whether another process uses the
 * folder of the log, and the packages in plugin.path, which are loaded only when the configuration names a converter or a
 * config provider that is not built in. Throws `file_unreadable` or `config_invalid` for a file that cannot
 * be read at all. No text shows a secret.
 */
export async function checkWorkerConfig(sources: ConfigSources): Promise<WorkerConfigCheck> {
  const environment = sources.environment ?? {};
  const { raw, places, repeated } = await readSources(sources, environment);
  const collected = new Problems();
  const installed = await installedPlugins(raw, environment);
  const providers =
    (await collected.of(() => createConfigProviders(raw, installed.configProviders))) ?? new Map();
  const rowOf = converterRows(installed.converters);
  const find = (name: string): ConfigKey | undefined => rowOf(raw, name) ?? workerConfigDef.find(name);
  const mask = new SecretMask({ find, providers: providers.keys() });
  const resolved = await configResolver(providers, (literal) => mask.secretTexts(literal))(raw);
  collected.add(resolved.issues);
  const config = await collected.of(() => readWorkerConfig(resolved.config, installed.converters));
  const platform = await platformFindings(resolved.config);
  collected.add(platform.issues);
  if (config !== undefined) {
    collected.add(usersFileIssues(config));
    for (const tls of [config.tls, config.adminTls]) {
      await collected.of(() => (tls === undefined ? undefined : loadRestTls(tls)));
    }
  }
  if (collected.list().some(({ key }) => namesPlugin.test(key))) collected.add(installed.issues);
  collected.add(await pluginFolderIssues(pluginFolders(resolved.config)));
  const placed = (issues: readonly ConfigIssue[]): readonly ConfigIssue[] =>
    inOrder(
      issues.map((issue) => placedIssue(issue, places, sources.file, resolved.scrub)),
      places,
    );
  const problems = placed(collected.list());
  const { unknownKeys, meaninglessKeys } = foreignKeysOf(resolved.config);
  const warnings = [
    ...repeated,
    ...placed(configProviderWarnings(raw, installed.configProviders)),
    ...placed(config?.warnings ?? []),
    ...placed(
      resolved.unresolved.map(({ key, reference }) => ({
        key,
        message: `the reference ${reference} has no value and stays as it is written`,
      })),
    ),
  ];
  return {
    config: config === undefined || problems.length > 0 ? undefined : { ...config, warnings },
    problems,
    unknownKeys: placed(
      unknownKeys.map(({ key, suggestion }) => ({ key, message: unknownText(suggestion) })),
    ),
    warnings: [...warnings, ...placed(platform.warnings)],
    meaninglessKeys: placed(meaninglessKeys.map(({ key, reason }) => ({ key, message: reason }))),
  };
}

interface InstalledPlugins extends Pick<Plugins, 'converters' | 'configProviders'> {
  /** What is broken in plugin.path, which explains why a class is missing. */
  readonly issues: readonly ConfigIssue[];
}

/** Keys of a worker that name a plugin. */
const namesPlugin = /^(?:(?:key|value|header)\.converter|config\.providers\..*\.class)$/;

/** What the configuration can name: what is built in and, when it names something else, what plugin.path brings. */
async function installedPlugins(
  raw: RawConfig,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<InstalledPlugins> {
  const builtIn = builtInPlugins(environment);
  const { converters, configProviders } = builtIn;
  const known = new Set([...converters, ...configProviders].flatMap(namesOf));
  const named = Object.entries(raw).filter(([key]) => namesPlugin.test(key));
  if (named.every(([, name]) => known.has(name?.trim() ?? ''))) return { ...builtIn, issues: [] };
  const loaded = await loadPlugins(pluginFolders(raw), { clock: systemClock, builtIn });
  return {
    converters: [...converters, ...loaded.converters],
    configProviders: [...configProviders, ...loaded.configProviders],
    issues: loaded.broken.map(({ place, reason }) => ({
      key: 'plugin.path',
      message: `${place} cannot be loaded: ${reason}`,
    })),
  };
}

/** A problem in one line: `worker.properties:3 group.id: what is wrong`. */
export function issueText({ key, message, place }: ConfigIssue): string {
  // Kafka's messages name the key too.
  const short = message
    .replace(` for configuration ${key}:`, ':')
    .replace(`Invalid configuration ${key}: `, '');
  return place === undefined ? `${key}: ${short}` : `${place} ${key}: ${short}`;
}

/** Problems of several checks. A key of which one has found a problem is not reported by the next ones. */
class Problems {
  readonly #issues: ConfigIssue[] = [];

  add(issues: readonly ConfigIssue[]): void {
    const known = new Set(this.#issues.map(({ key }) => key));
    this.#issues.push(...issues.filter(({ key }) => !known.has(key)));
  }

  /** What `check` returns; undefined when it throws problems, which are kept. */
  async of<V>(check: () => V | Promise<V>): Promise<V | undefined> {
    try {
      return await check();
    } catch (thrown) {
      if (!isConnectorError(thrown) || thrown.issues.length === 0) throw thrown;
      this.add(thrown.issues);
      return undefined;
    }
  }

  list(): readonly ConfigIssue[] {
    return this.#issues;
  }
}

interface ReadSources {
  readonly raw: RawConfig;
  /** Where each key was written that counts, in order. */
  readonly places: ReadonlyMap<string, string>;
  readonly repeated: readonly ConfigIssue[];
}

async function readSources(
  { defaults = {}, file, overrides = {} }: ConfigSources,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ReadSources> {
  const raw = new Map<string, string | null>(Object.entries(defaults));
  const places = new Map<string, string>();
  const repeated: ConfigIssue[] = [];
  for (const { key, value, place } of file === undefined
    ? []
    : await parseConfigFile(file, await readText(file))) {
    const earlier = places.get(key);
    if (earlier !== undefined) repeated.push({ key, place, message: `overrides the value at ${earlier}` });
    raw.set(key, value);
    places.set(key, place);
  }
  for (const { key, value, variable } of environmentConfig(environment)) {
    raw.set(key, value);
    places.set(key, variable);
  }
  for (const [key, value] of Object.entries(overrides)) {
    raw.set(key, value);
    places.delete(key);
  }
  const jaasFile = javaLoginFile(environment);
  if (
    raw.has('rest.extension.classes') &&
    jaasFile !== undefined &&
    !basicFiles.some((key) => raw.has(key))
  ) {
    raw.set('rest.basic.jaas.file', jaasFile);
    places.set('rest.basic.jaas.file', 'KAFKA_OPTS');
  }
  return { raw: Object.fromEntries(raw), places, repeated };
}

const basicFiles = ['rest.basic.jaas.file', 'rest.basic.users.file'];

/** Where users of Java workers name their JAAS file. */
function javaLoginFile({ KAFKA_OPTS }: Readonly<Record<string, string | undefined>>): string | undefined {
  const parts = /-Djava\.security\.auth\.login\.config==?(?:"([^"]+)"|(\S+))/.exec(KAFKA_OPTS ?? '');
  return parts?.[1] ?? parts?.[2];
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new ConnectorError(
      'file_unreadable',
      `cannot read the worker configuration ${path}: ${codeOf(cause)}`,
      { cause },
    );
  }
}

function usersFileIssues({ access }: WorkerConfig): readonly ConfigIssue[] {
  if (access?.users === undefined) return [];
  const key = `rest.basic.${access.users.kind === 'jaas' ? 'jaas' : 'users'}.file`;
  try {
    readUsers(usersFile(access) ?? '');
    return [];
  } catch (thrown) {
    if (!isConnectorError(thrown)) throw thrown;
    return [
      { key, message: `Invalid value ${access.users.file} for configuration ${key}: ${thrown.message}` },
    ];
  }
}

async function pluginFolderIssues(folders: readonly string[]): Promise<readonly ConfigIssue[]> {
  const issues: ConfigIssue[] = [];
  for (const folder of folders) {
    await readdir(folder).catch((thrown: unknown) => {
      const problem = `the folder cannot be read (${codeOf(thrown)})`;
      issues.push({
        key: 'plugin.path',
        message: `Invalid value ${folder} for configuration plugin.path: ${problem}`,
      });
    });
  }
  return issues;
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown);
}

function unknownText(suggestion: string | undefined): string {
  return suggestion === undefined
    ? 'is not a worker key'
    : `is not a worker key, did you mean ${suggestion}?`;
}

/** With its place: of a key that was not written, the file in which it is missing. */
function placedIssue(
  { key, message }: ConfigIssue,
  places: ReadonlyMap<string, string>,
  file: string | undefined,
  scrub: (text: string) => string,
): ConfigIssue {
  const place = places.get(key) ?? file;
  return { key, message: scrub(message), ...(place === undefined ? {} : { place }) };
}

/** In the order of the file, then of the environment; keys that were not written come last. */
function inOrder(
  issues: readonly ConfigIssue[],
  places: ReadonlyMap<string, string>,
): readonly ConfigIssue[] {
  const order = new Map([...places.keys()].map((key, index) => [key, index]));
  const rank = ({ key }: ConfigIssue): number => order.get(key) ?? order.size;
  return issues.toSorted((a, b) => rank(a) - rank(b));
}

/** A worker key from a variable, and the variable's name. */
export interface EnvironmentEntry {
  readonly key: string;
  readonly value: string;
  readonly variable: string;
}

/**
 * Worker keys from `CONNECT_*` variables, as container images of Kafka Connect map them: prefix off, lower case, `___` to
 * `_`, `__` to `-`, `_` to `.`. `CONNECT_BOOTSTRAP_SERVERS` is `bootstrap.servers`.
 */
export function environmentConfig(
  environment: Readonly<Record<string, string | undefined>>,
): readonly EnvironmentEntry[] {
  return Object.entries(environment).flatMap(([variable, value]) =>
    variable.startsWith('CONNECT_') && variable.length > 'CONNECT_'.length && value !== undefined
      ? [{ key: keyOf(variable.slice('CONNECT_'.length)), value, variable }]
      : [],
  );
}

const separators: Readonly<Record<string, string>> = { ___: '_', __: '-', _: '.' };

function keyOf(name: string): string {
  return name.toLowerCase().replace(/_{1,3}/g, (underscores) => separators[underscores] as string);
}
