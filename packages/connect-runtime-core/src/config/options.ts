import { type ConfigIssue, ConnectorError } from '../diagnostics/connector-error.ts';
import { nearest } from '../text/nearest.ts';
import type { ConfigKey, ConfigType, RawConfig } from './config-key.ts';

const expected: Readonly<Record<ConfigType, 'boolean' | 'string' | 'number' | 'list'>> = {
  boolean: 'boolean',
  string: 'string',
  int: 'number',
  short: 'number',
  long: 'number',
  double: 'number',
  list: 'list',
  class: 'string',
  password: 'string',
};

const wanted = {
  boolean: 'a boolean',
  string: 'a string',
  number: 'a number',
  list: 'a list of strings without commas',
} as const;

/**
 * An options object as the configuration that REST would take. Absent and undefined options are left out; `Infinity`
 * becomes -1, which means unlimited in the keys that allow it.
 */
export function optionsToRaw(
  rows: readonly ConfigKey[],
  options: Readonly<Record<string, unknown>>,
): RawConfig {
  const byOption = new Map(rows.flatMap((row) => (row.option === undefined ? [] : [[row.option, row]])));
  const issues: ConfigIssue[] = [];
  const raw: [string, string][] = [];
  for (const [option, value] of Object.entries(options)) {
    const row = byOption.get(option);
    if (row === undefined) issues.push({ key: option, message: unknownOption(option, [...byOption.keys()]) });
    else if (value !== undefined) {
      const entries = row.prefix === true ? prefixEntries(row, value) : singleEntry(row, value);
      if (entries === undefined) issues.push({ key: option, message: wrongKind(row, value) });
      else raw.push(...entries);
    }
  }
  if (issues.length > 0) {
    throw new ConnectorError('config_invalid', issues.map((issue) => issue.message).join('\n'), { issues });
  }
  return Object.fromEntries(raw);
}

function singleEntry(row: ConfigKey, value: unknown): readonly [string, string][] | undefined {
  const kind = Array.isArray(value) ? 'list' : typeof value;
  if (kind !== expected[row.type]) return undefined;
  if (Array.isArray(value) && !value.every(isListItem)) return undefined;
  if (value === Number.POSITIVE_INFINITY) return [[row.name, '-1']];
  return [[row.name, Array.isArray(value) ? value.join(',') : String(value)]];
}

/** Items are joined by commas in the form that REST takes, so none can hold one. */
function isListItem(item: unknown): boolean {
  return typeof item === 'string' && !item.includes(',');
}

function prefixEntries(row: ConfigKey, value: unknown): readonly [string, string][] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  if (entries.some(([, text]) => typeof text !== 'string')) return undefined;
  return entries.map(([name, text]) => [row.name + name, text]);
}

function unknownOption(option: string, known: readonly string[]): string {
  const near = nearest(option, known);
  return near === undefined
    ? `${option} is not an option`
    : `${option} is not an option, did you mean ${near}?`;
}

function wrongKind(row: ConfigKey, value: unknown): string {
  const want = row.prefix === true ? 'an object of strings' : wanted[expected[row.type]];
  const got = value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
  return `${row.option} must be ${want}, got ${got}`;
}
