import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InboundMessages, type InboundOptions } from './inbound-messages.ts';

interface Recorded {
  readonly reader: InboundMessages;
  readonly messages: Buffer[];
  readonly oversized: number[];
}

function recorded(changes: Partial<InboundOptions> = {}): Recorded {
  const messages: Buffer[] = [];
  const oversized: number[] = [];
  const reader = new InboundMessages({
    maxMessageBytes: 1000,
    encoding: 'identity',
    onMessage: (message) => messages.push(message as Buffer),
    onOversized: (bytes) => oversized.push(bytes),
    ...changes,
  });
  return { reader, messages, oversized };
}

function prefix(length: number, flag = 0): Buffer {
  const bytes = Buffer.from([flag, 0, 0, 0, 0]);
  bytes.writeUInt32BE(length, 1);
  return bytes;
}

function prefixed(payload: Uint8Array, flag = 0): Buffer {
  return Buffer.concat([prefix(payload.length, flag), payload]);
}

/** Cuts bytes into pieces of these lengths, over and over. */
function cut(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieces.at(-1)?.length ?? 0) {
    pieces.push(bytes.subarray(at, at + (lengths[pieces.length % lengths.length] ?? 1)));
  }
  return pieces;
}

describe('InboundMessages', () => {
  it('hands out views of a chunk that holds whole messages', () => {
    const { reader, messages } = recorded();
    const chunk = Buffer.concat([
      prefixed(Buffer.from('one')),
      prefixed(Buffer.from('')),
      prefixed(Buffer.from('two')),
    ]);
    expect(reader.read(chunk)).toBe(chunk.length);
    expect(messages.map(String)).toEqual(['one', '', 'two']);
    expect(messages[0]?.buffer).toBe(chunk.buffer);
    expect(reader.partial).toBe(false);
  });

  it('finds every message however the bytes are cut, in order, oversized ones in their place', () => {
    const payloads = fc.array(fc.record({ size: fc.oneof(fc.nat(40), fc.nat(1200)), zipped: fc.boolean() }), {
      maxLength: 20,
    });
    const lengths = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(payloads, lengths, fc.boolean(), (sizes, pieces, halting) => {
        const reported: string[] = [];
        const reader = new InboundMessages({
          maxMessageBytes: 1000,
          encoding: 'gzip',
          onMessage: (message) => {
            reported.push(`${message.length} ${Buffer.from(message).toString('latin1')}`);
            reader.halted = halting;
          },
          onOversized: () => {
            reported.push('oversized');
            reader.halted = halting;
          },
        });
        const bodies = sizes.map(({ size }, index) => Buffer.alloc(size, String.fromCharCode(97 + index)));
        const bytes = bodies.map((body, index) =>
          sizes[index]?.zipped === true ? prefixed(gzipSync(body), 1) : prefixed(body),
        );
        for (const piece of cut(Buffer.concat(bytes), pieces)) {
          for (let rest = piece; rest.length > 0; ) {
            reader.halted = false;
            rest = rest.subarray(reader.read(rest));
          }
        }
        expect(reported).toEqual(
          bodies.map((body) =>
            body.length > 1000 ? 'oversized' : `${body.length} ${body.toString('latin1')}`,
          ),
        );
        expect(reader.partial).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('reads nothing while it is halted', () => {
    const { reader, messages } = recorded();
    reader.halted = true;
    expect(reader.read(prefixed(Buffer.from('one')))).toBe(0);
    expect(messages).toEqual([]);
  });

  it('stops within a chunk when it is halted by a message', () => {
    const { reader, messages } = recorded({
      onMessage: (message) => {
        messages.push(message as Buffer);
        reader.halted = true;
      },
    });
    const one = prefixed(Buffer.from('one'));
    expect(reader.read(Buffer.concat([one, one, one]))).toBe(one.length);
    expect(messages).toHaveLength(1);
  });

  it('accepts a message of exactly the limit and reports one byte more', () => {
    const { reader, messages, oversized } = recorded();
    reader.read(prefixed(Buffer.alloc(1000)));
    reader.read(prefixed(Buffer.alloc(1001)));
    reader.read(prefixed(Buffer.from('next')));
    expect(messages.map(({ length }) => length)).toEqual([1000, 4]);
    expect(oversized).toEqual([1001]);
  });

  it('reports an oversized message once, when it begins, and discards its bytes', () => {
    const { reader, messages, oversized } = recorded();
    const piece = Buffer.alloc(64 * 1024);
    reader.read(prefix(800 * piece.length));
    expect(oversized).toEqual([800 * piece.length]);
    for (let index = 0; index < 800; index += 1) reader.read(piece);
    expect(reader.partial).toBe(false);
    reader.read(prefixed(Buffer.from('next')));
    expect(messages.map(String)).toEqual(['next']);
    expect(oversized).toHaveLength(1);
  });

  it.each([
    ['4 GiB', prefix(0xffffffff)],
    ['text', Buffer.from('404 page not found')],
    ['64 MiB and a byte', prefix(64 * 1024 * 1024 + 1)],
  ])('takes a length of %s for no length', (_name, bytes) => {
    const { reader, oversized } = recorded();
    reader.read(bytes);
    expect(reader.fault).toMatchObject({
      code: 'RESOURCE_EXHAUSTED',
      source: 'local',
      exhausted: 'message_too_large',
    });
    expect(reader.fault?.message).toMatch(
      /^message of \d+ bytes announced, grpc\.max\.inbound\.message\.size is 1000$/,
    );
    expect(oversized).toEqual([]);
  });

  it('takes 16 times a large limit for a length', () => {
    const limit = 64 * 1024 * 1024;
    const { reader, oversized } = recorded({ maxMessageBytes: limit });
    reader.read(prefix(16 * limit));
    expect(oversized).toEqual([16 * limit]);
    const other = recorded({ maxMessageBytes: limit });
    other.reader.read(prefix(16 * limit + 1));
    expect(other.reader.fault?.code).toBe('RESOURCE_EXHAUSTED');
  });

  it('refuses a flag that is neither 0 nor 1', () => {
    const { reader } = recorded();
    reader.read(prefixed(Buffer.from('one'), 2));
    expect(reader.fault).toEqual({
      code: 'INTERNAL',
      message: 'message with compressed-flag 2, expected 0 or 1',
      source: 'local',
    });
  });

  it('reads nothing after a fault', () => {
    const { reader, messages } = recorded();
    reader.read(Buffer.concat([prefixed(Buffer.from('one'), 9), prefixed(Buffer.from('two'))]));
    reader.read(prefixed(Buffer.from('three')));
    expect(messages).toEqual([]);
  });

  it('puts a message of 2 MiB together from single bytes', () => {
    const { reader, messages } = recorded({ maxMessageBytes: 4 * 1024 * 1024 });
    const message = Buffer.alloc(2 * 1024 * 1024, 'levada');
    for (const byte of prefixed(message)) reader.read(Buffer.from([byte]));
    expect(messages).toHaveLength(1);
    expect(messages[0]?.equals(message)).toBe(true);
  });

  it('puts a message together that is larger than what it allocates at once', () => {
    const { reader, messages } = recorded({ maxMessageBytes: 64 * 1024 * 1024 });
    const message = Buffer.alloc(40 * 1024 * 1024 + 3, 'levada');
    for (const piece of cut(prefixed(message), [16_384])) reader.read(piece);
    expect(messages[0]?.equals(message)).toBe(true);
  });

  it.each([2, 5, 8])('is within a message after %d of 9 bytes', (length) => {
    const { reader } = recorded();
    reader.read(prefixed(Buffer.from('four')).subarray(0, length));
    expect(reader.partial).toBe(true);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ])('inflates %s, also of nothing', (encoding, compress) => {
    const { reader, messages } = recorded({ encoding });
    reader.read(prefixed(compress(Buffer.from('message')), 1));
    reader.read(prefixed(compress(''), 1));
    expect(messages.map(String)).toEqual(['message', '']);
  });

  it('reports the limit plus one for a message that inflates above the limit, and reads on', () => {
    const { reader, messages, oversized } = recorded({ encoding: 'gzip', maxMessageBytes: 100_000 });
    reader.read(prefixed(gzipSync(Buffer.alloc(50_000_000)), 1));
    reader.read(prefixed(gzipSync(Buffer.alloc(100_001)), 1));
    reader.read(prefixed(Buffer.from('next')));
    expect(oversized).toEqual([100_001, 100_001]);
    expect(messages.map(String)).toEqual(['next']);
  });

  it.each([
    ['garbage', Buffer.from('garbage')],
    ['nothing', Buffer.alloc(0)],
    ['a truncated message', gzipSync('message').subarray(0, 15)],
  ])('ends with INTERNAL on %s in place of gzip', (_name, payload) => {
    const { reader } = recorded({ encoding: 'gzip' });
    reader.read(prefixed(payload, 1));
    expect(reader.fault).toMatchObject({ code: 'INTERNAL', source: 'local' });
    expect(reader.fault?.message).toMatch(/^the body is not valid gzip: /);
  });

  it.each(['identity', ''])('ends with INTERNAL on a message that is compressed with "%s"', (encoding) => {
    const { reader } = recorded({ encoding });
    reader.read(prefixed(gzipSync('message'), 1));
    expect(reader.fault).toMatchObject({ code: 'INTERNAL', source: 'local' });
  });

  it('ends with UNIMPLEMENTED on a compression that it cannot read', () => {
    const { reader } = recorded({ encoding: 'snappy' });
    reader.read(prefixed(Buffer.from('message'), 1));
    expect(reader.fault).toEqual({
      code: 'UNIMPLEMENTED',
      source: 'local',
      message: 'message is compressed with "snappy", expected one of "identity,gzip,deflate"',
    });
  });
});
