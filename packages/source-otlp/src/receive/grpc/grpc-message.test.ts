import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grpcMessage } from './grpc-message.ts';

describe('grpcMessage', () => {
  it('leaves printable ASCII as it is, but for the percent sign', () => {
    expect(grpcMessage('queue "a" full: ~10 of {10}')).toBe('queue "a" full: ~10 of {10}');
    expect(grpcMessage('100 %')).toBe('100 %25');
  });

  it('encodes everything else byte by byte', () => {
    expect(grpcMessage('ü\r\n\u{1f600}\x00\x7f')).toBe('%C3%BC%0D%0A%F0%9F%98%80%00%7F');
  });

  it('is read as it was written by whoever decodes it', () => {
    const property = fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
      expect(decodeURIComponent(grpcMessage(text))).toBe(text);
    });
    fc.assert(property);
  });

  it('is printable ASCII of at most 3 KiB, whatever the text', () => {
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 1500 }), (text) => {
      expect(grpcMessage(text)).toMatch(/^[\x20-\x7e]{0,3072}$/);
    });
    fc.assert(property);
  });
});
