import { ConnectorError, printable } from '@levada/connect-runtime-core';
import { hostAndPort } from './authority.ts';
import type { ChannelOptions } from './channel.ts';

/** Said before Node's own text, for failures whose own text is hard to understand. */
const explanations: readonly (readonly [code: RegExp, explanation: string])[] = [
  [
    /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|.*UNKNOWN_PROTOCOL|BAD_RECORD_TYPE)$/,
    'the server does not speak TLS',
  ],
  [/^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT)$/, 'its certificate is not trusted'],
  [
    /^(UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)|CERT_(UNTRUSTED|SIGNATURE_FAILURE|REJECTED))/,
    'its certificate is not trusted',
  ],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'its certificate is not valid now'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'its certificate is for another name'],
  [/^ERR_SSL_.*ALERT_NO_APPLICATION_PROTOCOL$/, 'the server does not offer HTTP/2 (ALPN "h2") over TLS'],
  [/^ERR_SSL_.*CERTIFICATE_REQUIRED$/, 'the server demands a client certificate'],
  [
    /^ERR_SSL_.*ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_(UNKNOWN|EXPIRED|REVOKED))$/,
    'the server refuses the client certificate',
  ],
  [
    /^ERR_SSL_.*ALERT_HANDSHAKE_FAILURE$/,
    'the server refuses the handshake, perhaps for want of a client certificate',
  ],
  [/^ERR_HTTP2_ERROR$/, 'the server does not speak HTTP/2, or expects TLS'],
];

/** Names in certificates are the server's choice. */
const print = printable([]);

/** Why no connection was made, as one `connection_failed` error. */
export function connectError(
  thrown: unknown,
  { endpoint }: Pick<ChannelOptions, 'endpoint'>,
): ConnectorError {
  const { code, message } = described(thrown);
  const explanation = explanations.find(([pattern]) => pattern.test(code))?.[1];
  const reason = explanation === undefined ? message : `${explanation}: ${message}`;
  const text = `cannot connect to ${hostAndPort(endpoint)}: ${print(reason)}`;
  return new ConnectorError('connection_failed', text, { cause: thrown });
}

function described(thrown: unknown): { readonly code: string; readonly message: string } {
  if (!(thrown instanceof Error)) return { code: '', message: String(thrown) };
  // Several addresses of one name were tried: each failure is told, as each may have its own cause.
  if (thrown instanceof AggregateError && thrown.errors.length > 0) {
    const causes = thrown.errors.map(described);
    return { code: causes[0]?.code ?? '', message: causes.map(({ message }) => message).join(', ') };
  }
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  return { code, message: textOf(thrown) || code };
}

/** What happened, without what OpenSSL and Node add for their own developers. */
function textOf(error: Error): string {
  if ('reason' in error && 'library' in error && typeof error.reason === 'string') return error.reason;
  return error.message.replace(/; if the root CA is installed locally, .*$/, '');
}
