/** What text of one format looks like. */
export interface TextFormatFacts {
  /** In words, for messages: "expected ...". */
  readonly expected: string;
  /** The whole text matches, read with the flag `u`. No pattern: a parser of its own decides. */
  readonly pattern?: string;
  /** Text that does not match is worth a warning only. */
  readonly advice?: true;
}

const device = '(?:[Cc][Oo][Nn]|[Pp][Rr][Nn]|[Aa][Uu][Xx]|[Nn][Uu][Ll]|(?:[Cc][Oo][Mm]|[Ll][Pp][Tt])[0-9])';
const word = '[A-Za-z_][A-Za-z0-9_]*';
const host = '[^\\s,:/]+|\\[[0-9A-Fa-f:.%]+\\]';
const server = `(?:[A-Z_]+://)?(?:${host}):[0-9]{1,5}`;
const cronPart = '[0-9A-Za-z*/,?#-]+';
const unit = (name: string) => name.replaceAll(/./g, (letter) => `[${letter}${letter.toLowerCase()}]`);
const units = ['SECOND', 'MINUTE', 'HOUR', 'DAY'].map(unit).join('|');

/** Formats of text by name. */
export const textFormats = {
  identifier: {
    expected:
      'a name of at most 128 characters: letters, digits and "_", with single "-" or "." between, starting with a letter or "_"',
    pattern: `^(?=.{1,128}$)(?!${device}$)${word}(?:[.-][A-Za-z0-9_]+)*$`,
  },
  label: {
    expected:
      'a name of at most 128 characters: letters and digits of any script and "_", with single spaces, "-" or "." between',
    pattern: `^(?=.{1,128}$)(?!${device}$)[\\p{L}\\p{N}\\p{M}_]+(?:[ .-][\\p{L}\\p{N}\\p{M}_]+)*$`,
  },
  topic: {
    expected: 'a topic name of at most 249 characters: letters, digits, "_", "-" and "."',
    pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,249}$',
  },
  'config-key': { expected: 'a configuration key such as "retention.ms"', pattern: '^[A-Za-z0-9._-]+$' },
  'class-name': {
    expected: 'a class name with its package',
    pattern: '^[A-Za-z_$][A-Za-z0-9_$]*(?:\\.[A-Za-z_$][A-Za-z0-9_$]*)+$',
  },
  'http-url': { expected: 'a URL that begins with http:// or https://', pattern: '^https?://[^\\s/?#]\\S*$' },
  servers: {
    expected: 'addresses such as "broker-1:9092,broker-2:9092"',
    pattern: `^\\s*${server}(?:\\s*,\\s*${server})*\\s*$`,
  },
  semver: {
    expected: 'a semantic version such as "1.0.0"',
    pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+(?:-[0-9A-Za-z.-]+)?(?:\\+[0-9A-Za-z.-]+)?$',
    advice: true,
  },
  'engine-version': {
    expected: 'a version such as "2.2", of two numbers or more',
    pattern: '^v?[0-9]{1,3}\\.[0-9]{1,3}(?:[.+_-][0-9A-Za-z.+_-]*)?$',
  },
  date: {
    expected: 'an ISO 8601 date such as "2027-01-31"',
    pattern: '^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?:T[0-9:.]+(?:Z|[+-][0-9:]+)?)?$',
  },
  window: {
    expected: 'a duration such as "1 HOUR"',
    pattern: `^[1-9][0-9]{0,8} +(?:${units})[Ss]?$`,
  },
  cron: {
    expected: 'a cron expression such as "0 6 * * *"',
    pattern: `^(?:@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)|${cronPart}(?: +${cronPart}){4,6})$`,
  },
  sql: { expected: 'SQL' },
  'engine-type': { expected: 'a type of the engine such as "DECIMAL(10, 2)"' },
  'regular-expression': { expected: 'a regular expression' },
} as const satisfies Readonly<Record<string, TextFormatFacts>>;

/** A format of text that messages, editors and the reference can name. */
export type TextFormat = keyof typeof textFormats;
