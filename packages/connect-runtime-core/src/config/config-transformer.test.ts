// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written this way
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConfigProvider } from './config-provider.ts';
import { transformConfig } from './config-transformer.ts';
import { findReferences } from './references.ts';

/** A provider over a map from `path` to entries, which notes each question. */
function provider(data: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const asked: string[] = [];
  const itself: ConfigProvider = {
    get: async (path, keys) => {
      asked.push(`${path}: ${keys.join(' ')}`);
      const found = new Map(Object.entries(data[path] ?? {}));
      return new Map(
        keys.flatMap((key) => {
          const value = found.get(key);
          return value === undefined ? [] : [[key, value] as const];
        }),
      );
    },
  };
  return { asked, itself };
}

describe('transformConfig', () => {
  it('replaces references, several in one value too, and says what was put there', async () => {
    const { itself } = provider({ '/s': { user: 'joe', password: 'p4ss' }, '': { HOST: 'h' } });
    const result = await transformConfig(
      { url: 'wss://${env:HOST}/x', auth: '${file:/s:user}:${file:/s:password}', plain: '$5 {a}' },
      new Map([
        ['file', itself],
        ['env', itself],
      ]),
    );
    expect(result.config).toEqual({ url: 'wss://h/x', auth: 'joe:p4ss', plain: '$5 {a}' });
    expect(result.secrets).toEqual(['h', 'joe', 'p4ss']);
    expect(result.unresolved).toEqual([]);
  });

  it('asks once per path, for each key once', async () => {
    const { itself, asked } = provider({});
    await transformConfig(
      { a: '${f:/1:x}${f:/1:y}', b: '${f:/1:x}', c: '${f:/2:x}' },
      new Map([['f', itself]]),
    );
    expect(asked).toEqual(['/1: x y', '/2: x']);
  });

  it('leaves unknown providers and missing keys as they are written, and names the latter', async () => {
    const { itself } = provider({});
    const raw = { a: '${nope:x:y}', b: '${f:/1:missing}', c: '${f:/1' };
    const result = await transformConfig(raw, new Map([['f', itself]]));
    expect(result.config).toEqual(raw);
    expect(result.unresolved).toEqual([{ key: 'b', reference: '${f:/1:missing}' }]);
  });

  it('does not look for references in what it put in', async () => {
    const { itself } = provider({ '': { a: '${f:b}', b: 'no' } });
    const result = await transformConfig({ x: '${f:a}' }, new Map([['f', itself]]));
    expect(result.config).toEqual({ x: '${f:b}' });
  });

  it('keeps nulls and harmful names', async () => {
    const { itself } = provider({ '': { a: '1', ['__proto__']: '2' } });
    const raw = JSON.parse('{"__proto__":"${f:__proto__}","n":null}');
    const { config } = await transformConfig(raw, new Map([['f', itself]]));
    expect(Object.entries(config)).toEqual([
      ['__proto__', '2'],
      ['n', null],
    ]);
  });

  it('passes on what a provider rejects with', async () => {
    const failing: ConfigProvider = { get: () => Promise.reject(new Error('no such file')) };
    await expect(transformConfig({ a: '${f:k}' }, new Map([['f', failing]]))).rejects.toThrow('no such file');
  });
});

describe('findReferences', () => {
  it.each<[string, readonly string[]]>([
    ['${a:b}', ['a||b']],
    ['${a:b:c}', ['a|b|c']],
    ['${a:b:c:d}', ['a|b|c:d']],
    ['${a::c}', ['a||c']],
    ['${a:}', ['a||']],
    ['${a}${b:c}', ['b||c']],
    ['${a${b:c}}', ['a${b||c']],
    ['${f:${f:p:k}}', ['f|${f|p:k']],
    ['$ {a:b} ${a:b', []],
  ])('finds in %s what Kafka finds', (text, expected) => {
    expect(findReferences(text).map((each) => `${each.provider}|${each.path}|${each.key}`)).toEqual(expected);
  });

  it("finds what Kafka's pattern finds in any text", () => {
    const unit = fc.constantFrom('$', '{', '}', ':', 'a', '${', '${a:');
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const pattern = /\$\{([^}]*?):(?:([^}]*?):)?([^}]*?)\}/g;
        const expected = [...text.matchAll(pattern)].map((match) => [match.index, match[0].length]);
        expect(findReferences(text).map((each) => [each.start, each.end - each.start])).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});
