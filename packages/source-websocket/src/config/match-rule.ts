import { jsonPointer, type Validator } from '@levada/connect-runtime-core/config';
import { pointerValue } from '@levada/connect-runtime-core/source-kit';

/** Whether a message is the one that was meant. */
export type MatchRule = (message: Uint8Array) => boolean;

/** Longer messages are no acknowledgements; they are not parsed. */
const MAX_BYTES = 64 * 1024;

/**
 * A rule from its text. `/a/b=text` is a JSON pointer (RFC 6901) whose target must be that text, number or boolean;
 * `/a/b` alone asks only that the target exists; anything else must be contained in the message as it is written.
 */
export function matchRule(text: string): MatchRule {
  if (!text.startsWith('/')) {
    const needle = Buffer.from(text);
    return (message) => bufferOf(message).includes(needle);
  }
  const at = text.indexOf('=');
  const targetOf = pointerValue(pointerOf(text));
  const wanted = at < 0 ? undefined : text.slice(at + 1);
  return (message) => {
    const target = targetOf(parsed(message));
    if (target === undefined) return false;
    return wanted === undefined || scalarText(target) === wanted;
  };
}

/** Rule of a key that holds a match rule. */
export const matchText: Validator = {
  allowed: 'text, /json/pointer or /json/pointer=value',
  check: (value) => {
    if (value === '') return 'String must be non-empty';
    return typeof value === 'string' && value.startsWith('/')
      ? jsonPointer.check(pointerOf(value))
      : undefined;
  },
};

function pointerOf(text: string): string {
  const at = text.indexOf('=');
  return at < 0 ? text : text.slice(0, at);
}

function parsed(message: Uint8Array): unknown {
  if (message.length > MAX_BYTES) return undefined;
  try {
    return JSON.parse(bufferOf(message).toString());
  } catch {
    return undefined; // not JSON: cannot be what the pointer means
  }
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? undefined : JSON.stringify(value);
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
