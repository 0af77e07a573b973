import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endpointName, querySecrets, redactUrl } from './redact-url.ts';

describe('redacting a URL', () => {
  it.each([
    ['ws://feed.example/a?b=c', 'ws://feed.example/a?b=c'],
    ['ws://user:pw@feed.example/', 'ws://***@feed.example/'],
    ['ws://user:p@w@feed.example/', 'ws://***@feed.example/'],
    ['ws:/\\user:pw@feed.example/', 'ws:/\\***@feed.example/'],
    ['ws://h/?token=abc&x=1&API_KEY=d', 'ws://h/?token=***&x=1&API_KEY=***'],
    ['ws://h/?to%6ben=abc', 'ws://h/?to%6ben=***'],
    ['ws://h/?listenKey=abc&flag', 'ws://h/?listenKey=***&flag'],
    ['ws://h/?a=1?signature=abc&%=1', 'ws://h/?a=1?signature=abc&%=1'],
    ['', ''],
  ])('shows %s as %s', (given, shown) => {
    expect(redactUrl(given)).toBe(shown);
  });

  it('never shows a password or the value of a secret parameter, whatever they hold', () => {
    const part = fc.stringMatching(/^[A-Za-z0-9!$'()*,;:@.~-]{8,40}$/);
    fc.assert(
      fc.property(part, part, (password, token) => {
        const shown = redactUrl(`wss://user:${password}@h.example/p?x=1&access_token=${token}`);
        expect(shown).toBe('wss://***@h.example/p?x=1&access_token=***');
      }),
    );
  });
});

describe('secrets of a query', () => {
  it('are the values that are masked, as written and decoded', () => {
    expect(querySecrets('ws://h/?token=a%2Bb&x=1&sign=c')).toEqual(['a%2Bb', 'a+b', 'c', 'c']);
    expect(querySecrets('ws://h/')).toEqual([]);
  });
});

describe('naming an endpoint', () => {
  it.each([
    ['wss://u:p@feed.example:1/a/b?c=d#e', 'feed.example:1/a/b'],
    ['feed.example', 'feed.example'],
    ['', ''],
  ])('calls %s %s', (given, name) => {
    expect(endpointName(given)).toBe(name);
  });
});
