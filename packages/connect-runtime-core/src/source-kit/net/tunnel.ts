import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import {
  type ConnectionOptions,
  getCACertificates,
  type SecureContextOptions,
  connect as tlsConnect,
} from 'node:tls';
import { ConnectorError } from '../../diagnostics/connector-error.ts';
import { printable } from '../../text/printable.ts';
import { guardedLookup } from './egress.ts';
import type { ProxyTarget } from './no-proxy.ts';
import type { HttpProxy } from './proxy.ts';
import { tlsFailure } from './tls-failure.ts';

/** How a tunnel is made. */
export interface TunnelOptions {
  readonly proxy: HttpProxy;
  readonly target: ProxyTarget;
  /** Authorities that are trusted beside the built-in ones, for a proxy with TLS. */
  readonly ca?: SecureContextOptions['ca'] | undefined;
  /** Ends the attempt; nothing else limits its time. */
  readonly signal: AbortSignal;
}

/** Longest head of an answer, in bytes. */
const MAX_HEAD_BYTES = 16 * 1024;

/** Explanations of a refusal by the proxy, by HTTP status. */
const refusals: Readonly<Record<number, (proxy: HttpProxy) => string>> = {
  403: () => 'its rules forbid this target',
  407: ({ credentials }) => `it demands other credentials: check ${credentials}`,
  502: () => 'it cannot reach the target',
  503: () => 'it cannot reach the target',
  504: () => 'the target does not answer it',
};

/**
 * A socket whose other end is the target, by CONNECT (RFC 9110, section 9.3.6). The proxy looks the target's name up, so that
 * no rule of this side about addresses applies to what it stands for. Rejects with a `connection_failed` ConnectorError that
 * names proxy and target, with the reason of the signal when it aborts; nothing is open then.
 */
export function openTunnel({ proxy, target, ca, signal }: TunnelOptions): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const path = `${isIP(target.host) === 6 ? `[${target.host}]` : target.host}:${target.port}`;
  const failed = (reason: string, cause?: unknown): ConnectorError => {
    const text = `no connection to ${path} through the proxy ${proxy.shown} (${proxy.source}): ${reason}`;
    return new ConnectorError('connection_failed', text, { cause });
  };
  const print = printable(secretsOf(proxy));
  const request = (proxy.secure ? httpsRequest : httpRequest)({
    method: 'CONNECT',
    host: proxy.host,
    port: proxy.port,
    path,
    // Node would take it from the Host header, which is that of the target.
    servername: serverName(proxy.host),
    agent: false,
    lookup: guardedLookup,
    maxHeaderSize: MAX_HEAD_BYTES,
    headers: {
      host: path,
      ...(proxy.authorization === undefined ? {} : { 'proxy-authorization': proxy.authorization }),
    },
    ...(ca === undefined ? {} : { ca: [...getCACertificates('default'), ...[ca].flat()] }),
  });
  const abort = (): void => {
    reject(ConnectorError.from(signal.reason, 'aborted'));
    request.destroy();
  };
  request.once('connect', (response: IncomingMessage, socket: Socket, head: Buffer) => {
    const status = response.statusCode ?? 0;
    if (signal.aborted || status < 200 || status > 299) {
      socket.destroy();
      const meaning = refusals[status]?.(proxy) ?? 'it refuses to connect';
      reject(failed(`${meaning} (HTTP ${status} ${print(response.statusMessage ?? '').slice(0, 100)})`));
      return;
    }
    // With TLS inside the tunnel the inner socket reports what happens to this one.
    socket.on('error', () => undefined);
    if (head.length > 0) socket.unshift(head);
    resolve(socket);
  });
  request.on('error', (error) => reject(failed(print(reasonOf(error, proxy)), error)));
  request.once('close', () => reject(failed('it closed the connection without an answer')));
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  request.end();
  return promise.finally(() => signal.removeEventListener('abort', abort));
}

/** What Node's requests take as `createConnection`: the callback gets the socket, later. */
export type CreateConnection = (
  options: unknown,
  callback: (error: Error | null, socket: Socket) => void,
) => undefined;

/** Connects a request of Node through a tunnel, with TLS to the target inside it where `tls` is given. */
export function tunnelledConnection(
  tunnel: TunnelOptions,
  tls: ConnectionOptions | undefined,
): CreateConnection {
  const { host } = tunnel.target;
  const connect = async (): Promise<Socket> => {
    const socket = await openTunnel(tunnel);
    return tls === undefined ? socket : tlsConnect({ servername: serverName(host), ...tls, socket, host });
  };
  return (_options, callback) => {
    // oxlint-disable promise/no-callback-in-promise -- Node's requests take the socket by callback
    connect().then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, undefined as never), // as Node has it
    );
    // oxlint-enable promise/no-callback-in-promise
    return undefined;
  };
}

/** The name that is sent as SNI; RFC 6066 allows no address there. */
function serverName(host: string): string {
  return isIP(host) === 0 ? host : '';
}

function reasonOf(error: Error, { ca, source }: HttpProxy): string {
  const tls = tlsFailure(error, {
    ca,
    clientCertificate: undefined,
    name: source,
    withTls: `https:// in ${source}`,
    withoutTls: `http:// in ${source}`,
  });
  if (tls !== undefined) return tls;
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'HPE_HEADER_OVERFLOW') return `its answer has a head of more than ${MAX_HEAD_BYTES} bytes`;
  if (code.startsWith('HPE_')) return `its answer is not HTTP (${error.message})`;
  // Several addresses of one name were tried: the first failure speaks for all.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error && first.message !== '' ? first.message : code;
}

/** Credentials in the forms in which a proxy may quote them. */
function secretsOf({ authorization }: HttpProxy): readonly string[] {
  const base64 = authorization?.replace(/^Basic /, '') ?? '';
  const text = Buffer.from(base64, 'base64').toString();
  return [authorization ?? '', base64, text, text.slice(text.indexOf(':') + 1)];
}
