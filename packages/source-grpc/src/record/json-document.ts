import { ConnectorError } from '@levada/connect-runtime-core';
import { pointerValue } from '@levada/connect-runtime-core/source-kit';

const MIB = 1024 * 1024;
const decoder = new TextDecoder();

/**
 * How long the JSON of a message may be. It is twice or three times as long as the message most of the time, but a hostile
 * message becomes hundreds of times as long, and parsed it takes that ten times again.
 */
export interface JsonLimits {
  /** Bytes that are written. */
  readonly written: number;
  /** Bytes that are parsed, where something is looked for in the message. */
  readonly parsed: number;
}

/** The limits for messages of so many bytes at the most. */
export function jsonLimits(maxMessageBytes: number): JsonLimits {
  const usual = 4 * maxMessageBytes;
  return { written: Math.min(256 * MIB, Math.max(64 * MIB, usual)), parsed: Math.max(16 * MIB, usual) };
}

/** Parses the JSON of a message. Throws a `conversion_failed` ConnectorError when it is too long for that. */
export function jsonDocument(json: Uint8Array, { parsed }: JsonLimits): unknown {
  if (json.length > parsed) throw tooLong(parsed);
  return JSON.parse(decoder.decode(json));
}

/** The error for a message whose JSON would be longer than `bytes`. */
export function tooLong(bytes: number): ConnectorError {
  return new ConnectorError('conversion_failed', `the message becomes JSON of more than ${bytes} bytes`);
}

/** Finds a text in a document. */
export type PointedText = (document: unknown) => string | undefined;

/** What a JSON pointer leads to, as text: strings as they are, the rest as JSON; undefined for null or nothing. */
export function pointedText(pointer: string): PointedText {
  const valueIn = pointerValue(pointer);
  return (document) => {
    const value = valueIn(document);
    if (value === undefined || value === null) return undefined;
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
}
