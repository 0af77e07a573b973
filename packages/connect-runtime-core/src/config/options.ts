import { type ConfigIssue, ConnectorError } from '../diagnostics/connector-error.ts';
import { nearest } from '../text/nearest.ts';
import type { ConfigKey, ConfigType, RawConfig } from './config-key.ts';
import { isNumbered, numberedKey } from './numbered-keys.ts';
import { isListItem, isPlainObject, type OptionForm, optionForms } from './option-forms.ts';

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

type Entries = readonly (readonly [string, unknown])[];

/**
 * An options object as the configuration that REST would take. Absent and undefined options are left out; `Infinity`
 * becomes -1, which means unlimited in the keys that allow it. The option `a.b` is the member b of the object a; where a is
 * an option, too, such an object means true. The option `a[].b` is the member b of each object in the list a.
 */
export function optionsToRaw(
  rows: readonly ConfigKey[],
  options: Readonly<Record<string, unknown>>,
): RawConfig {
  const byOption = new Map(rows.flatMap((row) => (row.option === undefined ? [] : [[row.option, row]])));
  const names = [...byOption.keys()];
  const issues: ConfigIssue[] = [];
  const raw: [string, string][] = [];
  for (const [option, value] of flattened(names, options)) {
    const row = byOption.get(withoutPlace(option));
    if (row === undefined) issues.push({ key: option, message: notAnOption(option, value, byOption) });
    else if (value !== undefined) {
      const entries = entriesOf(row, option, value);
      if (entries === undefined)
        issues.push({ key: option, message: wrongKind({ ...row, option }, names, value) });
      else raw.push(...entries);
    }
  }
  if (issues.length > 0) {
    throw new ConnectorError('config_invalid', issues.map((issue) => issue.message).join('\n'), { issues });
  }
  return Object.fromEntries(raw);
}

/** Members of objects that group options, by their whole names. An absent group has none. */
function flattened(names: readonly string[], options: Readonly<Record<string, unknown>>): Entries {
  return Object.entries(options).flatMap(([name, value]): Entries => {
    if (isList(name, names)) return listed(name, value);
    if (!isGroup(name, names)) return [[name, value]];
    const own = names.includes(name);
    if (!isPlainObject(value)) return own || value !== undefined ? [[name, value]] : [];
    const members = Object.entries(value).map(([member, of]) => [`${name}.${member}`, of] as const);
    return own ? [[name, true], ...members] : members;
  });
}

/** Members of the objects in a list, each with its place: `steps[0].send`. What is no such list stays as it is. */
function listed(name: string, value: unknown): Entries {
  if (!Array.isArray(value)) return value === undefined ? [] : [[name, value]];
  return value.flatMap((item: unknown, index): Entries => {
    if (!isPlainObject(item)) return [[`${name}[${index}]`, item]];
    return Object.entries(item).map(([member, of]) => [`${name}[${index}].${member}`, of] as const);
  });
}

function isList(name: string, names: readonly string[]): boolean {
  return names.some((each) => each.startsWith(`${name}[].`));
}

function isGroup(name: string, names: readonly string[]): boolean {
  return names.some((each) => each.startsWith(`${withoutPlace(name)}.`));
}

function withoutPlace(option: string): string {
  return option.replace(/\[\d+\]/, '[]');
}

function entriesOf(row: ConfigKey, option: string, value: unknown): readonly [string, string][] | undefined {
  if (!isNumbered(row)) return row.prefix === true ? prefixEntries(row, value) : singleEntry(row, value);
  const [, index] = /\[(\d+)\]/.exec(option) ?? [];
  return singleEntry({ ...row, name: numberedKey(row, Number(index) + 1) }, value);
}

function singleEntry(row: ConfigKey, value: unknown): readonly [string, string][] | undefined {
  const text = ownText(row, value) ?? formText(row.accepts ?? [], value);
  return text === undefined ? undefined : [[row.name, text]];
}

function ownText({ type }: ConfigKey, value: unknown): string | undefined {
  const kind = Array.isArray(value) ? 'list' : typeof value;
  if (kind !== expected[type]) return undefined;
  if (Array.isArray(value)) return value.every(isListItem) ? value.join(',') : undefined;
  return value === Number.POSITIVE_INFINITY ? '-1' : String(value);
}

function formText(forms: readonly OptionForm[], value: unknown): string | undefined {
  for (const form of forms) {
    const text = optionForms[form].read(value);
    if (text !== undefined) return text;
  }
  return undefined;
}

function prefixEntries(row: ConfigKey, value: unknown): readonly [string, string][] | undefined {
  if (!isPlainObject(value)) return undefined;
  const entries = Object.entries(value).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (entries.some(([, text]) => typeof text !== 'string')) return undefined;
  return entries.map(([name, text]) => [row.name + name, text]);
}

function notAnOption(option: string, value: unknown, byOption: ReadonlyMap<string, ConfigKey>): string {
  const names = [...byOption.keys()];
  if (isList(option, names)) return `${option} must be a list of objects, got ${kindOf(value)}`;
  if (isGroup(option, names)) return `${option} must be an object, got ${kindOf(value)}`;
  const written = withoutPlace(option);
  const near = optionOfKey(written, byOption) ?? nearest(written, names);
  if (near === undefined) return `${option} is not an option`;
  const [place = '[]'] = /\[\d+\]/.exec(option) ?? [];
  return `${option} is not an option, did you mean ${near.replace('[]', place)}?`;
}

/** The option of the key that was written in camel case or as REST has it, with or without its first word: `bindAddress` for `otlp.bind.address`. */
function optionOfKey(written: string, byOption: ReadonlyMap<string, ConfigKey>): string | undefined {
  const letters = lettersOf(written);
  for (const [option, { name }] of byOption) {
    if (letters === lettersOf(name) || letters === lettersOf(name.slice(name.indexOf('.') + 1)))
      return option;
  }
  return undefined;
}

function lettersOf(name: string): string {
  return name
    .replace('<n>', '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

function wrongKind(row: ConfigKey, names: readonly string[], value: unknown): string {
  const { option = row.name, accepts = [] } = row;
  // A list that may hold more says so instead.
  const isWider = accepts.includes('numbers') || accepts.includes('files');
  const isMap = row.prefix === true && !isNumbered(row);
  const own = isWider ? [] : [isMap ? 'an object of strings' : wanted[expected[row.type]]];
  const kinds = [
    ...own,
    ...accepts.map((form) => optionForms[form].wanted),
    ...(row.perConnection === true ? ['a function'] : []),
    ...(isGroup(option, names) ? ['an object'] : []),
  ];
  return `${option} must be ${[...new Set(kinds)].join(' or ')}, got ${kindOf(value)}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value instanceof URL) return 'URL';
  return Array.isArray(value) ? 'list' : typeof value;
}
