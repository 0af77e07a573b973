import { ConnectorError } from '@levada/connect-runtime-core';
import { printable, type TlsAdvice, tlsFailure } from '@levada/connect-runtime-core/source-kit';
import { hostAndPort } from './authority.ts';
import type { ChannelOptions } from './channel.ts';

/** The configuration keys that advice about TLS names. */
export const tlsAdvice = {
  ca: 'grpc.tls.ca.cert',
  clientCertificate: 'grpc.tls.client.cert and grpc.tls.client.key',
  name: 'grpc.authority',
  withTls: 'grpc.tls.enabled=true',
  withoutTls: 'grpc.tls.enabled=false',
} as const satisfies TlsAdvice;

/** Said before Node's own text, for failures of HTTP/2 whose own text is hard to understand. */
const explanations: readonly (readonly [code: RegExp, explanation: string])[] = [
  [/^ERR_SSL_.*ALERT_NO_APPLICATION_PROTOCOL$/, 'the server does not offer HTTP/2 (ALPN "h2") over TLS'],
  [/^ERR_HTTP2_ERROR$/, `the server does not speak HTTP/2, or expects TLS (${tlsAdvice.withTls})`],
];

/** Names in certificates are the server's choice. */
const print = printable([]);

interface FailedConnection extends Pick<ChannelOptions, 'endpoint'> {
  /** What was to be connected to, when that is not the endpoint. */
  readonly peer?: string;
}

/** Why no connection was made, as one `connection_failed` error. */
export function connectError(
  thrown: unknown,
  { endpoint, peer = hostAndPort(endpoint) }: FailedConnection,
): ConnectorError {
  const { code, message } = described(thrown);
  const explanation = explanations.find(([pattern]) => pattern.test(code))?.[1];
  const reason =
    tlsFailure(thrown, tlsAdvice) ?? (explanation === undefined ? message : `${explanation}: ${message}`);
  const text = `cannot connect to ${peer}: ${print(reason)}`;
  return new ConnectorError('connection_failed', text, { cause: thrown });
}

function described(thrown: unknown): { readonly code: string; readonly message: string } {
  if (!(thrown instanceof Error)) return { code: '', message: String(thrown) };
  // Several addresses of one name were tried: each failure is reported, as each may have its own cause.
  if (thrown instanceof AggregateError && thrown.errors.length > 0) {
    const causes = thrown.errors.map(described);
    return { code: causes[0]?.code ?? '', message: causes.map(({ message }) => message).join(', ') };
  }
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  return { code, message: thrown.message || code };
}
