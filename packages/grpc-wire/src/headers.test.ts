import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binaryHeader, decodeStatusMessage, encodeStatusMessage, timeoutMs } from './headers.ts';

describe('decodeStatusMessage', () => {
  it('status messages of servers are decoded', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        const encoded = [...Buffer.from(text)]
          .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
          .join('');
        expect(decodeStatusMessage(encoded)).toBe(Buffer.from(text).toString());
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['plain text', 'plain text'],
    ['100%', '100%'],
    ['%', '%'],
    ['%4', '%4'],
    ['%zz%41', '%zzA'],
    ['%%41', '%A'],
    ['%e2%82%AC', '€'],
    ['%ff', '\ufffd'],
    ['', ''],
  ])('"%s" is decoded as "%s"', (header, text) => {
    expect(decodeStatusMessage(header)).toBe(text);
  });

  it('unencoded UTF-8 is accepted', () => {
    expect(decodeStatusMessage(Buffer.from('größer').toString('latin1'))).toBe('größer');
  });

  it('a message is cut off at 1 KiB, counted after decoding', () => {
    expect(decodeStatusMessage('%41'.repeat(1024))).toBe('A'.repeat(1024));
    expect(decodeStatusMessage('%41'.repeat(1025))).toBe(`${'A'.repeat(1024)}...`);
    expect(decodeStatusMessage('A'.repeat(50_000))).toBe(`${'A'.repeat(1024)}...`);
  });

  it('decoding never throws, and its result is never longer than the header', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('%', '4', 'a', 'F', 'x', '\u00ff'), maxLength: 50 }),
        (header) => {
          expect(Buffer.byteLength(decodeStatusMessage(header))).toBeLessThanOrEqual(3 * header.length);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('encodeStatusMessage', () => {
  it('printable ASCII is not encoded, except for the percent sign', () => {
    expect(encodeStatusMessage('queue "a" full: ~10 of {10}')).toBe('queue "a" full: ~10 of {10}');
    expect(encodeStatusMessage('100 %')).toBe('100 %25');
  });

  it('all other characters are encoded byte by byte', () => {
    expect(encodeStatusMessage('ü\r\n\u{1f600}\x00\x7f')).toBe('%C3%BC%0D%0A%F0%9F%98%80%00%7F');
  });

  it('an encoded status message decodes to the original', () => {
    const property = fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
      expect(decodeURIComponent(encodeStatusMessage(text))).toBe(text);
      expect(decodeStatusMessage(encodeStatusMessage(text))).toBe(text);
    });
    fc.assert(property);
  });

  it('any text is encoded as printable ASCII of at most 3 KiB', () => {
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 1500 }), (text) => {
      expect(encodeStatusMessage(text)).toMatch(/^[\x20-\x7e]{0,3072}$/);
    });
    fc.assert(property);
  });
});

describe('timeoutMs', () => {
  it.each([
    ['2H', 7_200_000],
    ['3M', 180_000],
    ['10S', 10_000],
    ['99999999m', 99_999_999],
    ['1500u', 1.5],
    ['250n', 0.00025],
    ['0S', 0],
  ])('"%s" is a timeout of %d ms', (header, ms) => {
    expect(timeoutMs(header)).toBeCloseTo(ms, 9);
  });

  it.each([
    '',
    'S',
    '5',
    'abc',
    '5s',
    '-1S',
    '1.5S',
    '+5S',
    ' 5S',
    '5S ',
    '123456789m',
    '5SS',
    '5S, 6S',
    '0x5S',
  ])('"%s" is not a timeout', (header) => expect(timeoutMs(header)).toBeUndefined());
});

describe('binaryHeader', () => {
  it('only the bytes of a view are encoded, as Base64 without padding', () => {
    const bytes = Uint8Array.of(0, 255, 0, 1, 2).subarray(1, 2);
    expect(binaryHeader(bytes)).toBe('/w');
  });
});
