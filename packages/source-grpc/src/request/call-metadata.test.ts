import { Secret } from '@levada/connect-runtime-core';
import { describe, expect, it } from 'vitest';
import { callMetadata, metadataProblem, metadataText, metadataValue } from './call-metadata.ts';

function metadata(text: string | null, named: Readonly<Record<string, string>> = {}) {
  const secrets = Object.entries(named).map(([name, value]) => [name, new Secret(value)] as const);
  return callMetadata({ text: text === null ? null : new Secret(text), named: new Map(secrets) });
}

describe('call metadata', () => {
  it.each<[string, readonly (readonly [string, string])[]]>([
    ['', []],
    [
      'k1:v1,k2:v2',
      [
        ['k1', 'v1'],
        ['k2', 'v2'],
      ],
    ],
    [
      ' k1 : v1 ,\tk2:v2 , ',
      [
        ['k1', 'v1'],
        ['k2', 'v2'],
      ],
    ],
    ['when:12:30:00', [['when', '12:30:00']]],
    ['Authorization:Bearer abc.def==', [['authorization', 'Bearer abc.def==']]],
    ['x-tag:a,X-Tag:b', [['x-tag', 'b']]],
    ['empty:', [['empty', '']]],
    [
      '__proto__:a,constructor:b',
      [
        ['__proto__', 'a'],
        ['constructor', 'b'],
      ],
    ],
  ])('is read from the text %j', (text, entries) => {
    expect(metadata(text)).toEqual(entries);
  });

  it('may hold commas in the named form', () => {
    expect(metadata(null, { Accept: 'a,b;q=1' })).toEqual([['accept', 'a,b;q=1']]);
  });

  it('has the named value where both forms have one', () => {
    expect(metadata('x-a:text,x-b:text', { 'X-A': 'named' })).toEqual([
      ['x-a', 'named'],
      ['x-b', 'text'],
    ]);
  });

  it('has bytes under a name that ends in -bin, from either alphabet, padded or not', () => {
    const bytes = Uint8Array.of(0xfb, 0xff, 0x00, 0x0a);
    for (const text of ['+/8ACg==', '+/8ACg', '-_8ACg', '-_8ACg==']) {
      expect(metadata(null, { 'Trace-Bin': text })).toEqual([['trace-bin', Buffer.from(bytes)]]);
      expect(metadata(`trace-bin:${text}`)).toEqual([['trace-bin', Buffer.from(bytes)]]);
    }
  });

  it.each([
    ['a', 'Metadata pair 1 is not of the form key:value; a value with a comma needs grpc.metadata.<key>'],
    ['a:b,SECRET', /^Metadata pair 2 is not of the form/],
    [':SECRET', /^Metadata pair 1 is not of the form/],
    ['x y:SECRET', /^Metadata pair 1 is not of the form/],
    [':path:SECRET', /^Metadata pair 1 is not of the form/],
    ['ok:1,x-bin:***', 'Metadata value is not base64: x-bin'],
    ['grpc-timeout:1S', 'Reserved metadata key: grpc-timeout'],
    ['Host:SECRET', 'Reserved metadata key: host'],
    ['te:SECRET', 'Reserved metadata key: te'],
    ['content-type:SECRET', 'Reserved metadata key: content-type'],
    ['connection:SECRET', 'Reserved metadata key: connection'],
    ['user-agent:SECRET', 'Reserved metadata key: user-agent'],
    ['x-a:SECRET\r\nx-b:c', 'Metadata value of x-a contains control characters'],
    ['x-a:SECRET\u0000x', 'Metadata value of x-a contains control characters'],
    ['x-a:SECRET\u0085x', 'Metadata value of x-a contains control characters'],
    ['x-a:SECRETü', 'Metadata value of x-a contains characters outside ASCII'],
    [`x-a:SECRET${'x'.repeat(8192)}`, 'Metadata value of x-a is longer than 8192 characters'],
  ])('refuses the text %j without showing a value', (text, problem) => {
    const found = metadataText.check(new Secret(text));
    expect(found).toMatch(problem);
    expect(found).not.toContain('SECRET');
    expect(() => metadata(text)).toThrow(expect.objectContaining({ code: 'config_invalid', message: found }));
  });

  it.each([
    ['', 'x', 'Invalid metadata key ""'],
    ['x y', 'x', 'Invalid metadata key "x y"'],
    ['ключ', 'x', 'Invalid metadata key "ключ"'],
    ['a\nb', 'x', 'Invalid metadata key "a\\nb"'],
    [':authority', 'x', 'Reserved metadata key: :authority'],
    ['GRPC-Encoding', 'x', 'Reserved metadata key: grpc-encoding'],
    ['x-bin', 'SECRET!', 'Metadata value is not base64: x-bin'],
    ['x-a', 'SECRET\n', 'Metadata value of x-a contains control characters'],
  ])('refuses %j as the key of %j', (name, value, problem) => {
    const found = metadataProblem(name, value);
    expect(found?.slice(0, problem.length)).toBe(problem);
    expect(found).not.toContain('SECRET');
    expect(() => metadata(null, { [name]: value })).toThrow(expect.objectContaining({ message: found }));
  });

  it('refuses a named value that cannot be sent', () => {
    expect(metadataValue.check(new Secret('SECRET\n'))).toBe('Metadata value contains control characters');
    expect(metadataValue.check(new Secret('a,b:c'))).toBeUndefined();
    expect(metadataValue.check(null)).toBe('Value must be non-null');
    expect(metadataText.check(null)).toBeUndefined();
  });
});
