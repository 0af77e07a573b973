import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base64Bytes } from './base64-text.ts';

describe('base64 text', () => {
  it('is read in both alphabets, with and without padding, wrapped or not', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const standard = Buffer.from(bytes).toString('base64');
        const wrapped = `${standard.replace(/(.{76})/g, '$1\r\n')}\n`;
        const urlSafe = Buffer.from(bytes).toString('base64url');
        for (const text of [standard, standard.replace(/=+$/, ''), wrapped, urlSafe]) {
          expect(Buffer.from(base64Bytes(text) ?? []).equals(bytes)).toBe(true);
        }
      }),
    );
  });

  it.each(['***', 'A', 'AAAAA', 'AA=', 'AA===', 'AA==AA', '=', 'AAAA=', 'AA\u00a0AA', 'AAA\u0000', 'AÄAA'])(
    'is not %j',
    (text) => {
      expect(base64Bytes(text)).toBeUndefined();
    },
  );
});
