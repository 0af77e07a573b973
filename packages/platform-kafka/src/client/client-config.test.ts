import { inspect } from 'node:util';
import { isConnectorError, type RawConfig } from '@levada/connect-runtime-core';
import { type ClientTls, readSsl } from '@levada/connect-runtime-core/source-kit';
import { describe, expect, it } from 'vitest';
import { parseClientConfig } from './client-config.ts';

const scram = 'org.apache.kafka.common.security.scram.ScramLoginModule';
const plain = 'org.apache.kafka.common.security.plain.PlainLoginModule';

const parse = (keys: RawConfig) => parseClientConfig({ 'bootstrap.servers': 'a:9092', ...keys });

function issuesOf(keys: RawConfig): Readonly<Record<string, string>> {
  try {
    parse(keys);
  } catch (thrown) {
    if (!isConnectorError(thrown) || thrown.code !== 'config_invalid') throw thrown;
    return Object.fromEntries(thrown.issues.map(({ key, message }) => [key, message]));
  }
  return {};
}

describe('the configuration of a client', () => {
  it('optional keys of a client have defaults', () => {
    expect(parse({})).toEqual({
      brokers: [{ host: 'a', port: 9092 }],
      clientId: '',
      tls: undefined,
      sasl: undefined,
      requestTimeoutMs: 40_000,
      connectTimeoutMs: 10_000,
      apiTimeoutMs: 60_000,
      retry: { intervalMs: 100, maxMs: 1000 },
      fetch: { maxWaitMs: 2000, maxBytes: 8_388_608, maxPartitionBytes: 1_048_576 },
    });
  });

  it('several brokers may be given, including IPv6 addresses', () => {
    const { brokers } = parse({ 'bootstrap.servers': 'a.example:1 , [::1]:65535' });
    expect(brokers).toEqual([
      { host: 'a.example', port: 1 },
      { host: '::1', port: 65_535 },
    ]);
  });

  it.each(['', 'a', 'a:0', 'a:65536', 'a:b', 'a:1,', '::1:9092'])(
    'the brokers "%s" are refused',
    (servers) => {
      expect(Object.keys(issuesOf({ 'bootstrap.servers': servers }))).toEqual(['bootstrap.servers']);
    },
  );

  it('brokers are required', () => {
    const missing = 'Missing required configuration "bootstrap.servers" which has no default value.';
    expect(() => parseClientConfig({})).toThrow(missing);
  });

  it('every problem is reported at once', () => {
    const issues = issuesOf({
      'bootstrap.servers': 'nowhere',
      'security.protocol': 'SASL_SSL',
      'sasl.mechanism': 'GSSAPI',
      'request.timeout.ms': 'soon',
      'ssl.truststore.type': 'DER',
      'ssl.keystore.key': 'x',
    });
    expect(Object.keys(issues).sort()).toEqual([
      'bootstrap.servers',
      'request.timeout.ms',
      'sasl.mechanism',
      'ssl.keystore.certificate.chain',
      'ssl.truststore.type',
    ]);
    expect(issues['sasl.mechanism']).toContain('expected one of PLAIN, SCRAM-SHA-256, SCRAM-SHA-512');
    expect(issues['ssl.truststore.type']).toContain('JKS, PKCS12, PEM');
  });
});

describe('SASL keys', () => {
  const login = (mechanism: string, jaas: string): RawConfig => ({
    'security.protocol': 'sasl_plaintext',
    'sasl.mechanism': mechanism,
    'sasl.jaas.config': jaas,
  });

  it.each([
    ['PLAIN', plain],
    ['SCRAM-SHA-256', scram],
    ['SCRAM-SHA-512', scram],
  ])('user and password are parsed for %s', (mechanism, module) => {
    const { sasl } = parse(
      login(mechanism, `${module} required username="al" password="a \\"b\\" \\\\ c;=";`),
    );
    expect(sasl?.mechanism).toBe(mechanism);
    expect(sasl?.username).toBe('al');
    expect(sasl?.password.reveal()).toBe('a "b" \\ c;=');
  });

  it('SASL keys are ignored without SASL', () => {
    expect(parse({ 'sasl.mechanism': 'GSSAPI', 'sasl.jaas.config': 'nonsense' }).sasl).toBeUndefined();
  });

  it.each([
    ['no login', ''],
    ['a login that cannot be read', `${scram} required username="a" password="canary`],
    ['a login without its end', `${scram} required username="a" password="canary"`],
    ['the module of another mechanism', `${plain} required username="a" password="canary";`],
    ['no password', `${scram} required username="canary";`],
    ['no user', `${scram} required password="canary";`],
    ['a delegation token', `${scram} required username="a" password="canary" tokenauth="true";`],
    ['two logins', `${scram} required username="a" password="canary"; ${scram} required;`],
  ])('%s is refused without being shown', (_, jaas) => {
    const issues = issuesOf(login('SCRAM-SHA-512', jaas));
    expect(Object.keys(issues)).toEqual(['sasl.jaas.config']);
    expect(JSON.stringify(issues)).not.toContain('canary');
  });

  it('printed settings do not contain the password', () => {
    const config = parse(login('PLAIN', `${plain} required username="al" password="canary";`));
    expect(JSON.stringify(config) + inspect(config, { depth: 9 })).not.toContain('canary');
  });
});

describe('TLS keys', () => {
  const tlsOf = (raw: RawConfig): ClientTls | undefined => {
    const { tls } = parse(raw);
    return tls === undefined ? undefined : readSsl(tls);
  };

  it('TLS keys are ignored without TLS', () => {
    expect(parse({ 'ssl.truststore.type': 'PKCS12', 'ssl.keystore.key': 'x' }).tls).toBeUndefined();
  });

  it('the defaults are Node’s authorities and a check of the host name', () => {
    expect(tlsOf({ 'security.protocol': 'SSL' })).toEqual({ minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' });
  });

  it('an empty algorithm disables the check of the host name', () => {
    const keys = { 'security.protocol': 'SSL', 'ssl.endpoint.identification.algorithm': '' };
    expect(tlsOf(keys)?.checkServerIdentity?.()).toBeUndefined();
    expect(tlsOf(keys)).toHaveProperty('checkServerIdentity');
  });

  it('a file and a text for the same TLS material are refused', () => {
    const issues = issuesOf({
      'security.protocol': 'SSL',
      'ssl.truststore.location': 'a.pem',
      'ssl.truststore.certificates': 'pem',
      'ssl.keystore.location': 'b.pem',
      'ssl.keystore.key': 'pem',
      'ssl.keystore.certificate.chain': 'pem',
    });
    expect(Object.keys(issues)).toEqual(['ssl.truststore.location', 'ssl.keystore.location']);
  });

  it('TLS versions can be restricted', () => {
    const keys = { 'security.protocol': 'SSL', 'ssl.enabled.protocols': 'TLSv1.3' };
    expect(tlsOf(keys)).toMatchObject({ minVersion: 'TLSv1.3', maxVersion: 'TLSv1.3' });
    expect(Object.keys(issuesOf({ ...keys, 'ssl.enabled.protocols': 'TLSv1.1' }))).toEqual([
      'ssl.enabled.protocols',
    ]);
  });
});
