// Written by tools/reference-docs/generate.mjs from the rows of the configuration: do not change by hand.

/** Members of the option `topics` of {@link OtlpOptions}. */
export interface OtlpTopicsOptions {
  /**
   * Topic of traces.
   *
   * Allowed: topic name.
   *
   * @defaultValue `'otlp-traces'`
   * @example
   * ```ts
   * { topics: { traces: 'traces' } }
   * ```
   */
  readonly traces?: string | undefined;
  /**
   * Topic of metrics.
   *
   * Allowed: topic name.
   *
   * @defaultValue `'otlp-metrics'`
   * @example
   * ```ts
   * { topics: { metrics: 'metrics' } }
   * ```
   */
  readonly metrics?: string | undefined;
  /**
   * Topic of logs.
   *
   * Allowed: topic name.
   *
   * @defaultValue `'otlp-logs'`
   * @example
   * ```ts
   * { topics: { logs: 'logs' } }
   * ```
   */
  readonly logs?: string | undefined;
  /**
   * Topic of profiles.
   *
   * Allowed: topic name.
   *
   * @defaultValue `'otlp-profiles'`
   * @example
   * ```ts
   * { topics: { profiles: 'profiles' } }
   * ```
   */
  readonly profiles?: string | undefined;
}

/** Members of the option `spool` of {@link OtlpOptions}. */
export interface OtlpSpoolOptions {
  /**
   * Folder of the spool, of this connector alone. Required with ackMode: 'spool'. What is in it is produced also with
   * another mode, and when its signal is not received any more.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { spool: { path: '/var/lib/shop/otlp' } }
   * ```
   */
  readonly path?: string | URL | undefined;
  /**
   * Most bytes of the spool on the disk, per signal. When it is full, exports are answered as with a full queue.
   *
   * Bytes. At least 1048576.
   *
   * @defaultValue `1073741824`
   * @example
   * ```ts
   * { spool: { bytes: 256 * 1024 * 1024 } }
   * ```
   */
  readonly bytes?: number | undefined;
}

/** Members of the option `tls` of {@link OtlpOptions}. */
export interface OtlpTlsOptions {
  /**
   * PEM file with the certificate chain of the receivers. Required with TLS.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { tls: { cert: '/etc/ssl/otlp.pem' } }
   * ```
   */
  readonly cert?: string | URL | undefined;
  /**
   * PEM file with its private key, not encrypted. Required with TLS.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { tls: { key: '/etc/ssl/otlp-key.pem' } }
   * ```
   */
  readonly key?: string | URL | undefined;
  /**
   * PEM file with the authorities of clients. With it clients must show a certificate (mutual TLS).
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { tls: { clientCa: '/etc/ssl/clients-ca.pem' } }
   * ```
   */
  readonly clientCa?: string | URL | undefined;
  /**
   * Lowest version of TLS that clients may use.
   *
   * @defaultValue `'TLSv1.2'`
   * @example
   * ```ts
   * { tls: { minVersion: 'TLSv1.3' } }
   * ```
   */
  readonly minVersion?: 'TLSv1.2' | 'TLSv1.3' | undefined;
  /**
   * Ciphers that clients may use, as OpenSSL names them, separated by colons, those of TLS 1.3 (TLS_...) included. Absent:
   * those of Node.
   *
   * Allowed: cipher:cipher.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { tls: { ciphers: 'TLS_AES_256_GCM_SHA384' } }
   * ```
   */
  readonly ciphers?: string | undefined;
  /**
   * How often the TLS files are reloaded; new connections use what has changed. 0: only at the start.
   *
   * Milliseconds. At least 0.
   *
   * @defaultValue `60000`
   * @example
   * ```ts
   * { tls: { reloadIntervalMs: 3_600_000 } }
   * ```
   */
  readonly reloadIntervalMs?: number | undefined;
}

/** Members of the option `grpcTls` of {@link OtlpOptions}. */
export interface OtlpGrpcTlsOptions {
  /**
   * Certificate chain of the gRPC receiver, where it is another than tls.cert.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { grpcTls: { cert: '/etc/ssl/grpc.pem' } }
   * ```
   */
  readonly cert?: string | URL | undefined;
  /**
   * Private key of the gRPC receiver, where it is another than tls.key.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { grpcTls: { key: '/etc/ssl/grpc-key.pem' } }
   * ```
   */
  readonly key?: string | URL | undefined;
  /**
   * Authorities of clients of the gRPC receiver, where they are others than tls.clientCa.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { grpcTls: { clientCa: '/etc/ssl/clients-ca.pem' } }
   * ```
   */
  readonly clientCa?: string | URL | undefined;
}

/** Members of the option `httpTls` of {@link OtlpOptions}. */
export interface OtlpHttpTlsOptions {
  /**
   * Certificate chain of the HTTP receiver, where it is another than tls.cert.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { httpTls: { cert: '/etc/ssl/http.pem' } }
   * ```
   */
  readonly cert?: string | URL | undefined;
  /**
   * Private key of the HTTP receiver, where it is another than tls.key.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { httpTls: { key: '/etc/ssl/http-key.pem' } }
   * ```
   */
  readonly key?: string | URL | undefined;
  /**
   * Authorities of clients of the HTTP receiver, where they are others than tls.clientCa.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { httpTls: { clientCa: '/etc/ssl/clients-ca.pem' } }
   * ```
   */
  readonly clientCa?: string | URL | undefined;
}

/** Members of the option `auth` of {@link OtlpOptions}. */
export interface OtlpAuthOptions {
  /**
   * Bearer tokens. With any, each request must carry one of them (Authorization: Bearer).
   *
   * Each: token.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { auth: { tokens: [process.env.TOKEN ?? ''] } }
   * ```
   */
  readonly tokens?: string | readonly string[] | undefined;
  /**
   * Users of basic authentication, each as user:password. With any, or with tokens, each request must carry one of them
   * (Authorization: Basic).
   *
   * Each: user:password.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { auth: { users: ['collector:password'] } }
   * ```
   */
  readonly users?: string | readonly string[] | undefined;
  /**
   * File with further users, one user:password per line; the password is text, or hashed as by htpasswd -s ({SHA}). Hashes
   * that are slow on purpose, such as bcrypt, are refused. Read at the start.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { auth: { usersPath: '/etc/otlp/users' } }
   * ```
   */
  readonly usersPath?: string | URL | undefined;
}

/** Members of the option `paths` of {@link OtlpOptions}. */
export interface OtlpPathsOptions {
  /**
   * Path that traces are sent to.
   *
   * Allowed: path that begins with /.
   *
   * @defaultValue `'/v1/traces'`
   * @example
   * ```ts
   * { paths: { traces: '/otlp/traces' } }
   * ```
   */
  readonly traces?: string | undefined;
  /**
   * Path that metrics are sent to.
   *
   * Allowed: path that begins with /.
   *
   * @defaultValue `'/v1/metrics'`
   * @example
   * ```ts
   * { paths: { metrics: '/otlp/metrics' } }
   * ```
   */
  readonly metrics?: string | undefined;
  /**
   * Path that logs are sent to.
   *
   * Allowed: path that begins with /.
   *
   * @defaultValue `'/v1/logs'`
   * @example
   * ```ts
   * { paths: { logs: '/otlp/logs' } }
   * ```
   */
  readonly logs?: string | undefined;
}

/** Members of the option `cors` of {@link OtlpOptions}. */
export interface OtlpCorsOptions {
  /**
   * Origins of web pages that may send: https://shop.example, https://*.shop.example for all hosts below that one (with its
   * scheme and port, and not that host itself), or * for all. Empty: none, and requests of web pages of other origins are
   * refused.
   *
   * Allowed: origin, origin with *. before the host, or *.
   *
   * @defaultValue `[]`
   * @example
   * ```ts
   * { cors: { origins: ['https://shop.example'] } }
   * ```
   */
  readonly origins?: readonly string[] | undefined;
  /**
   * Request headers that web pages may set beside Content-Type, Content-Encoding and Authorization.
   *
   * @defaultValue `[]`
   * @example
   * ```ts
   * { cors: { headers: ['x-tenant-id'] } }
   * ```
   */
  readonly headers?: readonly string[] | undefined;
}

/** Options of {@link otlpSource}, in addition to those of every source. Times are milliseconds. */
export interface OtlpOptions {
  /**
   * Whether OTLP/gRPC is received.
   *
   * @defaultValue `true`
   * @example
   * ```ts
   * { grpc: false }
   * ```
   */
  readonly grpc?: boolean | undefined;
  /**
   * Port of the gRPC receiver; with 0 the operating system chooses one, which status() has as GrpcPort.
   *
   * From 1024 to 65535.
   *
   * @defaultValue `4317`
   * @example
   * ```ts
   * { grpcPort: 14317 }
   * ```
   */
  readonly grpcPort?: number | undefined;
  /**
   * Whether OTLP/HTTP is received.
   *
   * @defaultValue `true`
   * @example
   * ```ts
   * { http: false }
   * ```
   */
  readonly http?: boolean | undefined;
  /**
   * Port of the HTTP receiver; with 0 the operating system chooses one, which status() has as HttpPort.
   *
   * From 1024 to 65535.
   *
   * @defaultValue `4318`
   * @example
   * ```ts
   * { httpPort: 14318 }
   * ```
   */
  readonly httpPort?: number | undefined;
  /**
   * Address that the receivers are bound to: an IP address, localhost, or unix:/path for a socket of the file system, of
   * which each receiver needs one of its own. 0.0.0.0 makes them reachable from other machines. Clients of a socket count as
   * one address.
   *
   * Allowed: IP address, localhost or unix:/path.
   *
   * @defaultValue `'127.0.0.1'`
   * @example
   * ```ts
   * { address: '127.0.0.1' }
   * ```
   */
  readonly address?: string | undefined;
  /**
   * Address of the gRPC receiver, where it is another than address.
   *
   * Allowed: IP address, localhost or unix:/path.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { grpcAddress: 'unix:/run/otlp/grpc.sock' }
   * ```
   */
  readonly grpcAddress?: string | undefined;
  /**
   * Address of the HTTP receiver, where it is another than address.
   *
   * Allowed: IP address, localhost or unix:/path.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { httpAddress: '127.0.0.1' }
   * ```
   */
  readonly httpAddress?: string | undefined;
  /**
   * Permissions of a receiver that is bound to a socket: who may write to it may send. In octal.
   *
   * Allowed: three octal digits.
   *
   * @defaultValue `'0660'`
   * @example
   * ```ts
   * { unixSocketMode: '0600' }
   * ```
   */
  readonly unixSocketMode?: string | undefined;
  /**
   * Receivers whose port the operating system chooses, as with port 0.
   *
   * @defaultValue `[]`
   * @example
   * ```ts
   * { anyPort: ['http'] }
   * ```
   */
  readonly anyPort?: readonly ('grpc' | 'http')[] | undefined;
  /**
   * What speaks HTTP/2 with gRPC clients. levada: the server of this package. node: that of Node.js 24 or newer, for as long
   * as a fault of the other one is not fixed; it costs two to four times as much for small exports, and floods are limited
   * later.
   *
   * @defaultValue `'levada'`
   * @example
   * ```ts
   * { http2Server: 'node' }
   * ```
   */
  readonly http2Server?: 'levada' | 'node' | undefined;
  /**
   * How long a source that continues an earlier run waits at its start for its ports and its spool while another process has
   * them. Then it fails. One that continues none, and so more likely has a wrong port, fails after 3 seconds.
   *
   * Milliseconds. From 3000 to 86400000.
   *
   * @defaultValue `300000`
   * @example
   * ```ts
   * { takeoverWaitMs: 60_000 }
   * ```
   */
  readonly takeoverWaitMs?: number | undefined;
  /**
   * Signals that are received: traces, metrics, logs, profiles. The others are unknown services and paths. Profiles are in
   * development in OTLP, and their form may change.
   *
   * @defaultValue `['traces', 'metrics', 'logs']`
   * @example
   * ```ts
   * { signals: ['traces', 'logs'] }
   * ```
   */
  readonly signals?: readonly ('traces' | 'metrics' | 'logs' | 'profiles')[] | undefined;
  /**
   * What a record holds: json (OTLP/JSON on one line), or protobuf (the bytes of the request, as base64 text).
   *
   * @defaultValue `'json'`
   * @example
   * ```ts
   * { format: 'protobuf' }
   * ```
   */
  readonly format?: 'json' | 'protobuf' | undefined;
  /**
   * How JSON is written: otlp (the OTLP specification: lowerCamelCase, hexadecimal ids, enums as numbers), or snake_case (as
   * the connector that this one replaces: names of the .proto, base64 ids, names of enums, defaults included).
   *
   * @defaultValue `'otlp'`
   * @example
   * ```ts
   * { jsonStyle: 'snake_case' }
   * ```
   */
  readonly jsonStyle?: 'otlp' | 'snake_case' | undefined;
  /**
   * How the protobuf format is written: base64 (text), or binary (a Uint8Array of the request as it came).
   *
   * @defaultValue `'base64'`
   * @example
   * ```ts
   * { protobufEncoding: 'binary' }
   * ```
   */
  readonly protobufEncoding?: 'base64' | 'binary' | undefined;
  /**
   * What becomes one record: a whole export (request), each of its resources (resource), or each span, metric or log record
   * (item). A record is a valid export of its own in each case, with resource and scope. Profiles are not divided.
   *
   * @defaultValue `'request'`
   * @example
   * ```ts
   * { recordMode: 'item' }
   * ```
   */
  readonly recordMode?: 'request' | 'resource' | 'item' | undefined;
  /**
   * Key of records: none, service_name (attribute service.name of the resource; needs recordMode resource or item), or
   * trace_id (hexadecimal; needs item). A record without it has key null.
   *
   * @defaultValue `'none'`
   * @example
   * ```ts
   * { key: 'trace_id' }
   * ```
   */
  readonly key?: 'none' | 'service_name' | 'trace_id' | undefined;
  /**
   * Largest value of a record. A larger export is divided, by resource, scope and item; an item that is larger by itself is
   * rejected (partial_success). To be below what the records are written to takes.
   *
   * Bytes. From 1024 to 1073741824.
   *
   * @defaultValue `1000000`
   * @example
   * ```ts
   * { recordMaxBytes: 500_000 }
   * ```
   */
  readonly recordMaxBytes?: number | undefined;
  /**
   * How an export is handled whose text is not Unicode (bytes that are not UTF-8 in protobuf; half a surrogate pair in JSON,
   * which the JavaScript SDK sends where it cuts a long attribute): accept (JSON has U+FFFD in its place, protobuf keeps its
   * bytes), or reject (the whole export). A JSON body must be UTF-8 with either.
   *
   * @defaultValue `'accept'`
   * @example
   * ```ts
   * { invalidUtf8: 'reject' }
   * ```
   */
  readonly invalidUtf8?: 'accept' | 'reject' | undefined;
  /**
   * Whether records have the headers otel_signal_type, otel_encoding, content-type, session.id, sequence and received.at.
   *
   * @defaultValue `false`
   * @example
   * ```ts
   * { headers: true }
   * ```
   */
  readonly headers?: boolean | undefined;
  /**
   * Request headers (gRPC: metadata) that become headers of the records, such as x-tenant-id; no others do. Credentials do,
   * too, when they are named: authorization. With ackMode: 'spool' they may take 16 MiB on all records of an export; more:
   * 413.
   *
   * Each: header name.
   *
   * @defaultValue `[]`
   * @example
   * ```ts
   * { requestHeaders: ['x-tenant-id'] }
   * ```
   */
  readonly requestHeaders?: readonly string[] | undefined;
  /**
   * Most messages that wait to be read, per signal.
   *
   * Messages. From 1 to 10000000.
   *
   * @defaultValue `10000`
   * @example
   * ```ts
   * { queueSize: 1000 }
   * ```
   */
  readonly queueSize?: number | undefined;
  /**
   * Most bytes of all waiting messages of a signal together. A queue that holds so many is full.
   *
   * Bytes. At least 1024.
   *
   * @defaultValue `33554432`
   * @example
   * ```ts
   * { queueBytes: 8 * 1024 * 1024 }
   * ```
   */
  readonly queueBytes?: number | undefined;
  /**
   * How an export that is dropped because the queue is full is answered: refuse (503 with Retry-After, UNAVAILABLE with
   * RetryInfo: most send it again), or accept (success with partial_success: it is lost).
   *
   * @defaultValue `'refuse'`
   * @example
   * ```ts
   * { queueFullAnswer: 'accept' }
   * ```
   */
  readonly queueFullAnswer?: 'refuse' | 'accept' | undefined;
  /**
   * How long nothing may be read from a full queue before exports are refused or dropped. Until then requests wait within
   * maxInFlightRequests and maxInFlightBytes, none longer than ackTimeoutMs or its own deadline: HTTP bodies are not read,
   * and answers are delayed. 0: none waits. A spool that is full refuses at once.
   *
   * Milliseconds. From 0 to 60000.
   *
   * @defaultValue `1000`
   * @example
   * ```ts
   * { queueFullGraceMs: 0 }
   * ```
   */
  readonly queueFullGraceMs?: number | undefined;
  /**
   * When an export is answered with success: when it is queued (queued), when the loop asks for what follows it or a pipe
   * has written it (produced), or when it is on the disk of this machine (spool).
   *
   * @defaultValue `'queued'`
   * @example
   * ```ts
   * { ackMode: 'produced' }
   * ```
   */
  readonly ackMode?: 'queued' | 'produced' | 'spool' | undefined;
  /**
   * Longest time that a client waits for an answer: while its export is held by a full queue, in every mode, and until it is
   * acknowledged or on the disk with ackMode produced or spool. One that gives up sooner (grpc-timeout) is answered sooner.
   * Then: UNAVAILABLE or 503; an export that was held is answered as queueFullAnswer says, and nothing of it is read, any
   * other may be read all the same.
   *
   * Milliseconds. From 100 to 600000.
   *
   * @defaultValue `8000`
   * @example
   * ```ts
   * { ackTimeoutMs: 5000 }
   * ```
   */
  readonly ackTimeoutMs?: number | undefined;
  /**
   * Largest body of a request in bytes, also after inflation. Larger ones: 413, RESOURCE_EXHAUSTED without RetryInfo.
   *
   * Bytes. From 1024 to 268435456.
   *
   * @defaultValue `16777216`
   * @example
   * ```ts
   * { maxRequestBytes: 4 * 1024 * 1024 }
   * ```
   */
  readonly maxRequestBytes?: number | undefined;
  /**
   * Largest compressed body in bytes.
   *
   * Bytes. From 1024 to 268435456.
   *
   * @defaultValue `4194304`
   * @example
   * ```ts
   * { maxCompressedBytes: 1024 * 1024 }
   * ```
   */
  readonly maxCompressedBytes?: number | undefined;
  /**
   * Most requests that are read or wait for their acknowledgement at once. Further ones: UNAVAILABLE, 503.
   *
   * From 1 to 1000000.
   *
   * @defaultValue `4096`
   * @example
   * ```ts
   * { maxInFlightRequests: 256 }
   * ```
   */
  readonly maxInFlightRequests?: number | undefined;
  /**
   * Most bytes of these requests together.
   *
   * Bytes. At least 1024.
   *
   * @defaultValue `67108864`
   * @example
   * ```ts
   * { maxInFlightBytes: 16 * 1024 * 1024 }
   * ```
   */
  readonly maxInFlightBytes?: number | undefined;
  /**
   * Largest share of maxInFlightRequests and maxInFlightBytes that one client address (of IPv6 one /64 network) may take, in
   * percent, but always one request. Further ones: 429, RESOURCE_EXHAUSTED with RetryInfo. 100 where all clients come
   * through one proxy.
   *
   * Percent. From 1 to 100.
   *
   * @defaultValue `75`
   * @example
   * ```ts
   * { maxInFlightSharePercent: 100 }
   * ```
   */
  readonly maxInFlightSharePercent?: number | undefined;
  /**
   * Most connections of each receiver. Further ones are closed.
   *
   * From 1 to 1000000.
   *
   * @defaultValue `10000`
   * @example
   * ```ts
   * { maxConnections: 500 }
   * ```
   */
  readonly maxConnections?: number | undefined;
  /**
   * Age at which a connection is to end, so that clients spread over receivers behind a load balancer; up to a tenth more or
   * less. gRPC: GOAWAY; HTTP: Connection: close with the next answer. 0: none.
   *
   * Milliseconds. At least 0.
   *
   * @defaultValue `0`
   * @example
   * ```ts
   * { maxConnectionAgeMs: 600_000 }
   * ```
   */
  readonly maxConnectionAgeMs?: number | undefined;
  /**
   * Time that a connection has after that for its requests; then it is cut.
   *
   * Milliseconds. At least 0.
   *
   * @defaultValue `30000`
   * @example
   * ```ts
   * { maxConnectionAgeGraceMs: 10_000 }
   * ```
   */
  readonly maxConnectionAgeGraceMs?: number | undefined;
  /**
   * Most requests per second of one client address; twice as many at once. Further ones: 429, RESOURCE_EXHAUSTED with
   * RetryInfo. 0: no limit.
   *
   * From 0 to 1000000.
   *
   * @defaultValue `0`
   * @example
   * ```ts
   * { rateLimit: 100 }
   * ```
   */
  readonly rateLimit?: number | undefined;
  /**
   * Whether the receivers use TLS, 1.2 at least. There is no fallback to plaintext.
   *
   * An object means true, with its members.
   *
   * @defaultValue `false`
   * @example
   * ```ts
   * { tls: true }
   * ```
   */
  readonly tls?: boolean | OtlpTlsOptions | undefined;
  /**
   * Whether the gRPC receiver uses TLS, where that is another than tls.
   *
   * An object means true, with its members.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { grpcTls: true }
   * ```
   */
  readonly grpcTls?: boolean | OtlpGrpcTlsOptions | undefined;
  /**
   * Whether the HTTP receiver uses TLS, where that is another than tls.
   *
   * An object means true, with its members.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { httpTls: true }
   * ```
   */
  readonly httpTls?: boolean | OtlpHttpTlsOptions | undefined;
  /**
   * Names that clients may address the receivers by, in Host or :authority, without port. Empty: any. IP addresses and
   * localhost are always allowed.
   *
   * Each: host name.
   *
   * @defaultValue `[]`
   * @example
   * ```ts
   * { allowedHosts: ['otlp.example'] }
   * ```
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Longest time that a request may take to arrive; its headers get a third of it. Then: 408.
   *
   * Milliseconds. At least 1000.
   *
   * @defaultValue `30000`
   * @example
   * ```ts
   * { httpRequestTimeoutMs: 10_000 }
   * ```
   */
  readonly httpRequestTimeoutMs?: number | undefined;
  /**
   * A connection without a request for so long is closed.
   *
   * Milliseconds. At least 1000.
   *
   * @defaultValue `65000`
   * @example
   * ```ts
   * { httpIdleTimeoutMs: 30_000 }
   * ```
   */
  readonly httpIdleTimeoutMs?: number | undefined;
  /**
   * Topics that records go to, by signal.
   */
  readonly topics?: OtlpTopicsOptions | undefined;
  /**
   * What is kept on the disk of this machine.
   */
  readonly spool?: OtlpSpoolOptions | undefined;
  /**
   * Who may send.
   */
  readonly auth?: OtlpAuthOptions | undefined;
  /**
   * Paths of the HTTP receiver.
   */
  readonly paths?: OtlpPathsOptions | undefined;
  /**
   * Web pages that may send (cross-origin resource sharing).
   */
  readonly cors?: OtlpCorsOptions | undefined;
}
