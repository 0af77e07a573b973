/** What advice about TLS names: configuration keys, and how to connect with and without TLS. */
export interface TlsAdvice {
  readonly ca: string;
  /** The keys for a client certificate; undefined where none can be shown. */
  readonly clientCertificate: string | undefined;
  /** The key for the name that the certificate of the server must have. */
  readonly name: string;
  /** For example `grpc.tls.enabled=true`. */
  readonly withTls: string;
  readonly withoutTls: string;
}

/** One kind of failure: codes of Node and OpenSSL, what they mean, and what to do. */
type Row = readonly [codes: RegExp, meaning: string, advice: (name: TlsAdvice) => string];

const withCertificate = ({ clientCertificate: keys }: TlsAdvice): string =>
  keys === undefined ? 'it must accept clients without one' : `set ${keys}`;

const rows: readonly Row[] = [
  [
    /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE).*|CERT_(UNTRUSTED|SIGNATURE_FAILURE|REJECTED|CHAIN_TOO_LONG))$/,
    'its certificate is not trusted',
    ({ ca }) => `name the authority that signed it in ${ca}`,
  ],
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    'its certificate is not valid now',
    () => 'renew it on the server, or correct the clock of this machine',
  ],
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    'its certificate is for another name',
    ({ name }) => `connect by a name that the certificate has, or set ${name} to one`,
  ],
  [
    /^(EE|CA)_(KEY_TOO_SMALL|MD_TOO_WEAK)$|^ERR_SSL_(EE|CA)_(KEY_TOO_SMALL|MD_TOO_WEAK)$/,
    'its certificate is too weak',
    () => 'the server needs one with a longer key or a newer signature',
  ],
  [
    /^ERR_SSL_.*CERTIFICATE_REQUIRED$/,
    'the server demands a client certificate',
    (name) => withCertificate(name),
  ],
  [
    /^ERR_SSL_.*ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|ACCESS_DENIED|CERTIFICATE_(UNKNOWN|EXPIRED|REVOKED))$/,
    'the server refuses the client certificate',
    ({ clientCertificate }) => `check ${clientCertificate ?? 'which it accepts'}`,
  ],
  [
    /^ERR_SSL_(.*ALERT_(HANDSHAKE_FAILURE|INSUFFICIENT_SECURITY)|NO_(SHARED_CIPHER|CIPHERS_AVAILABLE))$/,
    'the server refuses the handshake, perhaps for want of a client certificate',
    (name) => `${withCertificate(name)}, or check which ciphers the server offers`,
  ],
  [
    /^ERR_SSL_(.*ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS_AVAILABLE|WRONG_SSL_VERSION|VERSION_TOO_LOW)$/,
    'the server offers no version of TLS that is secure',
    () => 'it must offer TLS 1.2 or 1.3',
  ],
  [
    /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|.*UNKNOWN_PROTOCOL|BAD_RECORD_TYPE|HTTP_REQUEST)$/,
    'the server does not speak TLS',
    ({ withoutTls }) => `connect to a port with TLS, or use ${withoutTls}`,
  ],
];

/** Longest text of Node or OpenSSL that an error repeats; a certificate may have thousands of names. */
const MAX_DETAIL = 400;
/** First bytes of TLS records that a server answers plaintext with: an alert, or a handshake. */
const records = [0x15, 0x16];

/**
 * What a failed TLS handshake means and what to do about it, for an error as Node throws it; undefined when the error is about
 * something else. Holds names from certificates: to be made printable.
 */
export function tlsFailure(thrown: unknown, name: TlsAdvice): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  // The parser of HTTP was given what is no HTTP.
  if (
    'rawPacket' in thrown &&
    Buffer.isBuffer(thrown.rawPacket) &&
    records.includes(thrown.rawPacket[0] ?? 0)
  ) {
    return `the server expects TLS; use ${name.withTls}`;
  }
  const { code, detail } = described(thrown);
  const row = rows.find(([codes]) => codes.test(code));
  if (row === undefined) return undefined;
  const [, meaning, advice] = row;
  return `${meaning}: ${detail.length > MAX_DETAIL ? `${detail.slice(0, MAX_DETAIL)}...` : detail}; ${advice(name)}`;
}

/** What happened, without what OpenSSL and Node add for their own developers. */
function described(error: Error): { readonly code: string; readonly detail: string } {
  const code = 'code' in error ? String(error.code) : '';
  if ('reason' in error && 'library' in error) return { code, detail: String(error.reason) };
  // While it writes, Node leaves what OpenSSL says as one text: `...:error:<number>:<library>:<function>:<reason>:...`.
  const reason = /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/.exec(error.message)?.[1];
  if (code === 'EPROTO' && reason !== undefined) {
    return { code: `ERR_SSL_${reason.toUpperCase().replace(/\W+/g, '_')}`, detail: reason };
  }
  return { code, detail: error.message.replace(/; if the root CA is installed locally, .*$/, '') };
}
