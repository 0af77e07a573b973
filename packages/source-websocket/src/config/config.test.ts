import type { ConfigValue } from '@levada/connect-runtime-core/config';
import { describe, expect, it } from 'vitest';
import { webSocketSourceConnector } from '../connector.ts';

const url = 'ws://feed.example/prices';
const base = { 'websocket.url': url, 'platform.topic': 'prices' };

function checked(raw: Record<string, string>): readonly ConfigValue[] {
  const values = webSocketSourceConnector.config.validate(raw);
  return webSocketSourceConnector.validate?.(raw, values) ?? values;
}

function problems(raw: Record<string, string>): string[] {
  return checked(raw).flatMap((value) => value.errors);
}

describe('configuration', () => {
  it('has the defaults of the documentation', () => {
    const config = webSocketSourceConnector.config.parse(base);
    expect(config).toMatchObject({
      'websocket.subscription.message': null,
      'websocket.reconnect.enabled': true,
      'websocket.reconnect.interval.ms': 5000,
      'websocket.reconnect.max.attempts': -1,
      'websocket.reconnect.backoff.max.ms': 60000,
      'websocket.auth.token': null,
      'websocket.headers': null,
      'websocket.message.queue.size': 10000,
      'websocket.message.queue.bytes': 67108864,
      'websocket.queue.full.policy': 'drop_newest',
      'websocket.queue.full.grace.ms': 30_000,
      'websocket.max.message.size': 16777216,
      'websocket.binary.mode': 'drop',
      'websocket.connection.timeout.ms': 30000,
      'websocket.ping.interval.ms': 30000,
      'websocket.compression': false,
      'websocket.tls.verify': true,
    });
  });

  it.each<[string, Record<string, string>]>([
    ['the smallest one', {}],
    ['a secure endpoint', { 'websocket.url': 'wss://feed.example' }],
    ['an upper-case scheme', { 'websocket.url': 'WS://feed.example' }],
    ['a host with an underscore and unescaped query', { 'websocket.url': 'ws://my_host/?q=a|b {c}' }],
    ['an IPv6 address', { 'websocket.url': 'ws://[::1]:8080/' }],
    ['a JSON subscription', { 'websocket.subscription.message': '{"op":"subscribe"}' }],
    ['a plain subscription', { 'websocket.subscription.message': 'SUBSCRIBE a' }],
    ['a subscription that looks like broken JSON', { 'websocket.subscription.message': '{' }],
    ['a token with blanks around', { 'websocket.auth.token': '  abc  ' }],
    ['an empty token', { 'websocket.auth.token': '' }],
    ['a token of 1000 characters', { 'websocket.auth.token': 'x'.repeat(1000) }],
    ['headers', { 'websocket.headers': 'X-A:b,X-C: d:e' }],
    ['headers as JSON', { 'websocket.headers': '{"X-A":"b,c"}' }],
    ['empty headers', { 'websocket.headers': '' }],
    ['named headers', { 'websocket.headers.X-A': 'b,c' }],
    ['the largest queue', { 'websocket.message.queue.size': '10000000' }],
    ['no connection timeout', { 'websocket.connection.timeout.ms': '0' }],
    ['no reconnect attempts', { 'websocket.reconnect.max.attempts': '0' }],
    ['the old name of the topic', { 'kafka.topic': 'prices' }],
    ['a match rule', { 'websocket.subscription.ack.match': '/ok=true' }],
  ])('%s is valid', (_, raw) => {
    expect(problems({ ...base, ...raw })).toEqual([]);
  });

  it.each<[Record<string, string>, RegExp | string]>([
    [
      { 'websocket.url': '' },
      'Invalid value  for configuration websocket.url: WebSocket URL cannot be empty',
    ],
    [
      { 'websocket.url': 'feed.example' },
      'Invalid value feed.example for configuration websocket.url: WebSocket URL must have a scheme (ws:// or wss://)',
    ],
    [
      { 'websocket.url': 'http://feed.example' },
      'Invalid value http://feed.example for configuration websocket.url: WebSocket URL must use ws:// or wss:// scheme, got: http',
    ],
    [{ 'websocket.url': 'HTTPS://x' }, /must use ws:\/\/ or wss:\/\/ scheme, got: HTTPS$/],
    [{ 'websocket.url': 'ws:' }, /must have a valid host$/],
    [{ 'websocket.url': 'ws://' }, /must have a valid host$/],
    [{ 'websocket.url': 'ws:host' }, /must have a valid host$/],
    [{ 'websocket.url': 'ws:///path' }, /must have a valid host$/],
    [{ 'websocket.url': 'ws://:8080' }, /must have a valid host$/],
    [{ 'websocket.url': 'ws://[invalid' }, /Invalid WebSocket URL syntax: host or port is not valid$/],
    [{ 'websocket.url': 'ws://h:99999' }, /Invalid WebSocket URL syntax/],
    [{ 'websocket.url': 'ws://h/#part' }, /Invalid WebSocket URL syntax: fragment is not allowed$/],
    [{ 'websocket.url': 'ws://h/\u0000x' }, /Invalid WebSocket URL syntax: Illegal character at index 7$/],
    [{ 'websocket.url': 'ws://h/\r\nX: y' }, /Illegal character at index 7$/],
    [{ 'websocket.url': 'ws://evil\\@h/' }, /Illegal character at index 9$/],
    [{ 'websocket.url': `ws://h/${'x'.repeat(100_000)}` }, /longer than 8192 characters$/],
    [{ 'websocket.url': 'ws://169.254.169.254/latest' }, /must not name a link-local, metadata/],
    [{ 'websocket.url': 'ws://2852039166/' }, /must not name a link-local, metadata/],
    [{ 'websocket.url': 'ws://[fe80::1]/' }, /must not name a link-local, metadata/],
    [{ 'websocket.url': 'ws://0.0.0.0/' }, /must not name a link-local, metadata/],
    [{ 'platform.topic': '' }, /for configuration platform\.topic: String must be non-empty$/],
    [{ 'platform.topic': 'a b' }, /for configuration platform\.topic: /],
    [
      { 'websocket.message.queue.size': '0' },
      'Invalid value 0 for configuration websocket.message.queue.size: Value must be at least 1',
    ],
    [{ 'websocket.message.queue.size': '-100' }, /Value must be at least 1$/],
    [{ 'websocket.message.queue.size': '10000001' }, /Value must be no more than 10000000$/],
    [{ 'websocket.reconnect.interval.ms': '0' }, /Value must be at least 1$/],
    [
      { 'websocket.reconnect.interval.ms': '70000' },
      /no more than websocket\.reconnect\.backoff\.max\.ms \(60000\)$/,
    ],
    [
      { 'websocket.proxy.password': 'a' },
      /^websocket\.proxy\.url is required with websocket\.proxy\.password$/,
    ],
    [{ 'websocket.reconnect.max.attempts': '-2' }, /Value must be at least -1$/],
    [{ 'websocket.connection.timeout.ms': '-1' }, /Value must be at least 0$/],
    [{ 'websocket.message.queue.bytes': '1000' }, /at least websocket\.max\.message\.size \(16777216\)$/],
    [{ 'websocket.binary.mode': 'text' }, /String must be one of: drop, base64, utf8, bytes$/],
    [{ 'websocket.subprotocols': 'a,a' }, /must not repeat$/],
    [{ 'websocket.subprotocols': 'a b' }, /must be tokens/],
    [{ 'websocket.close.codes.fail': '1008,no' }, /"no" is not a close code/],
    [{ 'websocket.close.codes.fail': '4999-4000' }, /not a close code/],
    [{ 'websocket.subscription.message': 'x'.repeat(1024 * 1024 + 1) }, /longer than 1048576 bytes$/],
    [
      { 'websocket.tls.client.cert': '/x' },
      'websocket.tls.client.key is required with websocket.tls.client.cert',
    ],
    [
      { 'websocket.tls.client.key': '/x' },
      'websocket.tls.client.cert is required with websocket.tls.client.key',
    ],
    [
      { 'websocket.tls.ca.cert': '/nowhere/ca.pem' },
      'Cannot read TLS certificate: websocket.tls.ca.cert "/nowhere/ca.pem": ENOENT',
    ],
    [{ 'websocket.tls.ca.cert': '/dev/zero' }, /Cannot read TLS certificate: .* not a regular file$/],
    [{ 'websocket.headers.Host': 'x' }, 'Reserved header name: Host'],
    [{ 'websocket.headers.a b': 'x' }, 'Invalid header name: "a b"'],
  ])('%j is refused', (raw, message) => {
    const found = problems({ ...base, ...raw });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(message);
  });

  it.each<[Record<string, string>, string]>([
    [{ 'websocket.headers': 'X-A:b,SECRET' }, 'Header pair 2 has no colon'],
    [{ 'websocket.headers': 'X A:SECRET' }, 'Invalid header name: "X A"'],
    [{ 'websocket.headers': 'X-A:SECRET\r\nX-B:c' }, 'Header value contains illegal CRLF characters: X-A'],
    [
      { 'websocket.headers': 'X-A:SECRET\u0000x' },
      'Header value contains characters that are not allowed in a header: X-A',
    ],
    [{ 'websocket.headers': 'Sec-WebSocket-Key:SECRET' }, 'Reserved header name: Sec-WebSocket-Key'],
    [{ 'websocket.headers': '{"X-A": SECRET' }, 'Headers begin with a brace and are no valid JSON object'],
    [{ 'websocket.headers': '{"X-A": 1}' }, 'Header value is not a string: "X-A"'],
    [{ 'websocket.headers.X-A': 'SECRET\nx' }, 'Header value contains illegal CRLF characters'],
    [{ 'websocket.auth.token': 'SECRET\nx' }, 'Token contains characters that are not allowed in a header'],
    [{ 'websocket.auth.token': 'SECRETü' }, 'Token contains characters that are not allowed in a header'],
    [{ 'websocket.auth.token': `SECRET${'x'.repeat(65_536)}` }, 'Token is longer than 8192 characters'],
  ])('%j is refused without being shown', (raw, message) => {
    const [found, ...more] = problems({ ...base, ...raw });
    expect(more).toEqual([]);
    expect(found).toContain(message);
    expect(found).toContain('Invalid value [hidden] for configuration');
    expect(found).not.toContain('SECRET');
  });

  it('refuses a token of blanks; an empty one means none', () => {
    expect(problems({ ...base, 'websocket.auth.token': '  ' })).toEqual([
      'Invalid value [hidden] for configuration websocket.auth.token: Token is blank',
    ]);
    expect(problems({ ...base, 'websocket.auth.token': '' })).toEqual([]);
  });

  it('reports every problem at once', () => {
    expect(
      problems({
        'websocket.url': 'http://x',
        'websocket.message.queue.size': '0',
        'websocket.reconnect.interval.ms': 'soon',
        'websocket.auth.token': 'a\nb',
        'websocket.message.queue.bytes': 'many',
      }),
    ).toEqual([
      expect.stringMatching(/must use ws/),
      'Missing required configuration "platform.topic" which has no default value.',
      'Invalid value soon for configuration websocket.reconnect.interval.ms: Not a number of type LONG',
      'Invalid value null for configuration websocket.reconnect.interval.ms: Value must be non-null',
      expect.stringMatching(/Token contains/),
      expect.stringMatching(/queue\.size: Value must be at least 1$/),
      'Invalid value many for configuration websocket.message.queue.bytes: Not a number of type LONG',
      'Invalid value null for configuration websocket.message.queue.bytes: Value must be non-null',
    ]);
  });

  it('reports what sound keys have against each other beside the wrong ones', () => {
    const wrong = {
      'websocket.url': 'http://x',
      'websocket.ping.interval.ms': 'soon',
      'websocket.headers.Upgrade': 'h2c',
      'websocket.tls.client.cert': '/nowhere/cert.pem',
      'websocket.message.queue.bytes': '1',
    };
    expect(problems(wrong)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/must use ws/),
        expect.stringMatching(/platform\.topic/),
        expect.stringMatching(/ping\.interval/),
        'Reserved header name: Upgrade',
        'websocket.tls.client.key is required with websocket.tls.client.cert',
        expect.stringMatching(/must be at least websocket\.max\.message\.size/),
      ]),
    );
  });

  it('reports a missing URL with both messages of Connect', () => {
    expect(problems({ 'platform.topic': 't' })).toEqual([
      'Missing required configuration "websocket.url" which has no default value.',
      'Invalid value null for configuration websocket.url: WebSocket URL cannot be null',
    ]);
  });

  it('never shows secrets of the URL, valid or not', () => {
    for (const bad of ['ws://u:SECRET@h/?token=SECRET', 'http://u:SECRET@h/?access_token=SECRET&a=b']) {
      const raw = { ...base, 'websocket.url': bad };
      expect(JSON.stringify(checked(raw))).not.toContain('SECRET');
    }
  });

  it('says of each row that can be set in a service what it is called there', () => {
    const unnamed = webSocketSourceConnector.config.keys.filter((key) => !('option' in key));
    expect(unnamed.map((key) => key.name)).toEqual(['websocket.headers']);
  });

  it('holds only the topic, the reconnect policy and the grace of a full queue as changeable while running', () => {
    const live = webSocketSourceConnector.config.keys.filter((key) => 'update' in key);
    expect(live.map((key) => key.name)).toEqual([
      'platform.topic',
      'websocket.reconnect.interval.ms',
      'websocket.reconnect.max.attempts',
      'websocket.reconnect.backoff.max.ms',
      'websocket.queue.full.grace.ms',
    ]);
  });
});

describe('connector', () => {
  it('has one task whatever is asked for, and both names', () => {
    expect(webSocketSourceConnector).toMatchObject({
      className: 'io.vendor.connect.websocket.WebSocketSourceConnector',
      aliases: ['io.conduktor.connect.websocket.WebSocketSourceConnector'],
      maxTasks: 1,
    });
    expect(webSocketSourceConnector.taskConfigs(base, 5)).toEqual([base]);
  });

  it.each([
    ['ws://feed.example:8080/prices?key=SECRET', 'feed.example_8080_prices'],
    ['wss://user:SECRET@feed.example/', 'feed.example_'],
    [`ws://${'h'.repeat(80)}/`, 'h'.repeat(50)],
    ['', ''],
  ])('names its metrics after the endpoint of %s', (given, shown) => {
    expect(webSocketSourceConnector.objectName('feed', { 'websocket.url': given })).toEqual({
      domain: 'io.vendor.connect.websocket',
      type: 'WebSocketConnector',
      keys: { name: 'feed', url: shown },
    });
  });

  it.each([
    ['drop', 'string'],
    ['base64', 'string'],
    ['utf8', 'string'],
    ['bytes', 'bytes'],
  ])('states with binary mode %s that a converter must take values of type %s', (mode, type) => {
    const config = webSocketSourceConnector.config.parse({ ...base, 'websocket.binary.mode': mode });
    expect(webSocketSourceConnector.produces?.(config)).toEqual({
      key: [],
      value: [type],
      header: [],
    });
  });
});
