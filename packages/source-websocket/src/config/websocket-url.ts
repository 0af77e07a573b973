import type { Validator } from '@levada/connect-runtime-core/config';
import { isDeniedAddress, printable } from '@levada/connect-runtime-core/source-kit';
import { redactUrl } from './redact-url.ts';

/** Longer URLs are refused: servers do, too. */
const MAX_LENGTH = 8192;

/** Rule of `websocket.url`: the messages are contract, and the value is shown with its secrets masked. */
export const webSocketUrl: Validator = {
  allowed: 'ws:// or wss:// URL',
  verbatim: true,
  check: (value) => {
    const problem = value === null ? 'WebSocket URL cannot be null' : urlProblem(String(value));
    if (problem === undefined) return undefined;
    const shown = value === null ? 'null' : printable([])(redactUrl(String(value)));
    return `Invalid value ${shown} for configuration websocket.url: ${problem}`;
  },
};

/** What is wrong with a WebSocket URL, or undefined. The URL itself is never part of the answer. */
export function urlProblem(text: string): string | undefined {
  if (text.trim() === '') return 'WebSocket URL cannot be empty';
  if (text.length > MAX_LENGTH) return `WebSocket URL is longer than ${MAX_LENGTH} characters`;
  const character = /[\p{Cc}\p{Zl}\p{Zp}\\]/u.exec(text);
  if (character !== null) return syntaxProblem(`Illegal character at index ${character.index}`);
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1];
  if (scheme === undefined) return 'WebSocket URL must have a scheme (ws:// or wss://)';
  if (!/^wss?$/i.test(scheme)) return `WebSocket URL must use ws:// or wss:// scheme, got: ${scheme}`;
  // URL accepts any number of slashes; here the host has to be where it belongs.
  if (!/^wss?:\/\/([^/?#]*@)?[^/?#:@]/i.test(text)) return 'WebSocket URL must have a valid host';
  return parsedProblem(text);
}

function parsedProblem(text: string): string | undefined {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return syntaxProblem('host or port is not valid');
  }
  if (url.hash !== '' || text.includes('#')) return syntaxProblem('fragment is not allowed');
  const address = url.hostname.replace(/^\[|\]$/g, '');
  if (!isDeniedAddress(address)) return undefined;
  return 'WebSocket URL must not name a link-local, metadata, multicast or unspecified address';
}

function syntaxProblem(detail: string): string {
  return `Invalid WebSocket URL syntax: ${detail}`;
}
