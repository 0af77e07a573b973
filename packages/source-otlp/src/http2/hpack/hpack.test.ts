import { connect } from 'node:http2';
import { createServer as createNetServer } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerBlock } from './header-block.ts';
import { HpackDecoder, HpackError } from './hpack-decoder.ts';

const decoded = (decoder: HpackDecoder, block: Buffer): [string, string][] => {
  const fields: [string, string][] = [];
  decoder.decode(block, (name, value) => fields.push([name, value]));
  return fields;
};
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const request = (path: string, more: readonly [string, string][] = []): [string, string][] => [
  [':method', 'GET'],
  [':scheme', path === '/' ? 'http' : 'https'],
  [':path', path],
  [':authority', 'www.example.com'],
  ...more,
];

describe('HpackDecoder', () => {
  it('the decoder decodes the requests of RFC 7541, appendix C.3, without Huffman coding', () => {
    const decoder = new HpackDecoder(16_384);
    expect(decoded(decoder, hex('8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d'))).toEqual(request('/'));
    expect(decoded(decoder, hex('8286 84be 5808 6e6f 2d63 6163 6865'))).toEqual(
      request('/', [['cache-control', 'no-cache']]),
    );
    expect(
      decoded(decoder, hex('8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65')),
    ).toEqual(request('/index.html', [['custom-key', 'custom-value']]));
  });

  it('the decoder decodes the requests of RFC 7541, appendix C.4, with Huffman coding', () => {
    const decoder = new HpackDecoder(16_384);
    expect(decoded(decoder, hex('8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff'))).toEqual(request('/'));
    expect(decoded(decoder, hex('8286 84be 5886 a8eb 1064 9cbf'))).toEqual(
      request('/', [['cache-control', 'no-cache']]),
    );
    expect(decoded(decoder, hex('8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf'))).toEqual(
      request('/index.html', [['custom-key', 'custom-value']]),
    );
  });

  it('the decoder reads what headerBlock writes', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/);
    const value = fc.stringMatching(/^[\x21-\x7e]{0,300}$/);
    const property = fc.property(fc.dictionary(name, value), (fields) => {
      const found = decoded(new HpackDecoder(1e6), headerBlock({ ':status': '200', ...fields }).bytes);
      expect(found).toEqual([[':status', '200'], ...Object.entries(fields)]);
    });
    fc.assert(property);
  });

  it('the decoder reports too many fields, and keeps its table in order', () => {
    const decoder = new HpackDecoder(100);
    const long = Buffer.concat([hex('40 01 61 01 62'), headerBlock({ x: 'y'.repeat(100) }).bytes]);
    expect(decoder.decode(long, () => undefined)).toBe(false);
    expect(decoded(decoder, hex('be'))).toEqual([['a', 'b']]);
  });

  it('the decoder forgets the oldest entries of its table', () => {
    const decoder = new HpackDecoder(1e6);
    const entry = (name: string, bytes: number): Buffer =>
      Buffer.concat([
        Buffer.of(0x40, 1),
        Buffer.from(name),
        Buffer.of(0x7f, (bytes - 127) | 0x80, (bytes - 127) >> 7),
        Buffer.alloc(bytes, 0x61),
      ]);
    decoded(decoder, Buffer.concat([entry('a', 2000), entry('b', 2000)]));
    expect(decoded(decoder, hex('bf'))[0]?.[0]).toBe('a');
    decoded(decoder, entry('c', 2000));
    expect(decoded(decoder, hex('be bf')).map(([name]) => name)).toEqual(['c', 'b']);
    expect(() => decoded(decoder, hex('c0'))).toThrow(HpackError);
    expect(decoded(decoder, hex('20'))).toEqual([]);
    expect(() => decoded(decoder, hex('be'))).toThrow(HpackError);
  });

  it.each([
    ['an index of 0', '80'],
    ['an index beyond the tables', 'ff ff 7f'],
    ['a number without end', 'ff ff ff ff ff ff ff'],
    ['a string that is cut off', '00 05 61'],
    ['a field that is cut off', '40'],
    ['Huffman padding of a whole byte', '00 82 1f ff 01 61'],
    ['Huffman padding of zeros', '00 81 00 01 61'],
    ['the end of the string in Huffman code', '00 84 ff ff ff ff 01 61'],
    ['a table larger than allowed', '3f e2 1f'],
    ['a change of the table after a field', '82 20'],
  ])('the decoder throws HpackError for %s', (_what, block) => {
    expect(() => decoded(new HpackDecoder(16_384), hex(block))).toThrow(HpackError);
  });

  it('the decoder throws only HpackError for random bytes, and terminates', () => {
    const blocks = fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 5 });
    const property = fc.property(blocks, (tried) => {
      const decoder = new HpackDecoder(1000);
      let thrown: unknown = new HpackError();
      try {
        for (const block of tried) decoded(decoder, Buffer.from(block));
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(HpackError);
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it('the decoder reads every byte that nghttp2 encodes, request after request', async () => {
    const blocks: Buffer[] = [];
    const server = createNetServer((socket) => {
      let rest = Buffer.alloc(0);
      let skip = 24;
      socket.on('data', (chunk) => {
        rest = Buffer.concat([rest, chunk]);
        if (rest.length < skip) return;
        rest = rest.subarray(skip);
        skip = 0;
        while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
          const end = 9 + rest.readUIntBE(0, 3);
          // Node sends a priority of 5 bytes when there is one.
          if (rest[3] === 1) blocks.push(rest.subarray((rest[4] ?? 0) & 0x20 ? 14 : 9, end));
          rest = rest.subarray(end);
        }
      });
      socket.on('error', () => undefined);
      socket.write(Buffer.from('000000040000000000', 'hex'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const session = connect(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
    session.on('error', () => undefined);
    const text = (from: number): string =>
      Array.from({ length: 40 }, (_, index) => String.fromCharCode(0x21 + ((from + index * 7) % 94))).join(
        '',
      );
    const latin = Array.from({ length: 96 }, (_, index) => String.fromCharCode(0xa0 + index)).join('');
    const sent = Array.from({ length: 60 }, (_, index) => ({
      'x-count': String(index),
      [`x-${index % 7}`]: text(index),
      'x-latin': index % 3 === 0 ? latin : 'aaaaaaaaaaaaaaaaaaaaaaaaa\u00e9',
    }));
    for (const headers of sent) session.request({ ':path': '/a', ...headers }).on('error', () => undefined);
    await expect.poll(() => blocks.length).toBe(sent.length);
    const decoder = new HpackDecoder(16_384);
    for (const [index, block] of blocks.entries()) {
      expect(Object.fromEntries(decoded(decoder, block))).toMatchObject(sent[index] ?? {});
    }
    session.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});
