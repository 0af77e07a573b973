import type { ConfigKey, RawConfig } from '../config/config-key.ts';
import type { AnySourceConnector } from '../contract/source-connector.ts';
import { type ConfigIssue, ConnectorError, isConnectorError } from '../diagnostics/connector-error.ts';

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

/** Every problem of a configuration: of single keys, of several together, of local files. */
export function configIssues(connector: AnySourceConnector, raw: RawConfig): readonly ConfigIssue[] {
  const single = connector.config.validate(raw);
  const values = connector.validate?.(raw, single) ?? single;
  return values.flatMap(({ name, errors }) => errors.map((message) => ({ key: name, message })));
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
  const sound = Object.fromEntries(Object.entries(options).filter(([name]) => !names.has(name)));
  const raw = libraryConfig(connector, connector.config.fromOptions(sound));
  const others = configIssues(connector, raw)
    .map(({ key, message }) => ({ key: connector.config.find(key)?.option ?? key, message }))
    // A mistyped option is not missing as well.
    .filter(({ key }) => !names.has(key))
    .map(({ key, message }) => ({ key, message: `${key}: ${message}` }));
  return { raw, issues: [...wrong, ...others] };
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
