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
  const row = config.find(key);
  const option = optionOf(row, key);
  const problem = said(message, row);
  const isNamed = new RegExp(`(?<![\\w.])${literal(key)}(?![\\w.-]*\\w)`).test(problem);
  const words = inOptions(config.keys, problem);
  // "Invalid proto descriptor: why" names the option in words of its own.
  const plain = words.replace(new RegExp(`^Invalid (?:[a-z]+ )*${literal(option)}: `), '');
  return { key: option, message: isNamed ? plain : joined(option, plain) };
}

/** The name of the option that sets a key; the key itself when there is none. */
function optionOf(row: ConfigKey | undefined, key: string): string {
  if (row?.option === undefined) return key;
  if (isNumbered(row)) return numberedOption(row.option, partOf(row, key) ?? '');
  return row.prefix === true ? `${row.option}.${key.slice(row.name.length)}` : row.option;
}

/** What Kafka Connect and the product definition say of a value, in the words that options are spoken of. */
const rewordings: readonly (readonly [said: RegExp, words: string])[] = [
  [/^Invalid port number$/, 'must be a port from 1 to 65535'],
  [/^expected (?=\w)/, 'must be '],
  // "Topic name may hold only ...": the option is named instead.
  [/^[A-Z][A-Za-z]*(?: (?:name|URL))? (?=(?:must|may|cannot|is) )/, ''],
  [/^(must|cannot) be (?:non-)?(null|empty)$/, 'must not be $2'],
  [/^must be non-blank$/, 'must not be blank'],
  [/^must be no more than /, 'must be at most '],
];

/** What the message says of the value, without what Kafka Connect puts before it. */
function said(message: string, row: ConfigKey | undefined): string {
  if (message.startsWith('Missing required configuration')) return 'is required';
  const [, named] = /^Invalid value for \S+: ([\s\S]*)$/.exec(message) ?? [];
  const [, value, problem = named ?? message] =
    /^Invalid value ([\s\S]*?) for configuration \S+: ([\s\S]*)$/.exec(message) ?? [];
  const plain = problem.startsWith('Not a number of type ') ? wrongNumber(value, row) : reworded(problem);
  // What begins with a quotation has shown the value, and some say themselves what they got.
  if (value === undefined || value === hiddenText || /^"|, got\b/.test(plain)) return plain;
  return `${plain}, got ${/^(?:[\d.+-]+(?:e[+-]?\d+)?|NaN|\[.*\])$/s.test(value) ? value : JSON.stringify(value)}`;
}

function reworded(problem: string): string {
  return rewordings.reduce((text, [pattern, words]) => text.replace(pattern, words), problem);
}

/** Of a number that is none of the type, whatever the row allows beside. */
function wrongNumber(value: string | undefined, row: ConfigKey | undefined): string {
  if (row?.type === 'double') return 'must be a number';
  if (value === undefined || !Number.isInteger(Number(value))) return 'must be a whole number';
  const [, least, most = mostOf(row)] =
    /^\[(-?\d+),\.\.\.(?:,(\d+))?\]$/.exec(row?.validator?.allowed ?? '') ?? [];
  return least === undefined ? `must be at most ${most}` : `must be from ${least} to ${most}`;
}

/** Of the type; of longer ones what JavaScript holds exactly. */
function mostOf(row: ConfigKey | undefined): number {
  return row?.type === 'int' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
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
    if (prefix === true) return text.replaceAll(new RegExp(`${start}${literal(name)}`, 'g'), `${option}.`);
    // "key=value" is how a configuration is written, and "option: value" how options are.
    return text.replaceAll(
      new RegExp(`${start}${literal(name)}(?:=(\\w+)\\b|${notLonger})`, 'g'),
      (_, value?: string) => (value === undefined ? option : `${option}: ${written(value)}`),
    );
  }, message);
}

/** A value as it is written in TypeScript. */
function written(value: string): string {
  return /^(?:true|false|\d+)$/.test(value) ? value : `'${value}'`;
}

function joined(option: string, words: string): string {
  return /^(?:must|is|may|needs|cannot) /.test(words) ? `${option} ${words}` : `${option}: ${words}`;
}

/** Text as a pattern that matches it. */
function literal(text: string): string {
  return text.replaceAll(/[^\w]/g, '\\$&');
}
