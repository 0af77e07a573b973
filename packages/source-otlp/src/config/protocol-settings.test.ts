import { describe, expect, it } from 'vitest';
import { otlpConfig } from './config.ts';
import { openAddresses } from './protocol-settings.ts';

describe('openAddresses', () => {
  it.each([
    ['0.0.0.0', true],
    ['::', true],
    ['192.0.2.1', true],
    ['localhost', false],
    ['127.0.0.1', false],
    ['127.8.8.8', false],
    ['::1', false],
    ['0:0:0:0:0:0:0:1', false],
    ['::ffff:127.0.0.1', false],
    ['unix:/run/otlp.sock', false],
  ])('openAddresses returns %s: %s', (address, expected) => {
    const addresses = openAddresses(otlpConfig.parse({ 'otlp.bind.address': address }));
    expect(addresses).toEqual(expected ? [address] : []);
  });

  it.each([
    ['otlp.auth.tokens', 'one'],
    ['otlp.auth.users', 'one:two'],
    ['otlp.auth.users.path', '/users'],
  ])('openAddresses lists no open addresses with %s', (key, value) => {
    expect(openAddresses(otlpConfig.parse({ [key]: value }))).toEqual([]);
  });

  it('openAddresses checks each receiver separately', () => {
    const open = (raw: Readonly<Record<string, string>>) => openAddresses(otlpConfig.parse(raw));
    expect(open({ 'otlp.grpc.bind.address': '127.0.0.1' })).toEqual(['0.0.0.0']);
    expect(open({ 'otlp.grpc.bind.address': '127.0.0.1', 'otlp.http.bind.address': '::1' })).toEqual([]);
    const secure = { 'otlp.tls.enabled': 'true', 'otlp.tls.client.ca.path': '/ca.pem' };
    expect(open(secure)).toEqual([]);
    expect(open({ ...secure, 'otlp.http.tls.enabled': 'false' })).toEqual(['0.0.0.0']);
  });
});
