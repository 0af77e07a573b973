import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConfigValue } from '@levada/connect-runtime-core/config';
import { testDescriptor } from '@levada/test-peers/grpc';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grpcSourceConnector } from '../connector.ts';
import { configProblems } from './checks.ts';

const base = {
  'grpc.server.host': 'feed.example',
  'grpc.server.port': '9090',
  'grpc.service.name': 'teststream.RichService',
  'grpc.method.name': 'Watch',
  'platform.topic': 'events',
};

let folder: string;
/** With a descriptor, so that method, request and resume field are checked. */
let described: Record<string, string>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'levada-config-'));
  writeFileSync(join(folder, 'set.binpb'), testDescriptor());
  described = { ...base, 'grpc.proto.descriptor': join(folder, 'set.binpb') };
});
afterAll(() => rmSync(folder, { recursive: true }));

function checked(raw: Record<string, string>): readonly ConfigValue[] {
  const values = grpcSourceConnector.config.validate(raw);
  return grpcSourceConnector.validate?.(raw, values) ?? values;
}

/** `key: message` of every error. */
function problems(raw: Record<string, string>): string[] {
  return checked(raw).flatMap(({ name, errors }) => errors.map((error) => `${name}: ${error}`));
}

const pem = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey;

describe('configuration', () => {
  it('has the defaults of the documentation', () => {
    expect(grpcSourceConnector.config.parse(base)).toMatchObject({
      'grpc.request.message': '{}',
      'grpc.proto.descriptor': null,
      'grpc.tls.enabled': false,
      'grpc.tls.ca.cert': null,
      'grpc.tls.client.cert': null,
      'grpc.tls.client.key': null,
      'grpc.metadata': null,
      'grpc.reconnect.enabled': true,
      'grpc.reconnect.interval.ms': 5000,
      'grpc.reconnect.max.attempts': -1,
      'grpc.reconnect.backoff.max.ms': 60_000,
      'grpc.message.queue.size': 10_000,
      'grpc.connection.timeout.ms': 30_000,
      'grpc.keepalive.time.ms': 30_000,
      'grpc.keepalive.timeout.ms': 10_000,
      'grpc.max.inbound.message.size': 4_194_304,
    });
  });

  it.each<[string, Record<string, string>]>([
    ['the smallest one', {}],
    ['an IPv4 address', { 'grpc.server.host': '10.0.0.1' }],
    ['an IPv6 address', { 'grpc.server.host': '::1' }],
    ['an IPv6 address in brackets', { 'grpc.server.host': '[::1]' }],
    ['a name with an underscore', { 'grpc.server.host': 'my_host' }],
    ['an international name', { 'grpc.server.host': 'xn--bcher-kva.example' }],
    ['the highest port', { 'grpc.server.port': ' 65535 ' }],
    ['TLS with built-in authorities', { 'grpc.tls.enabled': 'TRUE' }],
    ['metadata', { 'grpc.metadata': 'authorization:Bearer abc, x-client: a:b' }],
    ['named metadata', { 'grpc.metadata.x-list': 'a,b', 'grpc.metadata.trace-bin': 'AAECAw' }],
    ['no keepalive', { 'grpc.keepalive.time.ms': '0' }],
    ['keepalive below a second', { 'grpc.keepalive.time.ms': '1' }],
    ['no connection timeout', { 'grpc.connection.timeout.ms': '0' }],
    ['no reconnect attempts', { 'grpc.reconnect.max.attempts': '0' }],
    ['the largest queue', { 'grpc.message.queue.size': '10000000' }],
    ['further servers', { 'grpc.server.endpoints': 'a:1, [::1]:2' }],
    ['status codes', { 'grpc.fail.on.status': 'UNIMPLEMENTED,16' }],
    ['no status codes', { 'grpc.fail.on.status': '' }],
    ['a record key', { 'grpc.record.key': '/a~1b/0' }],
    ['raw messages', { 'grpc.message.format': 'protobuf' }],
    [
      'a resumed request',
      {
        'grpc.request.resume.field': 'cursor.token',
        'grpc.request.resume.from': '/eventId',
        'grpc.queue.full.policy': 'block',
      },
    ],
    [
      'OAuth',
      {
        'grpc.oauth2.token.url': 'https://id.example/token?tenant=1',
        'grpc.oauth2.client.id': 'id',
        'grpc.oauth2.client.secret': 'secret',
      },
    ],
    [
      'OAuth on this machine',
      {
        'grpc.oauth2.token.url': 'http://127.0.0.1:8080/token',
        'grpc.oauth2.client.id': 'id',
        'grpc.oauth2.client.secret': 'secret',
      },
    ],
    ['a dead-letter topic', { 'grpc.dead.letter.topic': 'dead' }],
    ['the old name of the topic', { 'kafka.topic': 'events' }],
  ])('%s is valid', (_, raw) => {
    expect(problems({ ...base, ...raw })).toEqual([]);
    expect(problems({ ...described, ...raw })).toEqual([]);
  });

  it.each<[Record<string, string>, RegExp | string]>([
    [{ 'grpc.server.port': '0' }, 'grpc.server.port: Invalid port number'],
    [{ 'grpc.server.port': '65536' }, 'grpc.server.port: Invalid port number'],
    [{ 'grpc.server.port': '-1' }, 'grpc.server.port: Invalid port number'],
    [{ 'grpc.server.host': '' }, /^grpc\.server\.host: .*String must be non-blank$/],
    [{ 'grpc.server.host': 'unix:/run/x' }, /Host must be a DNS name or an IP address$/],
    [{ 'grpc.server.host': 'dns:///e' }, /Host must be a DNS name or an IP address$/],
    [{ 'grpc.server.host': 'http://h' }, /Host must be a DNS name or an IP address$/],
    [{ 'grpc.server.host': 'h:1' }, /Host must be a DNS name or an IP address$/],
    [{ 'grpc.server.host': 'a b' }, /Host must be a DNS name or an IP address$/],
    [{ 'grpc.server.host': 'user@h' }, /Host must be a DNS name or an IP address$/],
    [{ 'grpc.server.host': '[::1' }, /Host must be a DNS name or an IP address$/],
    [{ 'grpc.server.host': 'x'.repeat(254) }, /Host must be a DNS name or an IP address$/],
    [{ 'grpc.server.host': 'bücher.example' }, /Host must be a DNS name or an IP address$/],
    [{ 'grpc.server.host': '169.254.169.254' }, /Host must not be a link-local, metadata/],
    [{ 'grpc.service.name': ' ' }, /^grpc\.service\.name: .*String must be non-blank$/],
    [{ 'grpc.method.name': '' }, /^grpc\.method\.name: .*String must be non-blank$/],
    [{ 'platform.topic': 'a b' }, /^platform\.topic: /],
    [{ 'grpc.request.message': '{' }, /^grpc\.request\.message: .*String must be valid JSON$/],
    [{ 'grpc.request.message': '[]' }, /^grpc\.request\.message: .*Request must be a JSON object$/],
    [{ 'grpc.tls.enabled': 'yes' }, /^grpc\.tls\.enabled: .*Expected value to be either true or false$/],
    [{ 'grpc.message.queue.size': '-100' }, /Value must be at least 1$/],
    [{ 'grpc.message.queue.size': '10000001' }, /Value must be no more than 10000000$/],
    [{ 'grpc.reconnect.interval.ms': '-1000' }, /Value must be at least 1$/],
    [{ 'grpc.reconnect.max.attempts': '-2' }, /Value must be at least -1$/],
    [{ 'grpc.keepalive.time.ms': '-1' }, /Value must be at least 0$/],
    [{ 'grpc.server.endpoints': 'a:1,b' }, /"b" is not host:port/],
    [{ 'grpc.authority': 'a b' }, /Authority must be a name or an address/],
    [{ 'grpc.fail.on.status': 'OK' }, /"OK" is no gRPC status code/],
    [{ 'grpc.record.key': 'customer' }, /String must be a JSON pointer/],
    [{ 'grpc.record.key': '' }, /String must be a JSON pointer/],
    [{ 'grpc.oauth2.token.url': 'ftp://x/' }, /URL must begin with https:\/\/ or http:\/\/$/],
    [
      { 'grpc.message.queue.bytes': '1000' },
      'grpc.message.queue.bytes: Invalid value 1000 for configuration grpc.message.queue.bytes: Value must be at least grpc.max.inbound.message.size (4194304)',
    ],
    [
      { 'grpc.reconnect.interval.ms': '70000' },
      'grpc.reconnect.interval.ms: Invalid value 70000 for configuration grpc.reconnect.interval.ms: Value must be no more than grpc.reconnect.backoff.max.ms (60000)',
    ],
    [
      { 'grpc.reflection.enabled': 'false' },
      'grpc.proto.descriptor: Invalid proto descriptor: grpc.proto.descriptor is not set, and grpc.reflection.enabled is false',
    ],
    [
      { 'grpc.proto.descriptor': ' ', 'grpc.reflection.enabled': 'false' },
      'grpc.proto.descriptor: Invalid proto descriptor: grpc.proto.descriptor is not set, and grpc.reflection.enabled is false',
    ],
    [{ 'grpc.metadata.host': 'x' }, 'grpc.metadata.host: Reserved metadata key: host'],
    [{ 'grpc.metadata.a b': 'x' }, /^grpc\.metadata\.a b: Invalid metadata key "a b"/],
    [{ 'grpc.metadata.x-a': '1', 'grpc.metadata.X-A': '2' }, /there twice, in different case: x-a$/],
    [{ 'grpc.tls.ca.cert': '/x' }, 'grpc.tls.ca.cert: grpc.tls.ca.cert needs grpc.tls.enabled=true'],
    [
      { 'grpc.tls.enabled': 'true', 'grpc.tls.client.cert': '/x' },
      'grpc.tls.client.key: grpc.tls.client.key or grpc.tls.client.key.pem is required with grpc.tls.client.cert',
    ],
    [
      { 'grpc.tls.enabled': 'true', 'grpc.tls.client.key': '/x' },
      'grpc.tls.client.cert: grpc.tls.client.cert is required with grpc.tls.client.key',
    ],
    [
      { 'grpc.tls.enabled': 'true', 'grpc.tls.client.key.pem': pem },
      'grpc.tls.client.cert: grpc.tls.client.cert is required with grpc.tls.client.key.pem',
    ],
    [
      {
        'grpc.tls.enabled': 'true',
        'grpc.tls.client.cert': '/x',
        'grpc.tls.client.key': '/x',
        'grpc.tls.client.key.pem': pem,
      },
      'grpc.tls.client.key.pem: grpc.tls.client.key.pem and grpc.tls.client.key may not both be set',
    ],
    [
      { 'grpc.tls.enabled': 'true', 'grpc.tls.ca.cert': '/nowhere/ca.pem' },
      'grpc.tls.ca.cert: Cannot read TLS certificate: grpc.tls.ca.cert "/nowhere/ca.pem": ENOENT',
    ],
    [
      { 'grpc.tls.enabled': 'true', 'grpc.tls.ca.cert': '/dev/zero' },
      /^grpc\.tls\.ca\.cert: Cannot read TLS certificate: .* not a regular file$/,
    ],
    [
      { 'grpc.oauth2.client.id': 'x' },
      'grpc.oauth2.token.url: grpc.oauth2.token.url is required with grpc.oauth2.client.id',
    ],
    [{ 'grpc.oauth2.scope': 'x' }, /^grpc\.oauth2\.token\.url: .* is required with grpc\.oauth2\.scope$/],
    [
      { 'grpc.oauth2.token.url': 'https://x/', 'grpc.oauth2.client.id': 'x' },
      'grpc.oauth2.client.secret: grpc.oauth2.client.secret is required with grpc.oauth2.token.url',
    ],
    [
      {
        'grpc.oauth2.token.url': 'https://x/',
        'grpc.oauth2.client.id': 'x',
        'grpc.oauth2.client.secret': 'x',
        'grpc.metadata.Authorization': 'x',
      },
      /^grpc\.oauth2\.token\.url: .* and authorization in the metadata may not both be set/,
    ],
    [
      {
        'grpc.oauth2.token.url': 'https://x/',
        'grpc.oauth2.client.id': 'x',
        'grpc.oauth2.client.secret': 'x',
        'grpc.metadata': 'x-a:b,Authorization:x',
      },
      /^grpc\.oauth2\.token\.url: .* and authorization in the metadata may not both be set/,
    ],
    [
      { 'grpc.proxy.username': 'user' },
      'grpc.proxy.url: grpc.proxy.url is required with grpc.proxy.username',
    ],
    [
      { 'grpc.request.resume.field': 'cursor.token' },
      /^grpc\.request\.resume\.field: grpc\.request\.resume\.field needs grpc\.queue\.full\.policy=block/,
    ],
    [
      { 'grpc.request.resume.from': '/eventId' },
      'grpc.request.resume.from: grpc.request.resume.from needs grpc.request.resume.field',
    ],
    [
      { 'grpc.message.format': 'protobuf', 'grpc.record.key': '/a' },
      'grpc.record.key: grpc.record.key needs grpc.message.format=json',
    ],
    [
      { 'grpc.message.format': 'protobuf', 'grpc.json.omit.defaults': 'true' },
      'grpc.json.omit.defaults: grpc.json.omit.defaults needs grpc.message.format=json',
    ],
    [
      { 'grpc.dead.letter.topic': 'events' },
      'grpc.dead.letter.topic: Invalid value events for configuration grpc.dead.letter.topic: Topic must differ from platform.topic',
    ],
  ])('%j is refused', (raw, message) => {
    const found = problems({ ...base, ...raw });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(message);
  });

  it.each(['9090x', '0x50', '9 090', ''])('%j is no port, with both messages', (port) => {
    expect(problems({ ...base, 'grpc.server.port': port })).toEqual([
      `grpc.server.port: Invalid value ${port} for configuration grpc.server.port: Not a number of type INT`,
      'grpc.server.port: Invalid port number',
    ]);
  });

  it.each<[Record<string, string>, string]>([
    [{ 'grpc.metadata': 'x-a:b,SECRET' }, 'Metadata pair 2 is not of the form'],
    [{ 'grpc.metadata': 'x-a:SECRET\r\nb' }, 'Metadata value of x-a contains control characters'],
    [{ 'grpc.metadata.x-a': 'SECRET\u0000x' }, 'Metadata value contains control characters'],
    [{ 'grpc.metadata.x-bin': 'SECRET!' }, 'Metadata value is not base64: x-bin'],
    [{ 'grpc.oauth2.token.url': 'https://u:SECRET@x/' }, 'URL may not hold a user or password'],
    [
      { 'grpc.oauth2.token.url': 'http://x/?token=SECRET' },
      'URL must begin with https:// unless it is on this machine',
    ],
    [{ 'grpc.oauth2.token.url': 'https://169.254.169.254/?a=SECRET' }, 'Host must not be a link-local'],
    [{ 'grpc.oauth2.token.url': 'https://x /SECRET' }, 'URL may not contain blanks'],
  ])('%j is refused without being shown', (raw, message) => {
    const values = checked({ ...base, ...raw });
    const found = values.flatMap(({ errors }) => errors);
    expect(found[0]).toContain(message);
    expect(JSON.stringify(found)).not.toContain('SECRET');
  });

  it('shows no secret, valid or not', () => {
    const secrets = {
      'grpc.metadata': 'authorization:SECRET',
      'grpc.metadata.x-a': 'SECRET',
      'grpc.oauth2.token.url': 'https://u:SECRET@x/?key=SECRET',
      'grpc.oauth2.client.secret': 'SECRET',
      'grpc.tls.client.key.pem': 'SECRET',
    };
    expect(JSON.stringify(checked({ ...base, ...secrets }))).not.toContain('SECRET');
  });
});

describe('configuration with a descriptor', () => {
  it.each<[Record<string, string>, string | RegExp]>([
    [
      { 'grpc.proto.descriptor': '/nowhere/x.pb' },
      'grpc.proto.descriptor: Invalid proto descriptor: "/nowhere/x.pb": ENOENT',
    ],
    [
      { 'grpc.proto.descriptor': 'AAAA' },
      /^grpc\.proto\.descriptor: Invalid proto descriptor: "AAAA" is neither/,
    ],
    [{ 'grpc.service.name': 'a.B' }, 'grpc.service.name: Service not found in descriptor: a.B'],
    [
      { 'grpc.method.name': 'watch' },
      'grpc.method.name: Method not found in service teststream.RichService: watch, did you mean "Watch"?',
    ],
    [
      { 'grpc.service.name': 'teststream.TestStreamService', 'grpc.method.name': 'GetEvent' },
      'grpc.method.name: Method is not server-streaming: teststream.TestStreamService/GetEvent is unary',
    ],
    [
      { 'grpc.request.message': '{"cursor":{"sequence":1.5}}' },
      'grpc.request.message: grpc.request.message: cursor.sequence: expected a 64-bit integer',
    ],
    [
      { 'grpc.request.resume.field': 'cursor.tokn', 'grpc.queue.full.policy': 'block' },
      'grpc.request.resume.field: grpc.request.resume.field: cursor.tokn: unknown field of teststream.WatchRequest.Cursor, did you mean "token"?',
    ],
    [
      { 'grpc.reflection.enabled': 'false', 'grpc.method.name': 'X' },
      /^grpc\.method\.name: Method not found/,
    ],
  ])('%j is refused', (raw, message) => {
    const found = problems({ ...described, ...raw });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(message);
  });

  it('reports all problems of a configuration at once', () => {
    const wrong = {
      ...described,
      'grpc.server.host': 'http://x',
      'grpc.server.port': '0',
      'grpc.tls.enabled': 'true',
      'grpc.tls.ca.cert': '/nowhere/ca.pem',
      'grpc.request.message': '{"filtr":1}',
      'grpc.request.resume.field': 'nothing',
      'grpc.metadata.te': 'x',
      'grpc.message.queue.bytes': '1',
      'grpc.reconnect.max.attempts': 'many',
    };
    expect(problems(wrong).map((problem) => problem.split(': ', 1)[0])).toEqual([
      'grpc.server.host',
      'grpc.server.port',
      'grpc.request.message',
      'grpc.tls.ca.cert',
      'grpc.metadata.te',
      'grpc.reconnect.max.attempts',
      'grpc.reconnect.max.attempts',
      'grpc.message.queue.bytes',
      'grpc.request.resume.field',
      'grpc.request.resume.field',
    ]);
  });

  it('reports missing keys together with a descriptor that cannot be read', () => {
    expect(problems({ 'grpc.proto.descriptor': '/nowhere/x.pb' })).toEqual([
      'grpc.server.host: Missing required configuration "grpc.server.host" which has no default value.',
      'grpc.server.port: Missing required configuration "grpc.server.port" which has no default value.',
      'grpc.server.port: Invalid port number',
      'grpc.service.name: Missing required configuration "grpc.service.name" which has no default value.',
      'grpc.method.name: Missing required configuration "grpc.method.name" which has no default value.',
      'platform.topic: Missing required configuration "platform.topic" which has no default value.',
      'grpc.proto.descriptor: Invalid proto descriptor: "/nowhere/x.pb": ENOENT',
    ]);
  });

  it('is checked without its files when a task starts', () => {
    const config = grpcSourceConnector.config.parse({ ...base, 'grpc.proto.descriptor': '/nowhere/x.pb' });
    expect(configProblems(config)).toEqual([]);
  });

  it('holds what the documentation says as changeable while running', () => {
    const keys = grpcSourceConnector.config.keys.filter((key) => 'update' in key && key.update !== 'restart');
    expect(keys.map(({ name, ...key }) => [name, 'update' in key ? key.update : 'restart'])).toEqual([
      ['platform.topic', 'live'],
      ['grpc.reconnect.interval.ms', 'live'],
      ['grpc.reconnect.max.attempts', 'live'],
      ['grpc.message.queue.size', 'reconnect'],
      ['grpc.queue.full.grace.ms', 'live'],
    ]);
  });

  it('can be set in a service, metadata by the names alone', () => {
    const unnamed = grpcSourceConnector.config.keys.filter((key) => !('option' in key));
    expect(unnamed.map(({ name }) => name)).toEqual(['grpc.metadata']);
  });
});
