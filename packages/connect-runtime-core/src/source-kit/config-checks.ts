import type { ConfigDef, ConfigValue } from '../config/config-def.ts';
import type { ConfigKey, ParsedConfig, RawConfig } from '../config/config-key.ts';
import { type ConfigIssue, ConnectorError, isConnectorError } from '../diagnostics/connector-error.ts';

export interface ConfigChecks<Rows extends readonly ConfigKey[]> {
  readonly definition: ConfigDef<Rows>;
  /** Stand in for required keys that are wrong or missing. */
  readonly placeholders: RawConfig;
  /** Rules over several keys; nothing outside the configuration is looked at. */
  readonly rules: (config: ParsedConfig<Rows>) => readonly ConfigIssue[];
  /** Reads the TLS files and throws what is wrong with them. Called unless a TLS key breaks a rule. */
  readonly readTls: (config: ParsedConfig<Rows>) => unknown;
  /** Further checks, also of files; `wrong` are the keys that are wrong by themselves, and have their defaults here. */
  readonly more?: (config: ParsedConfig<Rows>, wrong: ReadonlySet<string>) => readonly ConfigIssue[];
  /** Checks of the text of values, before it is parsed. */
  readonly texts?: (raw: RawConfig) => readonly ConfigIssue[];
  /** Values that are shown in another form than they have, by key. */
  readonly shown?: Readonly<Record<string, (value: string) => string>>;
}

/**
 * The `validate` of a connector: adds to what validation says of single keys what their values have against each other and what
 * is wrong with files, all at once. Of keys that are wrong by themselves nothing more is said.
 */
export function validateTogether<Rows extends readonly ConfigKey[]>(
  checks: ConfigChecks<Rows>,
): (raw: RawConfig, values: readonly ConfigValue[]) => readonly ConfigValue[] {
  return (raw, values) => {
    const wrong = new Set(values.filter(({ errors }) => errors.length > 0).map(({ name }) => name));
    const issues = [...(checks.texts?.(raw) ?? []), ...issuesTogether(checks, raw, wrong)];
    return values.map((each) => {
      const messages = issues.filter(({ key }) => key === each.name).map(({ message }) => message);
      const show = checks.shown?.[each.name];
      const value = show === undefined || each.value === null ? each.value : show(each.value);
      return { ...each, value, errors: [...each.errors, ...messages] };
    });
  };
}

function issuesTogether<Rows extends readonly ConfigKey[]>(
  { definition, placeholders, rules, readTls, more }: ConfigChecks<Rows>,
  raw: RawConfig,
  wrong: ReadonlySet<string>,
): readonly ConfigIssue[] {
  const sound = Object.entries(definition.canonical(raw)).filter(([name]) => !wrong.has(name));
  const config = definition.parse({ ...placeholders, ...Object.fromEntries(sound) });
  const broken = rules(config).filter(({ key }) => !wrong.has(key));
  const mayReadTls = !broken.some(({ key }) => key.includes('.tls.'));
  return [
    ...broken,
    ...(mayReadTls ? issuesOfReading('', () => readTls(config)) : []),
    ...(more?.(config, wrong) ?? []),
  ];
}

/** The issues that a check returns, or those of the ConnectorError that it throws; an error that names no key counts for `key`. */
export function issuesOf(key: string, check: () => readonly ConfigIssue[]): readonly ConfigIssue[] {
  try {
    return check();
  } catch (thrown) {
    if (!isConnectorError(thrown)) throw thrown;
    return thrown.issues.length > 0 ? thrown.issues : [{ key, message: thrown.message }];
  }
}

/** The issues of something that is read only to see whether that works; see {@link issuesOf}. */
export function issuesOfReading(key: string, read: () => unknown): readonly ConfigIssue[] {
  return issuesOf(key, () => {
    read();
    return [];
  });
}

/** Throws a `config_invalid` ConnectorError with all issues and the message of the first, when there is one. */
export function refuseIssues(issues: readonly ConfigIssue[]): void {
  const [first] = issues;
  if (first !== undefined) throw new ConnectorError('config_invalid', first.message, { issues });
}
