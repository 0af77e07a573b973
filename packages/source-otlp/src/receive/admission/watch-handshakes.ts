import type { Socket } from 'node:net';
import type { Server, TLSSocket } from 'node:tls';
import type { ConnectionFailure } from './connection-failure.ts';

const plaintext = 'the client does not use TLS: plaintext on a TLS port';
const unknownAuthority = 'the certificate of the client is of an authority that is not known here';
const closed = 'the client closed the connection; it may not accept the certificate of this port';

/** Codes of Node and OpenSSL to what they mean here. */
const reasons: Readonly<Record<string, string>> = {
  ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE: 'the client has no certificate, and this port requires one',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the client offers no version of TLS that is allowed here',
  ERR_SSL_NO_SHARED_CIPHER: 'the client offers no cipher that is allowed here',
  ERR_SSL_NO_APPLICATION_PROTOCOL: 'the client offers no protocol (ALPN) that this port speaks',
  ERR_SSL_HTTP_REQUEST: plaintext,
  ERR_SSL_WRONG_VERSION_NUMBER: plaintext,
  ERR_TLS_HANDSHAKE_TIMEOUT: 'the client did not finish the handshake in time',
  ECONNRESET: closed,
  EPIPE: closed,
  CERT_HAS_EXPIRED: 'the certificate of the client has expired',
  CERT_NOT_YET_VALID: 'the certificate of the client is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
};

/** Reports why handshakes fail. A connection that is closed before it sent anything, as by a port check, is not a failure. */
export function watchHandshakes(server: Server, onFailure: (failure: ConnectionFailure) => void): void {
  // A socket that is closed knows the address of its peer only when it was asked before.
  server.on('connection', (socket) => void socket.remoteAddress);
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    const { remoteAddress, bytesRead } = findAcceptedSocket(socket);
    if (error.code === 'ECONNRESET' && bytesRead === 0) return;
    onFailure({ kind: 'tls_handshake_failed', peer: remoteAddress ?? '', ...explain(error, socket) });
  });
}

function explain(
  { code = '', message }: NodeJS.ErrnoException,
  { authorizationError }: TLSSocket,
): { readonly reason: string; readonly error: string } {
  // Node ends the connection of a client whose certificate it does not accept; the error says only that it ended.
  const error = authorizationError ? String(authorizationError) : code || message;
  if (/ALERT_(?:UNKNOWN_CA|(?:BAD_)?CERTIFICATE)/.test(error)) {
    return { reason: 'the client does not accept the certificate of this port', error };
  }
  const other = authorizationError
    ? 'the certificate of the client is not accepted'
    : 'the client and this port do not agree on TLS';
  return { reason: reasons[error] ?? other, error };
}

/** What a TLS socket was made of. Node has no public name for it; without it only address and count of bytes are missing. */
function findAcceptedSocket(socket: TLSSocket): Socket {
  return (socket as TLSSocket & { readonly _parent?: Socket })._parent ?? socket;
}
