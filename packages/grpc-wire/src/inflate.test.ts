import { constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ContentEncoding,
  createInflater,
  InflateError,
  inflateNow,
  readableEncodings,
} from './inflate.ts';

const MIB = 1024 * 1024;
const compress: Readonly<Record<ContentEncoding, (body: Uint8Array) => Uint8Array>> = {
  gzip: (body) => gzipSync(body),
  deflate: (body) => deflateSync(body),
  zstd: (body) => zstdCompressSync(body),
};
const text = Buffer.from('telemetry '.repeat(20));
const noise = noisyBytes(MIB);

/** Incompressible bytes, the same in every run. */
function noisyBytes(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}

async function failure(body: Uint8Array, encoding: ContentEncoding, maxBytes = MIB): Promise<InflateError> {
  try {
    await createInflater().inflate(body, encoding, maxBytes);
  } catch (error) {
    if (error instanceof InflateError) return error;
    throw error;
  }
  throw new Error('the body was inflated');
}

describe.each(readableEncodings)('inflating %s', (encoding) => {
  it('small bodies are returned synchronously', () => {
    const inflated = createInflater().inflate(compress[encoding](text), encoding, MIB);
    expect(inflated).toStrictEqual(new Uint8Array(text));
  });

  it('bodies of any size are restored', async () => {
    const inflater = createInflater();
    const bodies = fc.uint8Array({ minLength: 0, maxLength: 2000 });
    const property = fc.asyncProperty(bodies, fc.constantFrom(1, 10, 700), async (part, times) => {
      const body = Buffer.concat(Array.from({ length: times }, () => part));
      const inflated = await inflater.inflate(compress[encoding](body), encoding, 2 * MIB);
      expect(Buffer.compare(inflated, body)).toBe(0);
    });
    await fc.assert(property, { numRuns: 60 });
  });

  it('large bodies that hardly compress are inflated in a thread', async () => {
    const inflated = createInflater().inflate(compress[encoding](noise), encoding, MIB);
    expect(inflated).toBeInstanceOf(Promise);
    expect(Buffer.compare(await inflated, noise)).toBe(0);
  });

  it.each([
    ['small', text],
    ['large', noise],
    ['large but small when compressed', new Uint8Array(MIB)],
  ])('a %s body of exactly the limit is accepted, and a larger one is refused', async (_, body) => {
    const sent = compress[encoding](body);
    expect(await createInflater().inflate(sent, encoding, body.length)).toHaveLength(body.length);
    const error = await failure(sent, encoding, body.length - 1);
    expect(error).toMatchObject({
      reason: 'too_large',
      message: `the inflated body is larger than ${body.length - 1} bytes`,
    });
  });

  it.each([
    ['small', text],
    ['large', noise],
  ])('a %s body cut at any byte is refused', async (_, body) => {
    const sent = compress[encoding](body);
    for (const length of [0, 1, 5, 11, sent.length >> 1, sent.length - 5, sent.length - 1]) {
      const error = await failure(sent.subarray(0, length), encoding, 2 * MIB);
      expect(error.reason, `${length} bytes`).toBe('corrupt');
    }
  });

  it.each([
    ['small', text],
    ['large', noise],
  ])('bytes after the end of a %s body are refused', async (_, body) => {
    for (const after of ['x', '\0\0\0', 'a longer text that is no compressed data']) {
      const sent = Buffer.concat([compress[encoding](body), Buffer.from(after)]);
      expect((await failure(sent, encoding, 2 * MIB)).reason).toBe('corrupt');
    }
  });

  it('a changed body gives the original or an error', async () => {
    const sent = compress[encoding](Buffer.from('one two three '.repeat(30)));
    const inflater = createInflater();
    const places = fc.nat(sent.length - 1);
    const property = fc.asyncProperty(places, fc.integer({ min: 1, max: 255 }), async (place, bits) => {
      const changed = Uint8Array.from(sent, (byte, at) => (at === place ? byte ^ bits : byte));
      const outcome = await Promise.resolve()
        .then(() => inflater.inflate(changed, encoding, 64 * 1024))
        .catch((error: unknown) => error);
      expect(outcome instanceof InflateError || outcome instanceof Uint8Array).toBe(true);
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it('inflating a bomb of 256 MiB stops at the limit', async () => {
    const bomb = compress[encoding](new Uint8Array(256 * MIB));
    const before = process.memoryUsage.rss();
    const errors = await Promise.all(Array.from({ length: 20 }, () => failure(bomb, encoding, 4 * MIB)));
    expect(errors.map((error) => error.reason)).toStrictEqual(Array(20).fill('too_large'));
    expect(process.memoryUsage.rss() - before).toBeLessThan(128 * MIB);
  });
});

describe('gzip', () => {
  it('consecutive members are one body', async () => {
    const sent = Buffer.concat([gzipSync('one '), gzipSync(''), gzipSync('two')]);
    expect(Buffer.from(await createInflater().inflate(sent, 'gzip', MIB)).toString()).toBe('one two');
  });

  it('a wrong checksum or length is refused', async () => {
    for (const fromEnd of [8, 1]) {
      const sent = Buffer.from(gzipSync(text));
      sent[sent.length - fromEnd] = (sent[sent.length - fromEnd] ?? 0) ^ 1;
      expect((await failure(sent, 'gzip')).reason).toBe('corrupt');
    }
  });

  it('the error for an uncompressed body says what is wrong', async () => {
    expect(await failure(Buffer.from('{"resourceSpans":[]}'), 'gzip')).toMatchObject({
      name: 'InflateError',
      message: 'the body is not valid gzip: incorrect header check',
    });
  });

  it('a wrong length at the end of a body is not trusted', async () => {
    const sent = Buffer.concat([gzipSync(new Uint8Array(3 * MIB)), gzipSync('x')]);
    expect(await createInflater().inflate(sent, 'gzip', 4 * MIB)).toHaveLength(3 * MIB + 1);
    const huge = Buffer.from(gzipSync(text));
    huge.fill(0xff, huge.length - 4);
    expect((await failure(huge, 'gzip')).reason).toBe('corrupt');
  });

  it('an inflated body keeps only its own memory alive', async () => {
    const inflater = createInflater();
    for (const length of [10, 3000, 100_000, MIB]) {
      const inflated = await inflater.inflate(gzipSync(noise.subarray(0, length)), 'gzip', MIB);
      expect(inflated.buffer.byteLength, `${length} bytes`).toBeLessThanOrEqual(2 * length + 1024);
    }
  });
});

describe('zstd', () => {
  it('a window above 8 MiB is refused', async () => {
    const params = { [constants.ZSTD_c_windowLog]: 27 };
    const sent = zstdCompressSync(new Uint8Array(64 * MIB), { params });
    expect((await failure(sent, 'zstd', 256 * MIB)).reason).toBe('corrupt');
  });

  it('a second frame is refused instead of being lost', async () => {
    const sent = Buffer.concat([zstdCompressSync('one'), zstdCompressSync('two')]);
    expect((await failure(sent, 'zstd')).message).toBe('the zstd body has bytes after its end');
  });
});

it('a bounded number of bodies waits for a thread', async () => {
  const inflater = createInflater({ concurrent: 1, waiting: 2 });
  const sent = gzipSync(noise);
  const results = await Promise.allSettled(
    Array.from({ length: 4 }, async () => inflater.inflate(sent, 'gzip', MIB)),
  );
  expect(results.map((result) => result.status)).toStrictEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
  ]);
  expect(results[3]).toMatchObject({ reason: { reason: 'busy' } });
  expect(await inflater.inflate(sent, 'gzip', MIB)).toHaveLength(MIB);
});

it('inflateNow is synchronous for any size and stops at the limit', () => {
  expect(inflateNow(gzipSync(noise), 'gzip', MIB)).toHaveLength(MIB);
  expect(inflateNow(deflateSync(''), 'deflate', 1)).toHaveLength(0);
  expect(() => inflateNow(gzipSync(noise), 'gzip', MIB - 1)).toThrow(
    expect.objectContaining({ reason: 'too_large' }),
  );
  expect(() => inflateNow(Buffer.from('garbage'), 'gzip', MIB)).toThrow(
    expect.objectContaining({ reason: 'corrupt', cause: expect.any(Error) }),
  );
});
