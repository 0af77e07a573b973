import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { statusMessage } from './status-message.ts';

describe('statusMessage', () => {
  it('reads what servers encode', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        const encoded = [...Buffer.from(text)]
          .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
          .join('');
        expect(statusMessage(encoded)).toBe(Buffer.from(text).toString());
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
  ])('reads "%s" as "%s"', (header, text) => {
    expect(statusMessage(header)).toBe(text);
  });

  it('reads UTF-8 that was sent as it is', () => {
    expect(statusMessage(Buffer.from('größer').toString('latin1'))).toBe('größer');
  });

  it('cuts after 1 KiB, counted after decoding', () => {
    expect(statusMessage('%41'.repeat(1024))).toBe('A'.repeat(1024));
    expect(statusMessage('%41'.repeat(1025))).toBe(`${'A'.repeat(1024)}...`);
    expect(statusMessage('A'.repeat(50_000))).toBe(`${'A'.repeat(1024)}...`);
  });

  it('never throws, and never grows', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('%', '4', 'a', 'F', 'x', '\u00ff'), maxLength: 50 }),
        (header) => {
          expect(Buffer.byteLength(statusMessage(header))).toBeLessThanOrEqual(3 * header.length);
        },
      ),
      { numRuns: 500 },
    );
  });
});
