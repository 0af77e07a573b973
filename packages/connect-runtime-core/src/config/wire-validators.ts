import { isJsonPointer } from '../text/json-pointer.ts';
import type { Validator } from './validators.ts';

/** Longest URL that is taken, in characters. */
const URL_MAX = 8192;

/** An absolute URL of one of the schemes, with a host and without a fragment. Credentials are allowed; mask them when shown. */
export function url(...schemes: readonly string[]): Validator {
  const expected = schemes.map((scheme) => `${scheme}://`).join(' or ');
  return {
    allowed: `URL that begins with ${expected}`,
    check: (value) => (typeof value === 'string' ? urlProblem(value, schemes, expected) : undefined),
  };
}

function urlProblem(text: string, schemes: readonly string[], expected: string): string | undefined {
  if (text === '') return 'String must be non-empty';
  if (text.length > URL_MAX) return `URL is ${text.length} characters long, at most ${URL_MAX} are allowed`;
  // The URL standard drops line breaks and tabs silently; here they are mistakes or attacks.
  if (hasControl(text) || text.includes(' ')) return 'URL may not contain blanks or control characters';
  const scheme = schemes.find((each) => text.toLowerCase().startsWith(`${each}://`));
  if (scheme === undefined) return `URL must begin with ${expected}`;
  if (!URL.canParse(text)) return 'URL is not valid';
  return text.includes('#') ? 'URL may not contain a fragment' : undefined;
}

/** Name of an HTTP header: a token of RFC 9110. */
export const httpHeaderName: Validator = {
  allowed: 'HTTP header name',
  check: (value) => {
    if (typeof value !== 'string') return undefined;
    return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(value)
      ? undefined
      : "Header name may hold only ASCII letters, digits and !#$%&'*+-.^_`|~";
  },
};

/** Value of an HTTP header: visible ASCII, blanks and tabs, as RFC 9110 has it, and no line breaks. */
export const httpHeaderValue: Validator = {
  allowed: 'HTTP header value',
  check: (value) => {
    if (typeof value !== 'string') return undefined;
    return /^[\t\x20-\x7e]*$/.test(value)
      ? undefined
      : 'Header value may hold only visible ASCII characters, blanks and tabs';
  },
};

/** Text that is JSON. */
export const jsonText: Validator = {
  allowed: 'JSON',
  check: (value) => {
    if (typeof value !== 'string') return undefined;
    try {
      JSON.parse(value);
      return undefined;
    } catch {
      // The parser's own message quotes the text, which may hold a secret.
      return 'String must be valid JSON';
    }
  },
};

/** A JSON pointer (RFC 6901), the empty one included. */
export const jsonPointer: Validator = {
  allowed: 'JSON pointer',
  check: (value) =>
    typeof value === 'string' && !isJsonPointer(value)
      ? 'String must be a JSON pointer (RFC 6901), such as /customer/id'
      : undefined,
};

/** Whether the text has one of Unicode's control characters: U+0000 to U+001F, U+007F to U+009F. */
function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
