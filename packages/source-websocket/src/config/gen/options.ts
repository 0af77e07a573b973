// Written by tools/reference-docs/generate.mjs from the rows of the configuration: do not change by hand.

/** Members of the option `subscription` of {@link WebSocketOptions}. */
interface WebSocketSubscriptionOptions {
  /**
   * Text sent immediately after each opening of the connection, exactly as given; an object is sent as its JSON. Never
   * logged.
   *
   * Allowed: text of at most 1 MiB.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { subscription: { message: { op: 'subscribe', channel: 'prices' } } }
   * ```
   */
  readonly message?: string | Readonly<Record<string, unknown>> | undefined;
  /**
   * What the acknowledgement of the subscription looks like: text it contains, or /json/pointer=value, or /json/pointer that
   * exists. Without it within the timeout, the subscription counts as rejected.
   *
   * Allowed: text, /json/pointer or /json/pointer=value.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { subscription: { ackMatch: '/event=subscribed' } }
   * ```
   */
  readonly ackMatch?: string | undefined;
  /**
   * What a refusal of the subscription looks like, written as in subscription.ackMatch. Looked for until the acknowledgement
   * or the timeout.
   *
   * Allowed: text, /json/pointer or /json/pointer=value.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { subscription: { rejectMatch: '/event=error' } }
   * ```
   */
  readonly rejectMatch?: string | undefined;
  /**
   * How long acknowledgement and refusal are looked for. A server that closes within it without having sent anything has
   * rejected the subscription.
   *
   * Milliseconds. At least 1.
   *
   * @defaultValue `10000`
   * @example
   * ```ts
   * { subscription: { ackTimeoutMs: 5000 } }
   * ```
   */
  readonly ackTimeoutMs?: number | undefined;
}

/** Members of the option `reconnect` of {@link WebSocketOptions}. */
interface WebSocketReconnectOptions {
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

/** Members of the option `ping` of {@link WebSocketOptions}. */
interface WebSocketPingOptions {
  /**
   * Time between pings that check the connection and keep proxies from closing it. 0: none are sent.
   *
   * Milliseconds. At least 0.
   *
   * @defaultValue `30000`
   * @example
   * ```ts
   * { ping: { intervalMs: 10_000 } }
   * ```
   */
  readonly intervalMs?: number | undefined;
  /**
   * A connection over which nothing at all arrives for this long after a ping is given up. May be longer than the interval.
   *
   * Milliseconds. At least 1.
   *
   * @defaultValue `10000`
   * @example
   * ```ts
   * { ping: { timeoutMs: 5000 } }
   * ```
   */
  readonly timeoutMs?: number | undefined;
}

/** Members of the option `closeCodes` of {@link WebSocketOptions}. */
interface WebSocketCloseCodesOptions {
  /**
   * Close codes and ranges after which reconnecting waits at least four times the interval.
   *
   * Allowed: close codes and ranges, for example 1008,4000-4999.
   *
   * @defaultValue `['1008', '1012', '1013']`
   * @example
   * ```ts
   * { closeCodes: { slow: [1008, 1013] } }
   * ```
   */
  readonly slow?: readonly (string | number)[] | undefined;
  /**
   * Close codes and ranges, such as 1008,4000-4999, after which the source fails.
   *
   * Allowed: close codes and ranges, for example 1008,4000-4999.
   *
   * @defaultValue `[]`
   * @example
   * ```ts
   * { closeCodes: { fail: ['4000-4999'] } }
   * ```
   */
  readonly fail?: readonly (string | number)[] | undefined;
}

/** Members of the option `tls` of {@link WebSocketOptions}. */
interface WebSocketTlsOptions {
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
   * The certificate chain that this side shows: a PEM file, or the PEM text itself. Needs tls.key.
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
   * The private key of tls.cert, not encrypted: a PEM file, or a reference to a secret that is the PEM text.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { tls: { key: '/etc/ssl/client-key.pem' } }
   * ```
   */
  readonly key?: string | URL | Uint8Array | undefined;
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
  /**
   * Name that the certificate of the server must have, and that is sent as SNI. Default: the host of the URL.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { tls: { servername: 'feed.example' } }
   * ```
   */
  readonly servername?: string | undefined;
}

/** Members of the option `proxy` of {@link WebSocketOptions}. */
interface WebSocketProxyOptions {
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

/** Options of {@link websocketSource}, in addition to those of every source. Times are milliseconds. */
export interface WebSocketOptions {
  /**
   * Endpoint to read, ws:// or wss://. User info in it is sent as basic authorization.
   *
   * Allowed: ws:// or wss:// URL.
   *
   * @example
   * ```ts
   * { url: 'wss://feed.example/prices' }
   * ```
   */
  readonly url: string | URL;
  /**
   * Topic that records go to. A change holds for messages received after it, without a new connection.
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
  readonly reconnect?: boolean | WebSocketReconnectOptions | undefined;
  /**
   * Bearer token: sent as header "Authorization: Bearer <token>", in place of any other authorization.
   *
   * Allowed: visible ASCII characters. A function is called before each connection.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { token: process.env.TOKEN }
   * ```
   */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /**
   * Headers of the handshake, by name.
   *
   * Allowed: header value. A function is called before each connection.
   *
   * @example
   * ```ts
   * { headers: { 'X-Api-Key': 'key' } }
   * ```
   */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)
    | undefined;
  /**
   * Most messages waiting between the connection and the log.
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
   * { queueBytes: 32 * 1024 * 1024 }
   * ```
   */
  readonly queueBytes?: number | undefined;
  /**
   * What a full queue does: block stops reading from the connection until there is room, so that nothing is lost here;
   * drop_newest drops what arrives, counts it, and emits it as dropped.
   *
   * @defaultValue `'block'`
   * @example
   * ```ts
   * { overflow: 'drop_newest' }
   * ```
   */
  readonly overflow?: 'drop_newest' | 'block' | undefined;
  /**
   * Longest message in bytes, after decompression. A longer one ends the connection with code 1009.
   *
   * Bytes. From 1 to 1073741824.
   *
   * @defaultValue `16777216`
   * @example
   * ```ts
   * { maxMessageSize: 1024 * 1024 }
   * ```
   */
  readonly maxMessageSize?: number | undefined;
  /**
   * How binary messages are handled: drop (counted), base64 (text), utf8 (taken as text, dropped when it is none) or bytes
   * (schema BYTES).
   *
   * @defaultValue `'drop'`
   * @example
   * ```ts
   * { binaryMode: 'bytes' }
   * ```
   */
  readonly binaryMode?: 'drop' | 'base64' | 'utf8' | 'bytes' | undefined;
  /**
   * Longest time from the start of an attempt to the open connection: name lookup, TCP, TLS and handshake. 0: no limit.
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
   * A connection without a message for this long is given up, even when it answers pings. 0: never.
   *
   * Milliseconds. At least 0.
   *
   * @defaultValue `0`
   * @example
   * ```ts
   * { idleTimeoutMs: 60_000 }
   * ```
   */
  readonly idleTimeoutMs?: number | undefined;
  /**
   * Subprotocols to offer, most wanted first. The server must choose one of them.
   *
   * Allowed: names without repetition.
   *
   * @defaultValue `[]`
   * @example
   * ```ts
   * { subprotocols: ['prices.v1'] }
   * ```
   */
  readonly subprotocols?: readonly string[] | undefined;
  /**
   * Whether to offer permessage-deflate (RFC 7692). Compressed messages cost many times the CPU.
   *
   * @defaultValue `false`
   * @example
   * ```ts
   * { compression: true }
   * ```
   */
  readonly compression?: boolean | undefined;
  /**
   * What is sent after each opening of the connection, and what its answer looks like.
   */
  readonly subscription?: WebSocketSubscriptionOptions | undefined;
  /**
   * Pings that notice a dead connection.
   */
  readonly ping?: WebSocketPingOptions | undefined;
  /**
   * What close codes of the server mean.
   */
  readonly closeCodes?: WebSocketCloseCodesOptions | undefined;
  /**
   * Certificates, and what is checked of those of the server.
   */
  readonly tls?: WebSocketTlsOptions | undefined;
  /**
   * The HTTP proxy to connect through.
   */
  readonly proxy?: WebSocketProxyOptions | undefined;
}
