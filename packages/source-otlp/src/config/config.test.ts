import type { RawConfig } from '@levada/connect-runtime-core';
import { describe, expect, it } from 'vitest';
import { otlpSourceConnector } from '../connector.ts';
import { otlpConfig } from './config.ts';

/** Messages of validation, by key. */
function errorsOf(raw: RawConfig): Record<string, readonly string[]> {
  const values = otlpConfig.validate(raw);
  const checked = otlpSourceConnector.validate?.(raw, values) ?? values;
  return Object.fromEntries(
    checked.filter(({ errors }) => errors.length > 0).map(({ name, errors }) => [name, errors]),
  );
}

describe('the configuration of an OTLP connector', () => {
  it('the configuration accepts an empty configuration', () => {
    expect(errorsOf({})).toEqual({});
  });

  it.each([
    ['otlp.grpc.enabled', true],
    ['otlp.grpc.port', 4317],
    ['otlp.http.enabled', true],
    ['otlp.http.port', 4318],
    ['otlp.bind.address', '0.0.0.0'],
    ['platform.topic.traces', 'otlp-traces'],
    ['platform.topic.metrics', 'otlp-metrics'],
    ['platform.topic.logs', 'otlp-logs'],
    ['otlp.message.format', 'json'],
    ['otlp.message.queue.size', 10_000],
    ['otlp.tls.enabled', false],
    ['otlp.tls.cert.path', null],
    ['otlp.tls.key.path', null],
  ] as const)('the configuration has %s=%s by default', (key, value) => {
    expect(otlpConfig.parse({})[key]).toBe(value);
  });

  it.each(['otlp.grpc.port', 'otlp.http.port'])('the configuration requires %s in 1024-65535', (key) => {
    const expected = `Invalid value for ${key}: expected a port in 1024-65535`;
    for (const port of ['0', '1023', '65536', '99999', '-1']) {
      expect(errorsOf({ [key]: port })).toEqual({ [key]: [expected] });
    }
    for (const text of ['9090x', '0x50', '9 090', '']) {
      expect([text, errorsOf({ [key]: text })[key]?.at(-1)]).toEqual([text, expected]);
    }
    for (const port of ['1024', '65535', ' 5000 ']) expect(errorsOf({ [key]: port })).toEqual({});
  });

  it.each([
    ['otlp.message.format', 'xml', 'Invalid value for otlp.message.format: expected json or protobuf'],
    [
      'otlp.message.queue.size',
      '0',
      'Invalid value for otlp.message.queue.size: expected an integer from 1 to 10000000',
    ],
    [
      'otlp.message.queue.size',
      '-5',
      'Invalid value for otlp.message.queue.size: expected an integer from 1 to 10000000',
    ],
  ])('the configuration refuses %s=%s', (key, value, message) => {
    expect(errorsOf({ [key]: value })).toEqual({ [key]: [message] });
  });

  it.each([
    ['otlp.bind.address', 'example.com'],
    ['otlp.bind.address', '*'],
    ['otlp.bind.address', '1.2.3'],
    ['otlp.bind.address', 'unix:run/x'],
    ['otlp.bind.address', 'unix:/run/'],
    ['otlp.bind.address', 'unix:'],
    ['otlp.bind.address', `unix:/${'a'.repeat(103)}`],
    ['otlp.unix.socket.mode', '999'],
    ['otlp.unix.socket.mode', 'rw'],
    ['platform.topic.traces', ''],
    ['platform.topic.logs', 'a b'],
    ['otlp.signals', ''],
    ['otlp.signals', 'traces,spans'],
    ['otlp.tls.enabled', 'yes'],
    ['otlp.grpc.tls.enabled', 'yes'],
    ['otlp.grpc.bind.address', 'example.com'],
    ['otlp.tls.min.version', 'TLSv1.1'],
    ['otlp.tls.ciphers', 'NO-SUCH-CIPHER'],
    ['otlp.ack.mode', 'later'],
    ['otlp.http.path.traces', 'v1/traces'],
    ['otlp.http.path.traces', '/v1/traces?x'],
    ['otlp.http.cors.allowed.origins', 'shop.example'],
    ['otlp.http.cors.allowed.origins', '*,https://shop.example'],
    ['otlp.http.cors.allowed.origins', 'https://*'],
    ['otlp.http.cors.allowed.origins', 'https://*.'],
    ['otlp.http.cors.allowed.origins', 'https://*shop.example'],
    ['otlp.http.cors.allowed.origins', 'https://*.*.example'],
    ['otlp.http.cors.allowed.origins', 'https://a.*.example'],
    ['otlp.http.cors.allowed.origins', 'https://shop.example:*'],
    ['otlp.http.cors.allowed.origins', '*.shop.example'],
    ['otlp.http.cors.allowed.origins', 'https://*.shop.example/'],
    ['otlp.allowed.hosts', 'http://a'],
    ['otlp.request.headers', 'x tenant'],
    ['otlp.request.headers', ':path'],
  ])('the configuration refuses %s=%j, naming the key', (key, value) => {
    const errors = errorsOf({ [key]: value });
    expect(Object.keys(errors)).toEqual([key]);
    expect(errors[key]?.[0]).toContain(key);
  });

  it('the configuration never shows a token that it refuses', () => {
    const key = 'otlp.auth.tokens';
    expect(JSON.stringify(errorsOf({ [key]: 'good,canary with blanks' }))).not.toContain('canary');
    expect(errorsOf({ [key]: 'good,canary with blanks' })[key]?.[0]).toContain('Token 2 is none');
    expect(errorsOf({ [key]: ' , ' })[key]?.[0]).toContain('Token must be non-blank');
  });

  it('the configuration requires one protocol at least', () => {
    expect(errorsOf({ 'otlp.grpc.enabled': 'false', 'otlp.http.enabled': 'false' })).toEqual({
      'otlp.grpc.enabled': ['At least one protocol must be enabled'],
    });
  });

  it('the configuration requires two ports, unless one receiver is off', () => {
    const same = { 'otlp.grpc.port': '5000', 'otlp.http.port': '5000' };
    expect(errorsOf(same)).toEqual({
      'otlp.http.port': ['Invalid value for otlp.http.port: 5000 is the port of otlp.grpc.port, too'],
    });
    expect(errorsOf({ ...same, 'otlp.grpc.enabled': 'false' })).toEqual({});
  });

  it('the configuration lets the receivers have the same port at different addresses', () => {
    const port = { 'otlp.grpc.port': '5000', 'otlp.http.port': '5000' };
    expect(errorsOf({ ...port, 'otlp.grpc.bind.address': '127.0.0.1' })).toEqual({});
  });

  it('the configuration requires a socket for each receiver', () => {
    const socket = { 'otlp.bind.address': 'unix:/run/otlp.sock' };
    expect(errorsOf(socket)).toEqual({
      'otlp.bind.address': [expect.stringContaining('both receivers would have the same socket')],
    });
    expect(errorsOf({ ...socket, 'otlp.http.bind.address': '127.0.0.1' })).toEqual({});
    expect(errorsOf({ ...socket, 'otlp.http.enabled': 'false' })).toEqual({});
  });

  it('the configuration requires certificate and key of a receiver that has TLS by itself, and TLS with its files', () => {
    expect(errorsOf({ 'otlp.grpc.tls.enabled': 'true' })).toEqual({
      'otlp.tls.cert.path': ['otlp.tls.cert.path is required with otlp.grpc.tls.enabled=true'],
      'otlp.tls.key.path': ['otlp.tls.key.path is required with otlp.grpc.tls.enabled=true'],
    });
    expect(errorsOf({ 'otlp.http.tls.cert.path': '/cert.pem' })).toEqual({
      'otlp.http.tls.cert.path': ['otlp.http.tls.cert.path is set, but otlp.http.tls.enabled is false'],
    });
    expect(
      errorsOf({
        'otlp.tls.enabled': 'true',
        'otlp.http.tls.enabled': 'false',
        'otlp.grpc.enabled': 'false',
        'otlp.tls.cert.path': '/cert.pem',
      }),
    ).toEqual({
      'otlp.tls.cert.path': ['otlp.tls.cert.path is set, but otlp.tls.enabled is false'],
    });
  });

  it('the configuration requires certificate and key with TLS, and TLS with them', () => {
    expect(errorsOf({ 'otlp.tls.enabled': 'true' })).toEqual({
      'otlp.tls.cert.path': ['otlp.tls.cert.path is required with otlp.tls.enabled=true'],
      'otlp.tls.key.path': ['otlp.tls.key.path is required with otlp.tls.enabled=true'],
    });
    expect(errorsOf({ 'otlp.tls.cert.path': '/nowhere' })).toEqual({
      'otlp.tls.cert.path': ['otlp.tls.cert.path is set, but otlp.tls.enabled is false'],
    });
  });

  it('the configuration reads the TLS files, and names the key of the one that is wrong', () => {
    const errors = errorsOf({
      'otlp.tls.enabled': 'true',
      'otlp.tls.cert.path': '/nowhere/cert.pem',
      'otlp.tls.key.path': '/nowhere/key.pem',
    });
    expect(Object.keys(errors)).toEqual(['otlp.tls.cert.path']);
    expect(errors['otlp.tls.cert.path']?.[0]).toContain('/nowhere/cert.pem');
  });

  it('the configuration requires a folder for the spool', () => {
    expect(errorsOf({ 'otlp.ack.mode': 'spool' })).toEqual({
      'otlp.spool.path': ['otlp.spool.path is required with otlp.ack.mode=spool'],
    });
  });

  it('the configuration requires room for the largest request in queue and flight', () => {
    const key = 'otlp.message.queue.bytes';
    expect(errorsOf({ [key]: '2000000' })[key]?.[0]).toBe(
      `Invalid value 2000000 for configuration ${key}: Value must be at least otlp.max.request.size (16777216)`,
    );
  });

  it.each([
    ['service_name', 'request', false],
    ['service_name', 'resource', true],
    ['service_name', 'item', true],
    ['trace_id', 'resource', false],
    ['trace_id', 'item', true],
    ['none', 'request', true],
  ])('the configuration accepts the key %s with records of a %s: %s', (key, mode, fits) => {
    const errors = errorsOf({ 'otlp.record.key': key, 'otlp.record.mode': mode });
    expect(Object.keys(errors)).toEqual(fits ? [] : ['otlp.record.key']);
  });

  it('the configuration reports all configuration problems at once', () => {
    const errors = errorsOf({
      'otlp.grpc.port': '1',
      'otlp.message.format': 'xml',
      'otlp.ack.mode': 'spool',
    });
    expect(Object.keys(errors)).toEqual(['otlp.grpc.port', 'otlp.message.format', 'otlp.spool.path']);
  });

  it('the configuration accepts the names of the connector that it replaces', () => {
    expect(otlpConfig.parse({ 'kafka.topic.traces': 't' })['platform.topic.traces']).toBe('t');
    expect(otlpSourceConnector.aliases).toContain('io.conduktor.connect.otel.OpenTelemetrySourceConnector');
  });

  it('the configuration documents that changed topics, formats and queue sizes apply to new messages', () => {
    const live = otlpConfig.keys
      .filter((key) => 'update' in key && key.update === 'live')
      .map(({ name }) => name);
    expect(live).toEqual(
      expect.arrayContaining([
        'platform.topic.traces',
        'platform.topic.metrics',
        'platform.topic.logs',
        'otlp.message.format',
        'otlp.message.queue.size',
      ]),
    );
    for (const key of ['otlp.grpc.enabled', 'otlp.grpc.port', 'otlp.http.port', 'otlp.bind.address'])
      expect(live).not.toContain(key);
  });

  it.each([
    [{}, 'string'],
    [{ 'otlp.json.style': 'snake_case' }, 'string'],
    [{ 'otlp.message.format': 'protobuf' }, 'string'],
    [{ 'otlp.message.format': 'protobuf', 'otlp.protobuf.encoding': 'binary' }, 'bytes'],
    [{ 'otlp.protobuf.encoding': 'binary' }, 'string'],
  ])('the connector declares values of type %s with %j', (given, type) => {
    expect(otlpSourceConnector.produces?.(otlpConfig.parse(given))).toEqual({
      key: [],
      value: [type],
      header: [],
    });
  });

  it.each([
    [
      { 'otlp.record.key': 'trace_id', 'otlp.record.mode': 'item' },
      { key: ['string'], header: [] },
    ],
    [{ 'record.headers.enabled': 'true' }, { key: [], header: ['string'] }],
    [{ 'otlp.request.headers': 'x-tenant-id' }, { key: [], header: ['string'] }],
  ])('the connector declares keys or headers as text with %j', (given, types) => {
    expect(otlpSourceConnector.produces?.(otlpConfig.parse(given))).toEqual({ value: ['string'], ...types });
  });
});
