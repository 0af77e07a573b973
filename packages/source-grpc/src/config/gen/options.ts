// Written by tools/reference-docs/generate.mjs from the rows of the configuration: do not change by hand.

/** Members of the option `tls` of {@link GrpcOptions}. */
export interface GrpcTlsOptions {
  /**
   * The authorities that are trusted in place of the built-in ones: a PEM file, or the PEM text itself.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { tls: { ca: '/etc/ssl/feed-ca.pem' } }
   * ```
   */
  readonly ca?: string | URL | Uint8Array | undefined;
  /**
   * The certificate chain that this side shows (mutual TLS): a PEM file, or the PEM text itself. Needs a key.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { tls: { cert: '/etc/ssl/client.pem' } }
   * ```
   */
  readonly cert?: string | URL | Uint8Array | undefined;
  /**
   * PEM file with the private key of tls.cert, not encrypted.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { tls: { key: '/etc/ssl/client-key.pem' } }
   * ```
   */
  readonly key?: string | URL | undefined;
  /**
   * The private key as PEM text, in place of the file in tls.key.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { tls: { keyPem: process.env.CLIENT_KEY } }
   * ```
   */
  readonly keyPem?: string | Uint8Array | undefined;
  /**
   * Whether the certificate of the server must be valid. Only for tests to be switched off.
   *
   * @defaultValue `true`
   * @example
   * ```ts
   * { tls: { verify: false } }
   * ```
   */
  readonly verify?: boolean | undefined;
}

/** Members of the option `oauth2` of {@link GrpcOptions}. */
export interface GrpcOauth2Options {
  /**
   * Token endpoint for OAuth 2.0 client credentials (RFC 6749 section 4.4), https, or http on this machine. The token is
   * sent as authorization and replaced before it expires.
   *
   * Allowed: https URL, or http URL on this machine.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { oauth2: { tokenUrl: 'https://id.example/token' } }
   * ```
   */
  readonly tokenUrl?: string | URL | undefined;
  /**
   * Client identifier for the token endpoint.
   *
   * Allowed: text that is not blank.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { oauth2: { clientId: 'reader' } }
   * ```
   */
  readonly clientId?: string | undefined;
  /**
   * Client secret for the token endpoint.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { oauth2: { clientSecret: process.env.CLIENT_SECRET } }
   * ```
   */
  readonly clientSecret?: string | undefined;
  /**
   * Scopes to ask for, separated by blanks.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { oauth2: { scope: 'prices.read' } }
   * ```
   */
  readonly scope?: string | undefined;
  /**
   * Audience to ask for, where the token endpoint wants one.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { oauth2: { audience: 'https://feed.example' } }
   * ```
   */
  readonly audience?: string | undefined;
}

/** Members of the option `reconnect` of {@link GrpcOptions}. */
export interface GrpcReconnectOptions {
  /**
   * Delay before the first reconnect attempt, in milliseconds. It doubles with each further attempt.
   *
   * Milliseconds. At least 1.
   *
   * @defaultValue `5000`
   * @example
   * ```ts
   * { reconnect: { intervalMs: 1000 } }
   * ```
   */
  readonly intervalMs?: number | undefined;
  /**
   * Reconnect attempts in a row before the source fails; -1 for no limit, 0 for none.
   *
   * At least -1.
   *
   * @defaultValue `-1`
   * @example
   * ```ts
   * { reconnect: { maxAttempts: 10 } }
   * ```
   */
  readonly maxAttempts?: number | undefined;
  /**
   * Upper bound of the delay between reconnect attempts, in milliseconds, jitter included.
   *
   * Milliseconds. At least 1.
   *
   * @defaultValue `60000`
   * @example
   * ```ts
   * { reconnect: { backoffMaxMs: 30_000 } }
   * ```
   */
  readonly backoffMaxMs?: number | undefined;
}

/** Members of the option `keepalive` of {@link GrpcOptions}. */
export interface GrpcKeepaliveOptions {
  /**
   * Time without anything received after which a ping is sent. 0: none are sent. Doubled, up to 5 minutes, when the server
   * complains of too many.
   *
   * Milliseconds. At least 0.
   *
   * @defaultValue `30000`
   * @example
   * ```ts
   * { keepalive: { timeMs: 60_000 } }
   * ```
   */
  readonly timeMs?: number | undefined;
  /**
   * A connection that does not answer a ping within this time is given up.
   *
   * Milliseconds. At least 1.
   *
   * @defaultValue `10000`
   * @example
   * ```ts
   * { keepalive: { timeoutMs: 20_000 } }
   * ```
   */
  readonly timeoutMs?: number | undefined;
}

/** Members of the option `json` of {@link GrpcOptions}. */
export interface GrpcJsonOptions {
  /**
   * Whether fields have their names from the .proto instead of lowerCamelCase.
   *
   * @defaultValue `false`
   * @example
   * ```ts
   * { json: { protoNames: true } }
   * ```
   */
  readonly protoNames?: boolean | undefined;
  /**
   * Whether enums are written as numbers instead of names.
   *
   * @defaultValue `false`
   * @example
   * ```ts
   * { json: { enumsAsIntegers: true } }
   * ```
   */
  readonly enumsAsIntegers?: boolean | undefined;
  /**
   * Whether fields without presence are left out when they hold their default.
   *
   * @defaultValue `false`
   * @example
   * ```ts
   * { json: { omitDefaults: true } }
   * ```
   */
  readonly omitDefaults?: boolean | undefined;
  /**
   * Whether 64-bit integers within 2^53 - 1 are written as numbers; beyond they stay text, as all are otherwise.
   *
   * @defaultValue `false`
   * @example
   * ```ts
   * { json: { safeIntegersAsNumbers: true } }
   * ```
   */
  readonly safeIntegersAsNumbers?: boolean | undefined;
  /**
   * How a message with a string that is not UTF-8 is handled: reject (it cannot be converted), or replace with U+FFFD.
   *
   * @defaultValue `'reject'`
   * @example
   * ```ts
   * { json: { invalidUtf8: 'replace' } }
   * ```
   */
  readonly invalidUtf8?: 'reject' | 'replace' | undefined;
}

/** Members of the option `resume` of {@link GrpcOptions}. */
export interface GrpcResumeOptions {
  /**
   * Field of the request, with dots for nested ones, that sets where the server resumes. It is set when something was
   * received before, also in an earlier run. Needs overflow: 'block'.
   *
   * Allowed: text that is not blank.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { resume: { field: 'after_id' } }
   * ```
   */
  readonly field?: string | undefined;
  /**
   * What the field is set to: sequence (the number of the last message), or a JSON pointer into the last message as JSON,
   * such as /eventId.
   *
   * Allowed: sequence or a JSON pointer that begins with /.
   *
   * @defaultValue `'sequence'`
   * @example
   * ```ts
   * { resume: { from: '/eventId' } }
   * ```
   */
  readonly from?: string | undefined;
}

/** Members of the option `proxy` of {@link GrpcOptions}. */
export interface GrpcProxyOptions {
  /**
   * HTTP proxy (CONNECT) to connect through: http://host:port or https://host:port. none or blank: no proxy. Without it
   * those of the environment count: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, but not for this machine.
   *
   * Allowed: http:// or https:// URL of a proxy, none.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { proxy: { url: 'http://proxy.example:3128' } }
   * ```
   */
  readonly url?: string | URL | undefined;
  /**
   * User for basic authentication at the proxy of proxy.url.
   *
   * Allowed: text without a colon.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { proxy: { username: 'reader' } }
   * ```
   */
  readonly username?: string | undefined;
  /**
   * Password for basic authentication at the proxy of proxy.url.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { proxy: { password: process.env.PROXY_PASSWORD } }
   * ```
   */
  readonly password?: string | undefined;
}

/** Options of {@link grpcSource}, in addition to those of every source. Times are milliseconds. */
export interface GrpcOptions {
  /**
   * Host name or IP address of the server.
   *
   * Allowed: text that is not blank, DNS name or IP address.
   *
   * @example
   * ```ts
   * { host: 'feed.example' }
   * ```
   */
  readonly host: string;
  /**
   * Port of the server.
   *
   * From 1 to 65535.
   *
   * @example
   * ```ts
   * { port: 443 }
   * ```
   */
  readonly port: number;
  /**
   * Fully qualified name of the service, as in the .proto. Case sensitive.
   *
   * Allowed: text that is not blank.
   *
   * @example
   * ```ts
   * { service: 'prices.v1.Feed' }
   * ```
   */
  readonly service: string;
  /**
   * Name of the method, which must be server streaming. Case sensitive. A method of generated code,
   * PriceService.method.watch, also gives service, descriptor and types: then request and records are typed.
   *
   * Allowed: text that is not blank.
   *
   * @example
   * ```ts
   * { method: 'Subscribe' }
   * ```
   */
  readonly method: string;
  /**
   * Topic that each record names: a pipe to a log writes them to it.
   *
   * Allowed: topic name.
   *
   * @example
   * ```ts
   * { topic: 'prices' }
   * ```
   */
  readonly topic: string;
  /**
   * The request message as ProtoJSON, as an object or as text: field names in either case, 64-bit integers as bigint, text
   * or number.
   *
   * Allowed: JSON object.
   *
   * @defaultValue `'{}'`
   * @example
   * ```ts
   * { request: { symbols: ['ABC'] } }
   * ```
   */
  readonly request?: string | Readonly<Record<string, unknown>> | undefined;
  /**
   * The descriptor of the service: the file: URL or path of a .proto file (needs @grpc/proto-loader) or of a descriptor set
   * with all imports, several paths with commas, or the bytes of a set, in base64 too. Without it the server is asked by
   * reflection.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { descriptor: new URL('prices.proto', import.meta.url) }
   * ```
   */
  readonly descriptor?: string | URL | Uint8Array | undefined;
  /**
   * Folders in which imports of .proto files are looked for, in this order. None: the folder of each file. The types of
   * protobuf itself (google/protobuf) need none.
   *
   * @defaultValue `[]`
   * @example
   * ```ts
   * { protoPaths: [new URL('protos/', import.meta.url)] }
   * ```
   */
  readonly protoPaths?: readonly (string | URL)[] | undefined;
  /**
   * Whether a server may be asked for the descriptor (gRPC reflection v1, then v1alpha) when none is configured.
   *
   * @defaultValue `true`
   * @example
   * ```ts
   * { reflection: false }
   * ```
   */
  readonly reflection?: boolean | undefined;
  /**
   * Whether the connection uses TLS. There is no fallback to plaintext.
   *
   * An object means true, with its members.
   *
   * @defaultValue `false`
   * @example
   * ```ts
   * { tls: true }
   * ```
   */
  readonly tls?: boolean | GrpcTlsOptions | undefined;
  /**
   * Metadata of the call, by name. The value of a name that ends in -bin is base64.
   *
   * Allowed: printable ASCII text, or base64 under a name that ends in -bin. A function is called before each connection.
   *
   * @example
   * ```ts
   * { metadata: { 'x-api-key': 'key' } }
   * ```
   */
  readonly metadata?:
    | Readonly<Record<string, string>>
    | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)
    | undefined;
  /**
   * Whether to reconnect after the connection ended. When false, the source fails then.
   *
   * An object means true, with its members.
   *
   * @defaultValue `true`
   * @example
   * ```ts
   * { reconnect: false }
   * ```
   */
  readonly reconnect?: boolean | GrpcReconnectOptions | undefined;
  /**
   * Status codes, by name or number, that end the source with an error when the server answers them. After any other it
   * reconnects.
   *
   * Allowed: names or numbers of gRPC status codes other than OK.
   *
   * @defaultValue `['UNIMPLEMENTED']`
   * @example
   * ```ts
   * { failOnStatus: ['UNIMPLEMENTED', 'PERMISSION_DENIED'] }
   * ```
   */
  readonly failOnStatus?: readonly (string | number)[] | undefined;
  /**
   * What the end of the stream with status OK means: reconnect calls again, stop ends the source when everything is
   * delivered, fail fails it.
   *
   * @defaultValue `'reconnect'`
   * @example
   * ```ts
   * { completion: 'stop' }
   * ```
   */
  readonly completion?: 'reconnect' | 'stop' | 'fail' | undefined;
  /**
   * Most messages that were received and wait to be read.
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
   * Most bytes of all waiting messages together.
   *
   * Bytes. At least 1.
   *
   * @defaultValue `67108864`
   * @example
   * ```ts
   * { queueBytes: 16 * 1024 * 1024 }
   * ```
   */
  readonly queueBytes?: number | undefined;
  /**
   * What a full queue does: block stops reading, so that HTTP/2 flow control holds the server up and nothing is lost;
   * drop_newest does so for overflowGraceMs, and then drops what arrives, counts it, and emits it as dropped.
   *
   * @defaultValue `'block'`
   * @example
   * ```ts
   * { overflow: 'drop_newest' }
   * ```
   */
  readonly overflow?: 'drop_newest' | 'block' | undefined;
  /**
   * With overflow 'drop_newest': how long a full queue holds the server up while nothing is read from it, before messages
   * are dropped. Whatever is read begins it again. 0: drop at once.
   *
   * Milliseconds. From 0 to 86400000.
   *
   * @defaultValue `30000`
   * @example
   * ```ts
   * { overflow: 'drop_newest', overflowGraceMs: 5000 }
   * ```
   */
  readonly overflowGraceMs?: number | undefined;
  /**
   * Longest time from the start of an attempt until calls can be made: name lookup, TCP, TLS and HTTP/2. 0: no limit.
   *
   * Milliseconds. At least 0.
   *
   * @defaultValue `30000`
   * @example
   * ```ts
   * { connectionTimeoutMs: 5000 }
   * ```
   */
  readonly connectionTimeoutMs?: number | undefined;
  /**
   * Longest message in bytes, after decompression. A longer one is skipped, counted and logged, and the stream continues.
   *
   * Bytes. From 1 to 1073741824.
   *
   * @defaultValue `4194304`
   * @example
   * ```ts
   * { maxMessageBytes: 16 * 1024 * 1024 }
   * ```
   */
  readonly maxMessageBytes?: number | undefined;
  /**
   * A stream without a message for this long is given up, even when the connection answers pings. 0: never.
   *
   * Milliseconds. At least 0.
   *
   * @defaultValue `0`
   * @example
   * ```ts
   * { idleTimeoutMs: 300_000 }
   * ```
   */
  readonly idleTimeoutMs?: number | undefined;
  /**
   * Further servers, host:port, of the same service. After each failed attempt the next one is tried, and its name is looked
   * up again.
   *
   * Each: host:port.
   *
   * @defaultValue `[]`
   * @example
   * ```ts
   * { endpoints: ['feed-2.example:443'] }
   * ```
   */
  readonly endpoints?: readonly string[] | undefined;
  /**
   * Name that the server is addressed by: sent as :authority, and with TLS the name that its certificate must have. Default:
   * host and port.
   *
   * Allowed: host or host:port.
   *
   * @example
   * ```ts
   * { authority: 'feed.internal' }
   * ```
   */
  readonly authority?: string | undefined;
  /**
   * How the request is compressed. Answers are read in identity, gzip and deflate whatever this says.
   *
   * @defaultValue `'identity'`
   * @example
   * ```ts
   * { compression: 'gzip' }
   * ```
   */
  readonly compression?: 'identity' | 'gzip' | undefined;
  /**
   * What a record holds: json (text, ProtoJSON), or protobuf (schema BYTES, the message as it came).
   *
   * @defaultValue `'json'`
   * @example
   * ```ts
   * { format: 'protobuf' }
   * ```
   */
  readonly format?: 'json' | 'protobuf' | undefined;
  /**
   * JSON pointer (RFC 6901) into the message as JSON, such as /customer/id, to what becomes the key. A message without it
   * has key null.
   *
   * Allowed: JSON pointer that begins with /.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { key: '/customer/id' }
   * ```
   */
  readonly key?: string | undefined;
  /**
   * Whether records have the headers session.id, sequence and received.at.
   *
   * @defaultValue `false`
   * @example
   * ```ts
   * { headers: true }
   * ```
   */
  readonly headers?: boolean | undefined;
  /**
   * Topic for messages that cannot be converted, as base64 text with headers that say why. Without it they are dropped and
   * counted.
   *
   * Allowed: topic name.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { deadLetterTopic: 'prices-unreadable' }
   * ```
   */
  readonly deadLetterTopic?: string | undefined;
  /**
   * Tokens by OAuth 2.0 client credentials, sent as authorization.
   */
  readonly oauth2?: GrpcOauth2Options | undefined;
  /**
   * Pings that notice a dead connection.
   */
  readonly keepalive?: GrpcKeepaliveOptions | undefined;
  /**
   * What JSON looks like.
   */
  readonly json?: GrpcJsonOptions | undefined;
  /**
   * Where a new stream resumes.
   */
  readonly resume?: GrpcResumeOptions | undefined;
  /**
   * The HTTP proxy to connect through.
   */
  readonly proxy?: GrpcProxyOptions | undefined;
}
