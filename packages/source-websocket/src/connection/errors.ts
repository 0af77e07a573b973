import { ConnectorError } from '@levada/connect-runtime-core';
import type { ErrorCode } from '@levada/connect-runtime-core/errors';
import type { Printable } from '@levada/connect-runtime-core/source-kit';
import { type TlsAdvice, tlsFailure } from '@levada/connect-runtime-core/source-kit';
import { type CloseCodes, includesCode } from '../config/close-codes.ts';

/** What is done with close codes, and what else an error is made from. */
export interface CloseContext {
  readonly failCodes: CloseCodes;
  readonly slowCodes: CloseCodes;
  /** Shortest wait after a slow code. */
  readonly slowRetryMs: number;
  readonly print: Printable;
}

/** Codes of `ws` that say the peer sent more than is taken. */
const tooLarge = new Set([
  'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH',
  'WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH',
  'WS_ERR_TOO_MANY_BUFFERED_PARTS',
]);

/** The configuration keys that advice about TLS names. */
const tlsAdvice = {
  ca: 'websocket.tls.ca.cert',
  clientCertificate: 'websocket.tls.client.cert and websocket.tls.client.key',
  name: 'websocket.tls.servername',
  withTls: 'wss:// in websocket.url',
  withoutTls: 'ws:// in websocket.url',
} as const satisfies TlsAdvice;

/** The properties of a connection that its errors name. */
export interface ConnectionContext {
  /** Host and port. */
  readonly peer: string;
  readonly print: Printable;
  /** While there is no answer to the handshake: what it was made with. A server that wants more often closes without a message. */
  readonly handshake?: { readonly secure: boolean; readonly clientCertificate: boolean } | undefined;
}

/** What ended a connection, or kept it from being made, as `ws` and Node report it. */
export function socketError(thrown: unknown, { peer, print, handshake }: ConnectionContext): ConnectorError {
  if (thrown instanceof ConnectorError) return thrown;
  const tls = tlsFailure(thrown, tlsAdvice);
  if (tls !== undefined) {
    return new ConnectorError('connection_failed', `cannot connect to ${peer}: ${print(tls)}`, {
      cause: thrown,
    });
  }
  const { code, message } = described(thrown);
  const kind = kindOf(code, message);
  const guess = handshake !== undefined && kind === 'connection_lost' ? missing(handshake) : '';
  const text = `${prefixes[kind]} ${peer}: ${print(message)}${guess}`;
  return new ConnectorError(kind, text, { cause: thrown });
}

/** What a server may miss that closes instead of answering the handshake. */
function missing({ secure, clientCertificate }: NonNullable<ConnectionContext['handshake']>): string {
  const closed = ' before the handshake was answered';
  if (!secure) return `${closed}; perhaps the server expects TLS (${tlsAdvice.withTls})`;
  if (clientCertificate) return closed;
  return `${closed}; perhaps the server demands a client certificate (${tlsAdvice.clientCertificate})`;
}

const prefixes: Readonly<Record<ReturnType<typeof kindOf>, string>> = {
  message_too_large: 'message above the limit from',
  protocol_error: 'protocol violated by',
  connection_lost: 'connection lost to',
  connection_failed: 'cannot connect to',
};

function kindOf(
  code: string,
  message: string,
): Extract<ErrorCode, 'message_too_large' | 'protocol_error' | 'connection_lost' | 'connection_failed'> {
  if (tooLarge.has(code)) return 'message_too_large';
  if (code.startsWith('WS_ERR_') || code.startsWith('HPE_') || code.startsWith('Z_')) return 'protocol_error';
  // ws reports violations of the handshake without a code.
  if (code === '' && /^(Invalid |Server )/.test(message)) return 'protocol_error';
  return code === 'ECONNRESET' || code === 'EPIPE' ? 'connection_lost' : 'connection_failed';
}

/** An answer to the handshake other than 101. `retryAfter` is the header of that name. */
export function refusalError(
  status: { readonly code: number; readonly text: string; readonly retryAfter: string | undefined },
  peer: string,
  now: number,
): ConnectorError {
  const reason = status.text === '' ? '' : ` ${status.text}`;
  const message = `${peer} answered the handshake with HTTP ${status.code}${reason}`;
  const retryAfterMs = retryAfter(status.retryAfter, now);
  return new ConnectorError(
    'handshake_rejected',
    message,
    retryAfterMs === undefined ? {} : { retryAfterMs },
  );
}

/** The end of an open connection, by its close code. 1006 stands for an end without a close frame, 1005 for a frame without a code. */
export function closeError(code: number, reason: string, context: CloseContext): ConnectorError {
  if (code === 1006) return new ConnectorError('connection_lost', 'connection lost without a close frame');
  const because = reason === '' ? '' : `: ${context.print(reason)}`;
  const text = `server closed the connection with ${code === 1005 ? 'no code' : `code ${code}`}${because}`;
  if (includesCode(context.failCodes, code))
    return new ConnectorError('connection_lost', text, { retriable: false });
  if (!includesCode(context.slowCodes, code)) return new ConnectorError('connection_lost', text);
  return new ConnectorError('connection_lost', text, { retryAfterMs: context.slowRetryMs });
}

/** `Retry-After` (RFC 9110): seconds or a date. Undefined when absent or neither. */
function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function described(thrown: unknown): { readonly code: string; readonly message: string } {
  if (!(thrown instanceof Error)) return { code: '', message: String(thrown) };
  // Several addresses of one name were tried: the first failure speaks for all.
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return described(thrown.errors[0]);
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  return { code, message: thrown.message === '' ? code : thrown.message };
}
