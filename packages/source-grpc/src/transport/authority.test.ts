import { describe, expect, it } from 'vitest';
import { hostAndPort, hostOfAuthority } from './authority.ts';

describe('hostAndPort', () => {
  it('puts IPv6 in brackets', () => {
    expect(hostAndPort({ host: '::1', port: 9090 })).toBe('[::1]:9090');
    expect(hostAndPort({ host: 'feed.example', port: 9090 })).toBe('feed.example:9090');
  });
});

describe('hostOfAuthority', () => {
  const endpoint = { host: '10.0.0.1', port: 9090 };

  it('is the host of the endpoint when there is no authority', () => {
    expect(hostOfAuthority({ authority: undefined, endpoint })).toBe('10.0.0.1');
  });

  it.each([
    ['feed.example', 'feed.example'],
    ['feed.example:443', 'feed.example'],
    ['127.0.0.1:443', '127.0.0.1'],
    ['[::1]:443', '::1'],
    ['[::1]', '::1'],
    ['::1', '::1'],
  ])('of "%s" is "%s"', (authority, host) => {
    expect(hostOfAuthority({ authority, endpoint })).toBe(host);
  });
});
