import type { ConfigType } from './config-key.ts';
import { hiddenText, Secret } from './secret.ts';
import type { ValidatedValue } from './validators.ts';

/** Either the value, or what is wrong with the text. */
export type ParseResult =
  | { readonly ok: true; readonly value: Exclude<ValidatedValue, null> }
  | { readonly ok: false; readonly problem: string };

type Parser = (text: string) => ParseResult;

const integer =
  (label: string, min: bigint, max: bigint): Parser =>
  (text) => {
    const problem = `Not a number of type ${label}`;
    if (!/^[+-]?\d+$/.test(text)) return { ok: false, problem };
    const value = BigInt(text.replace('+', ''));
    return value < min || value > max ? { ok: false, problem } : { ok: true, value: Number(value) };
  };

/** One parser per type, for text that is already trimmed. Rules and messages as in Kafka's ConfigDef.parseType. */
const parsers: Readonly<Record<ConfigType, Parser>> = {
  boolean: (text) => {
    const lower = text.toLowerCase();
    if (lower === 'true' || lower === 'false') return { ok: true, value: lower === 'true' };
    return { ok: false, problem: 'Expected value to be either true or false' };
  },
  string: (text) => ({ ok: true, value: text }),
  int: integer('INT', -2147483648n, 2147483647n),
  short: integer('SHORT', -32768n, 32767n),
  long: integer('LONG', -9223372036854775808n, 9223372036854775807n),
  double: (text) => {
    const value = text === '' ? Number.NaN : Number(text);
    return Number.isNaN(value) ? { ok: false, problem: 'Not a number of type DOUBLE' } : { ok: true, value };
  },
  list: (text) => ({ ok: true, value: text === '' ? [] : text.split(/\s*,\s*/) }),
  class: (text) => ({ ok: true, value: text }),
  password: (text) => ({ ok: true, value: new Secret(text) }),
};

/** Text to value. Surrounding white space is not part of a value. */
export function parseConfigText(type: ConfigType, text: string): ParseResult {
  return (parsers[type] as Parser)(text.trim());
}

/** Value to the text that answers show: lists joined by commas, secrets masked. */
export function printConfigValue(value: ValidatedValue): string | null {
  if (value === null) return null;
  if (value instanceof Secret) return hiddenText;
  return Array.isArray(value) ? value.join(',') : String(value);
}
