import { describe, expect, it } from 'vitest';
import { configDef } from '../../config/config-def.ts';
import { type ProxyEnvironment, proxyFor } from './proxy.ts';
import { proxyKeys } from './proxy-keys.ts';

const none = { prefix: 'websocket', url: null, username: null, password: null };

function inEnvironment(environment: ProxyEnvironment, secure = true, host = 'feed.example') {
  return proxyFor({ host, port: 443, secure }, { ...none, environment });
}

describe('the proxy of a target', () => {
  it.each([
    [{ HTTPS_PROXY: 'http://p:1' }, true, 'http://p:1', 'HTTPS_PROXY'],
    [{ HTTPS_PROXY: 'http://p:1' }, false, undefined, undefined],
    [{ HTTP_PROXY: 'http://p:1' }, false, 'http://p:1', 'HTTP_PROXY'],
    [{ HTTP_PROXY: 'http://p:1' }, true, undefined, undefined],
    [{ ALL_PROXY: 'http://p:1' }, true, 'http://p:1', 'ALL_PROXY'],
    [{ ALL_PROXY: 'http://p:1', HTTPS_PROXY: 'https://q' }, true, 'https://q', 'HTTPS_PROXY'],
    [{ https_proxy: 'http://lower', HTTPS_PROXY: 'http://upper' }, true, 'http://lower', 'https_proxy'],
    [{ https_proxy: '', HTTPS_PROXY: 'upper:8080' }, true, 'http://upper:8080', 'HTTPS_PROXY'],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'example' }, true, undefined, undefined],
    [{}, true, undefined, undefined],
  ])('of the environment %j, with TLS %s, is %s', (environment, secure, shown, source) => {
    const proxy = inEnvironment(environment, secure);
    expect([proxy?.shown, proxy?.source]).toEqual([shown, source]);
  });

  it('is none of the environment for this machine', () => {
    expect(inEnvironment({ ALL_PROXY: 'http://p:1' }, true, 'localhost')).toBeUndefined();
    expect(inEnvironment({ ALL_PROXY: 'http://p:1' }, false, '127.0.0.1')).toBeUndefined();
  });

  it('is the configured one for every target, whatever the environment says', () => {
    const settings = { ...none, url: 'https://p', username: 'u', password: 'p:w' };
    const environment = { NO_PROXY: '*', ALL_PROXY: 'http://other' };
    expect(proxyFor({ host: '::1', port: 1, secure: false }, { ...settings, environment })).toEqual({
      secure: true,
      host: 'p',
      port: 443,
      authorization: `Basic ${Buffer.from('u:p:w').toString('base64')}`,
      shown: 'https://p',
      source: 'websocket.proxy.url',
      credentials: 'websocket.proxy.username and websocket.proxy.password',
      ca: 'websocket.tls.ca.cert',
    });
  });

  it.each(['none', 'NONE', ''])('is none when %j is configured, whatever the environment says', (url) => {
    const settings = { ...none, url, environment: { ALL_PROXY: 'http://other' } };
    expect(proxyFor({ host: 'feed.example', port: 1, secure: false }, settings)).toBeUndefined();
  });

  it('has the user and password of the variable, decoded, and never shows them', () => {
    const proxy = inEnvironment({ HTTPS_PROXY: 'http://us%20er:p%40w@p:1' });
    expect(proxy?.authorization).toBe(`Basic ${Buffer.from('us er:p@w').toString('base64')}`);
    expect(proxy?.shown).toBe('http://p:1');
  });

  it.each(['http://user:?pass#word@p:1', 'user:?pass#word@p:1'])(
    'takes the user and password up to the last @ from %s, whatever they consist of',
    (value) => {
      const proxy = inEnvironment({ HTTPS_PROXY: value });
      expect(proxy?.authorization).toBe(`Basic ${Buffer.from('user:?pass#word').toString('base64')}`);
      expect(proxy?.shown).toBe('http://p:1');
    },
  );

  it.each([
    'socks5://u:secret@p:1',
    'http://u:sec/secret@p:1',
    'http://u:secret@',
    'http://u:secret@p:1/path',
    'http://169.254.169.254',
  ])('is refused when the variable is %s, and the value is not shown', (value) => {
    let thrown: unknown;
    try {
      inEnvironment({ HTTPS_PROXY: value });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({
      code: 'config_invalid',
      retriable: false,
      message: expect.stringMatching(/^environment variable HTTPS_PROXY names no HTTP proxy: /),
    });
    expect((thrown as Error).message).not.toContain('secret');
  });
});

describe('the keys of a proxy', () => {
  const def = configDef(proxyKeys('grpc'));
  const errorsOf = (raw: Record<string, string>) => def.validate(raw).flatMap(({ errors }) => errors);

  it.each(['http://p', 'https://p:8443/', 'http://[::1]:3128', 'none', ''])('take %j', (value) => {
    expect(errorsOf({ 'grpc.proxy.url': value, 'grpc.proxy.username': 'u' })).toEqual([]);
  });

  it.each([
    ['socks5://p', 'URL must begin with http:// or https://'],
    ['p:3128', 'URL must begin with http:// or https://'],
    ['http://u:secret@p', 'URL may not hold a user or password, there are keys for them'],
    ['http://p/path', 'URL may hold nothing after host and port'],
    ['http://169.254.169.254', 'Host must not be a link-local, metadata, multicast or unspecified address'],
  ])('refuse %s and do not show it', (value, problem) => {
    expect(errorsOf({ 'grpc.proxy.url': value })).toEqual([
      `Invalid value [hidden] for configuration grpc.proxy.url: ${problem}`,
    ]);
  });
});
