import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decompress } from './decompress.ts';

describe('decompress', () => {
  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ])('reads %s, also of nothing', (encoding, compress) => {
    const message = Buffer.from('message');
    expect(decompress(compress(message), encoding, 7)).toEqual({ kind: 'message', bytes: message });
    expect(decompress(compress(''), encoding, 1)).toEqual({ kind: 'message', bytes: Buffer.alloc(0) });
  });

  it('stops at the limit', () => {
    expect(decompress(gzipSync(Buffer.alloc(50_000_000)), 'gzip', 1000)).toEqual({ kind: 'oversized' });
    expect(decompress(gzipSync(Buffer.alloc(1001)), 'gzip', 1000)).toEqual({ kind: 'oversized' });
  });

  it.each([
    ['garbage', Buffer.from('garbage')],
    ['nothing', Buffer.alloc(0)],
    ['a truncated message', gzipSync('message').subarray(0, 15)],
  ])('calls %s INTERNAL', (_name, payload) => {
    expect(decompress(payload, 'gzip', 1000)).toMatchObject({
      kind: 'broken',
      status: { code: 'INTERNAL', source: 'local', message: expect.stringMatching(/^message is no gzip: /) },
    });
  });

  it.each(['identity', ''])('calls a message INTERNAL that is compressed with "%s"', (encoding) => {
    expect(decompress(gzipSync('message'), encoding, 1000)).toMatchObject({
      status: { code: 'INTERNAL', source: 'local' },
    });
  });

  it('calls what it cannot read UNIMPLEMENTED, by this side', () => {
    expect(decompress(Buffer.from('message'), 'snappy', 1000)).toMatchObject({
      status: {
        code: 'UNIMPLEMENTED',
        source: 'local',
        message: 'message is compressed with "snappy", expected "gzip" or "deflate"',
      },
    });
  });
});
