import { javaTrim, splitList } from '../text/java-text.ts';
import type { ConfigKey, ConfigType } from './config-key.ts';
import { hiddenText, Secret } from './secret.ts';
import type { ValidatedValue } from './validators.ts';

/** Either the value, with the text that shows it, or what is wrong. */
export type ParseResult =
  | { readonly ok: true; readonly value: Exclude<ValidatedValue, null>; readonly printed: string }
  | { readonly ok: false; readonly problem: string };

type Parser = (text: string) => ParseResult;

const integer =
  (label: string, min: bigint, max: bigint): Parser =>
  (text) => {
    const [, sign, digits] = /^([+-]?)0*(\d{1,19})$/.exec(text) ?? [];
    if (digits === undefined) return { ok: false, problem: `Not a number of type ${label}` };
    const value = BigInt(sign === '-' ? `-${digits}` : digits);
    if (value < min || value > max) return { ok: false, problem: `Not a number of type ${label}` };
    return { ok: true, value: Number(value), printed: String(value) };
  };

const text: Parser = (value) => ({ ok: true, value, printed: value });

/** One parser per type, for text that is already trimmed if need be. Rules and messages as in Kafka's ConfigDef.parseType. */
const parsers: Readonly<Record<ConfigType, Parser>> = {
  boolean: (given) => {
    const lower = given.toLowerCase();
    if (lower === 'true' || lower === 'false') return { ok: true, value: lower === 'true', printed: lower };
    return { ok: false, problem: 'Expected value to be either true or false' };
  },
  string: text,
  int: integer('INT', -2147483648n, 2147483647n),
  short: integer('SHORT', -32768n, 32767n),
  long: integer('LONG', -9223372036854775808n, 9223372036854775807n),
  double: (given) => {
    if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(given)) {
      return { ok: false, problem: 'Not a number of type DOUBLE' };
    }
    const value = Number(given);
    return { ok: true, value, printed: printConfigValue(value, 'double') ?? '' };
  },
  list: (given) => {
    const items = splitList(given);
    return { ok: true, value: items, printed: items.join(',') };
  },
  class: text,
  password: (given) => ({ ok: true, value: new Secret(given), printed: hiddenText }),
};

/**
 * Text to value. Surrounding white space is not part of a value, unless the row says so. A `long` beyond 2^53 becomes the
 * nearest number; its printed text is exact.
 */
export function parseConfigText(
  { type, trim = true }: Pick<ConfigKey, 'type' | 'trim'>,
  given: string,
): ParseResult {
  return parsers[type](trim ? javaTrim(given) : given);
}

/** Value to the text that answers show: lists joined by commas, secrets masked. */
export function printConfigValue(value: ValidatedValue, type?: ConfigType): string | null {
  if (value === null) return null;
  if (value instanceof Secret) return hiddenText;
  if (Array.isArray(value)) return value.join(',');
  // Java prints a whole double with a point.
  return type === 'double' && Number.isInteger(value) ? `${String(value)}.0` : String(value);
}

/** Value to the text that Kafka's error messages show: lists in brackets. */
export function printInMessage(value: ValidatedValue): string {
  return Array.isArray(value) ? `[${value.join(', ')}]` : String(printConfigValue(value));
}
