import type { ConfigDef } from '../config/config-def.ts';
import type { ConfigKey } from '../config/config-key.ts';
import { isNumbered, numberedOption, numberedPattern, partOf } from '../config/numbered-keys.ts';
import { hiddenText } from '../config/secret.ts';
import type { ConfigIssue } from '../diagnostics/connector-error.ts';

/**
 * A problem of a key in the words of the options: the option is named once, as its user wrote it, and other keys by their
 * options, too.
 */
export function optionProblem(
  config: Pick<ConfigDef, 'keys' | 'find'>,
  { key, message }: ConfigIssue,
): ConfigIssue {
  const option = optionOf(config, key);
  const problem = said(message);
  const isNamed = new RegExp(`(?<![\\w.])${literal(key)}(?![\\w.-]*\\w)`).test(problem);
  const words = inOptions(config.keys, problem);
  // "Invalid proto descriptor: why" names the option in words of its own.
  const plain = words.replace(new RegExp(`^Invalid (?:[a-z]+ )*${literal(option)}: `), '');
  return { key: option, message: isNamed ? plain : joined(option, plain) };
}

/** The name of the option that sets a key; the key itself when there is none. */
function optionOf({ find }: Pick<ConfigDef, 'find'>, key: string): string {
  const row = find(key);
  if (row?.option === undefined) return key;
  if (isNumbered(row)) return numberedOption(row.option, partOf(row, key) ?? '');
  return row.prefix === true ? `${row.option}.${key.slice(row.name.length)}` : row.option;
}

/** What the message says of the value, without what Kafka Connect puts before it. */
function said(message: string): string {
  if (message.startsWith('Missing required configuration')) return 'is required';
  const [, named] = /^Invalid value for \S+: ([\s\S]*)$/.exec(message) ?? [];
  if (named !== undefined) return named;
  const [, value = '', problem] =
    /^Invalid value ([\s\S]*?) for configuration \S+: ([\s\S]*)$/.exec(message) ?? [];
  if (problem === undefined) return message;
  const plain = problem
    .replace(/^Not a number of type (?:INT|LONG|SHORT)$/, 'must be a whole number in range')
    .replace(/^(?:Value|String) (?=must )/, '');
  if (value === hiddenText) return plain;
  return `${plain}, got ${/^-?\d+$/.test(value) ? value : JSON.stringify(value)}`;
}

/** A text with options in place of the keys that it names. The longest first: one name may begin as another. */
export function inOptions(keys: readonly ConfigKey[], message: string): string {
  const named = keys
    .filter(({ option }) => option !== undefined)
    .toSorted((one, other) => other.name.length - one.name.length);
  const start = '(?<![\\w.])';
  const notLonger = '(?![\\w.-]*\\w)';
  return named.reduce((text, row) => {
    const { name, option = name, prefix } = row;
    if (isNumbered(row)) {
      const pattern = new RegExp(`${start}${numberedPattern(row)}${notLonger}`, 'g');
      return text.replaceAll(pattern, (_, number: string) => numberedOption(option, number));
    }
    const end = prefix === true ? '' : notLonger;
    return text.replaceAll(
      new RegExp(`${start}${literal(name)}${end}`, 'g'),
      `${option}${prefix ? '.' : ''}`,
    );
  }, message);
}

function joined(option: string, words: string): string {
  return /^(?:must|is|may|needs) /.test(words) ? `${option} ${words}` : `${option}: ${words}`;
}

/** Text as a pattern that matches it. */
function literal(text: string): string {
  return text.replaceAll(/[^\w]/g, '\\$&');
}
