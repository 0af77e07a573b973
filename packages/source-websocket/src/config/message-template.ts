import { jsonPointer, type Validator } from '@levada/connect-runtime-core/config';

/** What is written between double braces: `{{reply.1:/data/id}}` has the name `reply.1` and the argument `/data/id`. */
export interface Placeholder {
  readonly name: string;
  readonly argument: string | undefined;
}

/** The value of a placeholder: text, number, or anything else that JSON has. Undefined: there is none. */
export type PlaceholderValue = (placeholder: Placeholder) => unknown;

/** A message with placeholders. */
export interface MessageTemplate {
  readonly placeholders: readonly Placeholder[];
  /** The message with values in place of the placeholders, or the first placeholder that has none. */
  readonly fill: (valueFor: PlaceholderValue) => string | Placeholder;
}

/** Longest message, as it is configured. */
const MAX_BYTES = 1024 * 1024;

const inside = String.raw`\{\{([a-z][a-z0-9.]*)(?::([^{}"\\]*))?\}\}`;
const anywhere = new RegExp(inside, 'g');
/** What was meant as a placeholder, most likely. Braces without a name in them are text, and in JSON any that are escaped. */
const mistyped = /\{\{\s*[A-Za-z][^{}]*\}\}?/;
/** In JSON a string that is one placeholder takes the value as it is; a name of a member has to stay a string. */
const inJson = new RegExp(String.raw`(?<!\\)"${inside}"(?!\s*:)|${inside}`, 'g');

/** Reads a message. In one that is JSON, values are written as JSON: numbers and objects too where a string is one placeholder. */
export function messageTemplate(text: string): MessageTemplate {
  const placeholders = [...text.matchAll(anywhere)].map(([, name = '', argument]) => ({ name, argument }));
  if (placeholders.length === 0) return { placeholders, fill: () => text };
  return { placeholders, fill: isJson(text) ? filledJson(text) : filledText(text) };
}

/** A placeholder as it is written. */
export function placeholderText({ name, argument }: Placeholder): string {
  return argument === undefined ? `{{${name}}}` : `{{${name}:${argument}}}`;
}

/** Rule of a key that holds a message. Which placeholders it may have is checked with the other rules of several keys. */
export const messageText: Validator = {
  allowed: 'text of at most 1 MiB',
  check: (value) => {
    if (typeof value !== 'string') return undefined;
    if (Buffer.byteLength(value) > MAX_BYTES) return `Message is longer than ${MAX_BYTES} bytes`;
    const wrong = messageTemplate(value).placeholders.find(
      ({ name, argument }) => !isWellFormed(name, argument),
    );
    if (wrong !== undefined)
      return `${placeholderText(wrong)} needs a JSON pointer (RFC 6901) after the colon`;
    return mistypedProblem(value.replaceAll(anywhere, ''));
  },
};

function mistypedProblem(rest: string): string | undefined {
  const [written] = mistyped.exec(rest) ?? [];
  if (written === undefined) return undefined;
  return `${JSON.stringify(written)} is not a placeholder, which is written as {{secret:key}} or {{time.ms}}`;
}

function isWellFormed(name: string, argument: string | undefined): boolean {
  const points = name === 'message' || name === 'reply' || name.startsWith('reply.');
  return !points || (argument !== undefined && jsonPointer.check(argument) === undefined);
}

function filledText(text: string): MessageTemplate['fill'] {
  return (valueFor) =>
    filled(text, anywhere, ([, name = '', argument]) => {
      const placeholder = { name, argument };
      const value = valueFor(placeholder);
      return value === undefined ? placeholder : plain(value);
    });
}

function filledJson(text: string): MessageTemplate['fill'] {
  return (valueFor) =>
    filled(text, inJson, ([, wholeName, wholeArgument, name = '', argument]) => {
      const whole = wholeName !== undefined;
      const placeholder = whole ? { name: wholeName, argument: wholeArgument } : { name, argument };
      const value = valueFor(placeholder);
      if (value === undefined) return placeholder;
      return whole ? JSON.stringify(value) : JSON.stringify(plain(value)).slice(1, -1);
    });
}

function filled(
  text: string,
  pattern: RegExp,
  replace: (match: RegExpMatchArray) => string | Placeholder,
): string | Placeholder {
  let result = '';
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const value = replace(match);
    if (typeof value !== 'string') return value;
    result += text.slice(end, match.index) + value;
    end = match.index + match[0].length;
  }
  return result + text.slice(end);
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // text of another protocol
  }
}
