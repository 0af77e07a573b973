import { describe, expect, it } from 'vitest';
import { isLoopback, namesTarget } from './no-proxy.ts';

describe('a list of targets without a proxy', () => {
  it.each([
    ['*', 'feed.example', true],
    ['feed.example', 'feed.example', true],
    ['FEED.example', 'feed.EXAMPLE.', true],
    ['example', 'feed.example', true],
    ['.example', 'feed.example', true],
    ['*.example', 'feed.example', true],
    ['.feed.example', 'feed.example', true],
    ['ed.example', 'feed.example', false],
    ['other.example, feed.example', 'feed.example', true],
    ['other.example feed.example', 'feed.example', true],
    ['feed.example:443', 'feed.example', true],
    ['feed.example:80', 'feed.example', false],
    ['10.0.0.0/8', '10.1.2.3', true],
    ['10.0.0.0/8', '11.1.2.3', false],
    ['10.0.0.0/33', '10.1.2.3', false],
    ['10.0.0.0/8', 'feed.example', false],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3:443', '10.1.2.3', true],
    ['10.1.2.3:80', '10.1.2.3', false],
    ['2.3', '10.1.2.3', false],
    ['fd00::/8', 'fd12::1', true],
    ['fd12:0::1', 'fd12::1', true],
    ['[fd12::1]', 'fd12::1', true],
    ['[fd12::1]:443', 'fd12::1', true],
    ['[fd12::1]:80', 'fd12::1', false],
    ['', 'feed.example', false],
    [' , ,', 'feed.example', false],
    ['.', 'feed.example', false],
    ['/', '10.1.2.3', false],
  ])('%j names %s: %s', (list, host, expected) => {
    expect(namesTarget(list, { host, port: 443 })).toBe(expected);
  });

  it.each([
    ['localhost', true],
    ['a.localhost', false],
    ['127.9.9.9', true],
    ['::1', true],
    ['10.0.0.1', false],
    ['localhost.example', false],
  ])('%s is this machine: %s', (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });
});
