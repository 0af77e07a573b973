import { describe, expect, it } from 'vitest';
import { authorityName, endpointList, endpointText, parseEndpoint } from './endpoints.ts';

describe('an endpoint', () => {
  it.each([
    ['feed.example:443', { host: 'feed.example', port: 443 }],
    ['my_host:1', { host: 'my_host', port: 1 }],
    ['127.0.0.1:65535', { host: '127.0.0.1', port: 65_535 }],
    ['[::1]:9090', { host: '::1', port: 9090 }],
  ])('is %s', (text, endpoint) => {
    expect(parseEndpoint(text)).toEqual(endpoint);
    expect(endpointText(endpoint)).toBe(text);
  });

  it.each([
    '',
    'h',
    'h:',
    ':1',
    'h:0',
    'h:65536',
    'h:1x',
    'h:-1',
    '::1:1',
    '[::1]',
    '[h]:1',
    '[127.0.0.1]:1',
    'http://h:1',
    'unix:/run/x:1',
    'dns:h:1',
    'u@h:1',
    'a b:1',
    '169.254.169.254:80',
    '[fe80::1]:80',
    '0.0.0.0:1',
    '2852039166:80',
  ])('is not %j', (text) => {
    expect(parseEndpoint(text)).toBeUndefined();
    expect(endpointList.check(['h:1', text])).toMatch(/ is not host:port with a DNS name or IP address /);
  });

  it('is one of a list, which may be empty', () => {
    expect(endpointList.check([])).toBeUndefined();
    expect(endpointList.check(['a:1', '[::1]:2'])).toBeUndefined();
  });

  it('is shown with brackets around IPv6, written with them or not', () => {
    expect(endpointText({ host: '::1', port: 1 })).toBe('[::1]:1');
    expect(endpointText({ host: '[::1]', port: 1 })).toBe('[::1]:1');
  });
});

describe('an authority', () => {
  it.each(['feed.example', 'feed.example:443', 'my_host', '10.0.0.1:1', '[::1]:443'])('is %s', (text) => {
    expect(authorityName.check(text)).toBeUndefined();
  });

  it.each(['', 'a b', 'http://h', 'h/x', 'u@h', 'h:', 'h:x', 'a\r\nb', 'ä.example'])('is not %j', (text) => {
    expect(authorityName.check(text)).toBe('Authority must be a name or an address, with a port or without');
  });
});
