import type { ConfigKey, KeyNeed, RawConfig } from '../config/config-key.ts';
import type { AnySourceConnector } from '../contract/source-connector.ts';
import { type ConfigIssue, ConnectorError, isConnectorError } from '../diagnostics/connector-error.ts';
import { nearest } from '../text/nearest.ts';
import { optionProblem } from './option-problems.ts';

/**
 * The configuration of a source in library use: names in place of aliases, and the defaults that a library has in place of
 * a worker's.
 */
export function libraryConfig({ config }: AnySourceConnector, raw: RawConfig): RawConfig {
  const given = config.canonical(raw);
  const rows: readonly ConfigKey[] = config.keys;
  const defaults = rows.flatMap(({ name, libraryDefault }) =>
    libraryDefault === undefined || Object.hasOwn(given, name) ? [] : [[name, String(libraryDefault)]],
  );
  return { ...given, ...Object.fromEntries(defaults) };
}

/** The problem of each key: of its own value, else of several together, or of local files. */
export function configIssues(connector: AnySourceConnector, raw: RawConfig): readonly ConfigIssue[] {
  const single = connector.config.validate(raw);
  const values = connector.validate?.(raw, single) ?? single;
  // The first of each, as what a validator says of a value that could not be parsed only repeats it.
  return values.flatMap(({ name, errors }) => errors.slice(0, 1).map((message) => ({ key: name, message })));
}

/** A configuration, and what is wrong with the options that it comes from. */
export interface RawFromOptions {
  readonly raw: RawConfig;
  readonly issues: readonly ConfigIssue[];
}

/**
 * Options of library use as a configuration, with every problem: unknown and mistyped options, and whatever the
 * configuration of the others has. Problems are named after the option.
 */
export function readOptions(
  connector: AnySourceConnector,
  options: Readonly<Record<string, unknown>>,
): RawFromOptions {
  const wrong = wrongOptions(connector, options);
  const names = new Set(wrong.map((issue) => issue.key));
  const sound = soundOptions(options, names);
  const given = connector.config.fromOptions(sound);
  const raw = libraryConfig(connector, given);
  const others = [...configIssues(connector, raw), ...withoutEffect(connector, { given, raw, wrong: names })]
    .map((issue) => optionProblem(connector.config, issue))
    // A mistyped option is not missing as well.
    .filter(({ key }) => !names.has(key));
  return { raw, issues: [...wrong, ...others] };
}

interface GivenKeys {
  readonly given: RawConfig;
  /** With what a library has for others. */
  readonly raw: RawConfig;
  /** Options that are mistyped, of which nothing else is said. */
  readonly wrong: ReadonlySet<string>;
}

/** Keys that are given and have no effect without another one. */
function withoutEffect(
  { config }: AnySourceConnector,
  { given, raw, wrong }: GivenKeys,
): readonly ConfigIssue[] {
  const rows: readonly ConfigKey[] = config.keys;
  return rows.flatMap(({ name, needs }) => {
    if (needs === undefined || !Object.hasOwn(given, name)) return [];
    const needed = config.find(needs.key);
    if (isMet(needs, needed, raw) || wrong.has(needed?.option ?? '')) return [];
    return [{ key: name, message: `${needText(needs)} is required with ${name}` }];
  });
}

function needText({ key, value, wanted }: KeyNeed): string {
  if (wanted !== undefined) return `${key} with ${wanted}`;
  return typeof value === 'string' ? `${key}=${value}` : key;
}

function isMet({ key, value }: KeyNeed, row: ConfigKey | undefined, raw: RawConfig): boolean {
  const text = String((Object.hasOwn(raw, key) ? raw[key] : row?.default) ?? '');
  if (value === undefined) return !['', '0', 'false'].includes(text);
  return typeof value === 'string' ? text === value : value.test(text);
}

/** The options that are right, and of objects that group options, also those in lists, their right members. */
function soundOptions(
  options: Readonly<Record<string, unknown>>,
  wrong: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  const sound = Object.entries(options).filter(([name]) => !wrong.has(name));
  const groups = new Set([...wrong].flatMap((name) => (/[.[]/.test(name) ? [name.split(/[.[]/, 1)[0]] : [])));
  return Object.fromEntries(
    sound.map(([name, value]) => [name, groups.has(name) ? soundMembers(name, value, wrong) : value]),
  );
}

function soundMembers(group: string, value: unknown, wrong: ReadonlySet<string>): unknown {
  // An object that is left out would move those after it.
  if (Array.isArray(value))
    return value.map((item, index) => soundMembers(`${group}[${index}]`, item, wrong));
  if (wrong.has(group)) return {};
  const members = Object.entries(value as object);
  return Object.fromEntries(members.filter(([member]) => !wrong.has(`${group}.${member}`)));
}

function wrongOptions(
  connector: AnySourceConnector,
  options: Readonly<Record<string, unknown>>,
): readonly ConfigIssue[] {
  try {
    connector.config.fromOptions(options);
    return [];
  } catch (thrown) {
    if (isConnectorError(thrown) && thrown.issues.length > 0) return thrown.issues;
    throw thrown;
  }
}

/** One error for all of them; its message begins with the first. */
export function configError(issues: readonly ConfigIssue[]): ConnectorError {
  return new ConnectorError('config_invalid', issues.map(({ message }) => message).join('\n'), { issues });
}

/** Throws `config_invalid` unless the options, or the configuration, of a connector are an object: a text would have its characters as options. */
export function checkIsObject(
  { config }: AnySourceConnector,
  what: 'options' | 'configuration',
  given: unknown,
): void {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return;
  const rows: readonly ConfigKey[] = config.keys;
  const required = rows
    .filter((row) => row.default === undefined && row.prefix !== true)
    .map(({ name, option }) => (what === 'options' ? `${option ?? name}: ...` : `'${name}': ...`));
  const example = required.length === 0 ? '' : `, such as { ${required.join(', ')} }`;
  const kind = Array.isArray(given) ? 'list' : typeof given;
  const message = `${what} must be an object${example}, got ${kind}`;
  throw configError([{ key: what, message }]);
}

/** Keys of a connector that mean something to a worker alone: the configuration of one may be used in a library as it is. */
const workerKeys =
  /^(?:name|connector\.class|connector\.plugin\.version|tasks\.max(?:\.enforce)?|config\.action\.reload|(?:key|value|header)\.converter(?:\..+)?|transforms(?:\..+)?|predicates(?:\..+)?|errors\..+|topic\.creation\..+|exactly\.once\.support|transaction\.boundary(?:\..+)?|offsets\.storage\.topic|(?:producer|consumer|admin)\.override\..+|secret\.keys|task\.isolation)$/;

/** Whether a key is one that workers read, whatever the connector. */
export function isWorkerKey(name: string): boolean {
  return workerKeys.test(name);
}

/** Keys that neither the connector nor a worker reads: most often a slip, which would go unseen. */
export function unknownKeys({ config }: AnySourceConnector, raw: RawConfig): readonly ConfigIssue[] {
  const unknown = Object.keys(raw).filter((name) => config.find(name) === undefined && !isWorkerKey(name));
  return unknown.map((key) => {
    const rows: readonly ConfigKey[] = config.keys;
    const near =
      rows.find(({ option }) => option === key)?.name ??
      nearest(
        key,
        rows.map(({ name }) => name),
      );
    return {
      key,
      message: near === undefined ? `${key} is not a key` : `${key} is not a key, did you mean ${near}?`,
    };
  });
}
