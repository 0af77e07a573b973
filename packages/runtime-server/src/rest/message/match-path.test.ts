import { describe, expect, it } from 'vitest';
import { encodeSegment, matchPattern, pathPattern, pathSegments, splitTarget } from './match-path.ts';

describe('pathSegments', () => {
  it.each([
    ['/', []],
    ['/connectors', ['connectors']],
    ['/connectors/', ['connectors']],
    ['/connectors/a%2Fb/status', ['connectors', 'a/b', 'status']],
    ['/connectors/a%25b', ['connectors', 'a%b']],
    ['/connectors/a%252Fb', ['connectors', 'a%2Fb']],
    ['/connectors/zz;v=1', ['connectors', 'zz']],
    ['/connectors/z%3Bz', ['connectors', 'z;z']],
    ['/connectors/a+b', ['connectors', 'a+b']],
    ['/connectors/%2e%2e', ['connectors', '..']],
    ['/connectors/__proto__', ['connectors', '__proto__']],
    ['/connectors/caf%C3%A9', ['connectors', 'café']],
  ])('splits %s', (path, segments) => {
    expect(pathSegments(path)?.map(({ value }) => value)).toEqual(segments);
  });

  it.each(['//', '//connectors', '/connectors//', '/connectors//a', 'connectors', '*'])(
    'has no segments for %s',
    (path) => {
      expect(pathSegments(path)).toBeUndefined();
    },
  );

  it.each(['/connectors/%zz', '/connectors/%E0%A4%A', '/connectors/%00', '/%ff'])(
    'refuses %s with 400',
    (path) => {
      expect(() => pathSegments(path)).toThrow(expect.objectContaining({ status: 400 }));
    },
  );
});

describe('encodeSegment', () => {
  it.each([
    ['a b', 'a%20b'],
    ['a+b&c=d,e:f@g$h', 'a+b&c=d,e:f@g$h'],
    ['a/b%c;d?e#f', 'a%2Fb%25c%3Bd%3Fe%23f'],
    ['a%2Bb', 'a%252Bb'],
    ['é', '%C3%A9'],
  ])('writes %s as %s, which is decoded to the name', (name, segment) => {
    expect(encodeSegment(name)).toBe(segment);
    expect(decodeURIComponent(segment)).toBe(name);
  });
});

describe('splitTarget', () => {
  it('leaves a fragment out', () => {
    expect(splitTarget('/connectors?expand=info#there').query.get('expand')).toBe('info');
    expect(splitTarget('/connectors#there').path).toBe('/connectors');
  });

  it('takes an absolute URI by its path', () => {
    expect(splitTarget('http://evil.example/connectors?expand=info').path).toBe('/connectors');
  });

  it('keeps repeated query parameters', () => {
    const { query } = splitTarget('/connectors?expand=status&expand=info');
    expect(query.getAll('expand')).toEqual(['status', 'info']);
  });
});

const segmentsOf = (path: string) => pathSegments(path) ?? [];

describe('matchPattern', () => {
  it('takes only values for encoded, and no other part of a path', () => {
    const pattern = pathPattern('/connectors/{connector}');
    expect(matchPattern(pattern, segmentsOf('/connectors/%61'))?.get('connector')).toBe('a');
    expect(matchPattern(pattern, segmentsOf('/%63onnectors/a'))).toBeUndefined();
  });

  const pattern = pathPattern('/connectors/{connector}/tasks/{task}/status');

  it('gives the values of the names', () => {
    const values = matchPattern(pattern, segmentsOf('/connectors/a/tasks/0/status'));
    expect(Object.fromEntries(values ?? [])).toEqual({ connector: 'a', task: '0' });
  });

  it('does not match another length or another word', () => {
    expect(matchPattern(pattern, segmentsOf('/connectors/a'))).toBeUndefined();
    expect(matchPattern(pattern, segmentsOf('/connectors/a/tasks/0/restart'))).toBeUndefined();
  });
});
