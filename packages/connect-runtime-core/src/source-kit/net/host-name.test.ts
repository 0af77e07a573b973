import { describe, expect, it } from 'vitest';
import { hostName } from './host-name.ts';

const noHost = 'Host must be a DNS name or an IP address';
const denied = 'Host must not be a link-local, metadata, multicast or unspecified address';

describe('a host name', () => {
  it.each([
    'localhost',
    'feed.example',
    'feed.example.',
    'my_container',
    'xn--bcher-kva.example',
    '3com.example',
    `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`,
    '127.0.0.1',
    '10.1.2.3',
    '::1',
    '[::1]',
    '2001:db8::1',
  ])('may be %s', (text) => {
    expect(hostName.check(text)).toBeUndefined();
  });

  it.each([
    ['', 'String must be non-empty'],
    ['unix:/run/x', noHost],
    ['dns:///e', noHost],
    ['http://h', noHost],
    ['h:1', noHost],
    ['[::1]:1', noHost],
    ['[::1', noHost],
    ['::1]', noHost],
    ['[h]', noHost],
    ['[127.0.0.1]', noHost],
    ['a b', noHost],
    ['user@h', noHost],
    ['h/path', noHost],
    ['a\nb', noHost],
    ['h\n', noHost],
    ['a..b', noHost],
    ['.', noHost],
    ['-a.example', noHost],
    ['a-.example', noHost],
    ['bücher.example', noHost],
    ['a'.repeat(64), noHost],
    [`${'a.'.repeat(126)}aa`, noHost],
    ['1.2.3', noHost],
    ['2852039166', noHost],
    ['0xa9fea9fe', noHost],
    ['127.0.0.256', noHost],
    ['::1%lo', 'Host must be an IP address without a zone'],
    ['169.254.169.254', denied],
    ['[fd00:ec2::254]', denied],
    ['::ffff:169.254.169.254', denied],
    ['0.0.0.0', denied],
    ['::', denied],
  ])('may not be %j: %s', (text, problem) => {
    expect(hostName.check(text)).toBe(problem);
  });

  it('is not checked when there is none', () => {
    expect(hostName.check(null)).toBeUndefined();
  });
});
