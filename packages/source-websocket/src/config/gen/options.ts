// Written by tools/reference-docs/generate.mjs from the rows of the configuration: do not change by hand.

/** Members of the option `subscription` of {@link WebSocketOptions}. */
export interface WebSocketSubscriptionOptions {
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
   * Allowed: text, =text, ^text, /json/pointer or /json/pointer=value.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { subscription: { message: { op: 'subscribe', channel: 'prices' }, ackMatch: '/event=subscribed' } }
   * ```
   */
  readonly ackMatch?: string | undefined;
  /**
   * What a refusal of the subscription looks like, written as in subscription.ackMatch. Looked for until the acknowledgement
   * or the timeout.
   *
   * Allowed: text, =text, ^text, /json/pointer or /json/pointer=value.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { subscription: { message: { op: 'subscribe', channel: 'prices' }, rejectMatch: '/event=error' } }
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
   * { subscription: { message: { op: 'subscribe', channel: 'prices' }, ackTimeoutMs: 5000 } }
   * ```
   */
  readonly ackTimeoutMs?: number | undefined;
}

/** Members of each object in the list `handshake` of {@link WebSocketOptions}. */
export interface WebSocketHandshakeOptions {
  /**
   * Text to send, an object as its JSON; nothing is sent without it, only waited. It may hold {{secret:name}},
   * {{reply:/json/pointer}} of the last reply, {{reply.1:/json/pointer}} of the first one, {{time.ms}}, {{time.s}} and
   * {{count}}. Never logged.
   *
   * Allowed: text of at most 1 MiB.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { handshake: [{ send: { op: 'login', key: '{{secret:key}}' } }] }
   * ```
   */
  readonly send?: string | Readonly<Record<string, unknown>> | undefined;
  /**
   * What the reply looks like: text it contains, =text for the whole message, ^text for its beginning, /json/pointer=value,
   * or /json/pointer that exists. The next object of the list waits for it. It is not a record.
   *
   * Allowed: text, =text, ^text, /json/pointer or /json/pointer=value.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { handshake: [{ expect: '/event=login' }] }
   * ```
   */
  readonly expect?: string | undefined;
  /**
   * What a refusal looks like, written as in handshake[].expect. Looked for while the reply is expected, and before it. The
   * connection is closed then, and made again.
   *
   * Allowed: text, =text, ^text, /json/pointer or /json/pointer=value.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { handshake: [{ reject: '/event=error' }] }
   * ```
   */
  readonly reject?: string | undefined;
  /**
   * How long the reply is waited for; then the connection is closed, and made again.
   *
   * Milliseconds. At least 1.
   *
   * @defaultValue `10000`
   * @example
   * ```ts
   * { handshake: [{ timeoutMs: 5000 }] }
   * ```
   */
  readonly timeoutMs?: number | undefined;
}

/** Members of each object in the list `control` of {@link WebSocketOptions}. */
export interface WebSocketControlOptions {
  /**
   * Which messages are no records but part of the protocol, such as acknowledgements and pings of the server; written as in
   * handshake[].expect. They are counted as ControlMessages.
   *
   * Allowed: text, =text, ^text, /json/pointer or /json/pointer=value.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { control: [{ match: '/event=ping' }] }
   * ```
   */
  readonly match?: string | undefined;
  /**
   * Text that answers messages of control[].match, an object as its JSON. It may hold {{message:/json/pointer}} of the
   * message that it answers, beside what messages of the handshake may hold.
   *
   * Allowed: text of at most 1 MiB.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { control: [{ reply: { event: 'pong', id: '{{message:/id}}' } }] }
   * ```
   */
  readonly reply?: string | Readonly<Record<string, unknown>> | undefined;
  /**
   * Whether messages of control[].match mean that nothing more comes, such as the end of a channel: the connection is closed
   * then, and made again.
   *
   * @defaultValue `false`
   * @example
   * ```ts
   * { control: [{ reconnect: true }] }
   * ```
   */
  readonly reconnect?: boolean | undefined;
}

/** Members of the option `heartbeat` of {@link WebSocketOptions}. */
export interface WebSocketHeartbeatOptions {
  /**
   * Text sent at an interval, an object as its JSON, for servers that want to hear from their clients. It may hold what
   * messages of the handshake may hold.
   *
   * Allowed: text of at most 1 MiB.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { heartbeat: { send: { op: 'ping' } } }
   * ```
   */
  readonly send?: string | Readonly<Record<string, unknown>> | undefined;
  /**
   * Time between heartbeats. The first is sent after this time, counted from the end of the handshake.
   *
   * Milliseconds. At least 1.
   *
   * @defaultValue `30000`
   * @example
   * ```ts
   * { heartbeat: { send: { op: 'ping' }, intervalMs: 15_000 } }
   * ```
   */
  readonly intervalMs?: number | undefined;
  /**
   * What the reply to a heartbeat looks like, written as in handshake[].expect. Replies are not records; without one in time
   * the connection is given up.
   *
   * Allowed: text, =text, ^text, /json/pointer or /json/pointer=value.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { heartbeat: { expect: '/op=pong' } }
   * ```
   */
  readonly expect?: string | undefined;
  /**
   * How long the reply to a heartbeat is waited for.
   *
   * Milliseconds. At least 1.
   *
   * @defaultValue `10000`
   * @example
   * ```ts
   * { heartbeat: { expect: '/op=pong', timeoutMs: 5000 } }
   * ```
   */
  readonly timeoutMs?: number | undefined;
}

/** Members of the option `renewal` of {@link WebSocketOptions}. */
export interface WebSocketRenewalOptions {
  /**
   * Text that renews the session before it expires, an object as its JSON; the functions in secrets and token are called
   * before it. It may hold what messages of the handshake may hold. Without it, but with a time of renewal, the connection
   * is made again instead.
   *
   * Allowed: text of at most 1 MiB.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { renewal: { send: { op: 'login', token: '{{secret:token}}' } } }
   * ```
   */
  readonly send?: string | Readonly<Record<string, unknown>> | undefined;
  /**
   * Time between renewals. 0: only at the time that follows from renewal.expiresPointer.
   *
   * Milliseconds. At least 0.
   *
   * @defaultValue `0`
   * @example
   * ```ts
   * { renewal: { intervalMs: 3_000_000 } }
   * ```
   */
  readonly intervalMs?: number | undefined;
  /**
   * Where replies of the handshake and of renewals say in how many seconds the session expires: a JSON pointer (RFC 6901).
   * The last reply that says so counts, before renewal.intervalMs.
   *
   * Allowed: JSON pointer.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { renewal: { expiresPointer: '/result/expires_in' } }
   * ```
   */
  readonly expiresPointer?: string | undefined;
  /**
   * How long before the session expires it is renewed, but not before half of its time has passed.
   *
   * Milliseconds. At least 0.
   *
   * @defaultValue `60000`
   * @example
   * ```ts
   * { renewal: { expiresPointer: '/result/expires_in', leadMs: 30_000 } }
   * ```
   */
  readonly leadMs?: number | undefined;
  /**
   * What the reply to a renewal looks like, written as in handshake[].expect. It is not a record; without it in time the
   * connection is made again.
   *
   * Allowed: text, =text, ^text, /json/pointer or /json/pointer=value.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { renewal: { expect: '/event=login' } }
   * ```
   */
  readonly expect?: string | undefined;
  /**
   * What a refusal of a renewal looks like, looked for while its reply is expected, and before it. The connection is made
   * again then.
   *
   * Allowed: text, =text, ^text, /json/pointer or /json/pointer=value.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { renewal: { reject: '/event=error' } }
   * ```
   */
  readonly reject?: string | undefined;
  /**
   * How long the reply to a renewal is waited for.
   *
   * Milliseconds. At least 1.
   *
   * @defaultValue `10000`
   * @example
   * ```ts
   * { renewal: { expect: '/event=login', timeoutMs: 5000 } }
   * ```
   */
  readonly timeoutMs?: number | undefined;
}

/** Members of the option `sequence` of {@link WebSocketOptions}. */
export interface WebSocketSequenceOptions {
  /**
   * Where messages have a number that grows by one with each: a JSON pointer (RFC 6901). Missing numbers are counted, logged
   * and emitted as gaps, also those between two connections. Each message is parsed for it.
   *
   * Allowed: JSON pointer.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { sequence: { pointer: '/sequence' } }
   * ```
   */
  readonly pointer?: string | undefined;
  /**
   * Where messages name what they are numbered by, such as a channel or a product: a JSON pointer (RFC 6901). Without it all
   * messages have one sequence. The last number of at most 10,000 names is remembered, or of fewer if they are longer than 1
   * MiB together; a message with a name above 1 KiB counts as having no number.
   *
   * Allowed: JSON pointer.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { sequence: { keyPointer: '/product_id' } }
   * ```
   */
  readonly keyPointer?: string | undefined;
  /**
   * Text that asks for missing numbers, an object as its JSON: {{from}} and {{to}} are the first and the last of them,
   * {{last}} is the one before, {{key}} what they are numbered by. It may also hold what messages of the handshake may hold.
   * What is sent again follows later, in the order of arrival.
   *
   * Allowed: text of at most 1 MiB.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { sequence: { replay: { op: 'replay', from: '{{from}}', to: '{{to}}' } } }
   * ```
   */
  readonly replay?: string | Readonly<Record<string, unknown>> | undefined;
  /**
   * Longest gap that is asked for. Longer ones are only counted.
   *
   * At least 1.
   *
   * @defaultValue `10000`
   * @example
   * ```ts
   * { sequence: { replay: { op: 'replay', from: '{{from}}', to: '{{to}}' }, replayLimit: 1000 } }
   * ```
   */
  readonly replayLimit?: number | undefined;
  /**
   * Text sent after the handshake and the subscription of each connection but the first, an object as its JSON, for servers
   * that continue after a number: {{last}} is the last one received, {{from}} the next. Not together with
   * sequence.keyPointer.
   *
   * Allowed: text of at most 1 MiB.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { sequence: { resume: { op: 'resume', after: '{{last}}' } } }
   * ```
   */
  readonly resume?: string | Readonly<Record<string, unknown>> | undefined;
}

/** Members of the option `reconnect` of {@link WebSocketOptions}. */
export interface WebSocketReconnectOptions {
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
export interface WebSocketPingOptions {
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
   * { ping: { intervalMs: 10_000, timeoutMs: 5000 } }
   * ```
   */
  readonly timeoutMs?: number | undefined;
}

/** Members of the option `closeCodes` of {@link WebSocketOptions}. */
export interface WebSocketCloseCodesOptions {
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
export interface WebSocketTlsOptions {
  /**
   * The authorities that are trusted in place of the built-in ones: a PEM file, or the PEM text itself.
   *
   * Default: none.
   *
   * @example
   * ```ts
   * { url: 'wss://feed.example/prices', tls: { ca: '/etc/ssl/feed-ca.pem' } }
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
   * { url: 'wss://feed.example/prices', tls: { cert: '/etc/ssl/client.pem' } }
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
   * { url: 'wss://feed.example/prices', tls: { key: '/etc/ssl/client-key.pem' } }
   * ```
   */
  readonly key?: string | URL | Uint8Array | undefined;
  /**
   * Whether the certificate of the server must be valid. Only for tests to be switched off.
   *
   * @defaultValue `true`
   * @example
   * ```ts
   * { url: 'wss://feed.example/prices', tls: { verify: false } }
   * ```
   */
  readonly verify?: boolean | undefined;
  /**
   * Name that the certificate of the server must have, and that is sent as SNI. Default: the host of the URL.
   *
   * @example
   * ```ts
   * { url: 'wss://feed.example/prices', tls: { servername: 'feed.example' } }
   * ```
   */
  readonly servername?: string | undefined;
}

/** Members of the option `proxy` of {@link WebSocketOptions}. */
export interface WebSocketProxyOptions {
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
   * Texts that are shown nowhere, for messages: {{secret:key}} in a message is the member key of this object.
   *
   * Allowed: text that is not empty. A function is called before each connection.
   *
   * @example
   * ```ts
   * { secrets: { key: process.env.API_KEY ?? '' } }
   * ```
   */
  readonly secrets?:
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
   * Longest message in bytes, after decompression. A longer one ends the connection with code 1009.
   *
   * Bytes. From 1 to 1073741824.
   *
   * @defaultValue `16777216`
   * @example
   * ```ts
   * { maxMessageBytes: 1024 * 1024 }
   * ```
   */
  readonly maxMessageBytes?: number | undefined;
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
   * Messages sent one after another when the connection is open, before the subscription, each waiting for its reply.
   */
  readonly handshake?: readonly WebSocketHandshakeOptions[] | undefined;
  /**
   * Messages that are part of the protocol and no records, and what they are answered with; the first that matches counts.
   */
  readonly control?: readonly WebSocketControlOptions[] | undefined;
  /**
   * A message that is sent at an interval.
   */
  readonly heartbeat?: WebSocketHeartbeatOptions | undefined;
  /**
   * How the session is renewed before it expires.
   */
  readonly renewal?: WebSocketRenewalOptions | undefined;
  /**
   * Numbers of messages, by which missing ones are noticed and asked for.
   */
  readonly sequence?: WebSocketSequenceOptions | undefined;
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
