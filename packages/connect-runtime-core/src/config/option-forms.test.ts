import { describe, expect, it } from 'vitest';
import { configDef } from './config-def.ts';
import type { ConfigKey } from './config-key.ts';
import type { OptionForm } from './option-forms.ts';
import { Secret } from './secret.ts';

const row = { importance: 'low', documentation: 'A key.', name: 'k', option: 'k', default: null } as const;

function raw(accepts: readonly OptionForm[], value: unknown, type: ConfigKey['type'] = 'string') {
  const definition = configDef([{ ...row, type, accepts }]);
  return definition.fromOptions({ k: value } as never)['k'];
}

function cycle(): object {
  const one: Record<string, unknown> = { a: 1 };
  one['one'] = one;
  return one;
}

describe('an option', () => {
  it.each<[OptionForm, unknown, string]>([
    ['url', new URL('https://id.example/token?a=1'), 'https://id.example/token?a=1'],
    ['file', new URL('file:///etc/a%20b.pem'), '/etc/a b.pem'],
    ['file', new URL('file:///C:/certificates/a.pem'), 'C:/certificates/a.pem'],
    ['bytes', Uint8Array.of(1, 2, 255), 'AQL/'],
    ['bytes', Uint8Array.of(0, 1, 2, 255, 0).subarray(1, 4), 'AQL/'],
    ['pem', Buffer.from('-----BEGIN'), '-----BEGIN'],
    ['json', { id: 12345678901234567890n, list: [1] }, '{"id":"12345678901234567890","list":[1]}'],
    ['list', ['a', 'b'], 'a,b'],
  ])('takes a value of the language as %s', (form, value, text) => {
    expect(raw([form], value)).toBe(text);
  });

  it('takes numbers among the items of a list', () => {
    expect(raw(['numbers'], [1008, '4000-4999'], 'list')).toBe('1008,4000-4999');
  });

  it('takes file: URLs among the items of a list', () => {
    expect(raw(['files'], ['protos', new URL('file:///srv/protos/')], 'list')).toBe('protos,/srv/protos/');
    expect(() => raw(['files'], [new URL('https://h/')], 'list')).toThrow(
      'k must be a list of strings and file: URLs, got list',
    );
  });

  it.each([
    ['a Map', new Map([['a', 1]])],
    ['a Date', new Date(0)],
    ['a Secret', new Secret('x')],
    ['a Map within', { a: [new Map()] }],
    ['a Secret within', { a: new Secret('x') }],
    ['a cycle', cycle()],
  ])('refuses what would not be the same as JSON: %s', (_, value) => {
    expect(() => raw(['json'], value)).toThrow('k must be a string or an object, got ');
  });

  it('names everything that it takes when it is given something else', () => {
    expect(() => raw(['file', 'pem'], new URL('https://h/'))).toThrow(
      'k must be a string or a file: URL or bytes, got URL',
    );
    expect(() => raw(['json'], [])).toThrow('k must be a string or an object, got list');
    expect(() => raw(['list'], ['a,b'])).toThrow('k must be a string or a list of strings without commas');
    expect(() => raw([], {})).toThrow('k must be a string, got object');
  });
});
