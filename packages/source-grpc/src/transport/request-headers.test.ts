import { describe, expect, it } from 'vitest';
import type { MetadataEntry } from './channel.ts';
import { requestHeaders } from './request-headers.ts';

const headersOf = (metadata: readonly MetadataEntry[]): Record<string, unknown> => ({
  ...requestHeaders({ path: '/a.B/C', metadata, compression: 'identity' }, 'feed.example', 'http'),
});

describe('requestHeaders', () => {
  it('are what gRPC asks for', () => {
    expect(headersOf([])).toEqual({
      ':method': 'POST',
      ':scheme': 'http',
      ':authority': 'feed.example',
      ':path': '/a.B/C',
      te: 'trailers',
      'content-type': 'application/grpc',
      'user-agent': expect.stringMatching(/^levada-grpc\/\d+\.\d+\.\d+$/),
      'grpc-accept-encoding': 'identity,gzip,deflate',
    });
  });

  it('name the compression of the request', () => {
    const headers = requestHeaders({ path: '/a', metadata: [], compression: 'gzip' }, 'host', 'https');
    expect(headers).toMatchObject({ 'grpc-encoding': 'gzip', ':scheme': 'https' });
  });

  it('keep every value of a repeated name, in order', () => {
    expect(
      headersOf([
        ['k', 'one'],
        ['k', 'two, three'],
      ])['k'],
    ).toEqual(['one', 'two, three']);
  });

  it('hold bytes as Base64 without padding', () => {
    const view = Buffer.from('xabcd').subarray(1);
    expect(headersOf([['k-bin', view]])['k-bin']).toEqual(['YWJjZA']);
    expect(headersOf([['k-bin', 'YWJjZA==']])['k-bin']).toEqual(['YWJjZA']);
  });

  it.each([
    ':path',
    ':authority',
    'te',
    'content-type',
    'user-agent',
    'grpc-timeout',
    'grpc-encoding',
    'host',
    'connection',
  ])('cannot be overridden by metadata: %s', (name) => {
    expect(headersOf([[name, 'mine']])).toEqual(headersOf([]));
  });

  it('may be named as a property of every object is', () => {
    expect(
      headersOf([
        ['__proto__', 'a'],
        ['constructor', 'b'],
      ]),
    ).toHaveProperty('constructor', ['b']);
  });

  it.each(['Upper', 'with space', 'ä', ''])('refuse the name "%s"', (name) => {
    expect(() => headersOf([[name, 'value']])).toThrow(/^metadata name ".*" holds characters other than/);
  });

  it.each(['line\nbreak', 'größe', '\u0000'])(
    'rejects a metadata value that is not printable ASCII without quoting it',
    (value) => {
      expect(() => headersOf([['secret', value]])).toThrow(/^metadata "secret" is no printable ASCII text$/);
    },
  );

  it('refuse more metadata than can be sent', () => {
    expect(headersOf([['k', 'x'.repeat(61_407)]])).toHaveProperty('k');
    expect(() => headersOf([['k', 'x'.repeat(61_408)]])).toThrow(
      'metadata of 61441 bytes, expected at most 61440',
    );
  });

  it('refuse bytes under a name that is not for bytes', () => {
    expect(() => headersOf([['k', Buffer.from('x')]])).toThrow('metadata "k" is no printable ASCII text');
  });
});
