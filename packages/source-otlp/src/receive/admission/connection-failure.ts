/** A connection that ended, or is about to end, before it carried a request of its port's protocol. */
export type ConnectionFailure =
  | {
      readonly kind: 'tls_handshake_failed';
      readonly peer: string;
      /** In words that an operator understands. */
      readonly reason: string;
      /** What the system or OpenSSL calls it. */
      readonly error: string;
    }
  | {
      readonly kind: 'wrong_protocol';
      readonly peer: string;
      /** What the client speaks. */
      readonly found: WireProtocol;
    };

/** What a connection carries, as its first bytes show. */
export type WireProtocol = 'HTTP/1' | 'HTTP/2' | 'TLS' | 'unknown';

/** Type and major version of a TLS record with a handshake. */
const TLS_RECORD = [0x16, 0x03] as const;

/** Recognizes a protocol by the first bytes of a connection; a single one may have to do. */
export function wireProtocol(bytes: Uint8Array): WireProtocol {
  const [type, version = TLS_RECORD[1]] = bytes;
  if (type === TLS_RECORD[0] && version === TLS_RECORD[1]) return 'TLS';
  const start = Buffer.from(bytes.subarray(0, 24)).toString('latin1');
  if (start.startsWith('PRI * HTTP/2')) return 'HTTP/2';
  return /^[A-Z]{1,16}(?: |$)/.test(start) ? 'HTTP/1' : 'unknown';
}
