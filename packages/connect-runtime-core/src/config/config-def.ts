import { type ConfigIssue, ConnectorError } from '../diagnostics/connector-error.ts';
import type { ConfigKey, ConfigOptions, ParsedConfig, RawConfig } from './config-key.ts';
import { type ConfigKeyInfo, describeKey } from './config-key-info.ts';
import { parseConfigText, printConfigValue, printInMessage } from './config-types.ts';
import { partOf } from './numbered-keys.ts';
import { optionsToRaw } from './options.ts';
import { hiddenText } from './secret.ts';
import { type ValidatedValue, violation } from './validators.ts';

/** What validation says of one key. Corresponds to Kafka's `ConfigValue`. */
export interface ConfigValue {
  readonly name: string;
  /** The value parsed and printed again, secrets masked; null when absent or not parseable. */
  readonly value: string | null;
  readonly recommendedValues: readonly string[];
  readonly errors: readonly string[];
  readonly visible: boolean;
}

/**
 * An ordered table of keys and what can be read from it. One table is parsed, validated, described to REST and documented;
 * its TypeScript type follows from its rows.
 */
export interface ConfigDef<Rows extends readonly ConfigKey[] = readonly ConfigKey[]> {
  readonly keys: Rows;
  /**
   * The typed configuration. Unknown keys are ignored. Throws one `config_invalid` ConnectorError that lists one
   * problem for each key that has any; its message begins as the first problem reads.
   */
  parse(raw: RawConfig): ParsedConfig<Rows>;
  /** One value per row, in order, and one per matching key of a prefix row. Never throws. */
  validate(raw: RawConfig): readonly ConfigValue[];
  /** Kafka Connect's JSON for each row that is not a prefix. */
  describe(): readonly ConfigKeyInfo[];
  /** The options object of library use as the configuration that REST would take. Throws `config_invalid`, listing all unknown or mistyped options. */
  fromOptions(options: ConfigOptions<Rows>): RawConfig;
  /** The row that defines a key, by its name, an alias or its prefix. */
  find(name: string): ConfigKey | undefined;
  /** The same configuration with aliases replaced by the names they stand for. A key that is also given by its name wins. */
  canonical(raw: RawConfig): RawConfig;
}

interface ReadKey {
  readonly name: string;
  readonly value: ValidatedValue;
  /** The value as answers show it. */
  readonly printed: string | null;
  readonly errors: readonly string[];
}

/** What Kafka Connect says of a key that is given as null. */
const NULL_VALUE = 'Null value can not be supplied as the configuration value.';

/** A definition from its rows. Write the rows as a constant array, so that the types of the keys are known. */
export function configDef<const Rows extends readonly ConfigKey[]>(rows: Rows): ConfigDef<Rows> {
  const byName = new Map<string, ConfigKey>();
  for (const row of rows) {
    for (const name of [row.name, ...(row.aliases ?? [])]) {
      if (byName.has(name)) throw new Error(`configuration key "${name}" is defined twice`);
      byName.set(name, row);
    }
  }
  const prefixes = rows.filter((row) => row.prefix === true);

  const find = (name: string): ConfigKey | undefined =>
    byName.get(name) ?? prefixes.find((row) => partOf(row, name) !== undefined);

  const canonical = (raw: RawConfig): RawConfig => {
    const entries: [string, string | null][] = [];
    for (const [name, value] of Object.entries(raw)) {
      const row = byName.get(name);
      const alias = row !== undefined && row.name !== name;
      if (!alias) entries.push([name, value]);
      else if (!Object.hasOwn(raw, row.name)) entries.push([row.name, value]);
    }
    return Object.fromEntries(entries);
  };

  return {
    keys: rows,
    find,
    canonical,
    parse: (raw) => parse(rows, canonical(raw)),
    validate: (raw) => validate(rows, canonical(raw)),
    describe: () => rows.filter((row) => row.prefix !== true).map(describeKey),
    fromOptions: (options) => optionsToRaw(rows, options as Readonly<Record<string, unknown>>),
  };
}

function parse<Rows extends readonly ConfigKey[]>(rows: Rows, raw: RawConfig): ParsedConfig<Rows> {
  const issues: ConfigIssue[] = [];
  const parsed: [string, unknown][] = [];
  for (const row of rows) {
    const read = row.prefix === true ? readPrefix(row, raw) : [readKey(row, row.name, raw)];
    // The first of each: what a validator says of a value that could not be parsed only repeats it.
    for (const { name, errors } of read)
      if (errors[0] !== undefined) issues.push({ key: name, message: errors[0] });
    const entries = read.map((key) => [partOf(row, key.name), key.value] as const);
    parsed.push([row.name, row.prefix === true ? new Map(entries) : read[0]?.value]);
  }
  if (issues.length > 0) {
    throw new ConnectorError('config_invalid', issues.map((issue) => issue.message).join('\n'), { issues });
  }
  return Object.fromEntries(parsed) as ParsedConfig<Rows>;
}

function validate(rows: readonly ConfigKey[], raw: RawConfig): readonly ConfigValue[] {
  return rows.flatMap((row) => {
    const read = row.prefix === true ? readPrefix(row, raw) : [readKey(row, row.name, raw)];
    return read.map((key) => ({
      name: key.name,
      value: row.secret === true && key.value !== null ? hiddenText : key.printed,
      recommendedValues: row.recommend?.(raw) ?? [],
      errors: key.errors,
      visible: row.visible?.(raw) ?? true,
    }));
  });
}

function readPrefix(row: ConfigKey, raw: RawConfig): readonly ReadKey[] {
  return Object.keys(raw)
    .filter((name) => partOf(row, name) !== undefined)
    .map((name) => readKey(row, name, raw));
}

function readKey(row: ConfigKey, name: string, raw: RawConfig): ReadKey {
  const errors: string[] = [];
  const text = Object.hasOwn(raw, name) ? raw[name] : undefined;
  let value: ValidatedValue = null;
  let printed: string | null = null;
  if (text === undefined) {
    value = defaultValue(row);
    printed = printConfigValue(value, row.type);
    if (row.default === undefined && row.prefix !== true) {
      errors.push(`Missing required configuration "${name}" which has no default value.`);
    }
  } else if (text !== null) {
    const result = parseConfigText(row, text);
    if (result.ok) ({ value, printed } = result);
    else errors.push(invalid(row, { name, shown: text, problem: result.problem }));
  }
  // As in Kafka, the validator runs even when there is nothing to validate, and may add a second message.
  const found = row.validator === undefined ? undefined : violation(row.validator, value);
  if (found !== undefined) {
    const { problem, verbatim } = found;
    errors.push(verbatim ? problem : invalid(row, { name, shown: printInMessage(value), problem }));
  }
  // As in Kafka Connect, null may be in place of a value that may be absent.
  if (text === null && row.default !== null) errors.push(NULL_VALUE);
  return { name, value, printed, errors };
}

function defaultValue(row: ConfigKey): ValidatedValue {
  const value = row.default;
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') return value;
  const result = parseConfigText(row, value);
  if (!result.ok) throw new Error(`default of "${row.name}": ${result.problem}`);
  return result.value;
}

function invalid(row: ConfigKey, what: { name: string; shown: string; problem: string }): string {
  const shown = row.secret === true || row.type === 'password' ? hiddenText : what.shown;
  return `Invalid value ${shown} for configuration ${what.name}: ${what.problem}`;
}
