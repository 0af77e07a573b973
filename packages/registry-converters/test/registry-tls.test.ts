import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringSchema } from '@levada/connect-runtime-core';
import { startConnectProxy } from '@levada/connect-runtime-core/testing';
import { makeCertificates } from '@levada/test-peers/tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextWith, convert, makeConverter } from './make-converter.ts';
import { type RegistryHere, startRegistryHere } from './registry-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'levada-registry-tls-'));
const file = (name: string): string => join(folder, name);
const text = (name: string): string => readFileSync(file(name), 'utf8');
const prefix = 'schema.registry.ssl.';
const record = { topic: 't', schema: stringSchema, value: 'x' };
const written = '00000000030278';

let registry: RegistryHere;
beforeAll(async () => {
  makeCertificates(folder);
  const key = ['-inkey', file('client.key'), '-in', file('client.pem')];
  execFileSync('openssl', [
    'pkcs12',
    '-export',
    ...key,
    '-out',
    file('client.p12'),
    '-passout',
    'pass:opensesame',
  ]);
  const trust = ['-importcert', '-noprompt', '-alias', 'ca', '-file', file('ca.pem')];
  const trustStore = ['-keystore', file('trust.p12'), '-storepass', 'changeit'];
  execFileSync('keytool', [...trust, ...trustStore], { stdio: 'pipe' });
  registry = await startRegistryHere(() => [200, { id: 3 }], {
    cert: text('server.pem'),
    key: text('server.key'),
    ca: text('ca.pem'),
    requestCert: true,
    rejectUnauthorized: true,
  });
});
afterAll(async () => {
  await registry.close();
  rmSync(folder, { recursive: true, force: true });
});

function make(keys: Readonly<Record<string, string>>) {
  const named = Object.entries(keys).map(([name, value]) => [`${prefix}${name}`, value]);
  return makeConverter('AvroConverter', {
    'schema.registry.url': registry.url,
    'max.retries': '0',
    ...Object.fromEntries(named),
  });
}

describe('a registry with TLS that demands a client certificate', () => {
  it.each([
    [
      'PEM texts',
      (): Record<string, string> => ({
        'truststore.certificates': text('ca.pem'),
        'keystore.key': text('client.key'),
        'keystore.certificate.chain': text('client.pem'),
      }),
    ],
    [
      'PKCS12 files',
      (): Record<string, string> => ({
        'truststore.location': file('trust.p12'),
        'truststore.password': 'changeit',
        'keystore.location': file('client.p12'),
        'keystore.password': 'opensesame',
      }),
    ],
  ])('the registry is reached with %s', async (_, keys) => {
    expect((await convert(make(keys()), record))?.toString('hex')).toBe(written);
  });

  it.each([
    ['an untrusted authority is an error with the key for it', {}, 'schema.registry.ssl.truststore.location'],
    [
      'a missing file is an error with its key',
      { 'keystore.location': '/no/such/file' },
      `${prefix}keystore.location`,
    ],
  ])('%s', async (_, keys, expected) => {
    await expect(convert(make(keys), record)).rejects.toThrow(expected);
  });

  it('a wrong password of a PKCS12 file is an error with the key, but without the password', async () => {
    const converter = make({ 'keystore.location': file('client.p12'), 'keystore.password': 'wrong-guess' });
    const failure = String(await convert(converter, record).catch((error: unknown) => error));
    expect(failure).toContain(`${prefix}keystore.location`);
    expect(failure).not.toContain('wrong-guess');
  });
});

describe('a registry that is reached through a proxy', () => {
  it.each(['keys', 'environment'])('requests use the tunnel that the %s configure', async (source) => {
    const plain = await startRegistryHere(() => [200, { id: 3 }]);
    const proxy = await startConnectProxy();
    try {
      const url = plain.url.replace('127.0.0.1', 'registry.example');
      const keys = { 'schema.registry.url': url, 'max.retries': '0' };
      const byKeys = source === 'keys';
      const named = byKeys ? { 'proxy.host': '127.0.0.1', 'proxy.port': String(proxy.port) } : {};
      const environment = byKeys ? {} : { HTTP_PROXY: proxy.url };
      const converter = makeConverter('AvroConverter', { ...keys, ...named });
      const bytes = await convert(converter, record, { ...contextWith(), environment });
      expect(bytes?.toString('hex')).toBe(written);
      expect(proxy.asked.map(({ target }) => target)).toEqual([new URL(url).host]);
    } finally {
      await Promise.all([proxy.close(), plain.close()]);
    }
  });
});
