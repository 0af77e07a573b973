import { jsonPointer, type Validator } from '@levada/connect-runtime-core/config';
import { pointerValue } from '@levada/connect-runtime-core/source-kit';

/** A message as rules look at it: parsed once at most, whatever the number of rules. */
export class ReceivedMessage {
  readonly bytes: Buffer;
  #parsed: { readonly json: unknown } | undefined;
  #escapes: boolean | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Whether this text may be in it as JSON: a message without a backslash has every text as it is. */
  mayHold(text: Buffer): boolean {
    this.#escapes ??= this.bytes.includes(BACKSLASH);
    return this.#escapes || this.bytes.includes(text);
  }

  /** What it says as JSON; undefined when it is none. */
  get json(): unknown {
    this.#parsed ??= { json: parsed(this.bytes) };
    return this.#parsed.json;
  }
}

/** Whether a message is the one that was meant. */
export type MatchRule = (message: ReceivedMessage) => boolean;

const BACKSLASH = 0x5c;

/** Longer messages are no acknowledgements; they are not parsed. */
const MAX_BYTES = 64 * 1024;

/**
 * A rule from its text. `/a/b=text` is a JSON pointer (RFC 6901) whose target must be that text, number or boolean;
 * `/a/b` alone asks only that the target exists; `=text` is the whole message, `^text` its beginning; anything else must be
 * contained in the message as it is written.
 */
export function matchRule(text: string): MatchRule {
  if (!text.startsWith('/')) return textRule(text);
  const at = text.indexOf('=');
  const targetOf = pointerValue(pointerOf(text));
  const wanted = at < 0 ? undefined : text.slice(at + 1);
  const mark = markOf(pointerOf(text), wanted);
  return (message) => {
    if (message.bytes.length > MAX_BYTES) return false;
    // Most messages are none of those that rules look for, and parsing costs many times as much.
    if (mark !== undefined && !message.mayHold(mark)) return false;
    const target = targetOf(message.json);
    if (target === undefined) return false;
    return wanted === undefined || scalarText(target) === wanted;
  };
}

function textRule(text: string): MatchRule {
  const rest = Buffer.from(text.slice(1));
  if (text.startsWith('=')) return ({ bytes }) => bytes.equals(rest);
  if (text.startsWith('^')) return ({ bytes }) => bytes.subarray(0, rest.length).equals(rest);
  const needle = Buffer.from(text);
  return ({ bytes }) => bytes.includes(needle);
}

/** Rule of a key that holds a match rule. */
export const matchText: Validator = {
  allowed: 'text, =text, ^text, /json/pointer or /json/pointer=value',
  check: (value) => {
    if (value === '' || value === '^') return 'String must be non-empty';
    return typeof value === 'string' && value.startsWith('/')
      ? jsonPointer.check(pointerOf(value))
      : undefined;
  },
};

/** A text that is in every message that a rule with a pointer matches: a value that is a word, or the last name. */
function markOf(pointer: string, wanted: string | undefined): Buffer | undefined {
  if (wanted !== undefined && Number.isNaN(Number(wanted))) return Buffer.from(wanted);
  const names = pointer.split('/').filter((step) => /\D/.test(step));
  const name = names.at(-1)?.replaceAll('~1', '/').replaceAll('~0', '~');
  return name === undefined ? undefined : Buffer.from(name);
}

function pointerOf(text: string): string {
  const at = text.indexOf('=');
  return at < 0 ? text : text.slice(0, at);
}

function parsed(message: Buffer): unknown {
  try {
    return JSON.parse(message.toString());
  } catch {
    return undefined; // not JSON: cannot be what a pointer means
  }
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? undefined : JSON.stringify(value);
}
